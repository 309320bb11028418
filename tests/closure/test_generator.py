"""The generated estates are worth testing with: every cause, label and trip occurs among them."""

from __future__ import annotations

from collections import Counter

from closure.cascade import close
from closure.compiled import compile_facility
from closure.strict import strict_check
from tests.generator import seeded_scenario

EXPECTED = {
    "failed",
    "out",
    "parent-lost",
    "feeds-lost",
    "demoted",
    "standing-lost",
    "electrically-unverified",
    "redundant",
    "worst-credible",
    "degraded node",
    "tripped",
    "tripped later",
    "survivor",
    "disagrees",
    "lower bound",
}


def test_everything_occurs() -> None:
    seen: Counter[str] = Counter()
    for seed in range(300):
        estate, failed = seeded_scenario(seed)
        facility = compile_facility(estate)
        closure = close(facility, failed)
        strict = strict_check(facility, failed, closure)
        seen.update({loss.cause for loss in closure.domains} | {loss.cause for loss in closure.nodes})
        seen.update(closure.basis)
        seen.update({f"degraded {thing.type}" for thing in closure.degraded})
        seen["tripped"] += bool(strict.tripped)
        seen["tripped later"] += any(trip.round > 1 for trip in strict.tripped)
        seen["survivor"] += bool(strict.survivors)
        seen["disagrees"] += not strict.agrees
        seen["lower bound"] += strict.lower_bound
    assert {what for what in EXPECTED if seen[what] < 3} == set()
