"""Raw files that are valid, or nearly: a valid one with a few values replaced, removed or added."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.values import at, routes
from tests.strategies import estates, topologies
from topology.dump import estate_to_json, topology_to_json
from topology.kinds import AXES, KINDS

_JUNK: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    0.5,
    1.0,
    24,
    -0.1,
    float("nan"),
    float("inf"),
    10**15,
    10**15 + 1,
    10**400,
    1e300,
    "",
    " ",
    "x",
    "in",
    "out",
    "share",
    "40",
    "\ud800",
    "n" * 4097,
    "t" * 65_537,
    "2026-11-30T12:00:00Z",
    "2026-02-30T12:00:00Z",
    "2026-11-30T12:00:00",
    "2026-11-30T12:00:00Z\n",
    "nodes:\n  n0: {rack: r}\ndomains:\n  a: {kind: ups, parent: a}\n",
    "nodes:\n  n0: {pdu: p-map}\ndomains:\n  p-map: {kind: power}\n",
    [],
    ["x"],
    ["x", "x"],
    [None],
    [5] * 24,
    [None] * 24,
    {},
    {"any": ["x"]},
    {"all": ["x", "y"]},
    {"any": ["x"], "all": ["y"]},
    {"any": None, "all": ["y"]},
    {"any": []},
    {"id": "n0", "allocated": 1},
    {"kind": "ups"},
    {"text": "nodes: {n0: {cooling: c}}"},
    {"percent": 150, "seconds": 10},
    [{"percent": 150, "seconds": 10}, {"percent": 150.0, "seconds": 20}],
)

_KEYS = (
    *("kind", "parent", "feeds", "minFeeds", "ratedKw", "rideThroughMinutes", "loadKw", "transfer", "status"),
    *(
        "overload",
        "description",
        "version",
        "nodes",
        "domains",
        "verifiedAt",
        "$schema",
        "rack",
        "pdu",
        "cooling",
    ),
    *(
        "id",
        "allocated",
        "installed",
        "placements",
        "replicas",
        "workloads",
        "loops",
        "hourlyActions",
        "topology",
    ),
    *(
        "provenance",
        "signals",
        "caveats",
        "clusters",
        "notes",
        "sample",
        "roles",
        "ready",
        "ratedKW",
        "",
        "\ud800",
    ),
    "collectedAt",
)


@st.composite
def _mutated(draw: st.DrawFn, valid: Any) -> Any:
    raw = json.loads(json.dumps(valid))
    for _ in range(draw(st.integers(0, 3))):
        route = draw(st.sampled_from(routes(raw)[1:] or [()]))
        if not route:
            return draw(st.sampled_from(_JUNK))
        box, step = at(raw, route[:-1]), route[-1]
        what = draw(
            st.sampled_from(("replace", "replace", "borrow", "borrow", "name", "remove", "add", "add"))
        )
        if what == "remove":
            del box[step]
        elif what == "add" and isinstance(box, dict):
            box[draw(st.sampled_from(_KEYS))] = copy.deepcopy(draw(st.sampled_from(_JUNK)))
        elif what == "borrow":
            box[step] = copy.deepcopy(at(raw, draw(st.sampled_from(routes(raw)))))
        elif what == "name":
            names = [*_names(raw), *KINDS, *AXES]
            box[step] = draw(st.sampled_from(names))
        else:
            box[step] = copy.deepcopy(draw(st.sampled_from(_JUNK)))
    return raw


def _names(raw: Any) -> list[str]:
    domains = raw.get("domains") if isinstance(raw, dict) else None
    return sorted(key for key in domains if isinstance(key, str)) if isinstance(domains, dict) else []


def topology_files() -> st.SearchStrategy[Any]:
    """Raw values of topology files, valid or nearly."""
    return topologies().map(topology_to_json).flatmap(_mutated)


def estate_files() -> st.SearchStrategy[Any]:
    """Raw values of estate files, valid or nearly."""
    return estates(max_nodes=3, max_domains=6).map(estate_to_json).flatmap(_mutated)
