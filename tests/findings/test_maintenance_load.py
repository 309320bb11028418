"""Carries more meanwhile: what survives the work, what it carries then, and how near its rating that is."""

from __future__ import annotations

from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.maintenance.document import maintenance_to_json
from findings.maintenance.plan import plan_maintenance
from tests.estates import estate_of, on
from tests.findings.test_maintenance import NOW, PAIR, pair, plan
from tests.findings.test_maintenance_doubts import carried, naive_rounds, with_out
from tests.naive_engine import node_kw, over
from topology.assume import assume
from topology.model import Estate


def carries(estate: Estate, *ids: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = maintenance_to_json(plan(estate, *ids))["carriesMore"]
    return found


def row(name: str, kind: str, *numbers: float | None, exact: bool = True) -> dict[str, Any]:
    before_kw, during_kw, rated_kw, share = numbers
    return {
        "id": name,
        "kind": kind,
        "beforeKw": before_kw,
        "beforeExact": exact,
        "duringKw": during_kw,
        "duringExact": exact,
        "ratedKw": rated_kw,
        "share": share,
    }


class TestCarriesMore:
    """docs/maintenance.md: "`carriesMore` lists the survivors that carry more in the last round of the strict
    check than before the work, or may"."""

    def test_the_other_feed(self) -> None:
        assert carries(pair(6), "ups-a") == [row("ups-b", "ups", 3, 6, 10, 0.6)]

    def test_before_is_with_what_is_out_out(self) -> None:
        domains = {**PAIR, "ups-c": {"kind": "ups"}}
        domains["pdu-1"] = {"kind": "power", "feeds": ["ups-a", "ups-b", "ups-c"]}
        estate = assume(estate_of(domains, {"n1": on("pdu-1", 6)}), out=["ups-c"])
        assert carries(estate, "ups-a") == [row("ups-b", "ups", 3, 6, 10, 0.6)]

    def test_the_tightest_comes_first_and_what_has_no_rating_last(self) -> None:
        domains = {f"pdu-{x}": {"kind": "power", "ratedKw": kw} for x, kw in (("a", 9), ("b", 30), ("d", 12))}
        estate = estate_of({**domains, "pdu-c": {"kind": "power"}}, {"n1": on([*domains, "pdu-c"], 12)})
        assert [(each["id"], each["share"]) for each in carries(estate, "pdu-a")] == [
            ("pdu-d", pytest.approx(1 / 3)),
            ("pdu-b", pytest.approx(4 / 30)),
            ("pdu-c", None),
        ]

    def test_unknown_loads_are_unknown_and_partly_known_ones_lower_bounds(self) -> None:
        domains = {"pdu-a": {"kind": "power", "ratedKw": 9}, "pdu-b": {"kind": "power", "ratedKw": 9}}
        one = {"n1": on(["pdu-a", "pdu-b"], 6)}
        two = {**one, "n2": on(["pdu-a", "pdu-b"], 2, kwPerUnit=1)}
        blind: dict[str, Any] = {"wattsPerUnitKw": None}
        assert carries(estate_of(domains, one, **blind), "pdu-a") == [
            row("pdu-b", "power", None, None, 9, None, exact=False)
        ]
        assert carries(estate_of(domains, two, **blind), "pdu-a") == [
            row("pdu-b", "power", 1, 2, 9, None, exact=False)
        ]

    @pytest.mark.parametrize("seed", range(1, 120, 2))
    def test_it_is_what_the_last_round_carries_beyond_the_scene(self, seed: int) -> None:
        estate, ids = with_out(seed)
        if any(node_kw(estate, node, "allocated") is None for node in estate.nodes):
            return
        before = carried(estate, *naive_rounds(estate, ())[-1])
        now = carried(estate, *naive_rounds(estate, ids)[-1])
        wanted = {name: kw for name, kw in now.items() if over(kw, before.get(name, 0.0))}
        found = carries(estate, *ids)
        assert {each["id"]: each["duringKw"] for each in found} == pytest.approx(wanted)
        assert {each["id"]: each["beforeKw"] for each in found} == pytest.approx(
            {name: before.get(name, 0.0) for name in wanted}
        )


class TestRatingsNeeded:
    """docs/maintenance.md: the domains whose missing `ratedKw` is among the reasons."""

    def test_by_id(self) -> None:
        names = [f"pdu-{x}" for x in "hgfedcb"]
        estate = estate_of(
            {name: {"kind": "power"} for name in ("pdu-a", *names)}, {"n1": on(["pdu-a", *names], 8)}
        )
        found = maintenance_to_json(plan(estate, "pdu-a"))["ratingsNeeded"]
        assert [each["id"] for each in found] == sorted(names)


class TestTight:
    """docs/maintenance.md: "One that is left with a tenth of its rating or less is named by the verdict"."""

    @pytest.mark.parametrize(("units", "named"), [(8.9, None), (9, "ups-b"), (9.9, "ups-b")])
    def test_from_nine_tenths_on(self, units: float, named: str | None) -> None:
        found = plan_maintenance(compile_facility(pair(units)), ["ups-a"], now=NOW).tight
        assert (found.id if found else None) == named

    def test_what_carries_no_more_than_before_is_not_named(self) -> None:
        domains = {**PAIR, "ups-x": {"kind": "ups", "ratedKw": 8}}
        nodes = {"n1": on("pdu-1", 2), "n2": {"allocated": 8, "domains": {"ups": "ups-x"}}}
        assert plan(estate_of(domains, nodes), "ups-a").tight is None
