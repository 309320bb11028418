"""What changed, as a page and as Markdown for a pull request."""

import re
from typing import Final

from findings.difference import Change, Difference, Loss, Membership
from topo.text.clean import clean
from topo.text.page import PageOptions, block, care_section, sentence, short
from topo.text.table import UNKNOWN, Column
from topo.text.words import count, number, some

_FIELDS: Final = {
    "criticalUnits": "critical units lost",
    "units": "units lost",
    "nodes": "nodes lost",
    "stops": "stops",
    "spareFeeds": "feeds to spare",
    "ratedKw": "rated kW",
}
_SPECIAL: Final = re.compile(r"[^\w ,;()/.:%'-]|_|:(?!\s|$)|(?<=www)\.", re.IGNORECASE)
"""What Markdown could read as anything but text: punctuation, links, emoji."""


def difference_page(result: Difference, options: PageOptions) -> str:
    """Return the whole page."""
    lines = [options.style(_word(result), "bold"), *sentence(_counts(result)), *sentence(_worst(result))]
    for word, ids in (("added", result.added), ("removed", result.removed)):
        lines += [line for text in _memberships(word, ids) for line in sentence(text)]
    columns = [Column(""), Column("what"), Column("where", flexible=True), Column("was", right=True)]
    rows = [[c.direction, _what(c), _where(c), *_values(c)] for c in result.changes]
    if rows:
        lines += block(("Changes", "worst first"), [*columns, Column("is", right=True)], rows, options)
    lines += care_section(result.caveats, options)
    return "\n".join(lines) + "\n"


def difference_markdown(result: Difference) -> str:
    """Return Markdown in which ids are text, whatever they hold."""
    lines = [f"### Failure domains: {_word(result).lower()}", "", _escaped(_counts(result)), ""]
    lines += [_escaped(_worst(result)), ""]
    for word, ids in (("added", result.added), ("removed", result.removed)):
        lines += [line for text in _memberships(word, ids) for line in (_escaped(text), "")]
    if result.changes:
        lines += ["| | what | where | was | is |", "|---|---|---|---:|---:|"]
        for c in result.changes:
            cells = [c.direction, _what(c), _where(c), *_values(c)]
            lines.append("| " + " | ".join(map(_escaped, cells)) + " |")
        lines.append("")
    lines += [f"- {_escaped(caveat)}" for caveat in result.caveats]
    return "\n".join(lines).rstrip("\n") + "\n"


def said(change: Change) -> str:
    """Return a change as a sentence."""
    was, now = _values(change)
    return f"{_where(change)}: {_what(change)}: was {was}, is {now} ({change.direction})."


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"&#{ord(match.group())};", clean(text))


def _word(result: Difference) -> str:
    if result.worse:
        return "WORSE"
    if result.worse is None:
        return "UNKNOWN"
    if result.count("better"):
        return "BETTER"
    return "CHANGED" if result.changes else "NO CHANGE"


def _counts(result: Difference) -> str:
    figures = (
        f"{number(result.count('worse'))} worse, {number(result.count('unknown'))} no longer known, "
        f"{number(result.count('better'))} better, {number(result.count('changed'))} newly known"
    )
    return f"{count(len(result.changes), 'figure')} changed: {figures}. Load: {result.load} units."


def _worst(result: Difference) -> str:
    return f"Worst single failure: was {_loss(result.worst_old)}; is {_loss(result.worst_new)}."


def _loss(loss: Loss | None) -> str:
    if loss is None:
        return "none"
    return f"{short(loss.id)} ({count(loss.nodes, 'node')}, {number(loss.critical_units)} critical units)"


def _memberships(word: str, ids: Membership) -> list[str]:
    found = []
    for noun, names in (("domain", ids.domains), ("node", ids.nodes)):
        if names:
            found.append(f"{count(len(names), noun)} {word}: {some([short(name) for name in names], 4)}.")
    return found


def _what(change: Change) -> str:
    return f"{change.key.topic.replace('-', ' ')}, {_FIELDS[change.key.field]}"


def _where(change: Change) -> str:
    key = change.key
    return (clean(key.id) or "the estate") + (f" stops {clean(key.about)}" if key.about else "")


def _values(change: Change) -> tuple[str, str]:
    if change.key.field == "stops":
        return ("yes" if change.old else "no", "yes" if change.new else "no")
    old, new = (UNKNOWN if value is None else number(value) for value in (change.old, change.new))
    return old, new
