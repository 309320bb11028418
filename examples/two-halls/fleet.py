"""The snapshot: machines, what runs on them, and what is known of their past."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from facility import racks

Fields = dict[str, Any]


@dataclass
class Machine:
    """One node: where it stands, what it is, and what is placed on it (workload id -> units)."""

    id: str
    rack: str
    standing: Fields
    installed: int
    about: Fields = field(default_factory=dict)
    placed: dict[str, int] = field(default_factory=dict)


H100 = {"model": "H100-SXM5-80GB"}
L40S = {"model": "L40S", "kwPerUnit": 0.5, "idleKwPerUnit": 0.09, "pricePerUnitHour": 1.1}
GB200 = {"model": "GB200", "kwPerUnit": 1.83, "idleKwPerUnit": 0.4, "pricePerUnitHour": 4.0}
SERVERS = {  # service rack -> (row, servers in it)
    "h1-svc-1": (5, ("cp-1", "etcd-1", "sto-1")),
    "h1-svc-2": (4, ("cp-2", "etcd-2", "sto-2", "sto-3")),
    "h2-svc-1": (4, ("cp-3", "etcd-3", "sto-4", "sto-5", "sto-6")),
}
ROLES = {"cp": "control-plane", "etcd": "etcd", "sto": "storage"}
LOOPS = {
    ("h1", 1): "h1-loop-12", ("h1", 2): "h1-loop-12", ("h1", 3): "h1-loop-34", ("h1", 4): "h1-loop-34",
    ("h1", 5): "h1-loop-5", ("h2", 1): "h2-loop-12", ("h2", 2): "h2-loop-12", ("h2", 3): "h2-loop-3",
}  # fmt: skip
MISSPELT_LOOP = {"gpu-h2-062": "h2-loop12"}
"""The likely typo: this node's loop lacks a dash, so it stands on a loop that does not exist."""


def machines() -> list[Machine]:
    """Return every machine with its placements."""
    fleet = [*_h100("h1", 5), *_h100("h2", 3), *_l40s(), *_gb200(), *_servers()]
    by_rack: dict[str, list[Machine]] = {}
    for machine in fleet:
        by_rack.setdefault(machine.rack, []).append(machine)
    for workload, where, nodes, units in _placements():
        chosen = [machine for rack in where for machine in by_rack[rack] if not machine.placed][:nodes]
        for machine in chosen:
            machine.placed[workload] = units
    _share_leftovers(fleet)
    return fleet


def _standing(rack: str, row: int, cooling: object) -> Fields:
    hall = rack[:2]
    return {
        "rack": rack,
        "cooling": cooling,
        "network": f"{hall}-leaf-{row}",
        "row": f"{hall}-row-{row}",
        "zone": f"zone-{hall[1]}",
    }


def _h100(hall: str, rows: int) -> Iterator[Machine]:
    number = 0
    for row in range(1, rows + 1):
        for rack in racks(hall, row):
            for _ in range(4):
                number += 1
                name = f"gpu-{hall}-{number:03}"
                loop = MISSPELT_LOOP.get(name, LOOPS[hall, row])
                yield Machine(name, rack, _standing(rack, row, loop), 8, H100)


def _l40s() -> Iterator[Machine]:
    for index in range(24):
        rack = racks("h2", 4)[index // 4]
        yield Machine(f"l40s-{index + 1:02}", rack, _standing(rack, 4, "h2-air"), 8, L40S)


def _gb200() -> Iterator[Machine]:
    for k, rack in enumerate(racks("h2", 5), 1):
        standing = {**_standing(rack, 5, {"all": ["h2-loop-nvl", "h2-air"]}), "nvlink": f"h2-nvl-{k}"}
        for tray in range(1, 19):
            yield Machine(f"nvl-{k}-{tray:02}", rack, standing, 4, GB200)


def _servers() -> Iterator[Machine]:
    for rack, (row, names) in SERVERS.items():
        for name in names:
            role = ROLES[name.split("-")[0]]
            yield Machine(name, rack, _standing(rack, row, f"{rack[:2]}-air"), 0, {"roles": [role]})


ATLAS = "train/pytorchjob/atlas-70b"
MERIDIAN = "train/pytorchjob/meridian-405b"
ARIA = "train/pytorchjob/aria-13b"
VISION = "train/pytorchjob/vision-22b"
SPEECH = "train/pytorchjob/speech-3b"
MOE = "train/pytorchjob/moe-1t"
ABLATION = "research/pytorchjob/ablation-17"
NOTEBOOKS = "research/statefulset/notebooks"
BACKFILL = "batch/job/embeddings-backfill"
NIGHTLY = "batch/job/eval-nightly"
CHAT = "serve/deployment/chat-large"
CODE = "serve/deployment/code-assist"
EMBED = "serve/deployment/embed"
RERANK = "serve/deployment/rerank"


def _placements() -> Iterator[tuple[str, list[str], int, int]]:
    """Yield workload, racks in the order of filling, number of nodes, units on each."""
    h1 = {row: racks("h1", row) for row in range(1, 6)}
    h2 = {row: racks("h2", row) for row in range(1, 6)}
    yield ATLAS, h1[1] + h1[2][:6], 56, 8
    yield CHAT, h1[2][6:7], 4, 8
    yield ARIA, h1[3][:4], 16, 8
    yield BACKFILL, h1[3][4:6], 6, 5
    yield NIGHTLY, h1[3][6:7], 3, 8
    yield NOTEBOOKS, h1[3][7:8], 3, 8
    yield MERIDIAN, h1[4][:7] + h1[5][:7], 56, 8
    yield ABLATION, h1[4][7:8], 4, 6
    yield CHAT, h1[5][7:8], 4, 8
    yield VISION, h2[1][:6] + h2[2][:6], 48, 8
    yield CHAT, h2[1][6:7], 4, 8
    yield BACKFILL, h2[2][6:8], 5, 6
    yield SPEECH, h2[3][:4], 16, 8
    yield CODE, h2[3][4:6], 8, 8
    yield NOTEBOOKS, h2[3][6:7], 3, 4
    yield EMBED, h2[4][:3], 12, 8
    yield RERANK, h2[4][3:5], 6, 6
    yield NOTEBOOKS, h2[4][5:6], 3, 8
    for rack in h2[5]:
        yield MOE, [rack], 16, 4


def _share_leftovers(fleet: list[Machine]) -> None:
    """Let two free nodes of hall 1 run nightly evaluations on part of their units."""
    free = [machine for machine in fleet if machine.installed == 8 and not machine.placed]
    for machine in free[:2]:
        machine.placed[NIGHTLY] = 4


def workloads(fleet: list[Machine]) -> list[Fields]:
    """Return every workload with its placements, in id order."""
    placements: dict[str, dict[str, int]] = {}
    for machine in fleet:
        for workload, units in machine.placed.items():
            placements.setdefault(workload, {})[machine.id] = units
    return [_workload(id_, placements[id_]) for id_ in sorted(placements)]


def _training(owner: str, checkpoint: int | None, restart: int | None, *, critical: bool) -> Fields:
    cadence = {} if checkpoint is None else {"checkpointMinutes": checkpoint}
    overhead = {} if restart is None else {"restartMinutes": restart}
    basis = {"criticalBasis": "label"} if critical else {}
    return {
        "kind": "training",
        "critical": critical,
        **basis,
        "gang": True,
        **_team(owner),
        **cadence,
        **overhead,
    }


def _service(kind: str, owner: str, basis: str | None = None) -> Fields:
    reason = {} if basis is None else {"criticalBasis": basis}
    return {"kind": kind, "critical": basis is not None, **reason, **_team(owner)}


def _team(name: str) -> Fields:
    return {"owner": name, "contact": f"#{name}-oncall"}


ABOUT = {
    ATLAS: _training("pretraining", 30, 20, critical=True),
    MERIDIAN: _training("pretraining", 120, 25, critical=True),
    ARIA: _training("applied-ml", 10, None, critical=False),
    VISION: _training("vision", 5, 10, critical=False),
    SPEECH: _training("speech", 8, 12, critical=False),
    MOE: _training("pretraining", 15, 30, critical=True),
    ABLATION: _training("research", None, None, critical=False),
    BACKFILL: _service("batch", "search"),
    NIGHTLY: _service("batch", "evaluation"),
    NOTEBOOKS: _service("interactive", "research"),
    CHAT: _service("inference", "serving", "pdb"),
    CODE: _service("inference", "serving", "pdb"),
    EMBED: _service("inference", "search", "pdb"),
    RERANK: _service("inference", "search"),
}
UNITS_PER_REPLICA = {CHAT: 8, CODE: 8, EMBED: 2, RERANK: 2}
MIN_AVAILABLE = {CHAT: 9, CODE: 6, EMBED: 40}


def _workload(id_: str, placements: dict[str, int]) -> Fields:
    replicas: Fields = {}
    if id_ in UNITS_PER_REPLICA:
        replicas = {"replicas": {node: units // UNITS_PER_REPLICA[id_] for node, units in placements.items()}}
    if id_ in MIN_AVAILABLE:
        replicas["minAvailable"] = MIN_AVAILABLE[id_]
    return {
        "id": id_,
        "namespace": id_.split("/", maxsplit=1)[0],
        **ABOUT[id_],
        **replicas,
        "placements": placements,
    }


LEMONS = {  # node -> (ECC errors, job failures, XID events) of 90 days
    "gpu-h1-019": (31, 4, 6), "gpu-h1-063": (12, 3, 2), "gpu-h1-112": (58, 0, 1), "gpu-h2-032": (7, 5, 4),
    "gpu-h2-090": (9, 3, 3), "nvl-2-07": (40, 1, 0),
}  # fmt: skip
NO_HISTORY = {"gpu-h2-030", "gpu-h2-041", "l40s-17"}
UNHEALTHY = {"gpu-h2-093": 1, "nvl-3-17": 2}
CORDONED = {"gpu-h2-032", "gpu-h2-031"}
NOT_READY = {"gpu-h2-096"}
BUSY = {"training": (0.78, 0.97), "inference": (0.32, 0.66), "batch": (0.5, 0.9), "interactive": (0.0, 0.17)}


def chance(node: str, what: str) -> float:
    """Return a number in [0, 1) that depends on the two words alone."""
    return crc32(f"{what}:{node}".encode()) / 2**32


def node_of(machine: Machine) -> Fields:
    """Return the node of the snapshot."""
    return {
        "id": machine.id,
        "installed": machine.installed,
        "allocated": sum(machine.placed.values()),
        **_utilization(machine),
        "domains": machine.standing,
        **_history(machine),
        "ready": machine.id not in NOT_READY,
        "schedulable": machine.id not in CORDONED,
        "unhealthy": UNHEALTHY.get(machine.id, 0),
        **machine.about,
    }


def _utilization(machine: Machine) -> Fields:
    if not machine.placed or machine.id.startswith("l40s-1"):
        return {}
    low, high = BUSY[ABOUT[next(iter(machine.placed))]["kind"]]
    value = round(low + (high - low) * chance(machine.id, "utilization"), 3)
    window = {"utilizationWindowHours": 24} if chance(machine.id, "window") < 0.8 else {}
    return {"utilization": value, "utilizationBasis": "dcgm", **window}


def _history(machine: Machine) -> Fields:
    if machine.id in NO_HISTORY:
        return {}
    if machine.installed == 0:
        return {"eccErrors90d": 0, "jobFailures90d": 0, "xidEvents90d": 0}
    ordinary = (
        int(9 * chance(machine.id, "ecc") ** 2),
        int(1.6 * chance(machine.id, "job") ** 2),
        int(2.2 * chance(machine.id, "xid") ** 3),
    )
    ecc, failures, xid = LEMONS.get(machine.id, ordinary)
    return {"eccErrors90d": ecc, "jobFailures90d": failures, "xidEvents90d": xid}


CONTROL_LOOPS = {
    "karpenter": [None, None, None, 0, 0, 1, 0, 2, 9, 14, 3, 1, 0, 2, 4, 11, 3, 0, 0, 1, 0, 0, 2, 1],
    "hpa": [None, None, None, 2, 3, 1, 4, 6, 12, 10, 5, 4, 6, 5, 7, 9, 6, 4, 3, 2, 1, 2, 3, 5],
    "scheduler": [None, None, None, 1, 0, 0, 2, 3, 6, 7, 4, 5, 3, 2, 4, 5, 3, 2, 1, 0, 0, 9, 2, 1],
    "descheduler": [None, None, None, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0],
}
