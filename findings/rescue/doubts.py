"""What a rescue needs and nobody knows, before anything gives way (beyond)."""

import math
from collections.abc import Iterable
from dataclasses import replace

from closure.compiled import Facility
from findings.index import EstateIndex
from findings.maintenance.safety import Doubt, Scene, judge_alone


def first_doubts(facility: Facility, index: EstateIndex, failed: Iterable[str]) -> tuple[Doubt, ...]:
    """Return the doubts of a maintenance about everything that survives this failure at first, by id.

    What is out already has made something carry more, or hold with a feed gone: that is in doubt as well.
    Ratings without an end stand for that moment: nothing has tripped yet, and nothing is demoted. What is
    rated stays rated, so what has no rating is told apart as ever.
    """
    failed = tuple(failed)
    endless = replace(
        facility, rated_kw=tuple(None if rated_kw is None else math.inf for rated_kw in facility.rated_kw)
    )
    found = {*judge_alone(Scene(endless, index), failed).doubts}
    if facility.out:
        whole = Scene(replace(endless, out=frozenset()), index)
        out = {facility.domain_ids[d] for d in facility.out}
        found.update(judge_alone(whole, sorted(out.union(failed))).doubts)
    known = (doubt for doubt in found if doubt.why != "allocated-unknown")
    return tuple(sorted(known, key=lambda doubt: (doubt.id, doubt.why, doubt.feeds)))
