"""Ids that only nodes name: probable typos, and domains whose upstream is unknown."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from topology.closest import normal_form
from topology.diagnostics import Fault
from topology.kinds import AXES
from topology.rules.common import fault, plural
from topology.rules.facts import Facts, Mentions

if TYPE_CHECKING:
    from topology.routes import Routes

_LONGEST_TRANSPOSED: Final = 256
"""Ids longer than this are not tried letter by letter: the effort grows with the square of their length."""


def likely_typo(facts: Facts, routes: "Routes") -> list[Fault]:
    """An undeclared id that differs from a declared one of its kind only in form, or by one transposition."""
    undeclared = list(_undeclared(facts))
    if not undeclared:
        return []
    ids: dict[str, set[str]] = {kind: set() for kind in AXES.values()}
    forms: dict[tuple[str, str], str] = {}
    for domain in facts.declared:
        if domain.kind in ids:
            ids[domain.kind].add(domain.id)
            forms.setdefault((domain.kind, normal_form(domain.id)), domain.id)
    faults = []
    for name, axis, mentions in undeclared:
        kind, count = AXES[axis], mentions.count
        meant = forms.get((kind, normal_form(name)))
        if meant is None and count == 1 and len(name) <= _LONGEST_TRANSPOSED:
            meant = next((other for other in _transpositions(name) if other in ids[kind]), None)
        if meant is not None:
            faults.append(
                fault(
                    "likely-typo",
                    f"'{name}', named by {plural(count, 'node')} on the axis {axis}, is not declared, but "
                    f"'{meant}' is",
                    routes.node_axis(mentions.first[0], axis, mentions.first[1]),
                    f"If '{meant}' is meant, write it so; else declare '{name}' under `domains:`.",
                    [name, meant],
                    related=((routes.domain(meant), f"'{meant}' is declared here"),),
                )
            )
    return faults


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
