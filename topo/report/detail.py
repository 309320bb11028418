"""What is behind one failure's figures: workloads, trips, races, services, roles, whom to call, dollars redone."""

from typing import Any, Final

from findings.context import Context
from findings.explain import equation
from findings.impact import Impact
from findings.scenario import WhatIf, whatif
from findings.term import Term
from findings.traced.blast import exposure_of, progress_of
from topo.report.failures import Failure
from topo.text.clean import clean
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

    def workload(self, workload: Workload) -> int:
        """Return the index of a workload."""
        if workload.id not in self._workloads:
            self._workloads[workload.id] = len(self.workloads)
            self.workloads.append([clean(workload.id), workload.kind, workload.critical])
        return self._workloads[workload.id]


def detail(shared: Details, one: Failure) -> dict[str, Any]:
    """Return the lists behind one failure."""
    ctx = shared.ctx
    facility = ctx.survey().facility
    result = whatif(facility, (one.id,), index=ctx.index)
    index = facility.domain_index
    worse = result.worse_impact
    return {
        "hits": _hits(shared, worse),
        "trips": [
            [index[trip.id], trip.round, trip.before_kw, trip.after_kw, trip.rated_kw]
            for trip in result.strict.tripped[:LISTED]
        ],
        "survivors": _survivors(result, index),
        "bound": result.strict.lower_bound,
        "races": [
            [index[race.domain], race.ride_through_minutes, race.drain_expected_minutes,
             race.drain_worst_minutes, race.verdict]
            for race in result.races[:LISTED]
        ],
        "services": [
            [shared.workload(each.workload), each.replicas, each.replicas_left, each.min_available, each.below]
            for each in worse.services[:LISTED]
            if each.min_available is not None
        ],
        "roles": [[shared.text(each.cluster), each.role, each.lost, each.total, each.quorum_lost]
                  for each in worse.roles],
        "calls": [
            [*(None if text is None else shared.text(text) for text in (each.namespace, each.owner, each.contact)),
             each.units, each.critical_units]
            for each in worse.calls[:LISTED]
        ],
        "restart": [worse.progress.annotated, worse.progress.estate_default, worse.progress.assumed],
        "counts": [len(worse.hits), len(result.strict.tripped), len(result.strict.survivors),
                   len(result.races), len(worse.calls)],
        "share": _share(ctx, one.id),
        "dollars": _dollars(shared, one.id),
        "caveats": [shared.text(text) for text in result.caveats],
    }  # fmt: skip


def _hits(shared: Details, impact: Impact) -> list[list[Number]]:
    hits = sorted(
        impact.hits, key=lambda hit: (hit.workload.critical is not True, -hit.units_standing, hit.workload.id)
    )
    return [[shared.workload(hit.workload), hit.units_standing, hit.units_stalled] for hit in hits[:LISTED]]


def _survivors(result: WhatIf, index: Any) -> list[list[Any]]:
    def fullest(each: Any) -> tuple[float, str]:
        return (-(each.after_kw / each.rated_kw) if each.rated_kw else 1.0, each.id)

    ranked = sorted(result.strict.survivors, key=fullest)
    return [
        [index[each.id], each.before_kw, each.after_kw, each.peak_kw, each.rated_kw]
        for each in ranked[:LISTED]
    ]


def _share(ctx: Context, domain: str) -> str:
    finding = exposure_of(ctx, domain)
    return "" if finding is None else equation(finding.root)


def _dollars(shared: Details, domain: str) -> list[list[Any]]:
    """Return the dollars of what stands in the blast, workload by workload, as arithmetic."""
    finding = progress_of(shared.ctx, domain)
    standing: Term | None = None if finding is None else next(iter(finding.root.parts()), None)
    return [] if standing is None else [
        [shared.text(part.name), equation(part), part.value, part.basis] for part in standing.parts()[:LISTED]
    ]  # fmt: skip
