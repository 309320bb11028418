"""Differences of criticality, and of what hangs on it: knowing less is unknown, knowing more is no harm."""

from __future__ import annotations

from typing import Any

from tests.estates import estate_of
from tests.findings.test_difference_doubt import FEEDS, JOB, N1, OTHER, diff, found, rack
from topology.model import Estate


class TestCriticality:
    """docs/diff.md: "critical units that leave some out, for want of a label, are a lower bound"."""

    def labelled(self, critical: bool | None) -> Estate:
        x = {**JOB, "placements": {"n1": 4}}
        x = {key: value for key, value in x.items() if key != "critical"} if critical is None else x
        domains = {"r1": {"kind": "rack", "parent": "pa"}, "pa": FEEDS["pa"]}
        return estate_of(domains, N1, workloads=[x, OTHER])

    def test_a_label_that_is_gone_makes_no_loss_smaller(self) -> None:
        result = diff(self.labelled(critical=True), self.labelled(critical=None))
        changes = found(result)
        assert changes["exposure", "r1", "criticalUnits"] == (4, 0, "unknown")
        assert changes["worst-loss", "", "criticalUnits"] == (4, 0, "unknown")
        assert changes["single-point", "r1", "stops"] == (1, 0, "unknown")
        assert (result.verdict, {c.direction for c in result.changes}) == ("unknown", {"unknown"})

    def test_a_label_that_is_new_makes_no_loss_larger(self) -> None:
        result = diff(self.labelled(critical=None), self.labelled(critical=True))
        assert {c.direction for c in result.changes} == {"changed"}
        assert (result.verdict, result.worse) == ("changed", False)

    def test_a_new_label_hides_no_larger_loss(self) -> None:
        """`n2` moves onto the rack in the same change that says of `a/x` that it is critical."""
        x = {"id": "a/x", "kind": "batch", "placements": {"n2": 4}}
        domains = {"r1": {"kind": "rack"}, "r2": {"kind": "rack"}}

        def at(where: str, **said: Any) -> Estate:
            nodes = {
                "n1": {"allocated": 4, "domains": {"rack": "r1"}},
                "n2": {"allocated": 4, "domains": {"rack": where}},
            }
            return estate_of(domains, nodes, workloads=[{**x, **said}, OTHER])

        changes = found(diff(at("r2"), at("r1", critical=True)))
        assert changes["exposure", "r1", "criticalUnits"] == (0, 4, "worse")
        assert changes["single-point", "r1", "stops"] == (0, 1, "worse")

    def test_not_critical_after_all_is_better(self) -> None:
        x = {**JOB, "critical": False}
        assert found(diff(rack(), rack(job=x)))["exposure", "pa", "criticalUnits"] == (8, 0, "better")

    def two_racks(self, units: int = 2, **said: Any) -> Estate:
        """The job `a/x` holds `units` on rack r1; nobody says what runs on the five of r2."""
        nodes = {
            "n1": {"allocated": units, "domains": {"rack": "r1"}},
            "n2": {"allocated": 5, "domains": {"rack": "r2"}},
        }
        job = {"id": "a/x", "kind": "batch", "placements": {"n1": units}, **said}
        return estate_of({"r1": {"kind": "rack"}, "r2": {"kind": "rack"}}, nodes, workloads=[job])

    def test_without_its_label_another_failure_reads_as_the_worst(self) -> None:
        result = diff(self.two_racks(critical=True), self.two_racks())
        assert found(result)["worst-loss", "", "units"] == (2, 5, "unknown")
        assert (result.verdict, {c.direction for c in result.changes}) == ("unknown", {"unknown"})

    def test_with_its_label_the_worst_failure_is_no_smaller(self) -> None:
        result = diff(self.two_racks(), self.two_racks(critical=True))
        assert found(result)["worst-loss", "", "units"] == (5, 2, "changed")
        assert result.verdict == "changed"

    def test_a_loss_that_grows_while_its_label_goes_is_worse(self) -> None:
        changes = found(diff(self.two_racks(critical=True), self.two_racks(units=6)))
        assert changes["worst-loss", "", "units"] == (2, 6, "worse")
