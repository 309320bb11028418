"""estate.json into the model, and its invariants (spec 2)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.topology.loading.files import ESTATE, estate, estate_faults, estate_file
from topology.model import ClusterTerms, Loop, Node, Provenance, Signal, Standing, Workload

FULL: dict[str, Any] = {
    "schemaVersion": 1,
    "cluster": "lab-1",
    "unit": "gpu",
    "snapshotAt": "2026-11-30T12:00:00Z",
    "sample": True,
    "pricePerUnitHour": 2.5,
    "wattsPerUnitKw": 1.0,
    "idleKwPerUnit": 0.1,
    "defaultRestartMinutes": 45,
    "verifiedAt": "2026-10-01T08:00:00+02:00",
    "clusters": [{"id": "lab-1", "snapshotAt": "2026-11-30T12:00:00Z"}],
    "notes": ["prices of lab-1 apply"],
    "nodes": [
        {
            "id": "gpu-node-01",
            "installed": 8,
            "allocated": 6,
            "utilization": 0.62,
            "utilizationBasis": "dcgm",
            "utilizationWindowHours": 24,
            "domains": {"rack": "rack-1", "pdu": ["pdu-a", "pdu-b"], "cooling": {"all": ["c1", "c2"]}},
            "eccErrors90d": 3,
            "jobFailures90d": 1,
            "xidEvents90d": 2,
            "ready": True,
            "schedulable": False,
            "kwPerUnit": 1.2,
            "idleKwPerUnit": 0.2,
            "pricePerUnitHour": 3,
            "model": "H100",
            "unhealthy": 1,
            "roles": ["etcd"],
            "providerID": "x://1",
            "systemUUID": "u-1",
            "cluster": "lab-1",
        }
    ],
    "domains": {"pdu-a": {"kind": "power", "parent": "ups-a"}, "ups-a": {"kind": "ups", "ratedKw": 40}},
    "workloads": [
        {
            "id": "ml/pytorchjob/llama",
            "kind": "training",
            "critical": True,
            "criticalBasis": "label",
            "checkpointMinutes": 30,
            "restartMinutes": 20,
            "gang": True,
            "namespace": "ml",
            "owner": "team-a",
            "contact": "#ml",
            "replicas": {"gpu-node-01": 2},
            "minAvailable": 1,
            "placements": {"gpu-node-01": 6},
            "cluster": "lab-1",
        }
    ],
    "loops": [{"id": "karpenter", "hourlyActions": [None, *[0] * 22, 12], "cluster": "lab-1"}],
    "provenance": {
        "collectedAt": "2026-11-30T12:00:05Z",
        "collectorVersion": "1.0.0",
        "topologyFileModifiedAt": "2026-10-01T08:00:00Z",
        "signals": {"metrics": {"reachable": True}, "dcgm": {"reachable": False, "detail": "none"}},
        "caveats": ["DCGM was not reachable"],
    },
}


class TestModel:
    """Every key of spec 2 finds its place."""

    def test_node(self) -> None:
        (node,) = estate(FULL).nodes
        assert node == Node(
            "gpu-node-01",
            6,
            installed=8,
            standings=(
                Standing("rack", "one", ("rack-1",)),
                Standing("pdu", "any", ("pdu-a", "pdu-b")),
                Standing("cooling", "all", ("c1", "c2")),
            ),
            utilization=0.62,
            utilization_basis="dcgm",
            utilization_window_hours=24,
            ecc_errors_90d=3,
            job_failures_90d=1,
            xid_events_90d=2,
            ready=True,
            schedulable=False,
            kw_per_unit=1.2,
            idle_kw_per_unit=0.2,
            price_per_unit_hour=3,
            model="H100",
            unhealthy=1,
            roles=("etcd",),
            provider_id="x://1",
            system_uuid="u-1",
            cluster="lab-1",
        )

    def test_workload_and_loop(self) -> None:
        loaded = estate(FULL)
        assert loaded.workloads == (
            Workload(
                "ml/pytorchjob/llama",
                "training",
                {"gpu-node-01": 6},
                critical=True,
                critical_basis="label",
                checkpoint_minutes=30,
                restart_minutes=20,
                gang=True,
                namespace="ml",
                owner="team-a",
                contact="#ml",
                replicas={"gpu-node-01": 2},
                min_available=1,
                cluster="lab-1",
            ),
        )
        assert loaded.loops == (Loop("karpenter", (None, *[0] * 22, 12), cluster="lab-1"),)

    def test_the_rest(self) -> None:
        loaded = estate(FULL)
        assert loaded.provenance == Provenance(
            "2026-11-30T12:00:05Z",
            "1.0.0",
            "2026-10-01T08:00:00Z",
            {"metrics": Signal(reachable=True), "dcgm": Signal(reachable=False, detail="none")},
            ("DCGM was not reachable",),
        )
        assert loaded.clusters == (ClusterTerms("lab-1", "2026-11-30T12:00:00Z"),)
        assert loaded.notes == ("prices of lab-1 apply",)
        assert (loaded.sample, loaded.bare, loaded.unit) == (True, False, "gpu")
        assert (loaded.price_per_unit_hour, loaded.watts_per_unit_kw) == (2.5, 1.0)
        assert (loaded.default_restart_minutes, loaded.idle_kw_per_unit) == (45, 0.1)
        assert loaded.verified_at == "2026-10-01T08:00:00+02:00"
        assert set(loaded.domains) == {"pdu-a", "ups-a", "rack-1", "pdu-b", "c1", "c2"}

    def test_missing_and_null_mean_unknown(self) -> None:
        """Spec 2: "`null` is the same as absent"."""

        def nulled(raw: dict[str, Any], *kept: str) -> dict[str, Any]:
            return {key: value if key in kept else None for key, value in raw.items()}

        required = ("schemaVersion", "cluster", "unit", "snapshotAt")
        raw = nulled(FULL, *required)
        raw["nodes"] = [nulled(FULL["nodes"][0], "id", "allocated")]
        raw["workloads"] = [nulled(FULL["workloads"][0], "id", "kind", "placements")]
        loaded = estate(raw)
        assert loaded.nodes == (Node("gpu-node-01", 6),)
        assert loaded.workloads == (Workload("ml/pytorchjob/llama", "training", {"gpu-node-01": 6}),)
        assert loaded.provenance == Provenance()
        assert [*loaded.loops, *loaded.clusters, *loaded.notes] == []

    def test_whole_numbers_stay_whole(self) -> None:
        loaded = estate(FULL)
        assert type(loaded.nodes[0].allocated) is int
        assert type(loaded.watts_per_unit_kw) is float

    @pytest.mark.parametrize("key", ["schemaVersion", "cluster", "unit", "snapshotAt", "nodes"])
    @pytest.mark.parametrize("value", ["absent", None])
    def test_required_at_the_top(self, key: str, value: object) -> None:
        raw = estate_file(**{key: None}) if value is None else {k: v for k, v in ESTATE.items() if k != key}
        found = estate_faults(raw)
        assert any(f"'{key}' is required" in each.message for each in found)

    @pytest.mark.parametrize(
        ("where", "key"),
        [
            ("nodes", "id"),
            ("nodes", "allocated"),
            ("workloads", "id"),
            ("workloads", "kind"),
            ("workloads", "placements"),
        ],
    )
    def test_required_inside(self, where: str, key: str) -> None:
        raw = estate_file()
        del raw[where][0][key]
        assert any(f"'{key}' is required and missing" in each.message for each in estate_faults(raw))


@pytest.mark.parametrize(
    ("key", "typed", "fix"),
    [
        ("checkpointMinutes", "30m", "Write 30 alone: the unit is in the key's name."),
        ("checkpointMinutes", "2h", "Write 120: the number is in minutes."),
        ("restartMinutes", "90s", "Write 1.5: the number is in minutes."),
        ("wattsPerUnitKw", "700 W", "Write 0.7: the number is in kW."),
        ("idleKwPerUnit", "90 W", "Write 0.09: the number is in kW."),
        ("defaultRestartMinutes", "0.5 h", "Write 30: the number is in minutes."),
        ("pricePerUnitHour", "2.5 USD", "Write the number alone, without a unit."),
    ],
)
def test_typed_units_are_converted(key: str, typed: str, fix: str) -> None:
    workload = {"id": "w1", "kind": "training", "placements": {"n1": 6}}
    of_workload = key in ("checkpointMinutes", "restartMinutes")
    raw = estate_file(workloads=[{**workload, key: typed}]) if of_workload else estate_file(**{key: typed})
    assert [fault.hint for fault in estate_faults(raw)] == [fix]


def test_a_percentage_is_a_share() -> None:
    raw = estate_file(nodes=[{"id": "n1", "allocated": 6, "utilization": "95%"}])
    assert [fault.hint for fault in estate_faults(raw)] == ["Write 0.95: the number is in parts of one."]
