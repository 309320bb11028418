"""Ratings where they have no meaning, and one that is rarely true."""

from typing import TYPE_CHECKING, Final

from topology.diagnostics import Fault
from topology.kinds import KINDS
from topology.rules.common import commodity, fault
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes

OPTIMISTIC_MINUTES: Final = 5
"""Ride-through [min] beyond which a cooling loop is asked for its evidence (spec 1)."""


def misplaced_rating(facts: Facts, routes: "Routes") -> list[Fault]:
    """`ratedKw` on a kind that carries no power or heat; `rideThroughMinutes` on one that is not cooling."""
    faults = []
    for domain in facts.declared:
        if domain.kind not in KINDS:
            continue
        if domain.rated_kw is not None and commodity(domain) is None:
            faults.append(
                fault(
                    "misplaced-rating",
                    f"'{domain.id}' has ratedKw, but a {domain.kind} carries neither power nor heat",
                    routes.domain(domain.id, "ratedKw"),
                    "Rate the power or cooling domain behind it, or leave ratedKw out.",
                    [domain.id],
                    key=True,
                )
            )
        if domain.ride_through_minutes is not None and domain.kind != "cooling":
            faults.append(
                fault(
                    "misplaced-rating",
                    f"'{domain.id}' is a {domain.kind}, but only a cooling domain has rideThroughMinutes",
                    routes.domain(domain.id, "rideThroughMinutes"),
                    "Put it on the cooling domain that it was measured for, or leave it out.",
                    [domain.id],
                    key=True,
                )
            )
    return faults


def ride_through_optimistic(facts: Facts, routes: "Routes") -> list[Fault]:
    """A cooling loop with more than 5 minutes of ride-through."""
    return [
        fault(
            "ride-through-optimistic",
            f"'{domain.id}' claims {domain.ride_through_minutes:.10g} minutes of thermal ride-through",
            routes.domain(domain.id, "rideThroughMinutes"),
            "Published measurements for liquid cooling are under one minute: was it measured at full load?",
            [domain.id],
        )
        for domain in facts.declared
        if domain.kind == "cooling"
        and domain.ride_through_minutes is not None
        and domain.ride_through_minutes > OPTIMISTIC_MINUTES
    ]
