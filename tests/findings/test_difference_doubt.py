"""A loss that is smaller only for want of knowledge is no longer known, and never better."""

from __future__ import annotations

from typing import Any

from closure.compiled import compile_facility
from findings.difference.compare import Difference, compare
from tests.estates import estate_of, on
from topology.model import Estate

FEEDS: dict[str, Any] = {
    "pa": {"kind": "power", "ratedKw": 10},
    "pb": {"kind": "power", "ratedKw": 5},
    "r1": {"kind": "rack", "feeds": ["pa", "pb"]},
}
WIDE: dict[str, Any] = {"pb": {"kind": "power", "ratedKw": 10}}
UNRATED: dict[str, Any] = {**FEEDS, "pb": {"kind": "power"}}
PLACES: dict[str, Any] = {
    "r1": {"kind": "rack"},
    "r9": {"kind": "power"},
    "h": {"kind": "cooling", "parent": "r9"},
}
JOB: dict[str, Any] = {"id": "a/x", "kind": "batch", "critical": True, "placements": {"n1": 8}}
OTHER: dict[str, Any] = {"id": "a/y", "kind": "batch", "critical": False, "placements": {"n1": 4}}
N1 = {"n1": {"allocated": 8, "domains": {"rack": "r1"}}}


def diff(old: Estate, new: Estate) -> Difference:
    return compare(compile_facility(old), compile_facility(new))


def found(result: Difference) -> dict[tuple[str, str, str], tuple[Any, Any, str]]:
    return {(c.key.topic, c.key.id, c.key.field): (c.old, c.new, c.direction) for c in result.changes}


def rack(domains: dict[str, Any] | None = None, job: dict[str, Any] | None = None, **estate: Any) -> Estate:
    return estate_of(domains or FEEDS, N1, workloads=[job or JOB], **estate)


class TestASmallerLossThatIsNotProven:
    """docs/diff.md: "A loss that is smaller while survivors are not proven safe goes as `unknown`"."""

    def test_the_kw_of_a_unit_is_no_longer_known(self) -> None:
        result = diff(rack(), rack(wattsPerUnitKw=None))
        changes = found(result)
        assert changes["exposure", "pa", "units"] == (8, 0, "unknown")
        assert changes["exposure", "pa", "criticalUnits"] == (8, 0, "unknown")
        assert changes["single-point", "pa", "stops"] == (1, 0, "unknown")
        assert (result.verdict, result.worse, result.count("better")) == ("unknown", None, 0)

    def test_a_weak_pdu_gives_way_to_one_without_a_rating(self) -> None:
        swapped = {
            "pa": FEEDS["pa"],
            "pc": {"kind": "power"},
            "r1": {"kind": "rack", "feeds": ["pa", "pc"]},
        }
        result = diff(rack(), rack(swapped))
        assert found(result)["exposure", "pa", "nodes"] == (1, 0, "unknown")
        assert (result.verdict, result.count("better")) == ("unknown", 0)

    def test_a_strong_one_is_better(self) -> None:
        result = diff(rack(), rack({**FEEDS, "pb": {"kind": "power", "ratedKw": 10}}))
        assert found(result)["exposure", "pa", "nodes"] == (1, 0, "better")
        assert result.verdict == "better"

    def test_a_rating_that_only_the_strict_check_asks_for(self) -> None:
        above = {"pb": {"kind": "power", "ratedKw": 10, "parent": "ub"}, "ub": {"kind": "ups", "ratedKw": 5}}
        result = diff(rack({**FEEDS, **above}), rack({**FEEDS, **above, "ub": {"kind": "ups"}}))
        assert found(result)["exposure", "pa", "nodes"] == (1, 0, "unknown")

    def test_feeds_that_count_as_live_for_want_of_a_draw(self) -> None:
        out = {**FEEDS, "pa": {**FEEDS["pa"], "status": "out"}}
        below = {"shelf": {"kind": "rack", "feeds": ["r1"]}}
        result = diff(rack({**out, **below}), rack({**out, **below}, wattsPerUnitKw=None))
        assert found(result)["redundancy", "shelf", "spareFeeds"] == (-1, 0, "unknown")

    def test_a_failure_as_unsure_as_before_leaves_a_better_worst_one(self) -> None:
        """The pair behind `u1`, `u2` is not proven safe on either side, and no less is known of it."""
        more = {
            "u1": {"kind": "ups"},
            "u2": {"kind": "ups"},
            "p9": {"kind": "power", "feeds": ["u1", "u2"]},
            "p1": {"kind": "power"},
            "p2": {"kind": "power"},
        }
        nodes = {"n0": on("p9"), "n1": on("p1"), "n2": on("p1"), "n3": on("p2")}
        result = diff(estate_of(more, nodes), estate_of(more, {**nodes, "n2": on("p2"), "n3": on("p9")}))
        assert found(result)["exposure", "p1", "nodes"] == (2, 1, "better")
        spread = diff(estate_of(more, {**nodes, "n4": on("p1")}), estate_of(more, {**nodes, "n4": on("p2")}))
        assert found(spread)["worst-loss", "", "nodes"] == (3, 2, "better")

    def test_a_map_alone_knows_no_draw_and_is_compared_by_its_wiring(self) -> None:
        """docs/diff.md: "Maps alone know no draw on either side: their losses are those of the wiring"."""
        import topo

        sides = []
        for r1 in ("{kind: rack, parent: pa}", "{kind: rack, feeds: [pa, pb]}"):
            domains = f"{{pa: {{kind: power}}, pb: {{kind: power}}, r1: {r1}}}"
            text = f"nodes: {{n1: {{rack: r1}}}}\ndomains: {domains}\n"
            topology = topo.load_topology_text(text, "topology.yaml").value
            assert topology is not None
            sides.append(topo.estate_of(topology))
        assert found(diff(*sides))["exposure", "pa", "nodes"] == (1, 0, "better")


class TestProof:
    """docs/diff.md: "whether what survives a failure is proven safe is a figure of its own"."""

    def test_a_proof_that_is_gone_is_no_longer_known(self) -> None:
        """No loss is another: what is lost is the knowledge that the survivors hold."""
        result = diff(rack({**FEEDS, **WIDE}), rack({**FEEDS, **WIDE}, wattsPerUnitKw=None))
        changes = found(result)
        assert changes["proof", "pa", "proven"] == (1, 0, "unknown")
        assert changes["draw", "", "unknownNodes"] == (0, 1, "unknown")
        assert {topic for topic, _, _ in changes} == {"proof", "draw"}
        assert (result.verdict, result.worse) == ("unknown", None)

    def test_a_proof_that_is_new_is_now_known(self) -> None:
        result = diff(rack({**FEEDS, **WIDE}, wattsPerUnitKw=None), rack({**FEEDS, **WIDE}))
        assert found(result)["proof", "pa", "proven"] == (0, 1, "changed")
        assert (result.verdict, result.worse) == ("changed", False)

    def test_a_load_that_is_written_down_takes_no_proof_away(self) -> None:
        """4 kW shift onto `ub`, which has no rating: they did before, and are only said now."""
        fed: dict[str, dict[str, Any]] = {
            "eq": {"kind": "power", "feeds": ["pa", "pb"]},
            "r1": {"kind": "rack"},
        }
        for name in ("a", "b"):
            fed |= {
                f"u{name}": {"kind": "ups"},
                f"p{name}": {"kind": "power", "ratedKw": 9, "parent": f"u{name}"},
            }
        result = diff(rack(fed), rack({**fed, "eq": {**fed["eq"], "loadKw": 4}}))
        assert found(result)["proof", "pa", "proven"] == (1, 0, "changed")
        assert result.worse is False

    def test_a_draw_that_is_gone_where_nothing_was_proven(self) -> None:
        unrated = {**FEEDS, "pa": {"kind": "power"}, "pb": {"kind": "power"}}
        result = diff(rack(unrated), rack(unrated, wattsPerUnitKw=None))
        assert {topic for topic, _, _ in found(result)} == {"draw"}
        assert result.worse is None


class TestALargerLossThatWasNotProven:
    """docs/diff.md: "A loss that is larger only by what is known now was as large before"."""

    def test_a_rating_that_is_new(self) -> None:
        result = diff(rack(UNRATED), rack())
        assert found(result)["exposure", "pa", "nodes"] == (0, 1, "changed")
        assert found(result)["single-point", "pa", "stops"] == (0, 1, "changed")
        bounds = {(c.key.topic, c.key.id) for c in result.changes if c.was_bound}
        assert bounds == {("exposure", "pa"), ("single-point", "pa")}
        assert (result.verdict, result.worse) == ("changed", False)

    def test_the_kw_of_a_unit_that_is_new(self) -> None:
        result = diff(rack(wattsPerUnitKw=None), rack())
        assert found(result)["exposure", "pa", "units"] == (0, 8, "changed")
        assert result.worse is False

    def test_a_worst_loss(self) -> None:
        """`pa` takes the rack too once `pb` is rated, and is the worst then."""
        rated = {**FEEDS, "pz": {"kind": "power"}}
        nodes = {**N1, "n2": on("pz", 9), "n3": on("pa", 2)}
        old, new = (
            estate_of({**rated, **pb}, nodes) for pb in ({"pb": {"kind": "power"}}, {"pb": FEEDS["pb"]})
        )
        result = diff(old, new)
        assert result.count("worse") == 0
        assert found(result)["worst-loss", "", "units"] == (9, 10, "changed")

    def test_more_units_are_worse_though_nothing_was_proven(self) -> None:
        less = {"n1": {"allocated": 4, "domains": {"rack": "r1"}}}
        job = {**JOB, "placements": {"n1": 4}}
        old = estate_of(UNRATED, less, workloads=[job])
        result = diff(old, rack())
        assert found(result)["exposure", "pa", "nodes"] == (0, 1, "worse")

    def test_rewiring_is_worse_though_nothing_was_proven(self) -> None:
        ample = {"pb": {"kind": "power", "ratedKw": 10}}
        single = {**FEEDS, **ample, "r1": {"kind": "rack", "parent": "pa"}}
        result = diff(rack(UNRATED), rack(single))
        assert found(result)["exposure", "pa", "nodes"] == (0, 1, "worse")

    def test_a_lower_rating_is_worse(self) -> None:
        ample = {**FEEDS, "pb": {"kind": "power", "ratedKw": 10}}
        assert found(diff(rack(ample), rack()))["exposure", "pa", "nodes"] == (0, 1, "worse")


class TestSaidOnlyNow:
    """docs/diff.md: "Where a node said nothing of an axis and says it now, it stood there before"."""

    def at(self, domains: dict[str, Any] | None = None, **said: Any) -> Estate:
        nodes = {"n1": {"allocated": 8, "domains": {"rack": "r1", **said}}}
        return estate_of({**PLACES, **(domains or {})}, nodes, workloads=[JOB])

    def test_a_cooling_loop(self) -> None:
        result = diff(self.at(), self.at(cooling="h"))
        assert found(result)["exposure", "h", "nodes"] == (0, 1, "changed")
        assert found(result)["single-point", "r9", "stops"] == (0, 1, "changed")
        assert (result.verdict, result.worse) == ("changed", False)

    def test_a_loop_that_is_declared_only_now(self) -> None:
        more = {"h2": {"kind": "cooling", "parent": "c"}, "c": {"kind": "cooling"}}
        result = diff(self.at(), self.at(more, cooling="h2"))
        assert found(result)["single-point", "c", "stops"] == (0, 1, "changed")
        assert result.worse is False

    def test_another_loop_is_rewiring(self) -> None:
        more = {"h2": {"kind": "cooling"}}
        result = diff(self.at(more, cooling="h2"), self.at(more, cooling="h"))
        assert found(result)["exposure", "h", "nodes"] == (0, 1, "worse")
