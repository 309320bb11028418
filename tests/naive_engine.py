"""A second, naive engine: the oracle that the real one is tested against.

Written from the words of the specification alone: dicts and sets, full recomputation until nothing changes,
no order, no index, nothing shared with the package but the nouns of the model. Slow and obvious on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable
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
