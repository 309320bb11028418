"""From an estate and the results of one scenario to a picture as data."""

from dataclasses import replace

from closure.compiled import Facility
from closure.results import Closure, Degraded, Strict
from topo.diagram.figures import Strains, Tally, span, tallies
from topo.diagram.ground import Ground, ground
from topo.diagram.headline import notes, summary, title
from topo.diagram.machines import Stock
from topo.diagram.model import NODES, Box, Carries, Casualties, Edge, EdgeStyle, Options, Picture, Row
from topo.diagram.plan import Plan, natural, plan
from topo.diagram.reasons import Reasons
from topo.diagram.states import DEAD, DEAD_IN_STRICT, LOOKS, State
from topo.diagram.survey import Survey, Vertex, survey
from topology.kinds import commodity_of


def picture(
    facility: Facility,
    closure: Closure,
    strict: Strict | None,
    options: Options | None = None,
    *,
    base: Ground | None = None,
) -> Picture:
    """Return the picture of one scenario. `base` saves the survey of the facility when many are drawn."""
    options = options or Options()
    scene = survey(base or ground(facility), closure, strict)
    chosen = plan(scene, options)
    numbers = _row_numbers(chosen)
    box_of = {v: b for b, members in enumerate(chosen.boxes) for v in members}
    counted = tallies(scene, box_of, len(chosen.boxes))
    maker = _Boxes(scene)
    boxes = [maker.box(b, chosen, numbers[b], counted.boxes[b]) for b in range(len(chosen.boxes))]
    # Drawn from the top, left to right by id; keys follow that order.
    ranked = sorted(range(len(boxes)), key=lambda b: (numbers[b], b))
    keys = {b: f"b{position}" for position, b in enumerate(ranked)}
    return Picture(
        title=title(facility, closure, options.focus),
        summary=summary(scene, counted.lost, counted.strict_lost),
        notes=notes(scene, chosen),
        unit=facility.estate.unit,
        boxes=tuple(_keyed(boxes[b], keys[b]) for b in ranked),
        edges=_edges(chosen, boxes, keys),
        rows=_rows(scene, chosen, numbers),
        domains=len(facility.domain_ids),
        grouping=chosen.level,
    )


def _keyed(box: Box, key: str) -> Box:
    return replace(box, key=key)


def _row_numbers(chosen: Plan) -> list[int]:
    distinct = {key: row for row, key in enumerate(sorted(set(chosen.keys)))}
    return [distinct[key] for key in chosen.keys]


class _Boxes:
    """Makes boxes of one scenario."""

    def __init__(self, scene: Survey) -> None:
        self._scene = scene
        self._strains = Strains(scene)
        self._reasons = Reasons(scene)
        self._degraded = {entry.id: entry for entry in scene.closure.degraded}
        self._strict_domains = frozenset(scene.strict.domains) if scene.strict is not None else None

    def box(self, b: int, chosen: Plan, row: int, tally: Tally) -> Box:
        """Return box `b` of the plan, its key still to be given."""
        vertices = [self._scene.vertices[v] for v in chosen.boxes[b]]
        facility = self._scene.ground.facility
        domains = [vertex.domain for vertex in vertices if vertex.domain >= 0]
        kind = vertices[0].kind
        carrying = kind != NODES and commodity_of(kind) is not None
        load, load_unknown = span(facility.loads_kw[d] for d in domains) if carrying else (None, 0)
        flow, _ = span(self._flow(d) for d in domains) if carrying and kind != "rack" else (None, 0)
        rated, unrated = span(facility.rated_kw[d] for d in domains) if carrying else (None, 0)
        members = self._members(vertices)
        spares = [entry for name in members if (entry := self._degraded.get(name)) is not None]
        states = _states(vertices)
        return Box(
            key="",
            kind=kind,
            row=row,
            members=members,
            state=states[0][0],
            states=states,
            nodes=tally.stock.nodes,
            units=tally.stock.units.amount(),
            critical_units=tally.stock.critical_amount(),
            lost=_casualties(tally.lost),
            strict_lost=_casualties(tally.strict_lost),
            load=load,
            flow=flow,
            load_unknown=load_unknown,
            rated=rated,
            unrated=unrated,
            carries=_carries(kind),
            gauge=self._strains.gauge(domains),
            shift_kw=self._strains.shift_kw(domains),
            spare=min((entry.spare for entry in spares), default=None),
            feeds_left=_feeds_left(spares),
            strict_survives=self._strict_survives(vertices),
            why=self._reasons.why(members[0]) if len(members) == 1 else "",
        )

    def _flow(self, d: int) -> float | None:
        """Return what passes through a domain with nothing failed [kW]; None where some draw is unknown."""
        facility = self._scene.ground.facility
        return None if facility.loads_kw[d] is None else facility.flows_kw[d]

    def _members(self, vertices: list[Vertex]) -> tuple[str, ...]:
        node_ids = self._scene.ground.facility.node_ids
        names = {
            name
            for vertex in vertices
            for name in ([vertex.id] if vertex.domain >= 0 else [node_ids[node] for node in vertex.nodes])
        }
        return tuple(sorted(names, key=natural))

    def _strict_survives(self, vertices: list[Vertex]) -> bool:
        if self._strict_domains is None:
            return False
        return all(
            vertex.domain >= 0 and vertex.state in DEAD and vertex.id not in self._strict_domains
            for vertex in vertices
        )


def _casualties(stock: Stock) -> Casualties:
    return Casualties(stock.nodes, stock.units.amount(), stock.critical_amount())


def _states(vertices: list[Vertex]) -> tuple[tuple[State, int], ...]:
    counts: dict[State, int] = {}
    for vertex in vertices:
        amount = 1 if vertex.domain >= 0 else len(vertex.nodes)
        counts[vertex.state] = counts.get(vertex.state, 0) + amount
    return tuple(sorted(counts.items(), key=lambda entry: LOOKS[entry[0]].severity))


def _feeds_left(entries: list[Degraded]) -> tuple[int, int] | None:
    """Return feeds left and feeds in all, where every degraded member has the same."""
    pairs = {
        (len(entry.surviving_feeds), len(entry.surviving_feeds) + len(entry.lost_feeds)) for entry in entries
    }
    return pairs.pop() if len(pairs) == 1 else None


def _carries(kind: str) -> Carries:
    return "other" if kind == NODES else commodity_of(kind) or "other"


def _edges(chosen: Plan, boxes: list[Box], keys: dict[int, str]) -> tuple[Edge, ...]:
    """Return the links between boxes of different rows; within a row of coarse groups there are none."""
    edges = [
        (up, b, Edge(keys[up], keys[b], _style(boxes[up]), boxes[up].carries))
        for b, ups in enumerate(chosen.ups)
        for up in ups
        if boxes[up].row != boxes[b].row
    ]
    position = {b: int(key[1:]) for b, key in keys.items()}
    return tuple(edge for up, b, edge in sorted(edges, key=lambda e: (position[e[0]], position[e[1]])))


def _style(box: Box) -> EdgeStyle:
    """A line is dead when everything it comes from is."""
    if all(state in DEAD for state, _ in box.states):
        return "dead"
    return "strict" if all(state in DEAD | DEAD_IN_STRICT for state, _ in box.states) else "live"


def _rows(scene: Survey, chosen: Plan, numbers: list[int]) -> tuple[Row, ...]:
    folded: dict[str, int] = {}
    touched: dict[str, int] = {}
    for v in chosen.folded:
        vertex = scene.vertices[v]
        amount = 1 if vertex.kind != NODES else len(vertex.nodes)
        folded[vertex.kind] = folded.get(vertex.kind, 0) + amount
        if vertex.state != "safe":
            touched[vertex.kind] = touched.get(vertex.kind, 0) + amount
    kinds: dict[int, set[str]] = {}
    for members, row in zip(chosen.boxes, numbers, strict=True):
        kinds.setdefault(row, set()).update(scene.vertices[v].kind for v in members)
    levels = {row: key[1] for key, row in zip(chosen.keys, numbers, strict=True)}
    rows = []
    for row in sorted(kinds):
        here = tuple(sorted(kinds[row]))
        # A kind in several rows reports what is folded of it once, in the first.
        count, hit = (sum(counts.pop(kind, 0) for kind in here) for counts in (folded, touched))
        rows.append(Row(here, levels[row], count, hit))
    return tuple(rows)
