"""A second, naive engine: the oracle that the real one is tested against.

Written from the words of the specification alone: dicts and sets, full recomputation until nothing changes,
no order, no index, nothing shared with the package but the nouns of the model. Slow and obvious on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from topology.model import Domain, Estate, Node, Standing

POWER_KINDS = {"rack", "power", "ups", "transformer", "ats", "switchgear", "generator", "utility"}
TOLERANCE = 1e-9


def carried(domain: Domain) -> str | None:
    """What a domain of this kind carries: power, heat or nothing."""
    if domain.kind in POWER_KINDS:
        return "power"
    return "heat" if domain.kind == "cooling" else None


def over(value: float, limit: float) -> bool:
    """Equality survives, with a relative tolerance."""
    return value > limit + TOLERANCE * abs(limit)


def upstream(domain: Domain) -> set[str]:
    return set(domain.feeds) | ({domain.parent} if domain.parent is not None else set())


def node_kw(estate: Estate, node: Node, load: str) -> float | None:
    """units × kW per unit; unknown where a factor is, unless there are no units."""
    units = node.allocated if load == "allocated" else node.installed
    per_unit = node.kw_per_unit if node.kw_per_unit is not None else estate.watts_per_unit_kw
    if units == 0:
        return 0.0
    return None if units is None or per_unit is None else units * per_unit


# --- spec 3: load ---


def reach(estate: Estate, start: Iterable[str], commodity: str) -> set[str]:
    """Every domain reached from `start` through domains of one commodity only, those of `start` included."""
    seen: set[str] = set()
    todo = list(start)
    while todo:
        name = todo.pop()
        if name not in seen and carried(estate.domains[name]) == commodity:
            seen.add(name)
            todo.extend(upstream(estate.domains[name]))
    return seen


def load_kw(estate: Estate, domain_id: str, load: str = "allocated") -> float | None:
    """load_kw(D): the distinct nodes that reach D through D's own commodity, and loadKw on power domains."""
    commodity = carried(estate.domains[domain_id])
    if commodity is None:
        return None
    total = 0.0
    for node in estate.nodes:
        if domain_id in reach(estate, (i for s in node.standings for i in s.ids), commodity):
            kw = node_kw(estate, node, load)
            if kw is None:
                return None
            total += kw
    if commodity == "power":
        for other in estate.domains.values():
            reached = reach(estate, upstream(other), "power") | {other.id}
            if other.own_load_kw and domain_id in reached:
                total += other.own_load_kw
    return total


def draw_kw(estate: Estate, domain: Domain, load: str) -> float | None:
    """What a domain draws in its feeds' commodity (spec 4 rule 4)."""
    of_feeds = carried(estate.domains[domain.feeds[0]])
    if of_feeds is None:
        return None
    if of_feeds == carried(domain):
        return load_kw(estate, domain.id, load)
    return domain.own_load_kw if of_feeds == "power" else None


# --- spec 4: the closure ---


@dataclass
class NaiveClosure:
    domains: set[str]
    nodes: set[str]
    degraded_domains: set[str]
    degraded_nodes: set[str]
    unverified: dict[str, set[str]]
    """Survivor -> its unrated live feeds."""
    causes: dict[str, str]


def needed(domain: Domain) -> int:
    return domain.min_feeds if domain.min_feeds is not None else 1


def feeds_dead(domain: Domain, lost: set[str]) -> bool:
    return bool(domain.feeds) and sum(f not in lost for f in domain.feeds) < needed(domain)


def demoted(estate: Estate, domain: Domain, lost: set[str], load: str) -> bool:
    alive = [f for f in domain.feeds if f not in lost]
    if not domain.feeds or len(alive) == len(domain.feeds) or len(alive) < needed(domain):
        return False
    ratings = [estate.domains[f].rated_kw for f in alive]
    draw = draw_kw(estate, domain, load)
    if draw is None or any(rating is None for rating in ratings):
        return False
    return over(draw, sum(rating for rating in ratings if rating is not None))


def standing_lost(standing: Standing, lost: set[str]) -> bool:
    if standing.mode == "any":
        return all(i in lost for i in standing.ids)
    return any(i in lost for i in standing.ids)


def close(estate: Estate, failed: Iterable[str], load: str = "allocated") -> NaiveClosure:
    """The least fixpoint of rules 1 to 5, by repetition."""
    failed = set(failed)
    lost = {d.id for d in estate.domains.values() if d.out or d.id in failed}
    while True:
        more = {
            d.id
            for d in estate.domains.values()
            if d.parent in lost or feeds_dead(d, lost) or demoted(estate, d, lost, load)
        }
        if more <= lost:
            break
        lost |= more
    nodes = {n.id for n in estate.nodes if n.id in failed or any(standing_lost(s, lost) for s in n.standings)}
    degraded = {d.id for d in estate.domains.values() if d.id not in lost and any(f in lost for f in d.feeds)}
    return NaiveClosure(
        domains=lost,
        nodes=nodes,
        degraded_domains=degraded,
        degraded_nodes={
            n.id
            for n in estate.nodes
            if n.id not in nodes
            and any(s.mode == "any" and any(i in lost for i in s.ids) for s in n.standings)
        },
        unverified=_unverified(estate, degraded, lost, load),
        causes={name: _cause(estate, estate.domains[name], failed, lost) for name in lost},
    )


def _unverified(estate: Estate, degraded: set[str], lost: set[str], load: str) -> dict[str, set[str]]:
    found = {}
    for name in degraded:
        domain = estate.domains[name]
        if carried(estate.domains[domain.feeds[0]]) is None:
            continue
        unrated = {f for f in domain.feeds if f not in lost and estate.domains[f].rated_kw is None}
        if unrated or draw_kw(estate, domain, load) is None:
            found[name] = unrated
    return found


def _cause(estate: Estate, domain: Domain, failed: set[str], lost: set[str]) -> str:
    if domain.id in failed:
        return "failed"
    if domain.out:
        return "out"
    if domain.parent in lost:
        return "parent-lost"
    return "feeds-lost" if feeds_dead(domain, lost) else "demoted"


# --- spec 4: the strict electrical check ---


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


def losses_by_failure(estate: Estate, load: str = "allocated") -> Mapping[str, NaiveClosure]:
    """The closure of every single-domain failure."""
    return {name: close(estate, [name], load) for name in estate.domains}
