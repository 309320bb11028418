"""The facility as a drawing sees it, once per estate: what hangs from what, which machines stand where."""

from dataclasses import dataclass

from closure.compiled import NONE, Facility
from topo.diagram.machines import Machines, machines
from topo.diagram.standing import Standing

_MACHINE_KINDS = frozenset({"rack"})


@dataclass(frozen=True, slots=True)
class Ground:
    """Links by domain index. `order` lists every domain after what it hangs from.

    `ups[d]` are declared parents and feeds, and for a rack also what its nodes stand on beside it, as
    far as no other link implies it. `rack_nodes[d]` are the nodes (by index) that name rack d.
    `loose` are the node groups in no rack, each with what it hangs from.
    """

    facility: Facility
    kinds: tuple[str, ...]
    order: tuple[int, ...]
    ups: tuple[tuple[int, ...], ...]
    rack_nodes: dict[int, tuple[int, ...]]
    loose: tuple[tuple[int, tuple[int, ...]], ...]
    machines: Machines
    standing: Standing


def ground(facility: Facility) -> Ground:
    """Survey a facility for drawing; reusable for every scenario on it."""
    kinds = tuple(facility.estate.domains[domain_id].kind for domain_id in facility.domain_ids)
    declared = [_declared(facility, d) for d in range(len(kinds))]
    behind_rack = _behind_racks(kinds, declared)
    links = _Links(declared)
    named: dict[int, set[int]] = {}
    nodes: dict[int, list[int]] = {}
    loose = []
    for g, group in enumerate(facility.groups):
        rack = next((place.domains[0] for place in group.places if place.axis == "rack"), NONE)
        stands_on = {d for place in group.places for d in place.domains if d != rack}
        if rack == NONE:
            loose.append((g, links.reduced(frozenset(stands_on), ())))
        else:
            named.setdefault(rack, set()).update(d for d in stands_on if not behind_rack[d])
            nodes.setdefault(rack, []).extend(group.nodes)
    ups = list(declared)
    for rack, targets in named.items():
        ups[rack] = links.reduced(frozenset(targets), declared[rack])
    return Ground(
        facility=facility,
        kinds=kinds,
        order=_machines_last(kinds, behind_rack),
        ups=tuple(ups),
        rack_nodes={rack: tuple(sorted(members)) for rack, members in nodes.items()},
        loose=tuple(loose),
        machines=machines(facility),
        standing=Standing(facility),
    )


def _declared(facility: Facility, d: int) -> tuple[int, ...]:
    upstream = dict.fromkeys((facility.parent[d], *facility.feeds[d]))
    upstream.pop(NONE, None)
    return tuple(upstream)


def _behind_racks(kinds: tuple[str, ...], declared: list[tuple[int, ...]]) -> list[bool]:
    """Say which domains hang from a rack (a top-of-rack switch): drawn there, not under its nodes."""
    behind = [False] * len(kinds)
    for d, upstream in enumerate(declared):
        behind[d] = any(kinds[u] in _MACHINE_KINDS or behind[u] for u in upstream)
    return behind


def _machines_last(kinds: tuple[str, ...], behind: list[bool]) -> tuple[int, ...]:
    facility_first = [d for d, kind in enumerate(kinds) if kind not in _MACHINE_KINDS and not behind[d]]
    machines = [d for d, kind in enumerate(kinds) if kind in _MACHINE_KINDS or behind[d]]
    return tuple(facility_first + machines)


class _Links:
    """What nodes stand on, as links of their rack: without those that another link implies."""

    def __init__(self, declared: list[tuple[int, ...]]) -> None:
        self._declared = declared
        self._kept: dict[tuple[frozenset[int], tuple[int, ...]], tuple[int, ...]] = {}

    def reduced(self, targets: frozenset[int], declared: tuple[int, ...]) -> tuple[int, ...]:
        """Return `declared` and those targets that are upstream of none of the others, by index."""
        key = (targets, declared)
        if key not in self._kept:
            implied = self._upstream(targets | frozenset(declared))
            self._kept[key] = tuple(sorted((targets - implied) | set(declared)))
        return self._kept[key]

    def _upstream(self, starts: frozenset[int]) -> set[int]:
        seen: set[int] = set()
        waiting = [u for start in starts for u in self._declared[start]]
        while waiting:
            d = waiting.pop()
            if d not in seen:
                seen.add(d)
                waiting.extend(self._declared[d])
        return seen
