"""A picture as data: boxes with figures, the feeds between them, what was folded away (no drawing yet)."""

from dataclasses import dataclass
from typing import Literal

from topo.diagram.states import State

EdgeStyle = Literal["live", "dead", "strict"]
Carries = Literal["power", "heat", "other"]

NODES: Literal["nodes"] = "nodes"
"""The kind of a box that holds machines standing in no rack, or one machine that failed by name."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to draw. `max_row` and `max_boxes` hold unless `full`; `depth`: hops from focus or failure."""

    focus: tuple[str, ...] = ()
    depth: int | None = None
    full: bool = False
    all_kinds: bool = False
    max_row: int = 12
    max_boxes: int = 60


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum with its known part: `known` is None when every term is unknown; `unknown` counts those."""

    known: float | None
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """One figure over a box's domains [kW]: least and most of the known ones; `unknown` counts the others."""

    low: float
    high: float
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Gauge:
    """How full the fullest rated domain of a box is, in shares of its rating [-].

    `before` with nothing failed; `after` in the strict check where it carries more than before (or tripped
    under it), else None. `lower_bound`: some node's draw is unknown.
    """

    before: float
    after: float | None = None
    lower_bound: bool = False


@dataclass(frozen=True, slots=True)
class Casualties:
    """What of the machines on a box one of the engines loses: nodes, their units, the critical of these."""

    nodes: int
    units: Amount
    critical_units: Amount


@dataclass(frozen=True, slots=True)
class Box:
    """One domain, or several of one kind and fate: figures are of the union of their nodes.

    `key` is synthetic and stable for a given picture. `members` are domain ids (node ids for kind `nodes`).
    `units` is what stands there; `lost` of it goes by the closure, `strict_lost` by the strict check.
    `states` counts members by state, worst first; `state` is the worst. `load` and `rated` are None where
    the kind carries nothing or nothing is known; `unrated` counts domains without a rating. `flow` is what
    passes with nothing failed, in the strict check (None: a rack, which carries its load, or unknown).
    `shift_kw` is the largest strict flow that an unrated survivor took on. `spare` is how many more feeds
    the worst-placed degraded member can lose. `strict_survives`: lost here, alive in the strict check.
    """

    key: str
    kind: str
    row: int
    members: tuple[str, ...]
    state: State
    states: tuple[tuple[State, int], ...]
    nodes: int
    units: Amount
    critical_units: Amount
    lost: Casualties
    strict_lost: Casualties
    load: Span | None
    flow: Span | None
    load_unknown: int
    rated: Span | None
    unrated: int
    carries: Carries
    gauge: Gauge | None
    shift_kw: float | None
    spare: int | None
    feeds_left: tuple[int, int] | None
    strict_survives: bool
    why: str

    @property
    def nodes_lost(self) -> int:
        """How many nodes on it the closure loses."""
        return self.lost.nodes

    @property
    def nodes_strict_lost(self) -> int:
        """How many nodes on it the strict check loses."""
        return self.strict_lost.nodes

    @property
    def single(self) -> bool:
        """Whether the box is one thing rather than a group."""
        return len(self.members) == 1


@dataclass(frozen=True, slots=True)
class Edge:
    """`source` feeds `target` (box keys): a feed, a parent, or nodes that stand on both."""

    source: str
    target: str
    style: EdgeStyle
    carries: Carries


@dataclass(frozen=True, slots=True)
class Row:
    """A row of boxes: the kinds in it, and how many domains of these kinds are folded away.

    `touched` of the folded ones have lost some of the nodes that stand on them; nothing else became of them.
    """

    kinds: tuple[str, ...]
    level: int
    folded: int
    touched: int


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that a renderer needs. Boxes are sorted by row, then id; edges by source and target.

    `stale` warns of an old snapshot; empty for a fresh one.
    """

    title: str
    summary: tuple[str, ...]
    notes: tuple[str, ...]
    unit: str
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    rows: tuple[Row, ...]
    domains: int
    grouping: str
    stale: str = ""
