"""Every answer to an estate, as plain data: what the commands print as JSON, and the engine's own results."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from closure.cascade import close
from closure.checks import check_flows
from closure.compiled import Facility, Load, compile_facility
from closure.losing_sets import losing_sets
from closure.strict import strict_check
from closure.sweep import sweep
from closure.why import why
from findings import constants
from findings.context import LOADS, Context
from findings.curtail.ask import Ask, NothingFlows
from findings.curtail.curtailment import plan_curtailment
from findings.curtail.document import curtailment_to_json
from findings.cutsets.analysis import cut_sets_report
from findings.cutsets.document import cut_sets_to_json
from findings.cutsets.remarks import cut_set_caveats
from findings.cutsets.targets import TargetRefused
from findings.difference.compare import compare
from findings.difference.document import difference_to_json
from findings.document import document_of
from findings.explain import equation, explanation_to_json
from findings.formulas import formulas
from findings.headroom.document import headroom_to_json
from findings.headroom.rooms import headroom_report
from findings.index import EstateIndex
from findings.maintenance.document import maintenance_to_json
from findings.maintenance.plan import plan_maintenance
from findings.pairs.document import pair_document
from findings.pairs.rows import pair_sweep
from findings.registry import all_findings
from findings.rescue.document import rescue_to_json
from findings.rescue.plan import plan_rescue
from findings.scenario import whatif, whatif_to_json
from findings.sweep_rows import sweep_document, sweep_rows
from tests.answers.estates import altered
from topology.model import Estate

NOW = "2026-12-01T12:00:00Z"
DIGITS = 9
"""Significant digits of a figure that count: the last ones differ between mathematical libraries."""

PAIRS_TRIED = 6
"""How many pairs of failures each estate meets, beside every single one."""

Answer = Callable[[], object]


def plain(value: object) -> Any:
    """Return a value as JSON can say it: results by field and property, figures to `DIGITS` digits."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value), key=str)
    if dataclasses.is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, Collection) and not isinstance(value, str):
        return [plain(part) for part in value]
    return value


def digest(value: object) -> str:
    """Return a short digest of an answer."""
    text = json.dumps(plain(value), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def beside(*results: object) -> list[dict[str, object]]:
    """Return what results say of themselves beside their fields: their properties, which tables print."""
    return [
        {
            name: getattr(result, name)
            for name, said in vars(type(result)).items()
            if isinstance(said, property)
        }
        for result in results
    ]


def answers(estate: Estate) -> Iterator[tuple[str, Answer]]:
    """Yield the name of every answer with what computes it, the engine's own first."""
    facilities = {load: compile_facility(estate, load) for load in LOADS}
    for load, facility in facilities.items():
        yield from _engine(f"{load} ", facility)
    yield from _scenarios(facilities["allocated"])
    for load, facility in facilities.items():
        yield from _surveys(f"{load} ", facility)
    if not estate.bare:
        yield from _snapshots(estate, facilities["allocated"])


def _engine(prefix: str, facility: Facility) -> Iterator[tuple[str, Answer]]:
    yield f"{prefix}loads", lambda: (facility.loads_kw, facility.draws_kw, facility.flows_kw)
    yield f"{prefix}structure", lambda: (facility.dependents, facility.groups, facility.bounded_flows)
    yield f"{prefix}sweep of the engine", lambda: list(sweep(facility))
    yield f"{prefix}losing sets", lambda: losing_sets(facility, 3)
    yield f"{prefix}flow faults", lambda: check_flows(facility, _Routes())  # type: ignore[arg-type]


class _Routes:
    """Stands in for the places in a file."""

    def domain(self, *path: object) -> tuple[object, ...]:
        return path


def _failures(facility: Facility) -> Iterator[tuple[str, ...]]:
    """Nothing, every domain and some nodes alone, and some pairs."""
    names = sorted(facility.domain_ids)
    yield ()
    for name in (*names, *facility.node_ids[:2]):
        yield (name,)
    for number in range(min(PAIRS_TRIED, len(names) - 1)):
        yield names[number], names[-1 - number // 2]


def _scenarios(facility: Facility) -> Iterator[tuple[str, Answer]]:
    for failed in _failures(facility):
        yield f"whatif {' '.join(failed)}", partial(_whatif, facility, failed)
        yield f"why {' '.join(failed)}", partial(_proofs, facility, failed)


def _whatif(facility: Facility, failed: tuple[str, ...]) -> object:
    found = whatif(facility, failed)
    return [whatif_to_json(found), beside(found.impact, found.worse_impact), found.impact.calls]


def _proofs(facility: Facility, failed: tuple[str, ...]) -> list[object]:
    closure = close(facility, failed)
    strict = strict_check(facility, failed, closure)
    things = (*facility.domain_ids, *facility.node_ids)
    proofs = [why(facility, closure, thing, strict) for thing in things]
    return [closure, strict, proofs, [hold.spare for proof in proofs for hold in proof.holds]]


def _surveys(prefix: str, facility: Facility) -> Iterator[tuple[str, Answer]]:
    estate, index, load = facility.estate, EstateIndex(facility.estate), facility.load
    yield f"{prefix}sweep", lambda: _sweep(facility, index)
    yield f"{prefix}pairs", lambda: _pairs(facility, index)
    yield f"{prefix}headroom", lambda: headroom_to_json(headroom_report(facility))
    yield f"{prefix}difference", lambda: difference_to_json(_difference(facility, altered(estate), load))
    yield f"{prefix}cut sets", lambda: [_cut_sets(facility, target) for target in _targets(estate)]


def _sweep(facility: Facility, index: EstateIndex) -> object:
    rows = sweep_rows(facility, index=index)
    return [sweep_document(rows, load=facility.load), beside(*rows)]


def _pairs(facility: Facility, index: EstateIndex) -> object:
    found = pair_sweep(facility, index=index, top=25)
    return [pair_document(found, load=facility.load), beside(found, *found.rows)]


def _difference(facility: Facility, later: Estate, load: Load) -> Any:
    return compare(facility, compile_facility(later, load))


def _targets(estate: Estate) -> Iterator[str]:
    yield from ("critical:50%", "critical:1", "units:30%", "units:4", "units:0", "units:x", "nothing")
    for workload in estate.workloads[:3]:
        yield f"workload:{workload.id}"
    for node in estate.nodes[:2]:
        yield node.id
    for name in sorted(estate.domains)[-3:]:
        yield f"domain:{name}"


def _cut_sets(facility: Facility, target: str) -> object:
    index = EstateIndex(facility.estate)
    try:
        found = cut_sets_report(facility, target, 3, index=index)
    except TargetRefused as refusal:
        return [refusal.message, refusal.hint]
    return cut_sets_to_json(found, cut_set_caveats(index, found, kw_known=facility.kw_known))


def _snapshots(estate: Estate, facility: Facility) -> Iterator[tuple[str, Answer]]:
    """What needs a snapshot: findings, curtailment, rescue, maintenance."""
    for number, ask in enumerate(_asks(estate)):
        yield f"curtail {number}", partial(_curtailment, facility, ask)
    for failed in _failures(facility):
        if failed:
            name = " ".join(failed)
            yield f"rescue {name}", partial(_rescue, facility, failed)
            yield f"take out {name}", partial(_maintenance, facility, failed)
    yield "take out most", lambda: _largest(facility)
    yield "constants and formulas", lambda: [*constants.table(), *formulas().values()]
    for load in LOADS:
        yield f"{load} findings", partial(_findings, estate, load)
    yield (
        "explanations",
        lambda: [
            (explanation_to_json(each), each.root.name, [equation(part) for part in each.root.parts()])
            for each in all_findings(Context(estate, NOW))
        ],
    )


def _rescue(facility: Facility, failed: tuple[str, ...]) -> object:
    found = plan_rescue(facility, failed, now=NOW)
    overs = [each.over for each in found.reliefs]
    return [rescue_to_json(found), beside(found, *found.reliefs, *overs)]


def _maintenance(facility: Facility, failed: tuple[str, ...]) -> object:
    found = plan_maintenance(facility, failed, now=NOW)
    return [maintenance_to_json(found), beside(found, found.safety)]


def _findings(estate: Estate, load: Load) -> object:
    return document_of(Context(estate, NOW, load))


def _asks(estate: Estate) -> Iterator[Ask]:
    yield Ask("percent", 30)
    yield Ask("shed-kw", 5, protect_critical=True)
    yield Ask("to-kw", 4, within_minutes=30)
    yield Ask("percent", 60, within_minutes=12, allow_early=True)
    yield Ask("shed-kw", 9, allow_unknown=True)
    yield Ask("percent", 0)
    yield Ask("percent", 100, allow_unknown=True)
    for name in sorted(estate.domains)[:4]:
        yield Ask("percent", 50, under=name, allow_unknown=True)
        yield Ask("to-kw", 3, under=name, within_minutes=60)


def _curtailment(facility: Facility, ask: Ask) -> object:
    try:
        return curtailment_to_json(plan_curtailment(facility, ask, now=NOW))
    except NothingFlows as refusal:
        return str(refusal)


def _largest(facility: Facility) -> list[object]:
    names = sorted(facility.domain_ids)
    return [
        maintenance_to_json(
            plan_maintenance(
                facility,
                [*names[-5:], facility.node_ids[0]],
                now=NOW,
                duration_minutes=minutes,
                until=until,
                max_together=most,
            )
        )
        for minutes, until, most in ((None, None, 1), (30, None, 3), (90, "2026-12-01T14:00:00Z", 20))
    ]
