"""The strict electrical check of the naive engine: written from the words of the specification alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.naive_engine import POWER_KINDS, NaiveClosure, carried, feeds_dead, node_kw, over, standing_lost
from topology.model import Domain, Estate, Standing


@dataclass
class NaiveStrict:
    domains: set[str]
    nodes: set[str]
    tripped: dict[str, tuple[int, float]]
    """Domain -> the round in which it tripped, and the flow that tripped it [kW]."""
    survivors: dict[str, tuple[float, float]]
    """Live domain that carries more than before -> flow at the end, and the most of any round [kW]."""
    before: dict[str, float]
    rounds: int
    dark_kw: list[float]
    """Per round: what the unpowered machines and equipment would draw [kW]."""
    flows: list[dict[str, float]]


def unpowered(estate: Estate, dead: set[str]) -> set[str]:
    """Rules 2, 3 and 5 along power edges only, and the dead ids themselves; domains and nodes."""
    dark = set(dead)
    while True:
        more = {d.id for d in estate.domains.values() if _loses_power(estate, d, dark)}
        if more <= dark:
            break
        dark |= more
    for node in estate.nodes:
        if any(s.axis in ("pdu", "ups", "rack") and standing_lost(s, dark) for s in node.standings):
            dark.add(node.id)
    return dark


def _loses_power(estate: Estate, domain: Domain, dark: set[str]) -> bool:
    if domain.parent in dark and estate.domains[domain.parent].kind in POWER_KINDS:
        return True
    return (
        bool(domain.feeds)
        and estate.domains[domain.feeds[0]].kind in POWER_KINDS
        and feeds_dead(domain, dark)
    )


def dead_set(estate: Estate, dead: set[str]) -> set[str]:
    """Rules 1, 2, 3 and 5: domains and nodes, without demotion."""
    lost = set(dead)
    while True:
        more = {d.id for d in estate.domains.values() if d.parent in lost or feeds_dead(d, lost)}
        if more <= lost:
            break
        lost |= more
    return lost | {n.id for n in estate.nodes if any(standing_lost(s, lost) for s in n.standings)}


def onward(estate: Estate, domain: Domain, commodity: str, dead: set[str]) -> dict[str, float]:
    """To whom a domain passes its flow of one commodity on, and in what shares."""
    if domain.parent is not None and carried(estate.domains[domain.parent]) == commodity:
        return {domain.parent: 1.0}
    live = [f for f in domain.feeds if f not in dead and carried(estate.domains[f]) == commodity]
    if not live:
        return {}
    if domain.transfer == "preferred":
        return {live[0]: 1.0}
    return {f: 1.0 / len(live) for f in live}


def entry(standing: Standing, dead: set[str]) -> dict[str, float]:
    live = [i for i in standing.ids if i not in dead]
    if standing.mode == "all":
        return {i: 1.0 / len(standing.ids) for i in live}
    return {i: 1.0 / len(live) for i in live}


def injections(estate: Estate, commodity: str, dead: set[str], dark: set[str], load: str) -> dict[str, float]:
    """What enters at each domain from outside the domains [kW]."""
    entering = dict.fromkeys(estate.domains, 0.0)
    axes = ("pdu", "ups", "rack") if commodity == "power" else ("cooling",)
    for node in estate.nodes:
        kw = node_kw(estate, node, load)
        named = {s.axis: s for s in node.standings}
        first = next((named[axis] for axis in axes if axis in named), None)
        if kw is None or first is None or node.id in dark:
            continue
        for name, share in entry(first, dead).items():
            entering[name] += kw * share
    if commodity == "power":
        for domain in estate.domains.values():
            if domain.own_load_kw and domain.id not in dark:
                own = (
                    {domain.id: 1.0} if carried(domain) == "power" else onward(estate, domain, "power", dead)
                )
                for name, share in own.items():
                    entering[name] += domain.own_load_kw * share
    return entering


def flow(estate: Estate, commodity: str, dead: set[str], dark: set[str], load: str) -> dict[str, float]:
    """What passes through each domain of the commodity [kW], by repetition until nothing changes."""
    entering = injections(estate, commodity, dead, dark, load)
    carriers = [d for d in estate.domains.values() if carried(d) == commodity and d.id not in dead]
    now: dict[str, float] = {d.id: entering[d.id] for d in carriers}
    for _ in range(len(carriers) + 1):
        then = {d.id: entering[d.id] for d in carriers}
        for domain in carriers:
            for name, share in onward(estate, domain, commodity, dead).items():
                then[name] += now[domain.id] * share
        now = then
    return now


def strict(estate: Estate, failed: Iterable[str], load: str = "allocated") -> NaiveStrict:
    """Synchronous rounds: everything over its limit trips together, until nothing does."""
    before = {**flow(estate, "power", set(), set(), load), **flow(estate, "heat", set(), set(), load)}
    dead = set(failed) | {d.id for d in estate.domains.values() if d.out}
    tripped: dict[str, tuple[int, float]] = {}
    history: list[dict[str, float]] = []
    dark_kw = []
    while True:
        dark = unpowered(estate, dead)
        lost = dead_set(estate, dead)
        now = {**flow(estate, "power", dark, dark, load), **flow(estate, "heat", lost, dark, load)}
        history.append(now)
        dark_kw.append(sum(node_kw(estate, n, load) or 0.0 for n in estate.nodes if n.id in dark))
        trips = {name: kw for name, kw in now.items() if _trips(estate.domains[name], kw, before[name])}
        if not trips:
            break
        tripped |= {name: (len(history), kw) for name, kw in trips.items()}
        dead |= set(trips)
    peak = {name: max(flows.get(name, 0.0) for flows in history) for name in history[-1]}
    return NaiveStrict(
        domains={name for name in lost if name in estate.domains},
        nodes={n.id for n in estate.nodes if n.id in lost},
        tripped=tripped,
        survivors={name: (kw, peak[name]) for name, kw in history[-1].items() if over(kw, before[name])},
        before=before,
        rounds=len(history) - 1,
        dark_kw=dark_kw,
        flows=history,
    )


def _trips(domain: Domain, kw: float, before: float) -> bool:
    return domain.rated_kw is not None and over(kw, domain.rated_kw) and over(kw, before)


def agrees(closure: NaiveClosure, check: NaiveStrict) -> bool:
    return closure.nodes == check.nodes and (closure.domains ^ check.domains) <= set(check.tripped)
