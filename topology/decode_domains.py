"""The `domains:` mapping, which topology and estate files share (spec 1)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from topology.columns import records
from topology.diagnostics import Fault
from topology.fields import Field, Shape, as_list, record_of
from topology.kinds import AXES, KINDS, KINDS_MEANT, STATUS_MEANT
from topology.limits import MAX_FAILURES_PER_YEAR, MAX_REPAIR_HOURS, SMALLEST_RATING_KW
from topology.list_readers import list_of
from topology.model import Domain, Overload, Standing
from topology.number_readers import number
from topology.quoting import flow
from topology.readers import Problem, Wrong, choice, ident, located, refuse, text
from topology.slips import indented_too_far, indented_too_little, spaced, stray_keys


def _status(value: Any) -> bool:
    return bool(_STATUS(value) == "out")


_STATUS: Final = choice("in", "out", meant=STATUS_MEANT, key="status")


def _parent(value: Any) -> str:
    if isinstance(value, list) and len(value) > 1:
        feeds = f"feeds: {flow(value)}"
        refuse(
            "one id",
            value,
            f"Write {feeds} where one of them is enough (minFeeds: {len(value)} where all are needed); "
            "a parent is one id.",
        )
    if isinstance(value, list) and value:
        refuse("one id", value, f"Write parent: {flow(value[0])}.")
    return ident(value)


OVERLOAD: Final = Shape(
    {
        "percent": Field("percent", number(above=True, optional=False, unit="percent"), required=True),
        "seconds": Field("seconds", number(optional=False, unit="seconds"), required=True),
    }
)

_OVERLOADS: Final = list_of(record_of(OVERLOAD, Overload))


def _overload(value: Any) -> tuple[Overload, ...]:
    """Return how long equipment carries which overloads: one answer for each percentage."""
    points: tuple[Overload, ...] = _OVERLOADS(value)
    problems = tuple(
        Problem(
            f"{points[place].percent:.10g} percent is there twice",
            "Give one time for it.",
            (place, "percent"),
        )
        for place in repeated_percents([point.percent for point in points])
    )
    if problems:
        raise Wrong(problems)
    return points


def repeated_percents(percents: Sequence[object]) -> Iterator[int]:
    """Yield the places of percentages that an earlier entry has said already."""
    seen: set[object] = set()
    for place, percent in enumerate(percents):
        if percent in seen:
            yield place
        seen.add(percent)


DOMAIN: Final = Shape(
    {
        "kind": Field("kind", choice(*KINDS, meant=KINDS_MEANT), required=True),
        "parent": Field("parent", _parent),
        "feeds": Field("feeds", list_of(ident, least=1), as_list),
        "minFeeds": Field("min_feeds", number(1, whole=True)),
        "ratedKw": Field("rated_kw", number(above=True, smallest=SMALLEST_RATING_KW, unit="kW")),
        "rideThroughMinutes": Field("ride_through_minutes", number(unit="minutes")),
        "loadKw": Field("own_load_kw", number(unit="kW")),
        "measuredKw": Field("measured_kw", number(unit="kW")),
        "transfer": Field("transfer", choice("share", "preferred")),
        "overload": Field(
            "overload",
            _overload,
            lambda overload: as_list(tuple(OVERLOAD.write(point) for point in overload)),
        ),
        "failuresPerYear": Field("failures_per_year", number(high=MAX_FAILURES_PER_YEAR)),
        "repairHours": Field("repair_hours", number(high=MAX_REPAIR_HOURS, unit="hours")),
        "status": Field("out", _status, lambda out: "out" if out else None),
        "description": Field("description", text),
        "contact": Field("contact", text),
    }
)
"""Every key of a domain. `Shape.write` is its inverse."""


def decode_domains(raw: dict[str, Any], faults: list[Fault]) -> dict[str, Domain]:
    """Return the declared domains; what is wrong is appended to `faults` and left out.

    A domain without a usable kind is there all the same, with the kind "": others may name it.
    """
    domains: dict[str, Domain] = {}
    strays = stray_keys(raw, DOMAIN.fields)
    values: Any
    many = records(DOMAIN, Domain, list(raw.values()), {"id": list(raw)})
    for (domain_id, value), domain in zip(raw.items(), many, strict=True):
        route = ("domains", domain_id)
        try:
            ident(domain_id)
        except Wrong as wrong:
            faults += map(key_fault, located(wrong, route, "domain", domain_id))
        if domain is not None:
            domains[domain_id] = domain
            continue
        try:
            values = DOMAIN.read(value)
        except Wrong as wrong:
            moved = indented_too_far(route, value, DOMAIN.fields)
            if domain_id in strays:
                moved = indented_too_little("domains", domain_id, raw, strays)
            if moved:
                faults.append(moved)
            elif value is not None or not strays:
                faults += spaced(located(wrong, route, "domain", domain_id), domain_id)
            values = wrong.partial or {}
            if _feeds_missing(value, values):
                values.pop("min_feeds", None)
        values.setdefault("kind", "")
        domains[domain_id] = Domain(domain_id, **values)
    return domains


def key_fault(fault: Fault) -> Fault:
    """Return a fault that speaks of the key at its route."""
    return replace(fault, at="key")


def _feeds_missing(raw: Any, values: dict[str, Any]) -> bool:
    """Return whether some feeds could not be read, so that their number says nothing."""
    feeds = raw.get("feeds") if isinstance(raw, dict) else None
    return feeds is not None and not (isinstance(feeds, list) and len(feeds) == len(values.get("feeds", ())))


def implicit_roots(declared: dict[str, Domain], standings: Iterable[Standing]) -> dict[str, Domain]:
    """Return domains that only nodes name: roots of their axis' kind, in order of appearance (spec 1)."""
    implicit: dict[str, Domain] = {}
    for standing in standings:
        for domain_id in standing.ids:
            if domain_id not in declared and domain_id not in implicit:
                implicit[domain_id] = Domain(domain_id, AXES[standing.axis], declared=False)
    return implicit
