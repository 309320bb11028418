"""Every key of an estate file: which attribute it fills, how it is read and written (spec 2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from topology.decode_standings import StandingReader, write_standings
from topology.fields import Field, Shape, anything, as_list, record_of
from topology.limits import HOURS, MAX_YAML_BYTES, SCHEMA_VERSION
from topology.list_readers import list_of, mapping, mapping_of, sequence
from topology.model import ClusterTerms, Provenance, Signal
from topology.number_hints import SHARE
from topology.number_readers import amounts, number
from topology.readers import boolean, choice, ident, text, timestamp

WORKLOAD_KINDS: Final = ("training", "inference", "batch", "interactive", "system", "unknown")

_AMOUNT: Final = number()
_KW: Final = number(unit="kW")
_MINUTES: Final = number(unit="minutes")
_HOURS: Final = number(unit="hours")
_NEEDED: Final = number(optional=False)
_COUNT: Final = number(whole=True)


def _as_mapping(values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if values is None else dict(values)


def node_shape(standings: StandingReader) -> Shape:
    """Return the keys of a node; its standings are read by `standings`."""
    return Shape(
        {
            "id": Field("id", ident, required=True),
            "installed": Field("installed", _AMOUNT),
            "allocated": Field("allocated", _NEEDED, required=True),
            "utilization": Field("utilization", number(0, 1, unit=SHARE)),
            "utilizationBasis": Field("utilization_basis", text),
            "utilizationWindowHours": Field("utilization_window_hours", _HOURS),
            "domains": Field("standings", standings.read, write_standings),
            "eccErrors90d": Field("ecc_errors_90d", _AMOUNT),
            "jobFailures90d": Field("job_failures_90d", _AMOUNT),
            "xidEvents90d": Field("xid_events_90d", _AMOUNT),
            "ready": Field("ready", boolean),
            "schedulable": Field("schedulable", boolean),
            "kwPerUnit": Field("kw_per_unit", _KW),
            "idleKwPerUnit": Field("idle_kw_per_unit", _KW),
            "pricePerUnitHour": Field("price_per_unit_hour", _AMOUNT),
            "model": Field("model", text),
            "unhealthy": Field("unhealthy", _AMOUNT),
            "roles": Field("roles", list_of(ident, distinct=True), as_list),
            "providerID": Field("provider_id", text),
            "systemUUID": Field("system_uuid", text),
            "cluster": Field("cluster", ident),
        }
    )


WORKLOAD: Final = Shape(
    {
        "id": Field("id", ident, required=True),
        "kind": Field("kind", choice(*WORKLOAD_KINDS), required=True),
        "critical": Field("critical", boolean),
        "criticalBasis": Field("critical_basis", text),
        "checkpointMinutes": Field("checkpoint_minutes", _MINUTES),
        "restartMinutes": Field("restart_minutes", _MINUTES),
        "gang": Field("gang", boolean),
        "namespace": Field("namespace", text),
        "owner": Field("owner", text),
        "contact": Field("contact", text),
        "replicas": Field("replicas", amounts(whole=True), _as_mapping),
        "minAvailable": Field("min_available", _COUNT),
        "placements": Field("placements", amounts(), dict, required=True),
        "cluster": Field("cluster", ident),
    }
)

LOOP: Final = Shape(
    {
        "id": Field("id", ident, required=True),
        "hourlyActions": Field(
            "hourly_actions", list_of(_NEEDED, exactly=HOURS, nulls=True), list, required=True
        ),
        "cluster": Field("cluster", ident),
    }
)

SIGNAL: Final = Shape(
    {"reachable": Field("reachable", boolean, required=True), "detail": Field("detail", text)}
)

PROVENANCE: Final = Shape(
    {
        "collectedAt": Field("collected_at", timestamp),
        "collectorVersion": Field("collector_version", text),
        "topologyFileModifiedAt": Field("topology_file_modified_at", timestamp),
        "signals": Field(
            "signals",
            mapping_of(record_of(SIGNAL, Signal)),
            lambda signals: {name: SIGNAL.write(signal) for name, signal in signals.items()} or None,
        ),
        "caveats": Field("caveats", list_of(text), as_list),
    }
)

CLUSTER: Final = Shape(
    {
        "id": Field("id", ident, required=True),
        "snapshotAt": Field("snapshot_at", timestamp, required=True),
    }
)


@dataclass(frozen=True, slots=True)
class Embedded:
    """A topology file that the collector could not parse, carried as text (spec 2)."""

    text: str | None = None
    sha256: str | None = None
    modified_at: str | None = None
    verified_at: str | None = None


def _file_text(value: Any) -> str:
    return text(value, MAX_YAML_BYTES)


EMBEDDED: Final = Shape(
    {
        "sha256": Field("sha256", text),
        "modifiedAt": Field("modified_at", timestamp),
        "verifiedAt": Field("verified_at", timestamp),
        "text": Field("text", _file_text),
    }
)

ESTATE: Final = Shape(
    {
        "schemaVersion": Field(
            "schema_version",
            number(SCHEMA_VERSION, SCHEMA_VERSION, whole=True, optional=False),
            required=True,
        ),
        "cluster": Field("cluster", ident, required=True),
        "unit": Field("unit", choice("gpu", "cpu"), required=True),
        "snapshotAt": Field("snapshot_at", timestamp, required=True),
        "sample": Field("sample", boolean, lambda sample: sample or None),
        "pricePerUnitHour": Field("price_per_unit_hour", _AMOUNT),
        "wattsPerUnitKw": Field("watts_per_unit_kw", _KW),
        "idleKwPerUnit": Field("idle_kw_per_unit", _KW),
        "defaultRestartMinutes": Field("default_restart_minutes", _MINUTES),
        "verifiedAt": Field("verified_at", timestamp),
        "clusters": Field(
            "clusters",
            list_of(record_of(CLUSTER, ClusterTerms)),
            lambda clusters: [CLUSTER.write(cluster) for cluster in clusters] or None,
        ),
        "notes": Field("notes", list_of(text), as_list),
        "nodes": Field("nodes", sequence, required=True),
        "domains": Field("domains", mapping),
        "workloads": Field("workloads", sequence),
        "loops": Field("loops", sequence),
        "provenance": Field("provenance", record_of(PROVENANCE, Provenance)),
        "topology": Field("topology", record_of(EMBEDDED, Embedded)),
        "$schema": Field("schema", anything),
    }
)
