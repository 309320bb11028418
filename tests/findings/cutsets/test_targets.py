"""What a target's name stands for, and when it is down: every kind, against trying every set of domains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from closure.compiled import compile_facility
from closure.cut_sets import cut_sets
from closure.losing_sets import losing_sets
from findings.cutsets.targets import Target, TargetRefused, find_target
from findings.index import EstateIndex
from tests.closure.losing import Scenarios
from tests.estates import estate_of, on
from tests.naive_engine import NaiveClosure
from tests.strategies import estates, hostile_ids
from topology.model import Estate, Workload

ORDER = 3


def target_of(estate: Estate, text: str) -> Target:
    return find_target(compile_facility(estate), EstateIndex(estate), text)


def found(estate: Estate, text: str) -> list[tuple[str, ...]]:
    """The cut sets of a target, by ids."""
    facility = compile_facility(estate)
    target = find_target(facility, EstateIndex(estate), text)
    sets = cut_sets(target.goal, losing_sets(facility, ORDER), ORDER)
    return sorted(tuple(sorted(facility.domain_ids[d] for d in cut)) for cut in sets)


def tried(estate: Estate, down: Callable[[NaiveClosure], bool]) -> list[tuple[str, ...]]:
    """The same by the naive engine, every set of domains tried."""
    ids = tuple(estate.domains)
    sets = Scenarios(estate, ids).minimal(down, ORDER)
    return sorted(tuple(sorted(ids[d] for d in cut)) for cut in sets)


def stopped(job: Workload, lost: set[str]) -> bool:
    """A gang with its first node; a service below minAvailable; anything else with its last node."""
    hosting = {node for node, units in job.placements.items() if units > 0}
    if job.kind == "training" and job.gang is not False and hosting:
        return bool(hosting & lost)
    if job.min_available is not None and job.replicas is not None and hosting <= job.replicas.keys():
        left = sum(count for node, count in job.replicas.items() if node not in lost)
        return left < job.min_available
    return hosting <= lost


def with_replicas(estate: Estate) -> Estate:
    """Two of three workloads say their replicas, one on each node, of which all but one are needed.

    One of the two leaves out what runs on its first node.
    """
    jobs = []
    for position, job in enumerate(estate.workloads):
        replicas = dict.fromkeys(list(job.placements)[position % 3 == 2 :], 1)
        said = replace(job, replicas=replicas, min_available=max(1, len(job.placements) - 1))
        jobs.append(said if position % 3 else job)
    return replace(estate, workloads=tuple(jobs))


def amounts(estate: Estate, critical: bool) -> dict[str, Fraction]:
    """Node -> its allocated units, or its critical ones."""
    if not critical:
        return {node.id: Fraction(node.allocated or 0) for node in estate.nodes}
    return {
        node.id: sum(
            (Fraction(job.placements.get(node.id, 0)) for job in estate.workloads if job.critical),
            Fraction(0),
        )
        for node in estate.nodes
    }


def reaching(units: dict[str, Fraction], least: Fraction) -> Callable[[NaiveClosure], bool]:
    return lambda closure: sum(units[node] for node in closure.nodes) >= least


def stopping(job: Workload) -> Callable[[NaiveClosure], bool]:
    return lambda closure: stopped(job, closure.nodes)


def questions(estate: Estate) -> Iterator[tuple[str, Callable[[NaiveClosure], bool]]]:
    """Targets of every kind, and what being down means for each."""
    node, domain = estate.nodes[-1].id, list(estate.domains)[-1]
    yield f"node:{node}", lambda closure: node in closure.nodes
    yield f"domain:{domain}", lambda closure: domain in closure.domains
    for job in estate.workloads:
        if any(units > 0 for units in job.placements.values()):
            yield f"workload:{job.id}", stopping(job)
    for kind, percents in (("critical", (34, 100)), ("units", (1, 25, 50))):
        units = amounts(estate, kind == "critical")
        whole = sum(units.values())
        for percent in percents if whole else ():
            yield f"{kind}:{percent}%", reaching(units, Fraction(whole * percent, 100))


class TestEveryKind:
    """No cut set is missing, none is too large, and none is more than the definition needs."""

    @given(estates(max_domains=8, max_workloads=3))
    @settings(max_examples=20)
    def test_against_trying_every_set(self, estate: Estate) -> None:
        estate = with_replicas(estate)
        for text, down in questions(estate):
            assert found(estate, text) == tried(estate, down), text


DOMAINS: dict[str, Any] = {
    "ups-a": {"kind": "ups"},
    "ups-b": {"kind": "ups"},
    "pdu-1": {"kind": "power", "feeds": ["ups-a", "ups-b"]},
    "pdu-2": {"kind": "power", "parent": "ups-b"},
}
NODES = {"n1": on("pdu-1", 8), "n2": on("pdu-2", 8), "n3": on(["pdu-1", "pdu-2"], 8)}


def lab(*workloads: dict[str, Any], **keys: Any) -> Estate:
    return estate_of(DOMAINS, NODES, workloads=workloads, **keys)


def job(kind: str, units: dict[str, int], **keys: Any) -> dict[str, Any]:
    return {"id": "ml/job/x", "kind": kind, "placements": units, **keys}


class TestDefinitions:
    """Each target says when it is down, and its cut sets follow from that."""

    def test_a_gang_stops_with_any_of_its_nodes(self) -> None:
        estate = lab(job("training", {"n1": 8, "n2": 8}, gang=True))
        target = target_of(estate, "ml/job/x")
        assert target.definition == (
            "down when any of the 2 nodes it has units on is lost: the job stops whole"
        )
        assert (target.threshold, target.total, target.things, target.remarks) == (1, 2, "nodes", ())
        assert found(estate, "ml/job/x") == [("pdu-1",), ("pdu-2",), ("ups-b",)]

    def test_training_that_does_not_say_is_assumed_to_be_a_gang(self) -> None:
        target = target_of(lab(job("training", {"n1": 8})), "ml/job/x")
        assert target.remarks == ("It does not say whether it is a gang: assumed to stop whole.",)

    def test_anything_else_is_down_with_its_last_node(self) -> None:
        estate = lab(job("inference", {"n1": 8, "n2": 8}))
        assert target_of(estate, "ml/job/x").definition == ("down when all 2 nodes it has units on are lost")
        assert found(estate, "ml/job/x") == [
            ("pdu-1", "pdu-2"),
            ("pdu-1", "ups-b"),
            ("ups-a", "ups-b"),
        ]

    def test_a_service_is_down_below_min_available(self) -> None:
        replicas = {"n1": 2, "n2": 1, "n3": 1}
        estate = lab(job("inference", dict.fromkeys(replicas, 4), replicas=replicas, minAvailable=3))
        target = target_of(estate, "ml/job/x")
        assert target.definition == "down when fewer than 3 of its 4 replicas are left (minAvailable)"
        assert (target.threshold, target.total, target.things) == (2, 4, "replicas")
        assert found(estate, "ml/job/x") == [("pdu-1",), ("ups-a", "ups-b")]

    def test_a_service_that_is_short_already(self) -> None:
        estate = lab(job("inference", {"n1": 4}, replicas={"n1": 1}, minAvailable=2))
        assert found(estate, "ml/job/x") == [()]

    def test_min_available_of_none_is_never_missed(self) -> None:
        estate = lab(job("inference", {"n1": 4}, replicas={"n1": 1}, minAvailable=0))
        assert found(estate, "ml/job/x") == []

    def test_min_available_without_replicas_cannot_be_counted(self) -> None:
        target = target_of(lab(job("inference", {"n1": 4}, minAvailable=1)), "ml/job/x")
        assert target.definition.startswith("down when all 1 nodes")
        assert target.remarks == (
            "It does not say where its replicas run, so minAvailable cannot be counted.",
        )

    @pytest.mark.parametrize(
        ("replicas", "remark"),
        [
            ({"n1": 1}, "every node that it has units on (missing: 1)"),
            ({}, "does not say where its replicas run"),
        ],
    )
    def test_replicas_that_some_node_does_not_say_cannot_be_counted(
        self, replicas: dict[str, int], remark: str
    ) -> None:
        """Spec 2: missing means unknown. The fallback is the documented one, and is said."""
        target = target_of(
            lab(job("inference", {"n1": 4, "n3": 4}, replicas=replicas, minAvailable=1)), "ml/job/x"
        )
        assert target.definition == "down when all 2 nodes it has units on are lost"
        assert len(target.remarks) == 1
        assert remark in target.remarks[0]

    def test_a_node_and_a_domain(self) -> None:
        assert found(lab(), "n3") == [("pdu-1", "pdu-2"), ("pdu-1", "ups-b"), ("ups-a", "ups-b")]
        assert found(lab(), "pdu-1") == [("pdu-1",), ("ups-a", "ups-b")]

    def test_equality_is_enough(self) -> None:
        """units lost ≥ N, critical units lost ≥ P % of all critical units."""
        estate = lab(job("training", {"n1": 6, "n2": 3}, critical=True))
        target = target_of(estate, "critical:33.333333333%")
        assert (target.name, target.total) == ("critical:33.333333333%", 9)
        assert ("pdu-2",) in found(estate, "critical:33.333333333%")
        assert found(estate, "units:16") == found(estate, "units:66.6%")
        assert found(estate, "critical:9") == found(estate, "critical:100%")
        assert target_of(estate, "units: 8").definition == (
            "down when at least 8 of the 24 allocated units are lost"
        )

    def test_more_than_there_is(self) -> None:
        assert found(lab(), "units:1000") == []

    def test_unknown_criticality_is_said(self) -> None:
        other = {"id": "y", "kind": "batch", "placements": {"n3": 1}}
        estate = lab(job("training", {"n1": 6}, critical=True), other)
        (said,) = target_of(estate, "critical:50%").remarks
        assert said == (
            "Workloads that do not say whether they are critical: 1; nodes with units that no workload "
            "claims: 3. Missing from the units."
        )


class TestNames:
    """A prefix wins, then an amount, then the only thing that is called so."""

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("pdu-3", "no workload, node or domain is called 'pdu-3': did you mean 'pdu-2' or 'pdu-1'"),
            ("node:pdu-1", "no node is called 'pdu-1'"),
            ("workload:zzz", "no workload is called 'zzz'"),
            ("", "no workload, node or domain is called ''"),
            ("critical:", "critical: is not an amount"),
            ("critical:0%", "critical:0% is not an amount"),
            ("critical:101%", "critical:101% is not an amount"),
            ("units:-1", "units:-1 is not an amount"),
            *((f"units:{figure}", f"units:{figure} is not an amount") for figure in ("1e3", "٣")),
            ("units:" + "9" * 400, "is not an amount"),
            ("units:" + "0" * 30 + "8", "is not an amount"),
            ("critical:50%", "none of the critical units is known"),
        ],
    )
    def test_refused(self, text: str, said: str) -> None:
        with pytest.raises(TargetRefused) as refused:
            target_of(lab(job("training", {"n1": 6})), text)
        assert said in str(refused.value)
        assert refused.value.hint

    def test_no_critical_units_are_not_the_same_as_unknown_ones(self) -> None:
        with pytest.raises(TargetRefused, match="no critical units: there are none to lose"):
            target_of(lab(job("training", dict.fromkeys(NODES, 8), critical=False)), "critical:50%")

    @pytest.mark.parametrize(("figure", "threshold"), [(" 8 ", "8"), ("8", "8"), ("2.50", "2.5")])
    def test_a_whole_figure_stays_whole(self, figure: str, threshold: str) -> None:
        target = target_of(lab(job("training", {"n1": 6})), f"units:{figure}")
        assert repr(target.threshold) == threshold

    def test_thirty_characters_are_enough_for_any_figure(self) -> None:
        target = target_of(lab(job("training", {"n1": 6})), "units:" + "0" * 29 + "8")
        assert (target.kind, target.threshold) == ("units", 8)

    def test_a_workload_without_units_cannot_go_down(self) -> None:
        with pytest.raises(TargetRefused, match="holds no units"):
            target_of(lab(job("training", {})), "ml/job/x")

    def test_one_name_of_two_things_needs_a_prefix(self) -> None:
        estate = lab({**job("training", {"n2": 6}), "id": "pdu-1"})
        with pytest.raises(TargetRefused, match="is a workload and a domain") as refused:
            target_of(estate, "pdu-1")
        assert refused.value.hint == "Say --target workload:pdu-1 or domain:pdu-1."
        assert target_of(estate, "domain:pdu-1").kind == "domain"
        assert target_of(estate, "workload:pdu-1").kind == "workload"

    def test_an_amount_wins_over_an_id_that_looks_like_one(self) -> None:
        estate = lab({**job("training", {"n2": 6}), "id": "units:8"})
        assert target_of(estate, "units:8").kind == "units"
        assert target_of(estate, "workload:units:8").id == "units:8"

    def test_an_id_that_looks_like_no_amount_is_an_id(self) -> None:
        estate = lab({**job("training", {"n2": 6}), "id": "units:all"})
        assert target_of(estate, "units:all").id == "units:all"

    def test_a_bare_map_has_no_units(self) -> None:
        estate = replace(lab(), bare=True)
        with pytest.raises(TargetRefused, match="a map alone has no units"):
            target_of(estate, "units:8")
        assert target_of(estate, "n1").kind == "node"

    @given(hostile_ids())
    def test_hostile_ids_name_themselves(self, name: str) -> None:
        estate = lab()
        estate = replace(estate, nodes=(replace(estate.nodes[0], id=f"x{name}"), *estate.nodes[1:]))
        target = target_of(estate, f"x{name}")
        assert target_of(estate, target.name) == target
