"""Ids that only nodes name: probable typos, and domains whose upstream is unknown."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from topology.closest import look_of, normal_form
from topology.diagnostics import Fault
from topology.kinds import AXES
from topology.rules.common import fault, plural, quoted
from topology.rules.facts import Facts, Mentions

if TYPE_CHECKING:
    from topology.routes import Routes

_LONGEST_TRANSPOSED: Final = 256
"""Ids longer than this are not tried letter by letter: the effort grows with the square of their length."""


def likely_typo(facts: Facts, routes: "Routes") -> list[Fault]:
    """An undeclared id that differs from a declared one of its kind only in form, or by one transposition.

    Or that is several declared ones between commas, without the brackets of a list.
    """
    undeclared = list(_undeclared(facts))
    if not undeclared:
        return []
    known = _Declared(facts)
    faults = []
    for name, axis, mentions in undeclared:
        meant, hint = known.meant(name, AXES[axis], mentions.count)
        if not meant:
            continue
        faults.append(
            fault(
                "likely-typo",
                f"'{name}', named by {plural(mentions.count, 'node')} on the axis {axis}, is not declared, "
                f"but {quoted(meant)} {'is' if len(meant) == 1 else 'are'}",
                routes.node_axis(mentions.first[0], axis, mentions.first[1]),
                hint,
                [name, *meant],
                related=tuple((routes.domain(each), f"'{each}' is declared here") for each in meant[:1]),
            )
        )
    return faults


class _Declared:
    """The declared ids by kind, by form and by look."""

    def __init__(self, facts: Facts) -> None:
        self._ids: dict[str, set[str]] = {kind: set() for kind in AXES.values()}
        self._forms: dict[tuple[str, str], str] = {}
        self._looks: dict[tuple[str, str], str] = {}
        for domain in facts.declared:
            if domain.kind in self._ids:
                self._ids[domain.kind].add(domain.id)
                self._forms.setdefault((domain.kind, normal_form(domain.id)), domain.id)
                self._looks.setdefault((domain.kind, look_of(domain.id)), domain.id)

    def meant(self, name: str, kind: str, count: int) -> tuple[list[str], str]:
        """Return the ids that an id named by `count` nodes was probably meant to be, and the fix."""
        ids = self._ids[kind]
        parts = [part.strip() for part in name.split(",")]
        if len(parts) > 1 and ids.issuperset(parts):
            return parts, f"A list needs brackets: write [{', '.join(parts)}]."
        other = self._forms.get((kind, normal_form(name)))
        alike = other is None and (other := self._looks.get((kind, look_of(name)))) is not None
        if other is None and count == 1 and len(name) <= _LONGEST_TRANSPOSED:
            other = next((each for each in _transpositions(name) if each in ids), None)
        if other is None:
            return [], ""
        look = "They look alike (l, 1, I; O, 0). " if alike else ""
        return [other], f"{look}If '{other}' is meant, write it so; else declare '{name}' under `domains:`."


def undeclared_domain(facts: Facts, routes: "Routes") -> list[Fault]:
    """An id that only nodes name, while other domains of its kind are declared."""
    kinds = {domain.kind for domain in facts.declared}
    return [
        fault(
            "undeclared-domain",
            f"'{name}', named by {plural(mentions.count, 'node')} on the axis {axis}, is not declared, while "
            f"other domains of kind {AXES[axis]} are: its upstream is unknown",
            routes.node_axis(mentions.first[0], axis, mentions.first[1]),
            f"Declare '{name}' under `domains:` (kind: {AXES[axis]}) with its parent or feeds, or as a root.",
            [name],
        )
        for name, axis, mentions in _undeclared(facts)
        if AXES[axis] in kinds
    ]


def _undeclared(facts: Facts) -> Iterator[tuple[str, str, Mentions]]:
    for name, axes in facts.undeclared:
        for axis, mentions in sorted(axes.items()):
            yield name, axis, mentions


def _transpositions(name: str) -> Iterator[str]:
    for i in range(len(name) - 1):
        if name[i] != name[i + 1]:
            yield name[:i] + name[i + 1] + name[i] + name[i + 2 :]
