"""What a rescue needs and nobody knows, before anything gives way (beyond)."""

import math
from collections.abc import Iterable
from dataclasses import replace

from closure.compiled import Facility
from findings.index import EstateIndex
from findings.maintenance.safety import Doubt, Scene, judge


def first_doubts(facility: Facility, index: EstateIndex, failed: Iterable[str]) -> tuple[Doubt, ...]:
    """Return the doubts of a maintenance about everything that survives this failure at first, by id.

    Ratings without an end stand for that moment: nothing has tripped yet, and nothing is demoted. What is
    rated stays rated, so what has no rating is told apart as ever.
    """
    endless = replace(
        facility, rated_kw=tuple(None if rated_kw is None else math.inf for rated_kw in facility.rated_kw)
    )
    found = judge(Scene(endless, index), failed).doubts
    return tuple(doubt for doubt in found if doubt.why != "allocated-unknown")
