"""Nodes that hold no units but votes: what the work, and one more failure, cost the control plane."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from closure.cascade import close
from closure.compiled import compile_facility
from closure.strict import strict_check
from findings.index import EstateIndex
from findings.maintenance.document import maintenance_to_json
from findings.maintenance.largest import largest_safe
from findings.maintenance.plan import Maintenance, plan_maintenance
from findings.maintenance.safety import Scene
from findings.maintenance.second import second_failures
from findings.roles import role_losses
from tests.estates import estate_of, on
from tests.generator import seeded_scenario
from topology.assume import assume
from topology.model import Estate

NOW = "2026-11-30T13:00:00Z"
RACKS: dict[str, Any] = {name: {"kind": "rack"} for name in ("r1", "r2", "r3")}


def node(rack: str, *roles: str, **keys: Any) -> dict[str, Any]:
    return {"allocated": 0, "installed": 0, "domains": {"rack": rack}, "roles": list(roles), **keys}


def three(**keys: Any) -> Estate:
    """Three etcd members in three racks, and one machine of the control plane beside the first."""
    nodes = {f"e{n}": node(f"r{n}", "etcd") for n in (1, 2, 3)}
    return estate_of(RACKS, {**nodes, "c1": node("r1", "control-plane"), **keys})


def plan(estate: Estate, *ids: str) -> Maintenance:
    return plan_maintenance(compile_facility(estate), ids, now=NOW)


class TestVerdict:
    """docs/maintenance.md: not safe where a voting role has no majority left because of the work."""

    def test_a_majority_is_not_given_away(self) -> None:
        found = plan(three(), "e1", "e2")
        assert (found.verdict, found.safety.safe, found.safety.allocated) == ("not-safe", False, ())
        assert [(role.role, role.lost, role.total) for role in found.safety.quorums] == [("etcd", 2, 3)]

    def test_a_member_is_a_node_however_often_it_names_its_role(self) -> None:
        """An estate from a program may repeat a role (files are refused): two of three nodes are lost."""
        nodes = {"e1": node("r1", "etcd"), "e2": node("r2", "etcd"), "e3": node("r2", "etcd")}
        estate = estate_of(RACKS, nodes)
        repeated = replace(estate.nodes[0], roles=("etcd",) * 3)
        found = plan(replace(estate, nodes=(repeated, *estate.nodes[1:])), "r2")
        assert found.verdict == "not-safe"
        assert [(role.lost, role.total) for role in found.safety.quorums] == [(2, 3)]

    def test_one_of_three_may_go(self) -> None:
        found = plan(three(), "r1")
        assert found.verdict == "safe"
        assert maintenance_to_json(found)["roles"] == [
            {
                "cluster": "lab",
                "role": "control-plane",
                "lost": 1,
                "lostAlready": 0,
                "total": 1,
                "quorumLost": None,
                "quorumLostAlready": None,
            },
            {
                "cluster": "lab",
                "role": "etcd",
                "lost": 1,
                "lostAlready": 0,
                "total": 3,
                "quorumLost": False,
                "quorumLostAlready": False,
            },
        ]

    def test_the_second_of_three_when_one_is_lost_already(self) -> None:
        (lost,) = plan(assume(three(), out=["r1"]), "e2").safety.quorums
        assert (lost.lost, lost.lost_already, lost.total) == (1, 1, 3)

    def test_a_quorum_that_was_lost_before_is_not_held_against_the_work(self) -> None:
        found = plan(assume(three(), out=["r1", "r2"]), "e3")
        assert found.verdict == "safe"
        assert [(r.quorum_lost, r.quorum_lost_already) for r in found.safety.roles or ()] == [(True, True)]

    def test_each_cluster_votes_alone(self) -> None:
        estate = three(f1=node("r1", "etcd", cluster="d"), f2=node("r2", "etcd", cluster="d"))
        assert [(role.cluster, role.lost, role.total) for role in plan(estate, "r1").safety.quorums] == [
            ("d", 1, 2)
        ]

    def test_votes_that_only_the_strict_check_loses(self) -> None:
        """Each PDU alone fits the feed that is left; both together trip it."""
        domains = {
            "ups-a": {"kind": "ups", "ratedKw": 10},
            "ups-b": {"kind": "ups", "ratedKw": 10},
            "pdu-1": {"kind": "power", "feeds": ["ups-a", "ups-b"]},
            "pdu-2": {"kind": "power", "feeds": ["ups-a", "ups-b"]},
        }
        nodes = {"n1": on("pdu-1", 6), "n2": on("pdu-2", 6)}
        voters = {f"e{n}": {**on(f"pdu-{n}", 0), "roles": ["etcd"]} for n in (1, 2)}
        found = plan(estate_of(domains, {**nodes, **voters}), "ups-a")
        assert [(role.lost, role.total) for role in found.safety.quorums] == [(2, 2)]

    def test_roles_that_nobody_reported_are_unknown(self) -> None:
        assert maintenance_to_json(plan(estate_of(RACKS, {"n": node("r1")}), "r1"))["roles"] is None
        assert maintenance_to_json(plan(three(), "r1"))["roles"] != []

    def test_the_largest_set_leaves_a_majority(self) -> None:
        estate = three()
        scene = Scene(compile_facility(estate), EstateIndex(estate))
        assert largest_safe(scene, ["e1", "e2", "e3", "c1"], 4).ids == ("c1", "e1")


def test_roles_at_risk_go_by_cluster_and_role() -> None:
    """With a member of each out, `r2` costs `e` its majority, and `r3`, after it, that of `d`."""
    nodes = {f"{c}{n}": node(f"r{n}", "etcd", cluster=c) for c in "de" for n in (1, 2, 3)}
    nodes["d2"]["domains"], nodes["e3"]["domains"] = {"rack": "r4"}, {"rack": "r4"}
    estate = estate_of({**RACKS, "r4": {"kind": "rack"}}, nodes)
    risks = plan(estate, "d1", "e1").second.quorums
    assert [(risk.cluster, risk.failures) for risk in risks] == [("d", ("r3", "r4")), ("e", ("r2", "r4"))]


def quorums(estate: Estate, *failed: set[str]) -> set[tuple[str, str]]:
    """The roles without a majority when these nodes are lost, by any of the engines."""
    index = EstateIndex(estate)
    losses = [loss for nodes in failed for loss in role_losses(index, nodes) if loss.quorum_lost]
    return {(loss.cluster, loss.role) for loss in losses}


@pytest.mark.parametrize("seed", range(40))
def test_a_second_failure_that_takes_a_quorum_because_of_the_work(seed: int) -> None:
    """Against whole scenarios: with the work and not without it, of what the work alone leaves."""
    estate, _ = seeded_scenario(seed)
    drawn = Random(seed)
    voters = set(drawn.sample(range(len(estate.nodes)), min(3, len(estate.nodes))))
    nodes = tuple(
        replace(each, roles=("etcd",) if position in voters else ())
        for position, each in enumerate(estate.nodes)
    )
    estate = replace(estate, nodes=nodes)
    facility = compile_facility(estate)
    work = {nodes[min(voters)].id, *drawn.sample(facility.domain_ids, seed % 2)}

    def lost(ids: set[str]) -> tuple[set[str], set[str]]:
        closure = close(facility, ids)
        return {each.id for each in closure.nodes}, set(strict_check(facility, ids, closure).nodes)

    gone = set().union(*lost(work))
    alive = set(facility.domain_ids) - {loss.id for loss in close(facility, work).domains}
    expected: dict[tuple[str, str], list[str]] = {}
    for domain in sorted(alive):
        during = quorums(estate, *(nodes | gone for nodes in lost(work | {domain})))
        for key in during - quorums(estate, gone) - quorums(estate, *lost({domain})):
            expected.setdefault(key, []).append(domain)
    found = {
        (risk.cluster, risk.role): list(risk.failures) for risk in second_failures(facility, work).quorums
    }
    assert found == expected
