"""Every figure says what it rests on; one made of several takes the weakest (spec 2 and 5)."""

from typing import Any

import pytest
from hypothesis import given

from closure.compiled import compile_facility
from findings.caveats import HOSTS_ONLY_CAVEAT
from findings.context import Context
from findings.explain import explanation_to_json
from findings.finding import Finding, finding_to_json
from findings.registry import all_findings, find
from findings.scenario import whatif
from findings.term import Term, greatest, summed, term, weakest
from tests import strategies
from tests.findings.small import NOW, estate_of_json, node
from topology.assume import assume
from topology.model import Estate

FACILITY: dict[str, Any] = {
    "r": {"kind": "rack", "feeds": ["a", "b"], "ratedKw": 9},
    "a": {"kind": "power", "ratedKw": 6, "measuredKw": 4},
    "b": {"kind": "power", "ratedKw": 9},
}
JOB = {"id": "job", "kind": "batch", "critical": True, "criticalBasis": "label", "placements": {"n": 8}}


def dual_fed(domains: dict[str, Any] | None = None, **fields: Any) -> Estate:
    """A node of eight busy units and one of eight free ones in a rack with two rated feeds."""
    nodes = [
        node("n", allocated=8, domains={"rack": "r"}, **fields),
        node("m", domains={"rack": "r"}, **fields),
    ]
    return estate_of_json(nodes, FACILITY if domains is None else domains, workloads=[JOB])


def finding(estate: Estate, name: str, **fields: Any) -> Finding:
    found = find(Context(estate, NOW, **fields), name)
    assert found is not None
    return found


def holds(each: Term) -> None:
    for part in each.parts():
        holds(part)
        if each.value is not None and part.value is not None:
            assert weakest([each.basis, part.basis]) == each.basis, (each, part)


class TestWeakest:
    """A figure made of several takes the weakest of their bases, by construction."""

    PARTS = (term("a", 1, ""), term("b", 2, "", "command line"), term("c", None, "", "assumed"))

    @pytest.mark.parametrize("made", ["arithmetic", "sum", "max"])
    def test_unknown_parts_are_left_out(self, made: str) -> None:
        figure = {
            "arithmetic": lambda: term("t", 3, "", "measured", "1 + 2", *self.PARTS),
            "sum": lambda: summed("t", 3, "", lambda: self.PARTS),
            "max": lambda: greatest("t", 2, "", lambda: self.PARTS),
        }[made]()
        assert figure.basis == "command line"

    def test_no_value_is_unknown(self) -> None:
        assert summed("t", None, "", lambda: self.PARTS).basis == "unknown"

    @given(estate=strategies.estates(max_nodes=4, max_domains=6))
    def test_every_term_of_every_finding(self, estate: Estate) -> None:
        for each in all_findings(Context(assume(estate, kw_per_unit=1), NOW)):
            holds(each.root)


class TestKwPerUnit:
    """Spec 2: a figure that rests on --kw-per-unit says `command line` as its basis."""

    RESTING = (
        "capacity-ledger",
        "rated-feed-demotion@allocated",
        "overcommitted@allocated",
        "stranded-capacity@allocated",
        "meter-mismatch@allocated",
        "worst-survivor@allocated",
        "critical-share/a",
    )

    @pytest.mark.parametrize("name", RESTING)
    def test_the_command_line_decides(self, name: str) -> None:
        said = finding(assume(dual_fed(), kw_per_unit=1), name)
        assert said.root.basis == "command line"
        assert said.badge.level == "Med"

    @pytest.mark.parametrize("name", RESTING)
    def test_a_node_of_its_own_kw_does_not_rest_on_it(self, name: str) -> None:
        assert finding(assume(dual_fed(kwPerUnit=1), kw_per_unit=2), name).root.basis == "declared"

    def test_explain_says_whose_kw_it_is(self) -> None:
        explained = explanation_to_json(finding(assume(dual_fed(), kw_per_unit=1), "capacity-ledger"))
        (capped,) = (each for each in explained["terms"] if each["name"] == "power-capped")
        (by_node,) = capped["terms"]
        assert {each["name"]: each["basis"] for each in by_node["terms"]}["kW per unit"] == "command line"

    def test_a_blast_that_no_load_decides_rests_on_the_map(self) -> None:
        assert finding(assume(dual_fed(), kw_per_unit=1), "critical-share/r").root.basis == "declared"


class TestDoubt:
    """Confidence: Med, the signal named, where nothing vouches for what survives."""

    def test_an_unrated_survivor(self) -> None:
        domains = {**FACILITY, "b": {"kind": "power"}}
        badge = finding(dual_fed(domains, kwPerUnit=1), "critical-share/a").badge
        assert badge.level == "Med"
        assert badge.signal == "ratings (electrically unverified survivors: 1)"

    def test_a_demotion_that_unknown_kw_leaves_open(self) -> None:
        badge = finding(dual_fed(), "critical-share/a").badge
        assert badge.level == "Med"
        assert badge.signal == "kW (unknown: demotions that cannot be judged: 1)"

    def test_none_where_everything_is_known(self) -> None:
        badge = finding(dual_fed(kwPerUnit=1), "critical-share/a").badge
        assert (badge.level, badge.signal) == ("High", None)

    def test_a_ledger_of_unverified_power_is_not_high(self) -> None:
        badge = finding(dual_fed(), "capacity-ledger").badge
        assert (badge.level, badge.signal) == ("Med", "power (unverified for 8 free units)")
        assert finding(dual_fed(kwPerUnit=1), "capacity-ledger").badge.level == "High"


def test_entropy_rests_on_the_map() -> None:
    assert finding(dual_fed(), "allocation-entropy/rack").root.basis == "declared"


@pytest.mark.parametrize("basis", ["measured", "command line"])
def test_an_age_says_where_now_comes_from(basis: Any) -> None:
    said = finding(dual_fed(), "staleness", now_basis=basis)
    assert said.root.basis == basis
    assert said.root.parts()[0].basis == basis


def test_outages_of_the_command_line_are_named() -> None:
    estate = assume(dual_fed(kwPerUnit=1), out=["b", "a"])
    (said,) = (each for each in whatif(compile_facility(estate), ["r"]).caveats if "command line" in each)
    assert "'a', 'b'" in said
    assert said not in whatif(compile_facility(dual_fed(kwPerUnit=1)), ["r"]).caveats


class TestHosts:
    """Without a map exposure degrades to zone and host level, and says so."""

    def estate(self, **fields: Any) -> Estate:
        nodes = [node(name, allocated=8, **fields) for name in "abcd"]
        jobs = [{**JOB, "placements": {"a": 2, "b": 6}}]
        return estate_of_json([*nodes, node("e")], workloads=jobs)

    def exposures(self, **fields: Any) -> list[Finding]:
        found = all_findings(Context(self.estate(**fields), NOW))
        return [each for each in found if each.formula == "critical-share"]

    def test_the_worst_hosts_where_nothing_else_is_known(self) -> None:
        found = self.exposures()
        assert [(each.subject, each.value) for each in found] == [("b", 0.75), ("a", 0.25), ("c", None)]
        assert {each.badge.signal for each in found} == {"facility map"}
        assert all(HOSTS_ONLY_CAVEAT in each.caveats for each in found)

    def test_zones_where_they_are(self) -> None:
        (found,) = self.exposures(domains={"zone": "z"})
        assert found.subject == "z"
        assert HOSTS_ONLY_CAVEAT not in found.caveats
        assert finding(self.estate(domains={"zone": "z"}), "critical-share/b").value == 0.75


class TestIdleWindow:
    """Spec 5: the window is in the finding."""

    @pytest.mark.parametrize(("hours", "basis"), [(24, "measured"), (None, "unknown")])
    @pytest.mark.parametrize("name", ["idle-allocation", "idle-allocation/n"])
    def test_it_is_an_input(self, name: str, hours: int | None, basis: str) -> None:
        idle = {"allocated": 8, "utilization": 0.05, "utilizationBasis": "dcgm", "pricePerUnitHour": 2}
        window = {} if hours is None else {"utilizationWindowHours": hours}
        said = finding_to_json(finding(estate_of_json([node("n", **{**idle, **window})]), name))
        (found,) = (each for each in said["inputs"] if each["name"] == "utilizationWindowHours")
        assert found == {"name": "utilizationWindowHours", "value": hours, "unit": "h", "basis": basis}
        assert said["value"] == 8 * 2 * 720
        assert said["confidence"] == ("High" if hours else "Low")
