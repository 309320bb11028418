"""What a target's name stands for on an estate, and when it counts as down (spec 4, beyond).

ml/pytorchjob/llama        a workload; else a node, else a domain: the only one that is called so
workload:ID node:ID domain:ID
critical:50%  critical:96  that share, or that many, of all critical units are lost
units:1000    units:10%    that many, or that share, of all allocated units are lost
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from closure.compiled import Facility
from closure.cut_sets import Goal
from closure.tolerance import highest_kept
from findings.amounts import total
from findings.caveats import unsaid_words
from findings.index import EstateIndex, stalls_whole
from findings.services import counted, silent_nodes
from findings.tally import GroupTally, Tallies
from topology.model import Number, Workload
from topology.unknown_id import closest_ids

TargetKind = Literal["workload", "node", "domain", "critical", "units"]

_AMOUNT: Final = re.compile(r"(critical|units):(.*)", re.DOTALL)
_FIGURE: Final = re.compile(r"\s*([0-9]+|[0-9]*\.[0-9]+)\s*(%?)\s*", re.ASCII)
_LONGEST_FIGURE: Final = 30


class TargetRefused(Exception):
    """A target that means nothing on this estate, as data: what is wrong, and what to do about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Target:
    """A target: `id` for a thing, None for an amount; down when `threshold` of `total` `things` are lost.

    `definition` says the same in words. `remarks` are what the definition had to assume or could not know.
    """

    kind: TargetKind
    id: str | None
    name: str
    definition: str
    things: str
    threshold: Number
    total: Number
    goal: Goal
    remarks: tuple[str, ...] = ()


def find_target(facility: Facility, index: EstateIndex, text: str) -> Target:
    """Return the target of this name. A prefix wins, then an amount; an id that several bear needs a prefix.

    Raises:
        TargetRefused: nothing is called so, several things are, or it can never be down.
    """
    kind, colon, name = text.partition(":")
    known = _known_ids(facility, index)
    if colon and name in known.get(kind, ()):
        return _thing(facility, index, kind, name)
    amount = _AMOUNT.fullmatch(text)
    if amount and (figure := _read(amount[2])):
        return _amount(facility, index, amount[1], amount[2].strip(), *figure)
    bearers = [kind for kind, ids in known.items() if text in ids]
    if len(bearers) > 1:
        ways = " or ".join(f"{kind}:{text}" for kind in bearers)
        raise TargetRefused(f"{text!r} is a {' and a '.join(bearers)}", f"Say --target {ways}.")
    if bearers:
        return _thing(facility, index, bearers[0], text)
    if amount:
        raise TargetRefused(
            f"{text} is not an amount",
            f"Say {amount[1]}:50% (more than 0 and at most 100) or {amount[1]}:1000 (more than 0).",
        )
    raise _unknown(known, kind, name) if colon and kind in known else _unknown(known, "", text)


def _known_ids(facility: Facility, index: EstateIndex) -> dict[str, Mapping[str, object]]:
    return {"workload": index.workloads, "node": facility.node_index, "domain": facility.domain_index}


def _unknown(known: Mapping[str, Mapping[str, object]], kind: str, name: str) -> TargetRefused:
    kinds = [kind] if kind else list(known)
    ids = [each for kind in kinds for each in known[kind]]
    near = closest_ids(name, ids)
    hint = f": did you mean {' or '.join(map(repr, near))}?" if near else ""
    return TargetRefused(
        f"no {', '.join(kinds[:-1])}{' or ' if kinds[1:] else ''}{kinds[-1]} is called {name!r}{hint}",
        "Ids are matched exactly; other targets are critical:50% and units:1000.",
    )


def _thing(facility: Facility, index: EstateIndex, kind: str, name: str) -> Target:
    if kind == "domain":
        goal = Goal(1, domains={facility.domain_index[name]: 1})
        said = "down when the domain is lost; its own failure is one of the ways"
        return Target("domain", name, f"domain:{name}", said, "domains", 1, 1, goal)
    if kind == "node":
        goal = Goal(1, groups={facility.node_group[facility.node_index[name]]: 1})
        said = "down when the node is lost to a domain failure; its own failure is not counted"
        return Target("node", name, f"node:{name}", said, "nodes", 1, 1, goal)
    return workload_target(facility, index.workloads[name])


def workload_target(facility: Facility, workload: Workload) -> Target:
    """Return a workload as a target (findings/single_points.py says when a workload stops).

    Raises:
        TargetRefused: it holds no units.
    """
    hosting = [node_id for node_id, units in workload.placements.items() if units > 0]
    needed, replicas = workload.min_available, workload.replicas
    if stalls_whole(workload) and hosting:
        assumed = ("It does not say whether it is a gang: assumed to stop whole.",)
        return _job(
            facility,
            workload,
            dict.fromkeys(hosting, 1),
            1,
            f"down when any of the {len(hosting):,} nodes it has units on is lost: the job stops whole",
            assumed if workload.gang is None else (),
        )
    if needed is not None and replicas is not None and counted(workload) and not stalls_whole(workload):
        running = sum(replicas.values())
        said = f"down when fewer than {needed:,} of its {running:,} replicas are left (minAvailable)"
        if running < needed:
            said = f"down when fewer than {needed:,} replicas are left (minAvailable); it runs {running:,}"
        return _job(facility, workload, replicas, running - needed + 1, said, (), "replicas")
    if not hosting:
        raise TargetRefused(
            f"workload {workload.id!r} holds no units: nothing can take it down", "Choose another target."
        )
    blind = (_uncounted(workload),)
    return _job(
        facility,
        workload,
        dict.fromkeys(hosting, 1),
        len(hosting),
        f"down when all {len(hosting):,} nodes it has units on are lost",
        blind if needed is not None else (),
    )


def _uncounted(workload: Workload) -> str:
    silent = silent_nodes(workload)
    if workload.replicas is None or len(silent) == sum(units > 0 for units in workload.placements.values()):
        return "It does not say where its replicas run, so minAvailable cannot be counted."
    return (
        "It does not say how many of its replicas run on every node that it has units on (missing: "
        f"{len(silent):,}), so minAvailable cannot be counted."
    )


def _job(
    facility: Facility,
    workload: Workload,
    on_node: Mapping[str, int],
    threshold: int,
    definition: str,
    remarks: tuple[str, ...],
    things: str = "nodes",
) -> Target:
    weights: dict[int, Number] = {}
    for node_id, count in on_node.items():
        if count > 0:
            group = facility.node_group[facility.node_index[node_id]]
            weights[group] = weights.get(group, 0) + count
    return Target(
        "workload",
        workload.id,
        f"workload:{workload.id}",
        definition,
        things,
        threshold,
        sum(weights.values()),
        Goal(threshold, weights),
        remarks,
    )


def _amount(
    facility: Facility, index: EstateIndex, kind: str, figure: str, value: Number, percent: bool
) -> Target:
    if index.estate.bare:
        raise TargetRefused(
            f"{kind}: needs a snapshot: a map alone has no units",
            "Give estate.json, or name a node or a domain.",
        )
    groups = Tallies(facility, index).groups
    if kind == "critical":
        weights = _weights(groups, [group.critical for group in groups])
        whole = index.critical_total.value
        silent = f"{unsaid_words(index)} Missing from the units." if index.critical_total.unknown else ""
    else:
        weights = _weights(groups, [group.units or 0 for group in groups])
        whole, silent = total(weights.values()), ""
    if not whole:
        what = "critical" if kind == "critical" else "allocated"
        raise TargetRefused(
            f"no {what} units: there are none to lose"
            if not silent
            else f"none of the {what} units is known: a part of them can be no target",
            "Label what is critical, or name a workload, a node, a domain or units:N."
            if kind == "critical"
            else "Name a workload, a node or a domain.",
        )
    threshold = whole * value / 100 if percent else value
    things = "critical units" if kind == "critical" else "allocated units"
    share = f" ({figure})" if percent else ""
    said = f"down when at least {_plain(threshold)} of the {_plain(whole)} {things} are lost{share}"
    return Target(
        "critical" if kind == "critical" else "units",
        None,
        f"{kind}:{figure}",
        said,
        things,
        threshold,
        whole,
        # Equality is enough, with the tolerance that every comparison of loads has.
        Goal(threshold / highest_kept(1.0), weights),
        (silent,) if silent else (),
    )


def _weights(groups: Sequence[GroupTally], amounts: Sequence[Number]) -> dict[int, Number]:
    return {g: amounts[g] for g in range(len(groups)) if amounts[g] > 0}


def _read(figure: str) -> tuple[Number, bool] | None:
    """Read `50%` or `1000`: the number, and whether it is a share. None where it is neither."""
    found = _FIGURE.fullmatch(figure) if len(figure) <= _LONGEST_FIGURE else None
    if found is None:
        return None
    value = int(found[1]) if found[1].isdigit() else float(found[1])
    percent = found[2] == "%"
    return (value, percent) if value > 0 and not (percent and value > 100) else None


def _plain(value: Number) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
