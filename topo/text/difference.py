"""What changed, as a page and as Markdown for a pull request."""

from collections.abc import Iterator
from typing import Final

from findings.difference.compare import MORE_IS_BETTER, Change, Difference, Membership
from findings.difference.figures import Loss
from topo.text.clean import clean
from topo.text.markdown import escaped
from topo.text.page import PageOptions, block, care_section, fails, next_section, sentence, short
from topo.text.table import UNKNOWN, Column
from topo.text.wiring import rewired_counts, rewired_rows, wiring_section
from topo.text.words import count, number

_FIELDS: Final = {
    "criticalUnits": "critical {units} lost",
    "units": "{units} lost",
    "nodes": "nodes lost",
    "stops": "stops",
    "spareFeeds": "feeds to spare",
    "ratedKw": "rated kW",
    "proven": "survivors proven safe",
    "unknownNodes": "nodes of unknown kW",
}
_NAMED: Final = 4
"""Ids that only one side has, named before the page says how many more."""


def difference_page(result: Difference, units: str, options: PageOptions) -> str:
    """Return the whole page; `units`: what they are called."""
    lines = [options.style(_word(result), "bold"), *sentence(_counts(result, units))]
    lines += sentence(_worst(result, units))
    lines += [line for text in _proofs(result) for line in sentence(text)]
    lines += [line for text in _memberships(result, options) for line in sentence(text)]
    columns = [Column(""), Column("what"), Column("where", wraps=True), Column("was", right=True)]
    rows = [
        [c.direction, _what(c, units), _where(c, whole=options.whole), *_values(c)] for c in result.changes
    ]
    if rows:
        lines += block(("Changes", "worst first"), [*columns, Column("is", right=True)], rows, options)
    lines += wiring_section(result.wiring, options)
    lines += [*care_section(result.caveats, options), *next_section(_next(result), options)]
    return "\n".join(lines) + "\n"


def _next(result: Difference) -> Iterator[tuple[str, ...]]:
    """What the first thing that got worse means in the new one, else what its worst failure takes."""
    worse = [c.key for c in result.changes if c.direction == "worse" and c.key.id]
    failing = next((key.id for key in worse if key.topic in {"exposure", "single-point"}), None)
    if failing is None and result.worst_new is not None:
        failing = result.worst_new.id
    if failing is not None:
        yield ("whatif", *fails((failing,)))
    bared = next((key.id for key in worse if key.topic == "redundancy"), None)
    if bared is not None:
        yield ("why", *fails((failing or bared,)), "--", bared)
    yield ("sweep",)


def difference_markdown(result: Difference, units: str, options: PageOptions) -> str:
    """Return Markdown in which ids are text, whatever they hold; `units`: what they are called.

    Every figure is there, and as much of the wiring as the page holds.
    """
    lines = [f"### Failure domains: {_word(result).lower()}", "", escaped(_counts(result, units)), ""]
    lines += [escaped(_worst(result, units)), ""]
    lines += [line for text in _proofs(result) for line in (escaped(text), "")]
    lines += [line for text in _memberships(result, options) for line in (escaped(text), "")]
    if result.changes:
        lines += ["| | what | where | was | is |", "|---|---|---|---:|---:|"]
        for c in result.changes:
            cells = [c.direction, _what(c, units), _where(c), *_values(c)]
            lines.append("| " + " | ".join(map(escaped, cells)) + " |")
        lines.append("")
    lines += _wiring(result, options)
    lines += [f"- {escaped(caveat)}" for caveat in result.caveats]
    return "\n".join(lines).rstrip("\n") + "\n"


def _wiring(result: Difference, options: PageOptions) -> list[str]:
    if not result.wiring:
        return []
    cells, rows = rewired_rows(result.wiring, options), options.rows
    lines = ["| wiring | of | was | is |", "|---|---|---|---|"]
    lines += ["| " + " | ".join(map(escaped, row)) + " |" for row in cells[:rows]]
    left = len(cells) - rows
    return [*lines, "", *([f"and {left:,} more", ""] if left > 0 else [])]


def said(change: Change, units: str = "units") -> str:
    """Return a change as a sentence; `units`: what they are called."""
    was, now = _values(change)
    return f"{_where(change)}: {_what(change, units)}: was {was}, is {now} ({change.direction})."


def _word(result: Difference) -> str:
    if result.verdict != "same":
        return result.verdict.upper()
    if result.wiring:
        return f"NO FIGURE CHANGED, {rewired_counts(result.wiring)} did"
    alike = result.added == result.removed == Membership((), ())
    return "NO CHANGE" if alike else "NO FIGURE CHANGED"


def _proofs(result: Difference) -> Iterator[str]:
    """What is proven safe on one side alone: the headline says it before any table."""
    proofs = [change for change in result.changes if change.key.topic == "proof"]
    lost = sum(change.direction == "unknown" for change in proofs)
    if lost:
        are, them = ("is", "it") if lost == 1 else ("are", "them")
        yield f"{count(lost, 'failure')} {are} no longer proven safe: what survives {them} may not hold."
    if gained := len(proofs) - lost:
        are, were = ("is", "was") if gained == 1 else ("are", "were")
        yield f"{count(gained, 'failure')} {are} proven safe now, and {were} not before."


def _counts(result: Difference, units: str) -> str:
    bounds = sum(change.was_bound for change in result.changes)
    figures = (
        f"{number(result.count('worse'))} worse, {number(result.count('unknown'))} no longer known, "
        f"{number(result.count('better'))} better, {number(result.count('changed') - bounds)} newly known"
    )
    if bounds:
        figures += f", {number(bounds)} worse only because the old one was not proven"
    if fewer := result.count("fewer"):
        figures += f", {number(fewer)} smaller only because nodes are gone"
    wiring = f" Wiring: {rewired_counts(result.wiring)} changed." if result.wiring else ""
    said = f"{count(len(result.changes), 'figure')} changed: {figures}. Load: {result.load} {units}."
    return said + wiring


def _worst(result: Difference, units: str) -> str:
    was, now = _loss(result.worst_old, units), _loss(result.worst_new, units)
    return f"Worst single failure: was {was}; is {now}."


def _loss(loss: Loss | None, units: str) -> str:
    if loss is None:
        return "none"
    return f"{short(loss.id)} ({count(loss.nodes, 'node')}, {number(loss.critical_units)} critical {units})"


def _memberships(result: Difference, options: PageOptions) -> list[str]:
    """Return what only one side has."""
    found = []
    for word, ids in (("added", result.added), ("removed", result.removed)):
        for noun, names in (("domain", ids.domains), ("node", ids.nodes)):
            if names:
                which = options.some([short(name) for name in names], _NAMED)
                found.append(f"{count(len(names), noun)} {word}: {which}.")
    if result.forgotten:
        found.append(
            f"{count(result.forgotten, 'node')} left the map: taken out or forgotten, a map alone "
            "cannot say. Lay both over a snapshot with --under."
        )
    if result.standings:
        said = [f"{short(each.node)} ({each.axis})" for each in result.standings]
        nodes = len({each.node for each in result.standings})
        stand, it = ("says where it stands", "it") if nodes == 1 else ("say where they stand", "them")
        found.append(
            f"{count(nodes, 'node')} no longer {stand}: {options.some(said, _NAMED)}. "
            f"What takes {it} down there is not known any more."
        )
    return found


def _what(change: Change, units: str) -> str:
    return f"{change.key.topic.replace('-', ' ')}, {_FIELDS[change.key.field].format(units=units)}"


def _where(change: Change, *, whole: bool = True) -> str:
    """Return what a change is about: ids may be cut, on a `whole` page none, the words between them never."""
    key, said = change.key, clean if whole else short
    return (said(key.id) or "the estate") + (f" stops {said(key.about)}" if key.about else "")


def _values(change: Change) -> tuple[str, str]:
    if change.key.field in ("stops", "proven"):
        doubt = ", not proven" if change.was_bound else ""
        return ("yes" if change.old else f"no{doubt}", "yes" if change.new else "no")
    old, new = (UNKNOWN if value is None else number(value) for value in (change.old, change.new))
    if change.was_bound:
        old = f"{'<=' if change.key.field in MORE_IS_BETTER else '>='} {old}"
    return old, new
