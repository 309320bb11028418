"""Partial plans against every set of pauses, on small tight facilities."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.rescue.plan import plan_rescue
from tests.estates import estate_of
from tests.findings.test_rescue import NOW
from tests.findings.test_rescue_laws import check_partial, losses
from topology.model import Estate


def feeding(rng: random.Random, above: str, count: int, chance: float) -> dict[str, Any]:
    """One of what is above as the parent, or two as feeds."""
    if rng.random() < chance:
        return {"parent": f"{above}{rng.randrange(count)}"}
    return {"feeds": [f"{above}{place}" for place in rng.sample(range(count), 2)]}


def tight(rng: random.Random) -> tuple[Estate, str]:
    """UPS, panels and racks rated about as high as they are loaded, a few workloads, and what fails."""
    domains: dict[str, Any] = {}
    counts = {above: rng.randint(2, 4) for above in "upr"}
    for place in range(counts["u"]):
        domains[f"u{place}"] = {"kind": "ups", "ratedKw": rng.choice([5, 8, 10, 12, 15, 20, None])}
    for place in range(counts["p"]):
        rated = rng.choice([5, 8, 12, 15, None, None, None, None])
        own = rng.choice([0, 0, 0, 0, 1, 3])
        domains[f"p{place}"] = {"kind": "power", "ratedKw": rated, "loadKw": own}
        domains[f"p{place}"] |= feeding(rng, "u", counts["u"], 0.3)
    for place in range(counts["r"]):
        domains[f"r{place}"] = {"kind": "rack", **feeding(rng, "p", counts["p"], 0.5)}
    known = {name: {k: v for k, v in domain.items() if v is not None} for name, domain in domains.items()}
    nodes: dict[str, Any] = {}
    for place in range(rng.randint(2, 6)):
        stands = rng.choice([{"rack": f"r{rng.randrange(counts['r'])}"}] * 2 + [{"pdu": ["p0", "p1"]}])
        unit_kw = rng.choice([0.25, 1, 1.25])
        nodes[f"n{place}"] = {"allocated": rng.choice([2, 4, 8]), "kwPerUnit": unit_kw, "domains": stands}
    estate = estate_of(known, nodes, workloads=list(jobs(rng, nodes)), idleKwPerUnit=0)
    return estate, f"u{rng.randrange(counts['u'])}"


def jobs(rng: random.Random, nodes: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for place, (name, node) in enumerate(list(nodes.items())[:4]):
        kind = rng.choice(["batch", "training", "inference", "interactive"])
        cadence = {"checkpointMinutes": 30} if kind == "training" and rng.random() < 0.5 else {}
        critical = rng.random() < 0.5
        placed = {name: rng.randint(1, node["allocated"])}
        yield {"id": f"w{place}", "kind": kind, "critical": critical, "placements": placed, **cadence}


HARD = (2192, 2917, 3082, 3769, 4134, 4861)
"""Where relieving all that can be relieved saves nothing, and another set does."""


@pytest.mark.parametrize("seeds", [HARD, *(range(start, start + 100) for start in range(0, 500, 100))])
def test_a_plan_is_offered_wherever_some_pauses_save_anything(seeds: Sequence[int]) -> None:
    """docs/curtailment.md: "so one more workload that can be paused never takes the plan away".

    Where any set of pauses saves a node or a unit, so does the plan; a larger choice has the smaller's sets.
    """
    for seed in seeds:
        estate, failed = tight(random.Random(seed))
        result = plan_rescue(compile_facility(estate), [failed], now=NOW)
        if result.verdict != "not-sheddable":
            continue
        if result.partial is not None:
            check_partial(estate, (failed,), result)
            continue
        timed = [
            job.id
            for job in estate.workloads
            if job.kind in {"inference", "batch"} or (job.kind == "training" and job.checkpoint_minutes)
        ]
        nodes, units, _ = losses(estate, (), (failed,))
        for size in range(1, len(timed) + 1):
            for names in combinations(timed, size):
                fewer_nodes, fewer_units, _ = losses(estate, names, (failed,))
                saved = fewer_nodes <= nodes and fewer_units <= units
                assert not saved or (fewer_nodes, fewer_units) == (nodes, units), (seed, names)


def test_what_is_lost_in_the_end_whatever_is_paused_is_stuck() -> None:
    """docs/curtailment.md: `stuck` is "what no pause relieves and what does give way".

    `u1` fails, and nothing keeps `u2` from tripping: `p1` loses both its feeds, whatever relieves it.
    """
    estate, failed = tight(random.Random(800))
    found = plan_rescue(compile_facility(estate), [failed], now=NOW).partial
    assert found is not None
    assert (found.relieved, found.stuck) == (("p2", "r1", "u0"), ("p1", "u2"))
