"""What changed: worst-case loss, single points, redundancy, ratings, exposure; and what is worse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings

from closure.compiled import compile_facility
from findings.difference.compare import Difference, compare
from findings.difference.document import difference_to_json
from tests import strategies
from tests.estates import estate_of, on
from topology.assume import assume
from topology.model import Estate

PAIR: dict[str, Any] = {
    "ups-a": {"kind": "ups", "ratedKw": 10},
    "ups-b": {"kind": "ups", "ratedKw": 10},
    "pdu-1": {"kind": "power", "feeds": ["ups-a", "ups-b"]},
}
JOB = {"id": "job", "kind": "inference", "critical": True, "placements": {"n1": 6}}


def pair(units: float = 6, domains: Mapping[str, Any] | None = None) -> Estate:
    return estate_of({**PAIR, **(domains or {})}, {"n1": on("pdu-1", units)}, workloads=[JOB])


def diff(old: Estate, new: Estate) -> Difference:
    return compare(compile_facility(old), compile_facility(new))


def found(result: Difference) -> dict[tuple[str, str, str], tuple[Any, Any, str]]:
    return {(c.key.topic, c.key.id, c.key.field): (c.old, c.new, c.direction) for c in result.changes}


class TestDirections:
    """More lost is worse; fewer feeds to spare and a lower rating are worse; the reverse is better."""

    def test_a_lost_feed(self) -> None:
        single = pair(domains={"pdu-1": {"kind": "power", "parent": "ups-a"}})
        changes = found(diff(pair(), single))
        assert changes["redundancy", "pdu-1", "spareFeeds"] == (1, 0, "worse")
        assert changes["exposure", "ups-a", "criticalUnits"] == (0, 6, "worse")
        assert changes["single-point", "ups-a", "stops"] == (0, 1, "worse")
        back = found(diff(single, pair()))
        assert {key: (new, old, "better") for key, (old, new, _) in changes.items()} == back

    def test_a_lower_rating_and_the_demotion_that_follows(self) -> None:
        changes = found(diff(pair(), pair(domains={"ups-b": {"kind": "ups", "ratedKw": 5}})))
        assert changes["rating", "ups-b", "ratedKw"] == (10, 5, "worse")
        assert changes["exposure", "ups-a", "nodes"] == (0, 1, "worse")
        assert ("exposure", "ups-b", "nodes") not in changes

    def test_a_rating_that_is_no_longer_known_is_unknown_and_never_0(self) -> None:
        result = diff(pair(), pair(domains={"ups-b": {"kind": "ups"}}))
        assert found(result)["rating", "ups-b", "ratedKw"] == (10, None, "unknown")
        assert result.worse is None

    def test_a_rating_that_is_newly_known_is_neither_better_nor_worse(self) -> None:
        result = diff(pair(domains={"ups-b": {"kind": "ups"}}), pair())
        assert found(result)["rating", "ups-b", "ratedKw"] == (None, 10, "changed")
        counts = difference_to_json(result)["counts"]
        assert counts == {
            way: result.count(way) for way in ("worse", "unknown", "better", "fewer", "changed")
        }
        assert counts["changed"] == 2  # and what survives `ups-a` is proven to
        assert result.worse is False

    def test_what_is_out_of_service_is_no_redundancy(self) -> None:
        changes = found(diff(pair(), assume(pair(), out=["ups-a"])))
        assert changes["redundancy", "pdu-1", "spareFeeds"] == (1, 0, "worse")

    def test_the_worst_single_failure(self) -> None:
        result = diff(pair(6), pair(9))
        assert found(result)["worst-loss", "", "units"] == (6, 9, "worse")
        assert result.worst_new is not None
        assert (result.worst_new.id, result.worst_new.units) == ("pdu-1", 9)

    def test_trips_that_only_the_strict_check_sees_count(self) -> None:
        more = {"pdu-2": {"kind": "power", "feeds": ["ups-a", "ups-b"]}}
        nodes = {"n1": on("pdu-1", 6), "n2": on("pdu-2", 4)}
        fits = estate_of({**PAIR, **more}, nodes)
        trips = estate_of({**PAIR, **more}, {**nodes, "n2": on("pdu-2", 5)})
        assert found(diff(fits, trips))["exposure", "ups-a", "nodes"] == (0, 2, "worse")

    def test_a_single_point_by_either_engine(self) -> None:
        """docs/diff.md: "a domain whose failure alone stops a critical workload, by either engine".

        The closure judges each PDU alone, and its 6 kW fit the 8 kW of `ups-b`; both together trip it.
        """
        more = {"pdu-2": {"kind": "power", "feeds": ["ups-a", "ups-b"]}}
        nodes = {"n1": on("pdu-1", 6), "n2": on("pdu-2", 6)}
        ample, weak = (
            estate_of({**PAIR, **more, "ups-b": {"kind": "ups", "ratedKw": kw}}, nodes, workloads=[JOB])
            for kw in (20, 8)
        )
        changes = found(diff(ample, weak))
        assert changes["single-point", "ups-a", "stops"] == (0, 1, "worse")
        assert ("single-point", "ups-b", "stops") not in changes

    @pytest.mark.parametrize("feeds", [1, 2])
    def test_a_parent_beside_feeds_takes_nothing_from_what_can_be_spared(self, feeds: int) -> None:
        """docs/diff.md: "live feeds less those that must survive, also where there is a parent besides"."""
        chillers = {f"chill-{i}": {"kind": "cooling"} for i in range(2)}
        cdu = {"kind": "cooling", "parent": "pdu-1", "feeds": list(chillers)[:feeds]}
        result = diff(
            pair(domains={**chillers, "cdu": {**cdu, "feeds": ["chill-0"]}}),
            pair(domains={**chillers, "cdu": cdu}),
        )
        expected = {} if feeds == 1 else {("redundancy", "cdu", "spareFeeds"): (0, 1, "better")}
        assert {key: value for key, value in found(result).items() if key[0] == "redundancy"} == expected


def test_what_is_on_one_side_only_is_listed_and_not_compared() -> None:
    result = diff(pair(), pair(domains={"spare": {"kind": "ups", "ratedKw": 3}}))
    assert (result.added.domains, result.removed.domains, result.changes) == (("spare",), (), ())


def test_a_new_domain_that_stops_a_critical_workload_is_worse() -> None:
    result = diff(
        pair(), pair(domains={"top": {"kind": "utility"}, "pdu-1": {**PAIR["pdu-1"], "parent": "top"}})
    )
    assert found(result)["single-point", "top", "stops"] == (0, 1, "worse")


@pytest.mark.parametrize("reverse", [False, True])
def test_beside_a_map_alone_units_are_not_compared(*, reverse: bool) -> None:
    import topo

    text = "nodes: {n1: {pdu: pdu-1}}\ndomains: {pdu-1: {kind: power, parent: u}, u: {kind: ups}}\n"
    topology = topo.load_topology_text(text, "topology.yaml").value
    assert topology is not None
    sides = [pair(), topo.estate_of(topology)]
    result = diff(*(sides[::-1] if reverse else sides))
    assert {c.key.field for c in result.changes} <= {"nodes", "spareFeeds", "ratedKw"}


class TestNodesThatAreGone:
    """docs/diff.md: "A loss that is smaller only because nodes are gone goes as `fewer`"."""

    @staticmethod
    def machines(*names: str, **first: str) -> Estate:
        """Machines of one unit on a PDU; `first`: where the first of them stands instead."""
        nodes = {name: on("p") for name in names}
        if first:
            nodes[names[0]] = {"allocated": 1, "domains": first}
        return estate_of({"p": {"kind": "power"}, "q": {"kind": "power"}}, nodes)

    def test_a_smaller_loss_of_fewer_nodes_is_not_better(self) -> None:
        result = diff(self.machines("a", "b", "c"), self.machines("a", "b"))
        assert found(result)["exposure", "p", "nodes"] == (3, 2, "fewer")
        assert (result.count("better"), result.worse, result.verdict) == (0, False, "changed")

    def test_a_node_that_no_longer_says_what_it_hangs_from(self) -> None:
        """docs/diff.md: "A node that stood on an axis and no longer says on what is forgotten knowledge"."""
        result = diff(self.machines("a", "b"), self.machines("a", "b", row="r"))
        assert found(result)["exposure", "p", "nodes"] == (2, 1, "unknown")
        assert ([each[:2] for each in result.standings], result.verdict) == ([("a", "pdu")], "unknown")

    def test_a_node_that_no_longer_says_what_cools_it_and_loses_no_less(self) -> None:
        cooling = {"h1": {"kind": "cooling"}, "h2": {"kind": "cooling"}, "r": {"kind": "rack"}}
        both = {"any": ["h1", "h2"]}
        old, new = (
            estate_of(cooling, {"a": {"allocated": 1, "domains": {"rack": "r", **said}}})
            for said in ({"cooling": both}, {})
        )
        result = diff(old, new)
        assert {(c.key.topic, c.direction) for c in result.changes} <= {("proof", "changed")}
        assert ([each[:2] for each in result.standings], result.verdict) == ([("a", "cooling")], "unknown")
        assert diff(new, old).worse is not None

    def test_a_workload_of_which_a_node_says_less(self) -> None:
        said = estate_of(PAIR, {"n1": {"allocated": 6, "domains": {"row": "r"}}}, workloads=[JOB])
        assert found(diff(pair(), said))["single-point", "pdu-1", "stops"] == (1, 0, "unknown")

    def test_a_rack_that_says_it_for_the_node(self) -> None:
        """The PDU is named by the rack now: nothing is forgotten."""
        domains = {"p": {"kind": "power"}, "q": {"kind": "power"}, "r": {"kind": "rack", "feeds": ["p", "q"]}}
        result = diff(
            estate_of(domains, {"a": on("p")}),
            estate_of(domains, {"a": {"allocated": 1, "domains": {"rack": "r"}}}),
        )
        assert result.standings == ()

    def test_a_node_that_hangs_from_something_else_is_still_there(self) -> None:
        result = diff(self.machines("a", "b", "c"), self.machines("a", "b", pdu="q"))
        assert found(result)["exposure", "p", "nodes"] == (3, 1, "better")

    def test_a_smaller_total_hides_no_larger_loss_of_the_others(self) -> None:
        old = self.machines("a", "b", "c", "d", pdu="q")
        assert found(diff(old, self.machines("a", "b")))["exposure", "p", "nodes"] == (3, 2, "worse")

    def test_a_workload_stops_no_more_for_want_of_its_node(self) -> None:
        gone = estate_of(PAIR, {"n2": on("pdu-1")})
        assert found(diff(pair(), gone))["single-point", "pdu-1", "stops"] == (1, 0, "fewer")

    @pytest.mark.parametrize(
        ("old", "verdict"), [("{a: {pdu: p}, b: {pdu: p}}", "unknown"), ("{a: {pdu: p}}", "same")]
    )
    def test_a_map_alone_cannot_say_where_they_went(self, old: str, verdict: str) -> None:
        import topo

        sides = []
        for nodes in (old, "{a: {pdu: p}}"):
            text = f"nodes: {nodes}\ndomains: {{p: {{kind: power}}}}\n"
            topology = topo.load_topology_text(text, "topology.yaml").value
            assert topology is not None
            sides.append(topo.estate_of(topology))
        assert diff(*sides).verdict == verdict


@settings(max_examples=15, deadline=None)
@given(estate=strategies.estates())
def test_an_estate_does_not_differ_from_itself(estate: Estate) -> None:
    result = diff(estate, estate)
    assert (result.changes, result.worse) == ((), False)


@settings(max_examples=15, deadline=None)
@given(old=strategies.estates(), new=strategies.estates())
def test_the_way_back_has_the_same_changes_mirrored(old: Estate, new: Estate) -> None:
    there = {(c.key, c.old, c.new) for c in diff(old, new).changes}
    assert there == {(c.key, c.new, c.old) for c in diff(new, old).changes}
