"""The facility that several files describe, joined on domain ids: one id is one physical domain."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from topology.kinds import KINDS
from topology.merge.inputs import Input, listed
from topology.merge.refusal import Refusal, Rule, conflict
from topology.model import Domain
from topology.quoting import quoted

Told = Sequence[tuple[str, Domain]]
"""What each file that knows a domain says of it, in file order."""

JOINED: Final = (
    "An id that several files name is one physical domain: check below that no generic name (rack-1) joins "
    "two different things."
)
"""Said before the joined ids."""

_IDS_PER_NOTE: Final = 50_000
"""Characters of ids in one note: a loader refuses longer texts."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key that files must agree on where they say it; `same` makes values comparable."""

    name: str
    attribute: str
    rule: Rule
    same: Callable[[Any], Any] = lambda value: value


_HARD: Final = (
    Key("parent", "parent", "upstream-conflict"),
    Key("feeds", "feeds", "upstream-conflict", frozenset),
    Key("minFeeds", "min_feeds", "upstream-conflict"),
    Key("transfer", "transfer", "upstream-conflict"),
    Key("ratedKw", "rated_kw", "rating-conflict"),
    Key("overload", "overload", "rating-conflict", frozenset),
    Key("rideThroughMinutes", "ride_through_minutes", "ride-through-conflict"),
    Key("loadKw", "own_load_kw", "load-conflict"),
)

_SOFT: Final = (
    ("measuredKw", "measured_kw"),
    ("failuresPerYear", "failures_per_year"),
    ("repairHours", "repair_hours"),
    ("description", "description"),
    ("contact", "contact"),
)
"""Keys that decide no loss: the first file's value applies, with a note."""

_HINT: Final = "Correct one of the files, or give one map for all of them with --topology."


def told(inputs: Sequence[Input]) -> dict[str, list[tuple[str, Domain]]]:
    """Return domain id -> what each file says of it, in file order; by id."""
    found: dict[str, list[tuple[str, Domain]]] = {}
    for each in inputs:
        for domain in each.estate.domains.values():
            found.setdefault(domain.id, []).append((each.file, domain))
    return dict(sorted(found.items()))


def refused_domains(facility: Mapping[str, Told]) -> Iterator[Refusal]:
    """Yield every domain that two files describe in ways that exclude each other."""
    for domain_id, said in facility.items():
        kinds = [(file, domain.kind) for file, domain in said]
        if len({kind for _, kind in kinds}) > 1:
            yield conflict("kind-conflict", "the kind of domain", domain_id, kinds, _HINT)
            continue
        yield from _upstream_forms(domain_id, said)
        for key in _HARD:
            yield from _disagreement(domain_id, said, key)


def _upstream_forms(domain_id: str, said: Told) -> Iterator[Refusal]:
    """One file hangs the domain from a parent alone, another from feeds alone: together neither is meant."""
    chained = [(file, domain) for file, domain in said if domain.parent and not domain.feeds]
    fed = [(file, domain) for file, domain in said if domain.feeds and not domain.parent]
    if chained and fed:
        values = [(file, f"parent {_shown(domain.parent)}") for file, domain in chained]
        values += [(file, f"feeds {_shown(domain.feeds)}") for file, domain in fed]
        yield conflict("upstream-conflict", "the upstream of domain", domain_id, values, _HINT)


def _disagreement(domain_id: str, said: Told, key: Key) -> Iterator[Refusal]:
    values = [(file, value) for file, domain in said if _said(value := getattr(domain, key.attribute))]
    same: Callable[[Any], Any] = key.same
    if key.attribute == "feeds" and any(domain.transfer == "preferred" for _, domain in said):
        same = tuple  # the order of the feeds is who takes the load first
    if len({same(value) for _, value in values}) > 1:
        shown = [(file, _shown(value)) for file, value in values]
        yield conflict(key.rule, f"{key.name} of domain", domain_id, shown, _HINT)


def _said(value: object) -> bool:
    return value is not None and value != ()


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, tuple):
        items = (
            item if isinstance(item, str) else f"{item.percent} % for {item.seconds} s" for item in value
        )
        return f"[{', '.join(items)}]"
    return str(value)


def joined(facility: Mapping[str, Told]) -> tuple[dict[str, Domain], list[str]]:
    """Return the domains of all files together, by id, and a note on every value that was chosen.

    Absent is not a conflict: what one file says and another leaves open holds. A domain out of service in
    one file is out.
    """
    notes: list[str] = []
    domains = {domain_id: _join(domain_id, said, notes) for domain_id, said in facility.items()}
    return domains, notes


def _join(domain_id: str, said: Told, notes: list[str]) -> Domain:
    first = said[0][1]
    if all(domain == first for _, domain in said):
        return first
    values: dict[str, Any] = {
        key.attribute: _first(said, key.attribute) for key in _HARD if key.attribute != "feeds"
    }
    feeds = [domain.feeds for _, domain in said if domain.feeds]
    for name, attribute in _SOFT:
        stated = [(file, value) for file, domain in said if _said(value := getattr(domain, attribute))]
        values[attribute] = stated[0][1] if stated else None
        if len({value for _, value in stated}) > 1:
            shown = ", ".join(f"{file} {_shown(value)}" for file, value in stated)
            notes.append(
                f"{name} of {quoted(domain_id)}: the files disagree ({shown}); the first file's applies."
            )
    out = [file for file, domain in said if domain.out]
    if out and len(out) < len(said):
        notes.append(f"{quoted(domain_id)} is out of service in {listed(sorted(out))}: out in the merge.")
    return replace(
        first,
        **{**values, "overload": values["overload"] or ()},
        feeds=min(feeds) if feeds else (),
        out=bool(out),
        declared=any(domain.declared for _, domain in said),
    )


def _first(said: Told, attribute: str) -> Any:
    values = (getattr(domain, attribute) for _, domain in said)
    return next((value for value in values if _said(value)), None)


def joined_notes(facility: Mapping[str, Told]) -> Iterator[str]:
    """Yield every joined id with its kind: generic names can join two buildings by accident."""
    by_kind: dict[str, list[str]] = {}
    for domain_id, said in facility.items():
        if len(said) > 1:
            by_kind.setdefault(said[0][1].kind, []).append(domain_id)
    if by_kind:
        yield JOINED
    for part in _parts((kind, domain_id) for kind in KINDS for domain_id in by_kind.get(kind, ())):
        kinds = groupby(part, key=itemgetter(0))
        said_of = (f"{kind} {', '.join(domain_id for _, domain_id in ids)}" for kind, ids in kinds)
        yield f"Joined by id ({len(part):,}): {'; '.join(said_of)}."


def _parts(joined: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    part: list[tuple[str, str]] = []
    length = 0
    for kind, domain_id in joined:
        if part and length + len(domain_id) > _IDS_PER_NOTE:
            yield part
            part, length = [], 0
        part.append((kind, domain_id))
        length += len(domain_id) + 2
    if part:
        yield part


def common_ground(clusters: Sequence[tuple[str, Iterable[str]]], domains: Mapping[str, Domain]) -> bool:
    """Return whether any domain carries nodes of two clusters; `clusters` are (name, domains named)."""
    owner: dict[str, str] = {}
    for name, named in clusters:
        waiting, seen = list(named), set()
        while waiting:
            domain_id = waiting.pop()
            if domain_id in seen:
                continue
            seen.add(domain_id)
            if owner.setdefault(domain_id, name) != name:
                return True
            domain = domains[domain_id]
            waiting += domain.feeds if domain.parent is None else (domain.parent, *domain.feeds)
    return False
