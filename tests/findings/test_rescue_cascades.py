"""Partial plans: what pauses can keep of a cascade that none of them stops."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.rescue.plan import plan_rescue
from tests.estates import estate_of, on
from tests.findings.test_rescue import NOW
from tests.findings.test_rescue_laws import check_partial, losses
from topology.model import Domain, Estate, Node, Overload, Standing, Workload


class TestPartOfACascade:
    """docs/curtailment.md: what no pause relieves is taken as gone, and what that brings is looked at too."""

    def utilities(self, carries: int = 3600) -> Estate:
        """Both PDUs stand on `util-b` when `util-a` fails: 42 kW on `swg`, 22 on `pdu-2`, 20 rated."""
        return estate_of(
            {
                "util-a": {"kind": "utility", "ratedKw": 100},
                "util-b": {
                    "kind": "utility",
                    "ratedKw": 20,
                    "overload": [{"percent": 300, "seconds": carries}],
                },
                "swg": {"kind": "switchgear", "feeds": ["util-b", "util-a"], "transfer": "preferred"},
                "pdu-1": {"kind": "power", "parent": "swg"},
                "pdu-2": {"kind": "power", "feeds": ["util-b", "swg"], "transfer": "preferred"},
            },
            {"n1": on("pdu-1", 30), "n2": on("pdu-2", 22)},
            workloads=[{"id": "w1", "kind": "batch", "critical": False, "placements": {"n2": 10}}],
            idleKwPerUnit=0,
        )

    @pytest.mark.parametrize(("carries", "in_time"), [(3600, True), (10, False)])
    def test_demotions_cascade_too(self, carries: int, in_time: bool) -> None:
        """ "What no pause relieves is taken as gone, and the overloads that this brings are looked at too".

        No pause keeps `swg`, and nothing trips. With `swg` gone `pdu-2` has `util-b` alone, rated 20 for its
        22 kW: the 10 kW of `w1` keep it.
        """
        result = plan_rescue(compile_facility(self.utilities(carries)), ["util-a"], now=NOW)
        assert (result.before.tripped, result.before.demoted) == ((), ("pdu-2", "swg"))
        check_partial(self.utilities(carries), ("util-a",), result)
        assert result.partial is not None
        assert (result.partial.relieved, result.partial.stuck) == (("pdu-2",), ("swg",))
        assert [pause.workload.id for pause in result.partial.plan.pauses] == ["w1"]
        assert result.partial.in_time is in_time
        assert (result.before.nodes, result.partial.after.nodes) == (2, 1)
        assert (result.before.units, result.partial.after.units) == (52, 30)

    def test_what_is_lost_anyway_is_worth_no_pause(self) -> None:
        """What is stuck "is taken as gone"; "a plan that would change nothing of it is not offered".

        Pausing 10 of 20 kW keeps `pdu` (12 rated), whose only feed `ups-1` has 5 kW of `gen` left.
        """
        estate = estate_of(
            {
                "util": {"kind": "utility"},
                "gen": {"kind": "generator", "ratedKw": 5},
                "ups-1": {"kind": "ups", "feeds": ["gen", "util"], "ratedKw": 12},
                "pdu": {"kind": "power", "feeds": ["ups-1", "util"]},
            },
            {"n1": on("pdu", 20)},
            workloads=[{"id": "w1", "kind": "inference", "critical": True, "placements": {"n1": 10}}],
            idleKwPerUnit=0,
        )
        result = plan_rescue(compile_facility(estate), ["util"], now=NOW)
        assert (result.verdict, result.partial) == ("not-sheddable", None)
        assert (result.before.nodes, result.before.units) == (1, 20)

    def test_what_is_lost_anyway_costs_no_pause_beside_what_is_kept(self) -> None:
        """The same, beside a PDU that pauses do keep: `w1` runs on."""
        estate = estate_of(
            {
                "util": {"kind": "utility"},
                "gen": {"kind": "generator", "ratedKw": 5},
                "spare": {"kind": "generator", "ratedKw": 6},
                "ups-1": {"kind": "ups", "feeds": ["gen", "util"], "ratedKw": 12},
                "pdu": {"kind": "power", "feeds": ["ups-1", "util"]},
                "pdu-2": {"kind": "power", "feeds": ["spare", "util"]},
            },
            {"n1": on("pdu", 20), "n2": on("pdu-2", 8)},
            workloads=[
                {"id": "w1", "kind": "inference", "critical": True, "placements": {"n1": 10}},
                {"id": "w2", "kind": "batch", "critical": False, "placements": {"n2": 3}},
            ],
            idleKwPerUnit=0,
        )
        result = plan_rescue(compile_facility(estate), ["util"], now=NOW)
        assert result.partial is not None
        check_partial(estate, ("util",), result)
        assert result.partial.relieved == ("pdu-2", "spare")
        assert [pause.workload.id for pause in result.partial.plan.pauses] == ["w2"]
        assert (result.before.nodes, result.partial.after.nodes) == (2, 1)

    def ring(self) -> Estate:
        """Six racks of 8 kW, each on two neighbouring UPS of 9 kW; `r0` itself draws 5 kW, `u2` 3 kW.

        When `u0` fails, `u1` trips whatever is paused, for `w1` on `r1` cannot be timed.
        """
        ups = {"kind": "ups", "ratedKw": 9, "overload": [{"percent": 200, "seconds": 3600}]}
        domains: dict[str, Any] = {f"u{i}": {**ups, "loadKw": 3 if i == 2 else 0} for i in range(6)}
        for i in range(6):
            feeds = [f"u{i}", f"u{(i + 1) % 6}"]
            domains[f"r{i}"] = {"kind": "rack", "feeds": feeds, "loadKw": 0 if i else 5}
        kinds = ("training", "interactive", "inference")
        jobs = [
            {"id": f"w{i}", "kind": kinds[i % 3], "critical": True, "placements": {f"n{i}": 8}}
            for i in range(6)
        ]
        return estate_of(
            domains,
            {f"n{i}": {"allocated": 8, "domains": {"rack": f"r{i}"}} for i in range(6)},
            workloads=[{**job, "checkpointMinutes": 10, "restartMinutes": 5} for job in jobs],
            idleKwPerUnit=0.1,
        )

    def test_a_pause_that_saves_nothing_by_the_worse_engine_is_dropped(self) -> None:
        """ "A pause without which no more nodes, units and critical units are lost is dropped".

        Pausing `w0` keeps the closure from demoting `r0`; by the strict check its only feeds, `u0` and `u1`,
        are gone all the same: `n0` and `n1` are lost with and without `w0`.
        """
        result = plan_rescue(compile_facility(self.ring()), ["u0"], now=NOW)
        assert (result.verdict, result.before.nodes) == ("not-sheddable", 6)
        assert result.partial is not None
        check_partial(self.ring(), ("u0",), result)
        plan, after = result.partial.plan, result.partial.after
        assert ([pause.workload.id for pause in plan.pauses], plan.critical_units) == (["w2", "w5"], 16)
        assert (result.partial.relieved, result.partial.stuck) == (("u3", "u4", "u5"), ("u1", "u2"))
        assert (after.nodes, after.units, after.critical_units) == (2, 16, 16)
        assert losses(self.ring(), ("w0", "w2", "w5"), ("u0",)) == after.loss
        assert (after.tripped, after.demoted) == (("u1", "u2"), ("r0",))
        assert result.partial.in_time is True

    def row(self, **training: Any) -> Estate:
        """`ups-0` (15 rated) has 17 kW of `pdu-1` when `ups-3` fails; its trip puts 14 kW on `pdu-2` (12)."""
        return estate_of(
            {
                "ups-0": {"kind": "ups", "ratedKw": 15},
                "ups-3": {"kind": "ups"},
                "pdu-1": {"kind": "power", "feeds": ["ups-3", "ups-0"]},
                "pdu-2": {"kind": "power", "ratedKw": 12},
                "rack-3": {"kind": "rack", "parent": "pdu-1"},
                "rack-4": {"kind": "rack", "parent": "pdu-1"},
            },
            {
                "n03": {"allocated": 8, "kwPerUnit": 0.25, "domains": {"rack": "rack-3"}},
                "n04": on(["pdu-1", "pdu-2"], 4),
                "n06": on(["pdu-2", "pdu-1"], 8, kwPerUnit=1.25),
                "n07": {"allocated": 8, "domains": {"rack": "rack-4"}},
            },
            workloads=[
                {"id": "w4", "kind": "batch", "placements": {"n06": 3}},
                {"id": "w5", "kind": "training", "placements": {"n06": 2}, **training},
            ],
            idleKwPerUnit=0,
        )

    @pytest.mark.parametrize(
        ("training", "paused"), [({}, ["w4"]), ({"checkpointMinutes": 30}, ["w5"])], ids=["one", "two"]
    )
    def test_one_more_that_can_be_paused_takes_no_plan_away(
        self, training: dict[str, Any], paused: list[str]
    ) -> None:
        """ "so one more workload that can be paused never takes the plan away".

        Nothing keeps `pdu-1`. Both workloads together would keep `ups-0`, which saves nothing more; either
        keeps `pdu-2` when `ups-0` has tripped. How long `pdu-2` carries that nobody says.
        """
        result = plan_rescue(compile_facility(self.row(**training)), ["ups-3"], now=NOW)
        assert (result.verdict, result.before.nodes, result.before.units) == ("not-sheddable", 4, 28)
        assert result.partial is not None
        check_partial(self.row(**training), ("ups-3",), result)
        assert [pause.workload.id for pause in result.partial.plan.pauses] == paused
        assert (result.partial.relieved, result.partial.in_time) == (("pdu-2",), None)
        assert (result.partial.after.nodes, result.partial.after.units) == (2, 16)

    @pytest.mark.parametrize(("seconds", "in_time"), [(3600, True), (10, False)])
    def test_one_pause_that_saves_nothing_is_dropped_from_among_many(
        self, seconds: int, in_time: bool
    ) -> None:
        """The same with two panels more, which `wx` and `wy` keep when `util` fails too: no two may go.

        `inTime`: whether the plan drains while the survivors carry, of which `pdu-2` carries the shortest.
        """
        row = self.row(checkpointMinutes=30)
        domains, nodes, jobs = {"util": Domain("util", "utility")}, [], []
        domains["pdu-2"] = replace(row.domains["pdu-2"], overload=(Overload(200, seconds),))
        for name in "xy":
            domains[f"gen-{name}"] = Domain(
                f"gen-{name}", "generator", rated_kw=6, overload=(Overload(200, 3600),)
            )
            domains[f"pdu-{name}"] = Domain(f"pdu-{name}", "power", feeds=("util", f"gen-{name}"))
            nodes.append(Node(f"n{name}", 8, standings=(Standing("pdu", "one", (f"pdu-{name}",)),)))
            jobs.append(Workload(f"w{name}", "batch", {f"n{name}": 3}))
        estate = replace(
            row,
            nodes=(*row.nodes, *nodes),
            domains={**row.domains, **domains},
            workloads=(*row.workloads, *jobs),
        )
        result = plan_rescue(compile_facility(estate), ["ups-3", "util"], now=NOW)
        assert result.partial is not None
        check_partial(estate, ("ups-3", "util"), result)
        assert {pause.workload.id for pause in result.partial.plan.pauses} == {"w5", "wx", "wy"}
        assert result.partial.in_time is in_time
