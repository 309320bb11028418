"""What it means: workloads, dollars, races, services, roles and whom to call."""

from collections.abc import Sequence
from typing import Final

from findings.exposure import Hit
from findings.impact import Impact
from findings.progress import Unsaid
from findings.scenario import WhatIf
from findings.services import Service
from topo.text.page import PageOptions, block, heading, rows_of, sentence, short
from topo.text.table import UNKNOWN, Column, table
from topo.text.verdict import unit_word
from topo.text.words import count, known, known_cell, minutes, number, usd


def workloads_section(result: WhatIf, options: PageOptions) -> list[str]:
    impact = result.worse_impact
    if not impact.hits:
        return []
    hits = sorted(
        impact.hits, key=lambda hit: (hit.workload.critical is not True, -hit.units_standing, hit.workload.id)
    )
    critical = sum(hit.workload.critical is True for hit in hits)
    rows = [_workload(hit) for hit in hits]
    columns = [
        Column("workload", flexible=True),
        Column("kind"),
        Column("critical"),
        Column(unit_word(result.estate, None), right=True),
        Column("stalled", right=True),
    ]
    unsaid = sum(hit.workload.critical is None for hit in hits)
    unknown = f", {number(unsaid)} unknown" if unsaid else ""
    note = f"{number(len(hits))} hit, {number(critical)} critical{unknown}; stalled counts whole gangs"
    lines = block(("Workloads", note), columns, rows, options)
    if not may_make_way(result):
        return lines
    alive = "it still works" if len(result.closure.failed) == 1 else "they still work"
    return [*lines, *sentence(f"While {alive}: `topo ok-to-take-out` says what to checkpoint or move first.")]


def may_make_way(result: WhatIf) -> bool:
    """Return whether workloads would be lost with something that may be taken out before it fails."""
    domains = result.estate.domains
    out = any(name in domains and domains[name].out for name in result.closure.failed)
    return bool(result.worse_impact.hits) and not out


def _workload(hit: Hit) -> list[str]:
    critical = {True: "CRITICAL", False: "no", None: UNKNOWN}[hit.workload.critical]
    return [
        hit.workload.id,
        hit.workload.kind,
        critical,
        number(hit.units_standing),
        number(hit.units_stalled),
    ]


def dollars_section(result: WhatIf, options: PageOptions) -> list[str]:
    progress = result.worse_impact.progress
    unsaid = _unsaid(progress.unsaid, result)
    if not (progress.terms or unsaid):
        return []
    by_name = {each.name: each for each in result.assumptions}
    price, restart = by_name["pricePerUnitHour"], by_name["defaultRestartMinutes"]
    per = f"{unit_word(result.estate, 1)}-hour"
    priced = f"priced at {usd(price.value)}/{per} ({price.basis})"
    if price.value is None:
        priced = f"no price per {per} is said (--price-per-unit-hour)"
    lines = heading("Progress at risk", f"{priced}; a node's own price wins", options.style)
    lines += sentence(
        f"{known(progress.usd, unsaid=progress.unknown > 0, write=usd).capitalize()} for the "
        f"{unit_word(result.estate, None)} standing in the blast; "
        f"{known(progress.gang_usd, unsaid=progress.gang_unknown > 0, write=usd)} when whole gangs stall."
    )
    bases = [
        (progress.annotated, "annotated (self-reported)"),
        (progress.estate_default, f"the default of {minutes(restart.value)} ({restart.basis})"),
        (progress.assumed, f"the stated assumption of {minutes(restart.value)}"),
    ]
    said = "; ".join(f"{count(amount, 'workload')} {word}" for amount, word in bases if amount)
    if said:
        lines += sentence(f"Restart overhead: {said}. lost minutes = checkpoint / 2 + restart.")
    if progress.unpriced_workloads:
        lines += sentence(
            f"Not priced, because they report no checkpoint interval: "
            f"{count(progress.unpriced_workloads, 'workload')}."
        )
    return [*lines, *(sentence(f"Nobody knows whether training runs there: {unsaid}.") if unsaid else ())]


def _unsaid(unsaid: Unsaid, result: WhatIf) -> str:
    """Return what may be training; a map alone knows no workload at all, and says that elsewhere."""
    if result.estate.bare:
        return ""
    units = unit_word(result.estate, None)
    found = (
        (unsaid.kindless, "workload of unknown kind", "workloads of unknown kind"),
        (
            unsaid.unclaimed_nodes,
            f"node with {units} that no workload claims",
            f"nodes with {units} that no workload claims",
        ),
    )
    return " and ".join(count(amount, one, many) for amount, one, many in found if amount)


def races_section(result: WhatIf, options: PageOptions) -> list[str]:
    shown = [race for race in result.races if race.verdict != "no-training"]
    if not shown:
        return []
    urgency = ("not-checkpointable", "tight", "unknown", "already-lost", "checkpointable")
    shown.sort(key=lambda race: (urgency.index(race.verdict), race.domain))
    rows = [
        [
            race.domain,
            minutes(race.ride_through_minutes),
            _drain(race.verdict, race.drain_expected_minutes),
            _drain(race.verdict, race.drain_worst_minutes),
            race.verdict,
        ]
        for race in shown
    ]
    columns = [
        Column("cooling", flexible=True),
        Column("ride-through", right=True),
        Column("drain expected", right=True),
        Column("worst", right=True),
        Column("verdict"),
    ]
    engine = "" if result.strict.agrees else "by the closure: "
    title = ("Thermal race", f"{engine}can training checkpoint before it is too hot?")
    lines = block(title, columns, rows, options)
    if any(race.verdict == "already-lost" for race in shown):
        lines += sentence(_ALREADY_LOST)
    return lines


_ALREADY_LOST: Final = (
    "already-lost: the nodes with training there lose more than their cooling, such as power, so nothing is "
    "left to checkpoint before it is too hot."
)


def _drain(verdict: str, value: float | None) -> str:
    return "-" if verdict == "already-lost" else minutes(value)


def services_section(impact: Impact, options: PageOptions) -> list[str]:
    needing = [service for service in impact.services if service.min_available is not None]
    if not needing:
        return []
    needing.sort(key=lambda service: (service.below is False, service.workload.id))
    rows = [
        [
            service.workload.id,
            number(service.replicas),
            number(service.replicas_left),
            number(service.min_available),
            _state(service),
        ]
        for service in needing
    ]
    columns = [
        Column("service", flexible=True),
        Column("replicas", right=True),
        Column("left", right=True),
        Column("min available", right=True),
        Column("state"),
    ]
    note = f"{number(len(impact.below_min_available))} below minAvailable"
    return block(("Services", note), columns, rows, options)


def _state(service: Service) -> str:
    if service.was_below and service.below:
        return "below already"
    return {True: "BELOW", False: "ok", None: UNKNOWN}[service.below]


def roles_section(impact: Impact, options: PageOptions) -> list[str]:
    if not impact.roles:
        return []
    rows = [
        [
            role.cluster,
            role.role,
            f"{number(role.lost)} of {number(role.total)}",
            {True: "QUORUM LOST", False: "quorum holds", None: ""}[role.quorum_lost],
        ]
        for role in impact.roles
    ]
    columns = [Column("cluster", flexible=True), Column("role"), Column("lost", right=True), Column("quorum")]
    return [*heading("Control plane and storage", "", options.style), *table(columns, rows)]


def calls_section(result: WhatIf, options: PageOptions) -> list[str]:
    calls = result.worse_impact.calls
    if not calls and not result.facility_contacts:
        return []
    lines = heading("Call", "who runs there, and who looks after the equipment", options.style)
    if calls:
        rows = [
            [
                call.namespace or UNKNOWN,
                call.owner or UNKNOWN,
                call.contact or UNKNOWN,
                number(call.units),
                known_cell(call.critical_units, unsaid=call.criticality_unknown),
            ]
            for call in calls
        ]
        columns = [
            Column("namespace", flexible=True),
            Column("owner", flexible=True),
            Column("contact", flexible=True),
            Column(unit_word(result.estate, None), right=True),
            Column("critical", right=True),
        ]
        lines += rows_of(columns, rows, options)
    for contact, domains in _by_contact(result.facility_contacts)[: options.rows]:
        lines += sentence(f"{short(contact)}: {options.some([short(domain) for domain in domains], 4)}")
    return lines


def _by_contact(contacts: Sequence[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for domain, contact in contacts:
        found.setdefault(contact, []).append(domain)
    return sorted(found.items())
