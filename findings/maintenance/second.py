"""What one more failure takes while something is out for maintenance: every one is tried (beyond)."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.strict import strict_check
from closure.sweep import Progress, Row, sweep
from findings.index import EstateIndex
from findings.maintenance.roles import QuorumRisk, Risks
from findings.tally import Tallies
from findings.votes import Votes
from topology.assume import assume
from topology.model import Estate, Number
from topology.pause import collector_paused


@dataclass(frozen=True, slots=True)
class SecondFailure:
    """What one domain's failure during the work takes beyond the work, by the worse of the two engines.

    `nodes_without` is what it takes without the work, by either engine; `nodes_added` are those of `nodes`
    that it takes because of the work alone.
    """

    id: str
    kind: str
    by: Literal["closure", "strict"]
    nodes: int
    units: Number | None
    critical_units: Number | None
    nodes_without: int
    nodes_added: int
    criticality_unknown: bool = False
    """Whether some workloads there do not say: the critical units are then a lower bound."""


@dataclass(frozen=True, slots=True)
class SecondFailures:
    """How many live domains were failed, and those that take a node, worst first.

    `quorums` are the voting roles that one of them costs the majority because of the work.
    """

    tried: int
    losing: tuple[SecondFailure, ...]
    quorums: tuple[QuorumRisk, ...]

    @property
    def most_added(self) -> SecondFailure | None:
        """The failure that the work makes worse by the most nodes; None where it makes none worse."""
        found = min(self.losing, key=lambda each: (-each.nodes_added, _rank(each)), default=None)
        return found if found is not None and found.nodes_added else None


@dataclass(frozen=True, slots=True)
class _During:
    """The estate while the work goes on.

    `gone`: node groups that the work loses by either engine. `out`: nodes that are taken out themselves; they
    fail with every domain, weigh nothing in `tallies`, and are taken off the size of their groups (`drained`
    has a group for each). `before` counts, per group, the other nodes by their group in the estate without
    the work, where the groups of `lost_before` are lost already.
    """

    facility: Facility
    tallies: Tallies
    gone: frozenset[int]
    out: tuple[int, ...]
    drained: tuple[int, ...]
    before: tuple[Counter[int], ...]
    sizes_before: tuple[int, ...]
    lost_before: frozenset[int]


def second_failures(
    facility: Facility, ids: Iterable[str], progress: Progress | None = None
) -> SecondFailures:
    """Fail every domain that is still alive while the domains and nodes of `ids` are out.

    Ranked by critical units, units, nodes, id.
    """
    with collector_paused():
        during = _during(facility, frozenset(ids))
        lost = {loss.id for loss in close(during.facility, ()).domains}
        names = during.facility.domain_ids
        failing = sweep(during.facility, progress=progress, failed_nodes=during.out)
        rows = zip(failing, sweep(facility), strict=True)
        found: list[SecondFailure] = []
        tried = 0
        risks = _risks(facility, during)
        for row, without in rows:
            if names[row.failed] not in lost:
                tried += 1
                found += _failure(during, row, without)
                if risks.needed:
                    risks.add(names[row.failed], _lost_groups(row), _lost_groups(without))
    return SecondFailures(tried, tuple(sorted(found, key=_rank)), risks.risks())


def _risks(facility: Facility, during: _During) -> Risks:
    index = during.tallies.index
    return Risks(Votes(during.facility, index, during.out, during.gone), Votes(facility, index))


def _lost_groups(row: Row) -> list[frozenset[int]]:
    return [frozenset(row.groups), *([] if row.strict is None else [frozenset(row.strict.groups)])]


def _during(facility: Facility, ids: frozenset[str]) -> _During:
    estate = facility.estate
    nodes = ids - estate.domains.keys()
    later = compile_facility(assume(estate, out=ids - nodes), facility.load)
    closure = close(later, nodes)
    lost = {loss.id for loss in closure.nodes}.union(strict_check(later, nodes, closure).nodes) - nodes
    out = tuple(later.node_index[node] for node in sorted(nodes))
    return _During(
        later,
        Tallies(later, EstateIndex(_drained(later.estate, nodes))),
        frozenset(later.node_group[later.node_index[node]] for node in lost),
        out,
        tuple(later.node_group[node] for node in out),
        _before(facility, later, frozenset(out)),
        tuple(len(group.nodes) for group in facility.groups),
        frozenset(facility.node_group[facility.node_index[node.id]] for node in close(facility, ()).nodes),
    )


def _before(facility: Facility, later: Facility, out: frozenset[int]) -> tuple[Counter[int], ...]:
    return tuple(
        Counter(facility.node_group[node] for node in group.nodes if node not in out)
        for group in later.groups
    )


def _drained(estate: Estate, nodes: frozenset[str]) -> Estate:
    """The estate with nothing on nodes that are out themselves, for counting what others lose."""
    if not nodes:
        return estate
    return replace(
        estate,
        nodes=tuple(
            replace(node, allocated=0, installed=0) if node.id in nodes else node for node in estate.nodes
        ),
        workloads=tuple(
            replace(w, placements={node: units for node, units in w.placements.items() if node not in nodes})
            for w in estate.workloads
        ),
    )


def _failure(during: _During, row: Row, without: Row) -> Iterator[SecondFailure]:
    strict = () if row.strict is None else row.strict.groups
    anyway = {*without.groups, *(() if without.strict is None else without.strict.groups)}
    nodes_without = sum(during.sizes_before[group] for group in anyway - during.lost_before)
    name = during.facility.domain_ids[row.failed]
    kind = during.facility.estate.domains[name].kind
    found = [
        SecondFailure(
            name,
            kind,
            by,
            nodes,
            *during.tallies.units(groups),
            nodes_without,
            _added(during, groups, anyway),
            during.tallies.criticality_unknown(groups),
        )
        for by, groups in _engines(row.groups, strict, during.gone)
        if (nodes := during.tallies.nodes(groups) - sum(group in groups for group in during.drained))
    ]
    if found:
        yield min(found, key=_rank)


def _added(during: _During, groups: Iterable[int], anyway: Collection[int]) -> int:
    return sum(
        nodes for group in groups for before, nodes in during.before[group].items() if before not in anyway
    )


def _engines(
    closure: Iterable[int], strict: Iterable[int], gone: frozenset[int]
) -> Iterator[tuple[Literal["closure", "strict"], frozenset[int]]]:
    by_closure, by_strict = frozenset(closure) - gone, frozenset(strict) - gone
    yield "closure", by_closure
    if by_strict != by_closure:
        yield "strict", by_strict


def _rank(each: SecondFailure) -> tuple[Number, Number, int, str]:
    return (-(each.critical_units or 0), -(each.units or 0), -each.nodes, each.id)
