"""A second failure during the work is the scenario of both, beyond what the work alone takes."""

from __future__ import annotations

import pytest

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.strict import strict_check
from findings.maintenance.second import second_failures
from tests.estates import estate_of, on
from tests.generator import seeded_scenario


def lost_by(facility: Facility, ids: set[str]) -> tuple[set[str], set[str]]:
    """The nodes that the closure loses, and those that the strict check loses."""
    closure = close(facility, ids)
    return {node.id for node in closure.nodes}, set(strict_check(facility, ids, closure).nodes)


def expected(facility: Facility, ids: set[str]) -> dict[str, set[int]]:
    """Per domain: how many nodes its failure takes beyond the work, by one engine and by the other."""
    gone = set().union(*lost_by(facility, ids))
    alive = set(facility.domain_ids) - {loss.id for loss in close(facility, ids).domains}
    sizes = {d: {len(lost - gone) for lost in lost_by(facility, ids | {d})} - {0} for d in alive}
    return {d: found for d, found in sizes.items() if found}


@pytest.mark.parametrize("seed", range(60))
def test_it_is_what_both_together_lose(seed: int) -> None:
    """docs/maintenance.md: every domain that is still alive fails, one at a time, in both engines."""
    estate, _ = seeded_scenario(seed)
    facility = compile_facility(estate)
    work = {estate.nodes[seed % len(estate.nodes)].id}
    if seed % 3 == 0 and facility.domain_ids:
        work.add(facility.domain_ids[seed % len(facility.domain_ids)])
    found = {row.id: row.nodes for row in second_failures(facility, work).losing}
    wanted = expected(facility, work)
    assert found.keys() == wanted.keys()
    assert all(nodes in wanted[name] for name, nodes in found.items())


def test_a_machine_that_is_out_counts_before_the_failure() -> None:
    """A trip needs more than the flow "with nothing failed or out": n1 is in that flow, out though it is."""
    facility = compile_facility(
        estate_of(
            {
                "u": {"kind": "ups", "ratedKw": 7},
                "a": {"kind": "power", "parent": "u"},
                "p": {"kind": "power", "parent": "u"},
                "b": {"kind": "power", "status": "out"},
            },
            {"n1": on(["b", "p"], 8), "n3": on(["a", "b"], 8)},
        )
    )
    found = second_failures(facility, ["n1"])
    assert [(row.id, row.by, row.nodes, row.units) for row in found.losing] == [
        ("a", "closure", 1, 8),
        ("u", "closure", 1, 8),
    ]
