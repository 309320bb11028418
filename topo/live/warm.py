"""A first report, made before the page is: everything that it imports or looks up is then in memory."""

import json
from typing import Any, Final

from topo.live.engine import Session

_NOW: Final = "2026-01-01T00:00:00Z"
_ESTATE: Final[dict[str, Any]] = {
    "schemaVersion": 1,
    "cluster": "warm",
    "unit": "gpu",
    "snapshotAt": _NOW,
    "wattsPerUnitKw": 1,
    "nodes": [{"id": "n", "installed": 8, "allocated": 2, "domains": {"rack": "rack", "cooling": "loop"}}],
    "domains": {
        "rack": {"kind": "rack", "feeds": ["a", "b"]},
        "a": {"kind": "power", "ratedKw": 1},
        "b": {"kind": "power"},
        "loop": {"kind": "cooling", "rideThroughMinutes": 5},
    },
    "workloads": [{"id": "w", "kind": "training", "checkpointMinutes": 8, "placements": {"n": 2}}],
}


def warm() -> None:
    """Make the report, the findings and a what-if of the smallest estate, and forget them."""
    session = Session()
    session.take([("estate.json", json.dumps(_ESTATE).encode(), 0)], _NOW, "allocated")
    session.report()
    session.document("findings")
    session.document("whatif", ["a"])
    session.document("estate")
