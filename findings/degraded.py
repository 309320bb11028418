"""What is alive in both engines with a feed gone in either: what an operator may still lean on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from closure.results import Degraded

if TYPE_CHECKING:
    from findings.scenario import WhatIf


def degraded_in_either(result: "WhatIf") -> tuple[Degraded, ...]:
    """Return the survivors of both engines that lost a feed in one of them, by id."""
    if result.strict.agrees and not result.strict.tripped:
        return result.closure.degraded
    lost = {each.id for each in result.closure.domains}.union(result.strict.domains)
    return tuple(sorted([*_domains(result, lost), *_nodes(result, lost)], key=lambda each: each.id))


def _domains(result: "WhatIf", lost: set[str]) -> Iterator[Degraded]:
    for domain in result.estate.domains.values():
        gone = tuple(sorted(lost.intersection(domain.feeds)))
        if gone and domain.id not in lost:
            left = tuple(sorted(set(domain.feeds).difference(gone)))
            yield Degraded(domain.id, "domain", gone, left, len(left) - domain.feeds_needed)


def _nodes(result: "WhatIf", lost: set[str]) -> Iterator[Degraded]:
    lost_nodes = {each.id for each in result.closure.nodes}.union(result.strict.nodes)
    for node in result.estate.nodes:
        cords = [each for each in node.standings if each.mode == "any" and lost.intersection(each.ids)]
        if not cords or node.id in lost_nodes:
            continue
        named = {identifier for each in cords for identifier in each.ids}
        spare = min(len(set(each.ids) - lost) for each in cords) - 1
        axes = tuple(each.axis for each in cords)
        yield Degraded(node.id, "node", tuple(sorted(named & lost)), tuple(sorted(named - lost)), spare, axes)
