"""Write topology.yaml and estate.json of this example: python3 build.py [DIRECTORY]."""

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

from facility import sections
from fleet import CONTROL_LOOPS, Machine, machines, node_of, workloads
from section import Section

HERE = Path(__file__).parent
SNAPSHOT_AT = "2026-11-30T12:00:00Z"
VERIFIED_AT = "2026-11-02T09:00:00Z"
WIDTH = 132
HEADING = """\
# Two halls, 2,528 GPUs: the facility map of a made-up but credible site.
# From the single-line diagrams E-101 to E-104, the rack elevations and the mechanical schedule M-201.
# Ratings are continuous usable kW, after derating and power factor. Written by build.py: edit that.
version: 2
verifiedAt: "{verified_at}"
"""
CRITICALITY = (
    "Criticality is a heuristic: a workload counts as critical when its pod label "
    'iverson.gpu/critical is "true", when a PodDisruptionBudget selects it, or when its priority class '
    "contains system-cluster-critical. Review and re-label: a wrong criticality flag skews every "
    "critical-share figure downstream of it."
)
NO_DCGM = "DCGM did not answer on 10 of 352 nodes: their utilization is unknown."


def topology_yaml(fleet: list[Machine]) -> str:
    """Return the operator's file: nodes first, as in a hand-written one, then the domains."""
    lines = [HEADING.format(verified_at=VERIFIED_AT), "nodes:"]
    rack = ""
    for machine in fleet:
        if machine.rack.rsplit("-", 1)[0] != rack:
            rack = machine.rack.rsplit("-", 1)[0]
            lines.append(f"  # {_row_title(rack)}")
        lines.append(f"  {machine.id}: {_flow(machine.standing)}")
    lines += ["", "domains:"]
    for section in sections():
        lines += _section(section)
    return "\n".join(lines) + "\n"


def _row_title(prefix: str) -> str:
    hall, row = prefix.split("-")
    return f"hall {hall[1]}, " + ("service racks" if row == "svc" else f"row {row[1]}")


def _section(section: Section) -> list[str]:
    lines = [f"  # {line}" for line in textwrap.wrap(section.heading, 104)]
    for id_, fields, remark in section.entries:
        lines += _domain(id_, fields, f"   # {remark}" if remark else "")
    return [*lines, ""]


def _domain(id_: str, fields: dict[str, Any], remark: str) -> list[str]:
    line = f"  {id_}: {_flow(fields)}{remark}"
    if len(line) <= WIDTH:
        return [line]
    return [f"  {id_}:{remark}", *(f"    {key}: {_flow(value)}" for key, value in fields.items())]


def _flow(value: Any) -> str:
    """Return a value in YAML's flow style; every text in this example is a plain scalar."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return str(value)


def estate(fleet: list[Machine]) -> dict[str, Any]:
    """Return the snapshot, with the map in it."""
    return {
        "schemaVersion": 1,
        "cluster": "two-halls",
        "unit": "gpu",
        "sample": True,
        "snapshotAt": SNAPSHOT_AT,
        "pricePerUnitHour": 2.5,
        "wattsPerUnitKw": 1.275,
        "idleKwPerUnit": 0.3,
        "defaultRestartMinutes": 45,
        "nodes": [node_of(machine) for machine in fleet],
        "domains": {id_: fields for section in sections() for id_, fields, _ in section.entries},
        "workloads": workloads(fleet),
        "loops": [{"id": id_, "hourlyActions": actions} for id_, actions in sorted(CONTROL_LOOPS.items())],
        "provenance": {
            "collectedAt": "2026-11-30T12:00:41Z",
            "collectorVersion": "1.0.0",
            "topologyFileModifiedAt": VERIFIED_AT,
            "signals": {
                "dcgm": {"reachable": True, "detail": "10 of 352 nodes did not answer"},
                "events": {"reachable": True, "detail": "21 of 24 hours observed"},
                "metrics": {"reachable": True},
            },
            "caveats": [CRITICALITY, NO_DCGM],
        },
    }


def estate_json(document: dict[str, Any]) -> str:
    """Return JSON with one line for every node, domain, workload and loop."""
    parts = []
    for key, value in document.items():
        if isinstance(value, list):
            body = "[\n    " + ",\n    ".join(map(json.dumps, value)) + "\n  ]"
        elif key == "domains":
            lines = (f"{json.dumps(id_)}: {json.dumps(fields)}" for id_, fields in value.items())
            body = "{\n    " + ",\n    ".join(lines) + "\n  }"
        else:
            body = json.dumps(value)
        parts.append(f"  {json.dumps(key)}: {body}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(directory: Path) -> None:
    """Write both files."""
    fleet = machines()
    (directory / "topology.yaml").write_text(topology_yaml(fleet), encoding="utf-8")
    (directory / "estate.json").write_text(estate_json(estate(fleet)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
