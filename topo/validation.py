"""What `topo validate` does with files: load, check against the flows, and an estate under a facility map."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from topology.bare import estate_of
from topology.diagnostics import Diagnostic, Fault, Route
from topology.limits import SCHEMA_DECIDES_BYTES
from topology.load import LoadResult
from topology.model import Estate, Topology
from topology.routes import EstateRoutes, Routes, TopologyRoutes

_ESTATE, _MAP = 0, 1
_NO_VALUES: Final = frozenset({"yaml-syntax", "json-syntax", "duplicate-key", "slurm-file"})


@dataclass(frozen=True, slots=True)
class Checked:
    """One file and everything that is said about it. `estate` is what an analysis of it would see."""

    result: LoadResult[Any]
    diagnostics: tuple[Diagnostic, ...]
    estate: Estate | None = None


def disagreement(result: LoadResult[Any]) -> str | None:
    """Return how jsonschema judges a file of up to 1 MB otherwise than the native check; None: it does not.

    Both are meant to accept and refuse the same files (spec 1), so a difference is a bug of this program.
    Text that cannot be read, or that says one thing twice, has no values to judge.
    """
    from topology.schema_check import schema_verdict

    rules = {each.rule for each in result.diagnostics if each.severity == "error"}
    if len(result.source.text) > SCHEMA_DECIDES_BYTES or rules & _NO_VALUES:
        return None
    verdict = schema_verdict(result.source.parse().value, result.kind, 1)
    if verdict.valid == (result.value is not None):
        return None
    if verdict.valid:
        return f"the native check refuses it ({', '.join(sorted(rules))}), its JSON Schema does not"
    first = verdict.errors[0]
    return f"its JSON Schema refuses it ({first.keyword}: {first.message}), the native check does not"


def check_file(
    result: LoadResult[Any],
    facility_map: LoadResult[Topology] | None = None,
    elsewhere: Collection[str] = (),
) -> Checked:
    """Return what is said about a loaded file: the loader's faults and, for a valid estate, its flows'.

    A valid `facility_map` is laid over an estate first; the rules then look at the two together, and each
    fault stands in the file that says the faulty thing. `elsewhere` are the nodes of other estates under the
    same map: they are not missing.
    """
    estate = result.estate
    if estate is None:
        bare = None if result.topology is None else estate_of(result.topology)
        return Checked(result, result.diagnostics, bare)
    if facility_map is None or facility_map.value is None:
        flows = result.source.diagnostics(_flow_faults(estate, EstateRoutes({})))
        return Checked(result, _in_order(result.diagnostics, flows), estate)
    return _check_overlaid(result, estate, facility_map, elsewhere)


def _flow_faults(estate: Estate, routes: Routes) -> list[Fault]:
    from closure.checks import check_flows
    from closure.compiled import compile_facility

    if all(each.rated_kw is None and each.measured_kw is None for each in estate.domains.values()):
        return []
    return check_flows(compile_facility(estate), routes)


def _check_overlaid(
    result: LoadResult[Any],
    estate: Estate,
    facility_map: LoadResult[Topology],
    elsewhere: Collection[str] = (),
) -> Checked:
    from topology.apply import of_its_age, overlay, rules_together
    from topology.rules.gaps import missing_supply, nodes_with_units
    from topology.rules.idle import idle_above_draw
    from topology.rules.plausible import implausible_draw
    from topology.rules.snapshot import absent_node, unmapped_node

    topology = facility_map.value
    assert topology is not None
    applied = overlay(estate, topology)
    routes = _OverlaidRoutes(result, facility_map, topology)
    faults = rules_together(applied, routes)
    errors = [fault for fault in faults if fault.severity == "error"]
    if errors:
        return Checked(result, _in_order(result.diagnostics, _placed(errors, result, facility_map)))
    applied = of_its_age(applied, topology)
    faults += _flow_faults(applied, routes)
    faults += absent_node(estate, topology, routes.of_map, elsewhere)
    faults += unmapped_node(estate, topology, routes)
    faults += implausible_draw(estate, routes, (_ESTATE,))
    faults += missing_supply(list(nodes_with_units(applied)), routes)
    faults += idle_above_draw(estate, routes, (_ESTATE,))
    said = {(each.rule, each.ids[:1]) for each in beside_snapshots(facility_map)}
    fresh = [fault for fault in faults if (fault.rule, fault.ids[:1]) not in said]
    return Checked(result, _in_order((), _placed(fresh, result, facility_map)), applied)


def beside_snapshots(facility_map: LoadResult[Topology]) -> tuple[Diagnostic, ...]:
    """Return what is said about a map that is laid over snapshots: of their nodes those know more."""
    return tuple(each for each in facility_map.diagnostics if each.rule != "missing-supply")


def conflicts(
    estate: Estate, result: LoadResult[Any], facility_map: LoadResult[Topology]
) -> tuple[Diagnostic, ...]:
    """Return why the estate of a file and a valid map make no facility together, each at its place."""
    return _check_overlaid(result, estate, facility_map).diagnostics


def _placed(
    faults: Sequence[Fault], result: LoadResult[Any], facility_map: LoadResult[Topology]
) -> Iterator[Diagnostic]:
    """Return faults whose routes begin with the file, at their places there."""
    for file, source in ((_ESTATE, result.source), (_MAP, facility_map.source)):
        yield from source.diagnostics([_within(fault, file) for fault in faults if fault.route[0] == file])


def _in_order(*groups: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostic for group in groups for diagnostic in group))


def _within(fault: Fault, file: int) -> Fault:
    """Return the fault with routes of one file alone; places in the other cannot be shown beside it."""
    related = tuple((route[1:], word) for route, word in fault.related if route[0] == file)
    return replace(fault, route=fault.route[1:], related=related)


class _MapRoutes(TopologyRoutes):
    """Routes in the map of the two files."""

    def node(self, node_id: str) -> Route:
        """Return the route of a node in the map."""
        return (_MAP, *super().node(node_id))


class _OverlaidRoutes:
    """Routes of an estate under a map: each begins with the file that says the thing (the map wins)."""

    def __init__(self, result: LoadResult[Any], map_result: LoadResult[Topology], topology: Topology) -> None:
        self._result = result
        self._map_result = map_result
        self._topology = topology
        self.of_map = _MapRoutes()

    @cached_property
    def _estate_routes(self) -> Routes:
        raw = self._result.source.parse().value
        return EstateRoutes(raw) if self._result.kind == "estate" else TopologyRoutes(raw)

    @cached_property
    def _map_routes(self) -> TopologyRoutes:
        return TopologyRoutes(self._map_result.source.parse().value)

    def node(self, node_id: str) -> Route:
        """Return the route of a node."""
        return (_ESTATE, *self._estate_routes.node(node_id))

    def node_axis(self, node_id: str, axis: str, index: int | None = None) -> Route:
        """Return the route of what a node says on `axis`, or of the id at `index` there."""
        if any(standing.axis == axis for standing in self._topology.nodes.get(node_id, ())):
            return (_MAP, *self._map_routes.node_axis(node_id, axis, index))
        return (_ESTATE, *self._estate_routes.node_axis(node_id, axis, index))

    def domain(self, domain_id: str, key: str | None = None, index: int | None = None) -> Route:
        """Return the route of a domain, of its file `key`, or of the feed at `index`."""
        domain = self._topology.domains.get(domain_id)
        if domain is not None and domain.declared:
            return (_MAP, *self._map_routes.domain(domain_id, key, index))
        return (_ESTATE, *self._estate_routes.domain(domain_id, key, index))
