"""Ids that only nodes name: probable typos, and domains whose upstream is unknown."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from topology.closest import normal_form
from topology.diagnostics import Fault
from topology.kinds import AXES
from topology.rules.common import fault, plural
from topology.rules.facts import Facts, Use

if TYPE_CHECKING:
    from topology.routes import Routes

_LONGEST_TRANSPOSED: Final = 256
"""Ids longer than this are not tried letter by letter: the effort grows with the square of their length."""


def likely_typo(facts: Facts, routes: "Routes") -> list[Fault]:
    """An undeclared id that differs from a declared one of its kind only in form, or by one transposition."""
    ids: dict[str, set[str]] = {kind: set() for kind in AXES.values()}
    forms: dict[tuple[str, str], str] = {}
    for domain in facts.declared:
        if domain.kind in ids:
            ids[domain.kind].add(domain.id)
            forms.setdefault((domain.kind, normal_form(domain.id)), domain.id)
    faults = []
    for name, axis, use in _undeclared(facts):
        kind = AXES[axis]
        meant = forms.get((kind, normal_form(name)))
        if meant is None and use.nodes == 1 and len(name) <= _LONGEST_TRANSPOSED:
            meant = next((other for other in _transpositions(name) if other in ids[kind]), None)
        if meant is not None:
            faults.append(
                fault(
                    "likely-typo",
                    f"{plural(use.nodes, 'node')} on the axis {axis} {'name' if use.nodes > 1 else 'names'} "
                    f"'{name}', which is not declared, but '{meant}' is",
                    routes.node_axis(use.first, axis, use.index),
                    f"If '{meant}' is meant, write it so; else declare '{name}' under domains.",
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
            f"'{name}' is named by {plural(use.nodes, 'node')} on the axis {axis} but not declared, as other "
            f"domains of kind {AXES[axis]} are: its upstream is unknown",
            routes.node_axis(use.first, axis, use.index),
            f"Declare '{name}' under domains (kind: {AXES[axis]}) with its parent or feeds, or as a root.",
            [name],
        )
        for name, axis, use in _undeclared(facts)
        if AXES[axis] in kinds
    ]


def _undeclared(facts: Facts) -> Iterator[tuple[str, str, Use]]:
    """Yield what only nodes name: an id that domains name too is a dangling feed."""
    for name, uses in sorted(facts.walk.uses.items()):
        if name in facts.named_upstream:
            continue
        for axis, use in sorted(uses.items()):
            yield name, axis, use


def _transpositions(name: str) -> Iterator[str]:
    for i in range(len(name) - 1):
        if name[i] != name[i + 1]:
            yield name[:i] + name[i + 1] + name[i] + name[i + 2 :]
