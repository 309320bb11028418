"""What a failure costs beyond units, in every row of a sweep: what the scenario says by either engine."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.grave import Grave
from findings.scenario import whatif
from findings.sweep_rows import sweep_row_to_json, sweep_rows
from tests.estates import estate_of
from tests.generator import seeded_scenario
from topology.model import Estate

RACKS = {name: {"kind": "rack"} for name in ("r1", "r2", "r3")}


def three(*roles: str, **service: Any) -> Estate:
    """A machine with these roles and one replica in each of three racks."""
    keys = {"allocated": 1, "installed": 1, "roles": list(roles)}
    names = ("a", "b", "c")
    nodes = {name: {**keys, "domains": {"rack": rack}} for name, rack in zip(names, RACKS, strict=True)}
    workload = {"id": "s", "kind": "inference", "placements": dict.fromkeys(names, 1), **service}
    return estate_of(RACKS, nodes, workloads=[workload])


def graves(estate: Estate, *, strict: bool = True) -> dict[str, Grave]:
    return {row.failed: row.grave for row in sweep_rows(compile_facility(estate), strict=strict)}


def serving(estate: Estate, drawn: Random) -> Estate:
    """The estate with services: replicas on some of its nodes, units on others, and as many as needed."""
    (pattern,) = three("etcd").workloads
    workloads = []
    for number in range(4):
        names = [node.id for node in estate.nodes if drawn.random() < 0.6]
        replicas = {name: drawn.randint(1, 3) for name in names if drawn.random() < 0.8}
        needed = drawn.randint(0, sum(replicas.values()) + 1)
        service = replace(
            pattern,
            id=f"s{number}",
            placements=dict.fromkeys(names, 1),
            replicas=replicas if drawn.random() < 0.9 else None,
            min_available=drawn.choice((needed, needed, None)),
        )
        workloads.append(service)
    return replace(estate, workloads=tuple(workloads))


@pytest.mark.parametrize("seed", range(60))
def test_a_row_says_what_its_scenario_says(seed: int) -> None:
    """Over estates that report roles and replicas, by both engines or by the closure alone."""
    estate = serving(seeded_scenario(seed)[0], Random(seed))
    facility = compile_facility(estate)
    closure_alone = graves(estate, strict=False)
    for domain, grave in graves(estate).items():
        found = whatif(facility, [domain])
        for impacts, said in (
            ((found.impact, found.strict_impact), grave),
            ((found.impact,), closure_alone[domain]),
        ):
            quorums = {(r.cluster, r.role) for each in impacts for r in each.roles if r.quorum_lost}
            below = {s.workload.id for each in impacts for s in each.below_min_available}
            assert set(said.quorums or ()) == quorums
            assert (said.services_below or 0) == len(below)


def test_one_of_three_is_a_majority_left_and_a_replica_less() -> None:
    service = {"replicas": {"a": 1, "b": 1, "c": 1}, "minAvailable": 3}
    assert graves(three("etcd", **service))["r1"] == Grave((), 1)


def test_the_document_says_null_where_nobody_knows() -> None:
    (row, *_) = sweep_rows(compile_facility(three("control-plane", minAvailable=2)))
    assert sweep_row_to_json(row)["casualties"] == {"quorumLost": None, "servicesBelow": None}


def test_no_service_that_needs_replicas_is_none_below() -> None:
    (row, *_) = sweep_rows(compile_facility(three("etcd")))
    assert sweep_row_to_json(row)["casualties"] == {"quorumLost": [], "servicesBelow": 0}


def test_a_lone_member_is_its_quorum() -> None:
    alone = estate_of(RACKS, {"a": {"allocated": 0, "domains": {"rack": "r1"}, "roles": ["etcd"]}})
    assert {name: each.quorums for name, each in graves(alone).items()} == {
        "r1": (("lab", "etcd"),),
        "r2": (),
        "r3": (),
    }
