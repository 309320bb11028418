"""Partial plans: what pauses can keep of a cascade that none of them stops."""

from __future__ import annotations

import pytest

from closure.compiled import compile_facility
from findings.rescue import plan_rescue
from tests.estates import estate_of, on
from tests.findings.test_rescue import NOW
from tests.findings.test_rescue_laws import check_partial
from topology.model import Estate


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
