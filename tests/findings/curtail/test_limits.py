"""docs/curtailment.md: what is enough to lift, what would spare critical units, and a domain that is lost."""

from __future__ import annotations

from typing import Any

from closure.compiled import compile_facility
from findings.curtail.ask import Ask
from findings.curtail.curtailment import Curtailment, Gentler, plan_curtailment
from findings.curtail.document import curtailment_to_json
from findings.curtail.gone import Gone
from tests.estates import estate_of, on

NOW = "2026-11-30T13:00:00Z"
SLOW: dict[str, Any] = {"id": "t", "kind": "training", "checkpointMinutes": 30, "critical": True}
UNTIMED: dict[str, Any] = {"id": "u", "kind": "training", "critical": False}
QUICK: dict[str, Any] = {"id": "b", "kind": "batch", "critical": False}


def ask(amount: float, *jobs: dict[str, Any], **limits: Any) -> Curtailment:
    """Every job on 8 units of a node of its own, 1 kW each."""
    placed = [{**job, "placements": {f"n-{job['id']}": 8}} for job in jobs]
    nodes = {f"n-{job['id']}": on("p", 8) for job in jobs}
    one = estate_of({"p": {"kind": "power"}}, nodes, workloads=placed, idleKwPerUnit=0)
    return plan_curtailment(compile_facility(one), Ask("shed-kw", amount, **limits), now=NOW)


class TestCheckpoint:
    """docs/curtailment.md: "waiting for the checkpoint is a constraint too (`checkpoint`)"."""

    def test_ordering_off_is_enough_as_is_a_later_deadline(self) -> None:
        result = ask(16, SLOW, QUICK, within_minutes=10)
        assert result.feasible is False
        assert [(each.constraint, each.kw, each.enough) for each in result.binding] == [
            ("checkpoint", 8, True),
            ("within", 8, True),
        ]
        assert ask(16, SLOW, QUICK, within_minutes=10, allow_early=True).feasible

    def test_it_is_no_constraint_where_it_is_lifted_or_too_slow_itself(self) -> None:
        late = ask(16, SLOW, QUICK, within_minutes=0.5)
        assert "checkpoint" not in [each.constraint for each in late.binding]
        assert not ask(16, SLOW, QUICK, within_minutes=0.5, allow_early=True).feasible

    def test_together_with_another(self) -> None:
        result = ask(24, SLOW, QUICK, UNTIMED, within_minutes=10)
        assert result.smallest_lift is not None
        assert result.smallest_lift.constraints == ("within", "unknown-cadence")
        kept = ask(16, SLOW, QUICK, within_minutes=10, protect_critical=True)
        assert kept.smallest_lift is not None
        assert kept.smallest_lift.constraints == ("within", "protect-critical")


class TestCriticalUnits:
    """docs/curtailment.md: "where pausing what nobody can time would spare critical units"."""

    def test_what_nobody_can_time_spares_them(self) -> None:
        result = ask(8, SLOW, UNTIMED)
        assert (result.feasible, result.plan.critical_units) == (True, 8)
        assert result.gentler == Gentler(("unknown-cadence",), 0)
        found = curtailment_to_json(result)["lessCritical"]
        assert found == {"constraints": ["unknown-cadence"], "criticalUnits": 0}

    def test_as_few_as_there_can_be(self) -> None:
        result = ask(16, SLOW, {**QUICK, "critical": True}, UNTIMED)
        assert (result.plan.critical_units, result.gentler) == (16, Gentler(("unknown-cadence",), 8))

    def test_not_where_what_nobody_can_time_is_critical_too(self) -> None:
        assert ask(8, SLOW, {**UNTIMED, "critical": True}).gentler is None

    def test_not_where_none_are_paused_or_a_deadline_forbids_it(self) -> None:
        assert ask(8, SLOW, QUICK, UNTIMED).gentler is None
        assert ask(8, {**QUICK, "critical": True}, UNTIMED, within_minutes=10).gentler is None


class TestALostDomain:
    """docs/curtailment.md: "A domain that is lost already (`underLost`) carries nothing"."""

    def under(self, domain: str, **changed: dict[str, Any]) -> Curtailment:
        domains: dict[str, Any] = {
            "u": {"kind": "ups"},
            "a": {"kind": "power", "ratedKw": 5, "parent": "u"},
            "b": {"kind": "power", "ratedKw": 20},
            "r": {"kind": "rack", "feeds": ["a", "b"]},
        }
        domains = {name: {**keys, **changed.get(name, {})} for name, keys in domains.items()}
        nodes = {"n-b": {"allocated": 8, "domains": {"rack": "r"}}}
        jobs = [{**QUICK, "placements": {"n-b": 8}}]
        one = estate_of(domains, nodes, workloads=jobs, idleKwPerUnit=0)
        return plan_curtailment(compile_facility(one), Ask("shed-kw", 1, under=domain), now=NOW)

    def test_by_what(self) -> None:
        out = {"status": "out"}
        assert self.under("r").gone is None
        assert self.under("b", b=out).gone == Gone("out", (), ("b",))
        assert self.under("a", u=out).gone == Gone("parent-lost", ("u",), ("u",))
        demoted = self.under("r", b=out)
        assert demoted.gone == Gone("demoted", ("b",), ("b",))
        assert (demoted.draw_kw, demoted.feasible) == (0, False)
        assert curtailment_to_json(demoted)["underLost"] == {
            "cause": "demoted",
            "by": ["b"],
            "sources": ["b"],
        }

    def test_by_a_trip_of_the_strict_check_alone(self) -> None:
        """The 8 kW fit what `a` is rated, and not what its own feed is."""
        result = self.under("r", a={"ratedKw": 20}, u={"ratedKw": 5}, b={"status": "out"})
        assert result.gone == Gone("tripped", ("u",), ("b",))
