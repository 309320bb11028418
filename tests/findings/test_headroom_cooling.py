"""What a rack can use: no more than the cooling of its machines takes (docs/curtailment.md: Headroom)."""

from __future__ import annotations

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from closure.compiled import compile_facility
from findings.headroom.document import headroom_to_json
from findings.headroom.rooms import headroom_report
from tests.findings.test_headroom_rounds import EXTRA, NEARLY, estate, losses, rooms
from tests.strategies import estates
from topology.model import Domain, Estate, Mode, Node, Standing


def machine(name: str, kw: float, rack: str, *cooling: str, mode: Mode = "any") -> Node:
    loops = (Standing("cooling", mode, cooling),) if cooling else ()
    return Node(name, 1, kw_per_unit=kw, standings=(Standing("rack", "one", (rack,)), *loops))


PUMPS = (
    Domain("pump-1", "cooling", rated_kw=100),
    Domain("pump-2", "cooling", rated_kw=100),
    Domain("loop", "cooling", feeds=("pump-1", "pump-2"), rated_kw=150),
)
RACKS = (Domain("r1", "rack", rated_kw=90), Domain("r2", "rack", rated_kw=90))


class TestCooling:
    """'A kW that a machine draws is a kW of heat: a rack uses no more than its machines' cooling takes.'"""

    def test_one_pump_must_carry_all_heat(self) -> None:
        """80 kW flow: each pump alone has 20 kW left, though the rack's power would give 50."""
        found = rooms(
            estate((machine("a", 40, "r1", "loop"), machine("b", 40, "r2", "loop")), *PUMPS, *RACKS)
        )
        room = found["r1"]
        assert (room.headroom_kw, room.usable_kw, room.full) == (50, 20, False)
        assert room.cooling is not None
        assert room.cooling.limited_by in {"pump-1", "pump-2"}
        assert {room.cooling.limited_by, room.cooling.limiting_failure} == {"pump-1", "pump-2"}
        assert found["pump-1"].cooling is None

    def test_an_unrated_loop_is_said_where_power_decides(self) -> None:
        loop = dataclasses.replace(PUMPS[2], rated_kw=None)
        report = headroom_report(
            compile_facility(estate((machine("a", 40, "r1", "loop"),), *PUMPS[:2], loop, *RACKS[:1]))
        )
        (room,) = (each for each in report.rooms if each.domain == "r1")
        assert (room.usable_kw, room.cooling_unrated, room.bounded_above, room.full) == (
            50,
            True,
            False,
            False,
        )
        assert any("Racks whose cooling" in caveat for caveat in report.caveats)

    def test_an_unrated_loop_makes_an_upper_bound_where_the_cooling_decides(self) -> None:
        loop = dataclasses.replace(PUMPS[2], rated_kw=None)
        nodes = (machine("a", 40, "r1", "loop"), machine("b", 40, "r2", "loop"))
        report = headroom_report(compile_facility(estate(nodes, *PUMPS[:2], loop, *RACKS)))
        (room,) = (each for each in report.rooms if each.domain == "r1")
        assert (room.usable_kw, room.bounded_above, room.full, room.exact) == (20, True, None, True)
        assert [(each.id, each.domains) for each in report.blind] == [("loop", 2)]

    def test_cooling_without_any_rating_says_nothing_of_how_much(self) -> None:
        bare = Domain("loop", "cooling")
        room = rooms(estate((machine("a", 40, "r1", "loop"),), bare, *RACKS[:1]))["r1"]
        assert room.cooling is not None
        assert (room.usable_kw, room.cooling.headroom_kw, room.cooling.unrated) == (50, None, ("loop",))

    def test_cooling_that_is_out_leaves_no_room(self) -> None:
        loop = dataclasses.replace(PUMPS[2], out=True)
        room = rooms(estate((machine("a", 40, "r1", "loop"),), *PUMPS[:2], loop, *RACKS[:1]))["r1"]
        assert (room.headroom_kw, room.usable_kw, room.full) == (50, 0, True)

    def test_the_roomiest_of_what_its_machines_name(self) -> None:
        loops = (Domain("x", "cooling", rated_kw=45), Domain("y", "cooling", rated_kw=30))
        nodes = (machine("a", 20, "r1", "x"), machine("b", 20, "r1", "y"))
        room = rooms(estate(nodes, *loops, *RACKS[:1]))["r1"]
        assert room.cooling is not None
        assert (room.usable_kw, room.cooling.domains) == (25, ("x",))

    def test_loops_that_share_the_heat(self) -> None:
        """Both carry 15 of 30 kW; if y fails, x has all, and 10 kW left. With `all`, halves are fixed."""
        loops = (Domain("x", "cooling", rated_kw=40), Domain("y", "cooling", rated_kw=60))
        shared = rooms(estate((machine("a", 30, "r1", "x", "y"),), *loops, *RACKS[:1]))["r1"]
        fixed = rooms(estate((machine("a", 30, "r1", "x", "y", mode="all"),), *loops, *RACKS[:1]))["r1"]
        assert (shared.usable_kw, fixed.usable_kw) == (10, 50)

    def test_loops_that_share_the_heat_of_machines_that_are_idle(self) -> None:
        """Of an addition y takes half of the heat, and all of it if x fails: its 4 kW are all the room."""
        loops = (Domain("x", "cooling", rated_kw=10), Domain("y", "cooling", rated_kw=4))
        idle = dataclasses.replace(machine("a", 1, "r1", "x", "y"), allocated=0, installed=8)
        assert rooms(estate((idle,), *loops, *RACKS[:1]))["r1"].usable_kw == 4

    def test_no_machine_names_its_cooling(self) -> None:
        report = headroom_report(compile_facility(estate((machine("a", 40, "r1"),), *RACKS[:1])))
        assert (report.rooms[0].usable_kw, report.rooms[0].cooling) == (50, None)
        assert any("no machine names its cooling: 1" in caveat for caveat in report.caveats)

    def test_a_machine_that_names_no_cooling_may_hang_there(self) -> None:
        nodes = (machine("a", 40, "r1", "loop"), machine("b", 40, "r2"))
        found = rooms(estate(nodes, *PUMPS, *RACKS))
        assert (found["loop"].flow_exact, found["loop"].exact, found["loop"].full) == (False, False, None)
        assert (found["r1"].exact, found["r1"].bounded_above) == (True, False)
        assert (found["pump-1"].headroom_kw, found["pump-1"].bounded_above) == (60, True)

    def test_the_document(self) -> None:
        one = estate((machine("a", 40, "r1", "loop"), machine("b", 40, "r2", "loop")), *PUMPS, *RACKS)
        document = headroom_to_json(headroom_report(compile_facility(one)))
        (row,) = (each for each in document["domains"] if each["id"] == "r1")
        assert (row["headroomKw"], row["usableKw"]) == (50, 20)
        assert row["cooling"]["domains"] == ["loop"]


@settings(max_examples=300)
@given(estates(kw_known=True, max_domains=10), st.data())
def test_a_machine_of_what_is_usable_makes_no_single_failure_lose_more(
    one: Estate, data: st.DataObject
) -> None:
    cooled = [room for room in rooms(one).values() if room.cooling and room.usable_kw]
    if not cooled:
        return
    room = data.draw(st.sampled_from(cooled))
    assert room.cooling is not None
    named = {standing for node in one.nodes for standing in node.standings if standing.axis == "cooling"}
    rack = Standing("rack", "one", (room.domain,))
    for standing in named:
        if (tuple(sorted(standing.ids)), standing.mode) != (room.cooling.domains, room.cooling.mode):
            continue
        extra = Node(EXTRA, 1, kw_per_unit=room.usable_kw * NEARLY, standings=(rack, standing))
        more = dataclasses.replace(one, nodes=(*one.nodes, extra))
        for failed in ((), *((name,) for name in one.domains)):
            before, after = losses(one, failed), losses(more, failed)
            assert all(added <= less for added, less in zip(after, before, strict=True)), failed
