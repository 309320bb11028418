"""What is behind one failure's figures: workloads, trips, races, services, whom to call, dollars redone."""

from collections.abc import Mapping
from typing import Any, Final

from closure.results import Survivor
from findings.context import Context
from findings.impact import Impact
from findings.race import Race
from findings.scenario import WhatIf, whatif
from findings.term import Term
from findings.traced.blast import exposure_of, progress_of
from topo.report.failures import Failure
from topo.text.arithmetic import worked
from topo.text.clean import clean
from topo.text.verdict import unit_word
from topology.model import Number, Workload

LISTED: Final = 60
"""Rows of one list of one failure that travel in the page; the counts are always complete."""


class Details:
    """What the details of several failures share: texts and workloads, each written once."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.texts: list[str] = []
        self.workloads: list[list[Any]] = []
        self._texts: dict[str, int] = {}
        self._workloads: dict[str, int] = {}

    def text(self, text: str) -> int:
        """Return the index of a text."""
        if text not in self._texts:
            self._texts[text] = len(self.texts)
            self.texts.append(clean(text))
        return self._texts[text]

    def optional(self, text: str | None) -> int | None:
        """Return the index of a text, if there is one."""
        return None if text is None else self.text(text)

    def workload(self, workload: Workload) -> int:
        """Return the index of a workload."""
        if workload.id not in self._workloads:
            self._workloads[workload.id] = len(self.workloads)
            self.workloads.append([clean(workload.id), workload.kind, workload.critical])
        return self._workloads[workload.id]


def detail(shared: Details, one: Failure, result: WhatIf | None = None) -> dict[str, Any]:
    """Return the lists behind one failure; pass its result where it is at hand."""
    ctx = shared.ctx
    facility = ctx.survey().facility
    result = result or whatif(facility, (one.id,), index=ctx.index)
    worse = result.worse_impact
    progress = worse.progress
    return {
        "counts": [
            len(worse.hits),
            len(result.strict.tripped),
            len(result.strict.survivors),
            len(result.races),
            len(worse.calls),
        ],
        **_electrical(result, facility.domain_index),
        **_people(shared, worse),
        "restart": [progress.annotated, progress.estate_default, progress.assumed],
        "share": _share(ctx, one.id),
        "dollars": _dollars(shared, one.id),
        "caveats": [shared.text(text) for text in result.caveats],
    }


def _electrical(result: WhatIf, index: Mapping[str, int]) -> dict[str, Any]:
    strict, races = result.strict, result.races[:LISTED]
    survivors = sorted(strict.survivors, key=_fullest)
    return {
        "trips": [
            [index[trip.id], trip.round, trip.before_kw, trip.after_kw, trip.rated_kw]
            for trip in strict.tripped[:LISTED]
        ],
        "survivors": [
            [index[each.id], each.before_kw, each.after_kw, each.peak_kw, each.rated_kw]
            for each in survivors[:LISTED]
        ],
        "bound": strict.lower_bound,
        "races": [[index[race.domain], *_race(race)] for race in races],
    }


def _fullest(each: Survivor) -> tuple[float, str]:
    return (-(each.after_kw / each.rated_kw) if each.rated_kw else 1.0, each.id)


def _race(race: Race) -> list[Any]:
    drains = [race.drain_expected_minutes, race.drain_worst_minutes]
    return [race.ride_through_minutes, *drains, race.verdict]


def _people(shared: Details, worse: Impact) -> dict[str, Any]:
    services = [each for each in worse.services if each.min_available is not None]
    return {
        "hits": _hits(shared, worse),
        "services": [
            [
                shared.workload(each.workload),
                each.replicas,
                each.replicas_left,
                each.min_available,
                each.below,
            ]
            for each in services[:LISTED]
        ],
        "roles": [
            [shared.text(each.cluster), each.role, each.lost, each.total, each.quorum_lost]
            for each in worse.roles
        ],
        "calls": [
            [
                *map(shared.optional, (each.namespace, each.owner, each.contact)),
                each.units,
                each.critical_units,
                int(each.criticality_unknown),
            ]
            for each in worse.calls[:LISTED]
        ],
    }


def _hits(shared: Details, impact: Impact) -> list[list[Number]]:
    hits = sorted(
        impact.hits, key=lambda hit: (hit.workload.critical is not True, -hit.units_standing, hit.workload.id)
    )
    return [[shared.workload(hit.workload), hit.units_standing, hit.units_stalled] for hit in hits[:LISTED]]


def _share(ctx: Context, domain: str) -> str:
    finding = exposure_of(ctx, domain)
    return "" if finding is None else worked(finding.root, unit_word(ctx.estate, None))


def _dollars(shared: Details, domain: str) -> list[list[Any]]:
    """Return the dollars of what stands in the blast, workload by workload, as arithmetic."""
    finding = progress_of(shared.ctx, domain)
    units = unit_word(shared.ctx.estate, None)
    standing: Term | None = None if finding is None else next(iter(finding.root.parts()), None)
    return (
        []
        if standing is None
        else [
            [shared.text(part.name), worked(part, units), part.value, part.basis]
            for part in standing.parts()[:LISTED]
        ]
    )
