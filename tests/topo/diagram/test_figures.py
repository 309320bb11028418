"""Figures of boxes: unions of machines, spans of loads, unknown as unknown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from closure.cascade import close
from closure.compiled import compile_facility
from tests.strategies import estates, failures
from tests.topo.diagram.drawing import box, draw, node, small
from tests.topo.diagram.estates import halls
from topo.diagram.boxtext import box_text
from topo.diagram.model import NODES, Amount, Options
from topology.model import Domain, Estate, Workload


class TestUnion:
    """Group numbers are unions: a machine behind two members of a group counts once."""

    def test_a_dual_fed_rack_counts_once_in_the_group_of_its_pdus(self) -> None:
        drawn = draw(halls(3, pairs=5, racks=8, nodes=4))
        (pdus, *_) = [b for b in drawn.boxes if b.kind == "power" and len(b.members) > 1]
        share = len(pdus.members) // 2 * 8 * 4
        assert pdus.nodes == share
        assert pdus.units == Amount(share * 8)

    @given(st.data())
    def test_every_box_counts_the_machines_that_reach_one_of_its_members(self, data: st.DataObject) -> None:
        estate = data.draw(estates())
        failed = data.draw(failures(estate))
        lost = {entry.id for entry in close(compile_facility(estate), failed).nodes}
        drawn = draw(estate, failed, data.draw(_limits()))
        for b in drawn.boxes:
            if b.kind != NODES:
                standing = [m for m in estate.nodes if _reach(estate, m.id) & set(b.members)]
                assert b.nodes == len(standing)
                assert b.nodes_lost == sum(m.id in lost for m in standing)
                assert b.units == Amount(sum(m.allocated or 0 for m in standing))


def _limits() -> st.SearchStrategy[Options]:
    return st.builds(Options, max_row=st.integers(6, 12), max_boxes=st.integers(57, 60))


def _reach(estate: Estate, machine: str) -> set[str]:
    (node_,) = [m for m in estate.nodes if m.id == machine]
    waiting = [name for standing in node_.standings for name in standing.ids]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            domain = estate.domains[name]
            waiting += [*domain.feeds, *([domain.parent] if domain.parent else [])]
    return seen


class TestUnknown:
    """Unknown is reported as unknown, never as 0."""

    def test_units_of_a_bare_map(self) -> None:
        drawn = box(draw(small(Domain("pdu", "power"), nodes=[node("n", None, pdu="pdu")])), "pdu")
        assert drawn.units == Amount(None, 1)
        assert drawn.critical_units.known is None
        words = box_text(drawn, "gpu")
        assert words.units[0] == "GPU unknown"
        assert words.load[0] == "load unknown · unrated"

    def test_no_gauge_without_a_known_load(self) -> None:
        estate = small(Domain("pdu", "power", rated_kw=5), nodes=[node("n", None, pdu="pdu")])
        assert box(draw(estate), "pdu").gauge is None

    def test_a_part_that_is_known_reads_at_least(self) -> None:
        estate = small(Domain("pdu", "power"), nodes=[node("a", 4, pdu="pdu"), node("b", None, pdu="pdu")])
        assert box_text(box(draw(estate), "pdu"), "gpu").units[0] == "≥ 4 GPU · ? critical"

    def test_unknown_criticality_is_counted(self) -> None:
        jobs = [
            Workload("w", "training", {"a": 2}, critical=None),
            Workload("v", "batch", {"a": 1}, critical=True),
        ]
        estate = small(Domain("pdu", "power"), nodes=[node("a", 4, pdu="pdu")], workloads=jobs)
        drawn = box(draw(estate), "pdu")
        assert drawn.critical_units == Amount(1, 2)  # and one unit of nobody
        assert box_text(drawn, "gpu").units[0] == "4 GPU · ≥ 1 critical"


class TestGauge:
    """The gauge is the strict flow with nothing failed, and at the end, over the rating (spec 4)."""

    def test_dual_fed_loads_are_shared_before_and_shifted_after(self) -> None:
        estate = small(
            Domain("a", "ups", rated_kw=10),
            Domain("b", "ups", rated_kw=10),
            Domain("p", "power", feeds=("a", "b")),
            nodes=[node("n", 8, pdu="p")],
        )
        survivor = box(draw(estate, ["a"]), "b")
        assert survivor.load is not None
        assert survivor.load.high == 8.0
        assert box_text(survivor, "gpu").gauge == "40 → 80 %"

    def test_a_share_next_to_one_never_reads_one_hundred(self) -> None:
        from topo.diagram.boxtext import share

        assert [share(v) for v in (1.0, 1.004, 0.996, 1.2, 0.0)] == [
            "100 %",
            "> 100 %",
            "> 99 %",
            "120 %",
            "0 %",
        ]

    def test_a_rack_carries_what_it_holds_though_power_enters_at_the_pdu(self) -> None:
        estate = small(
            Domain("r", "rack", rated_kw=10), Domain("p", "power"), nodes=[node("n", 5, rack="r", pdu="p")]
        )
        gauge = box(draw(estate), "r").gauge
        assert gauge is not None
        assert gauge.before == 0.5


def test_group_loads_are_ranges_not_sums() -> None:
    drawn = draw(halls(1, pairs=5, racks=9, nodes=4))
    racks = [b for b in drawn.boxes if b.kind == "rack"]
    assert all(b.load is not None and b.load.high == 22.4 for b in racks)


class TestLost:
    """What stands on a box and what of it is lost are told apart."""

    def test_a_box_of_the_failed_counts_the_lost_units_of_those_that_stand_there(self) -> None:
        estate = small(
            Domain("pdu", "power"),
            Domain("x", "rack", parent="pdu"),
            Domain("y", "rack", parent="pdu"),
            nodes=[node("a", 8, rack="x"), node("b", 44, rack="y")],
            workloads=[Workload("w", "training", {"a": 6, "b": 40}, critical=True)],
        )
        drawn = draw(estate, ["x"])
        words = box_text(box(drawn, "pdu"), "gpu")
        assert words.place[0] == "1 of 2 nodes lost"
        assert words.units[0] == "8 of 52 GPU lost · ≥ 6 of ≥ 46 critical"

    def test_what_is_lost_while_its_nodes_stand_says_so(self) -> None:
        estate = small(
            Domain("u", "ups"),
            Domain("v", "ups"),
            Domain("p", "power", feeds=("u", "v")),
            nodes=[node("n", 8, pdu="p")],
        )
        words = box_text(box(draw(estate, ["u"]), "u"), "gpu")
        assert words.place[0] == "0 of 1 node lost"
        assert words.units[0] == "0 of 8 GPU lost · 0 critical"
