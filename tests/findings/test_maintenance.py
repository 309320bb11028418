"""May it be taken out: safe, not safe, or unknown; a second failure; the largest set; the window."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import given, settings

import topo
from closure.compiled import Facility, compile_facility
from findings.index import EstateIndex
from findings.maintenance.document import maintenance_to_json
from findings.maintenance.largest import EXACT_CANDIDATES, largest_safe
from findings.maintenance.plan import Maintenance, plan_maintenance
from findings.maintenance.safety import Safety, Scene, judge
from findings.maintenance.second import second_failures
from tests import strategies
from tests.estates import estate_of, on
from topology.assume import assume
from topology.model import Estate

NOW = "2026-11-30T13:00:00Z"
PAIR: dict[str, Any] = {
    "ups-a": {"kind": "ups", "ratedKw": 10},
    "ups-b": {"kind": "ups", "ratedKw": 10},
    "pdu-1": {"kind": "power", "feeds": ["ups-a", "ups-b"]},
}


def scene_of(estate: Estate) -> Scene:
    return Scene(compile_facility(estate), EstateIndex(estate))


def ask(estate: Estate, *ids: str) -> Safety:
    return judge(scene_of(estate), ids)


def plan(estate: Estate, *ids: str, **keys: Any) -> Maintenance:
    return plan_maintenance(compile_facility(estate), ids, now=NOW, **keys)


def pair(units: float = 6, **keys: Any) -> Estate:
    return estate_of(PAIR, {"n1": on("pdu-1", units)}, **keys)


class TestSafe:
    """Safe: closure and strict check lose no allocated node and nothing needed is unknown."""

    def test_one_of_two_rated_feeds_that_carries_the_load(self) -> None:
        found = ask(pair(), "ups-a")
        assert (found.safe, found.losses, found.doubts) == (True, (), ())
        assert [each.id for each in found.without_redundancy] == ["pdu-1"]

    def test_equality_survives(self) -> None:
        assert ask(pair(10), "ups-a").safe is True

    def test_a_demotion_is_not_safe(self) -> None:
        found = ask(pair(11), "ups-a")
        assert found.safe is False
        assert [(loss.node, loss.closure) for loss in found.losses] == [("n1", True)]

    def test_a_trip_that_only_the_strict_check_sees_is_not_safe(self) -> None:
        # Each PDU alone fits its surviving feed; both together do not.
        domains = {**PAIR, "pdu-2": {"kind": "power", "feeds": ["ups-a", "ups-b"]}}
        found = ask(estate_of(domains, {"n1": on("pdu-1", 6), "n2": on("pdu-2", 6)}), "ups-a")
        assert found.safe is False
        assert {(loss.closure, loss.strict) for loss in found.losses} == {(False, True)}

    def test_what_trips_is_no_survivor(self) -> None:
        """docs/maintenance.md: "what the strict check loses is no survivor"."""
        domains = {
            **PAIR,
            "pdu-2": {"kind": "power", "feeds": ["ups-a", "ups-b"]},
            "ups-c": {"kind": "ups", "ratedKw": 10},
            "pdu-3": {"kind": "power", "feeds": ["ups-a", "ups-c"]},
        }
        found = ask(estate_of(domains, {"n1": on("pdu-1", 6), "n2": on("pdu-2", 6)}), "ups-a")
        assert [trip.id for trip in found.strict.tripped] == ["ups-b"]
        assert [each.id for each in found.degraded] == ["pdu-3"]
        assert [each.id for each in found.without_redundancy] == ["pdu-3"]

    def test_a_node_without_units_may_be_lost(self) -> None:
        found = ask(pair(0), "pdu-1")
        assert (found.safe, [loss.node for loss in found.losses]) == (True, ["n1"])

    def test_a_node_that_holds_units_is_lost_by_taking_it_out(self) -> None:
        assert ask(pair(6), "n1").safe is False
        assert ask(pair(0), "n1").safe is True


class TestUnknown:
    """Undecidable where something that the answer needs is unknown; a known loss is worse than unknown."""

    def test_an_unrated_surviving_feed(self) -> None:
        domains = {**PAIR, "ups-b": {"kind": "ups"}}
        found = ask(estate_of(domains, {"n1": on("pdu-1", 6)}), "ups-a")
        assert found.safe is None
        assert ("pdu-1", "unrated-feeds", ("ups-b",)) in [(d.id, d.why, d.feeds) for d in found.doubts]

    def test_two_reasons_at_one_domain_are_both_given(self) -> None:
        domains = {**PAIR, "ups-b": {"kind": "ups"}}
        found = ask(estate_of(domains, {"n1": on("pdu-1", 6)}, wattsPerUnitKw=None), "ups-a")
        said = [(d.why, d.feeds) for d in found.doubts if d.id == "pdu-1"]
        assert said == [("draw-unknown", ()), ("unrated-feeds", ("ups-b",))]

    def test_load_that_shifts_onto_an_unrated_cord(self) -> None:
        domains = {"pdu-a": {"kind": "power"}, "pdu-b": {"kind": "power"}}
        found = ask(estate_of(domains, {"n1": on(["pdu-a", "pdu-b"], 6)}), "pdu-a")
        assert found.safe is None
        assert [(d.id, d.why) for d in found.doubts] == [("pdu-b", "unrated")]

    def test_nodes_of_unknown_power(self) -> None:
        domains = {"pdu-a": {"kind": "power", "ratedKw": 9}, "pdu-b": {"kind": "power", "ratedKw": 9}}
        estate = estate_of(domains, {"n1": on(["pdu-a", "pdu-b"], 6)}, wattsPerUnitKw=None)
        found = ask(estate, "pdu-a")
        assert found.safe is None
        assert [(d.id, d.why) for d in found.doubts] == [("pdu-b", "load-unknown")]

    def test_unknown_power_elsewhere_does_not_matter(self) -> None:
        domains = {**PAIR, "pdu-9": {"kind": "power"}}
        nodes = {"n1": on("pdu-1", 6, kwPerUnit=1), "n9": on("pdu-9", 6)}
        assert ask(estate_of(domains, nodes, wattsPerUnitKw=None), "ups-a").safe is True

    def test_a_shared_unrated_root_carries_no_more_than_before(self) -> None:
        domains = {
            "x": {"kind": "transformer"},
            **{name: {**keys, "parent": "x"} if "ups" in name else keys for name, keys in PAIR.items()},
        }
        assert ask(estate_of(domains, {"n1": on("pdu-1", 6)}), "ups-a").safe is True

    def test_a_map_alone_cannot_say_what_is_allocated(self) -> None:
        text = "nodes: {n1: {pdu: p}}\ndomains: {p: {kind: power}, q: {kind: power}}\n"
        found = topo.load_topology_text(text, "topology.yaml").value
        assert found is not None
        estate = topo.estate_of(found)
        assert ask(estate, "p").safe is None
        assert ask(estate, "q").safe is True


class TestScene:
    """`--out` and `status: out` set the scene: a second outage during the first is the common case."""

    def test_a_second_outage_during_the_first(self) -> None:
        assert ask(pair(), "ups-b").safe is True
        assert ask(assume(pair(), out=["ups-a"]), "ups-b").safe is False

    def test_what_is_lost_already_is_not_held_against_the_work(self) -> None:
        domains = {**PAIR, "dead": {"kind": "power", "status": "out"}}
        estate = estate_of(domains, {"n1": on("pdu-1", 6), "n9": on("dead", 8)})
        found = ask(estate, "ups-a")
        assert (found.safe, found.closure.baseline_nodes) == (True, ("n9",))

    def test_old_doubts_are_not_held_against_unrelated_work(self) -> None:
        domains = {
            **PAIR,
            "u": {"kind": "ups", "status": "out"},
            "v": {"kind": "ups"},
            "p": {"kind": "power", "feeds": ["u", "v"]},
        }
        estate = estate_of(domains, {"n1": on("pdu-1", 6), "n2": on("p", 6)})
        assert ask(estate, "ups-a").safe is True

    def test_an_id_that_is_out_already_changes_nothing(self) -> None:
        found = ask(assume(pair(), out=["ups-a"]), "ups-a")
        assert (found.safe, found.degraded) == (True, ())

    def test_what_is_gone_already_is_named(self) -> None:
        """docs/maintenance.md: "`outAlready` names those that are, `lostAlready` those lost with it"."""
        domains = {**PAIR, "row": {"kind": "row", "status": "out"}, "rack": {"kind": "rack", "parent": "row"}}
        found = plan(estate_of(domains, {"n1": on("pdu-1", 6)}), "row", "rack", "ups-a")
        assert (found.out_already, found.lost_already) == (("row",), ("rack",))


class TestSecondFailure:
    """Every single further failure is tried with the ids out; the worst one is named."""

    def test_the_other_feed_takes_what_redundancy_held_before(self) -> None:
        found = plan(pair(), "ups-a")
        worst = maintenance_to_json(found)["secondFailure"]["worst"]
        assert found.second.tried == 2
        assert (worst["id"], worst["nodes"], worst["units"], worst["nodesWithoutWork"]) == ("pdu-1", 1, 6, 1)
        assert [each.id for each in found.second.losing] == ["pdu-1", "ups-b"]

    def test_what_the_work_takes_is_not_counted_again(self) -> None:
        assert plan(pair(), "pdu-1").second.losing == ()

    def test_a_node_that_is_out_itself_is_not_lost_again(self) -> None:
        estate = estate_of(PAIR, {"n1": on("pdu-1", 6), "n2": on("pdu-1", 0)})
        failures = plan(estate, "n2").second.losing
        assert [(each.id, each.nodes, each.units) for each in failures] == [("pdu-1", 1, 6)]

    @settings(max_examples=15, deadline=None)
    @given(estate=strategies.estates())
    def test_each_equals_both_failing_beyond_the_work_alone(self, estate: Estate) -> None:
        """The sweep with the ids out says the same as closure and strict check of both together."""
        if not estate.domains:
            return
        first = min(estate.domains)
        scene = scene_of(estate)
        alone = {loss.node for loss in judge(scene, [first]).losses}
        found = {each.id: each.nodes for each in second_failures(scene.facility, [first]).losing}
        for other in sorted(set(estate.domains) - {first}):
            both = judge(scene, [first, other])
            by_closure = {loss.node for loss in both.losses if loss.closure} - alone
            by_strict = {loss.node for loss in both.losses if loss.strict} - alone
            assert found.get(other, 0) in {len(by_closure), len(by_strict)}
            assert bool(found.get(other)) == bool(by_closure | by_strict)


class TestLargest:
    """The largest set that is safe to take out together: exact to 20 candidates, then greedy."""

    def test_one_of_each_pair(self) -> None:
        domains = {
            f"{name}{i}": keys if "pdu" not in name else {**keys, "feeds": [f"ups-a{i}", f"ups-b{i}"]}
            for i in range(4)
            for name, keys in PAIR.items()
        }
        estate = estate_of(domains, {f"n{i}": on(f"pdu-1{i}", 6) for i in range(4)})
        candidates = [name for name in domains if name.startswith("ups")]
        found = largest_safe(scene_of(estate), candidates, 8)
        assert (found.exact, found.ids) == (True, ("ups-a0", "ups-a1", "ups-a2", "ups-a3"))
        assert largest_safe(scene_of(estate), candidates, 2).ids == ("ups-a0", "ups-a1")

    def test_what_trips_alone_may_go_together_with_what_takes_it_down(self) -> None:
        """The strict check is not monotone: a weak cord that would trip is out itself in the larger set."""
        domains = {
            "a": {"kind": "power", "ratedKw": 6},
            "b": {"kind": "power", "ratedKw": 3},
            "c": {"kind": "power", "ratedKw": 7},
            "weak": {"kind": "power", "ratedKw": 6, "parent": "b"},
        }
        nodes = {"n1": on(["a", "b", "c"], 6), "n2": on("weak", 0)}
        scene = scene_of(estate_of(domains, nodes))
        assert largest_safe(scene, ["a", "b"], 2).ids == ("a", "b")

    @settings(max_examples=15, deadline=None)
    @given(estate=strategies.estates())
    def test_the_exact_search_equals_trying_every_set(self, estate: Estate) -> None:
        candidates = sorted(estate.domains)[:6]
        scene = scene_of(estate)
        for limit in (2, 6):
            found = largest_safe(scene, candidates, limit)
            sizes = [
                size
                for size in range(1, min(limit, len(candidates)) + 1)
                if any(judge(scene, ids).safe for ids in combinations(candidates, size))
            ]
            assert len(found.ids) == max(sizes, default=0)
            assert not found.ids or judge(scene, found.ids).safe is True

    def test_beyond_twenty_it_is_greedy_safe_and_says_so(self) -> None:
        names = [f"p{i:02}" for i in range(EXACT_CANDIDATES + 1)]
        estate = estate_of({name: {"kind": "power"} for name in names}, {"n1": on("p03", 6)})
        found = plan(estate, *names, max_together=30)
        assert found.largest is not None
        assert not found.largest.exact
        assert set(found.largest.ids) == set(names) - {"p03"}
        assert any("greedy" in caveat for caveat in found.caveats)


def test_the_same_answer_whatever_the_order_of_ids() -> None:
    facility: Facility = compile_facility(pair())
    one, other = (
        maintenance_to_json(plan_maintenance(facility, ids, now=NOW, max_together=2))
        for ids in (["ups-a", "pdu-1"], ["pdu-1", "ups-a", "ups-a"])
    )
    assert one == other
