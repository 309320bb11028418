"""How spread the allocation is over the domains of a kind (methodology: Allocation entropy)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from findings.amounts import total
from findings.index import EstateIndex
from topology.chains import hangs_from
from topology.model import Number


@dataclass(frozen=True, slots=True)
class Entropy:
    """One kind's reading over its lowest domains. Everything is None where no unit stands on any of them.

    `units` are allocated units per domain, every lowest domain named, by id. `effective` = exp(h) [domains].
    """

    kind: str
    units: Mapping[str, Number]
    h: float | None
    h_norm: float | None
    effective: float | None
    top_domain: str | None
    top_share: float | None


def lowest_domains(index: EstateIndex) -> dict[str, list[str]]:
    """Return, per kind, the domains from which no domain of the same kind hangs, directly or not (spec 5)."""
    domains = index.estate.domains
    kinds_below: dict[str, set[str]] = {domain_id: set() for domain_id in domains}
    for domain_id in reversed(index.parents_first):
        domain = domains[domain_id]
        for up in hangs_from(domain):
            kinds_below[up] |= {domain.kind, *kinds_below[domain_id]}
    found: dict[str, list[str]] = {}
    for domain_id in sorted(domains):
        kind = domains[domain_id].kind
        if kind not in kinds_below[domain_id]:
            found.setdefault(kind, []).append(domain_id)
    return found


def entropies(index: EstateIndex) -> tuple[Entropy, ...]:
    """Return one reading per kind of domain, by kind; a node counts in each domain that it stands on."""
    unknown = any(node.allocated is None for node in index.estate.nodes)
    standing: dict[str, list[Number]] = {}
    for group in index.groups:
        units = total(node.allocated for node in group if node.allocated)
        for domain_id in index.stands_on(group[0]) if units else ():
            standing.setdefault(domain_id, []).append(units)
    lowest = lowest_domains(index)
    return tuple(
        entropy(
            kind,
            {domain_id: total(standing.get(domain_id, ())) for domain_id in lowest[kind]},
            unknown=unknown,
        )
        for kind in sorted(lowest)
    )


def entropy(kind: str, units: Mapping[str, Number], *, unknown: bool = False) -> Entropy:
    """Return H = −Σ p ln p, H / ln(max(2, domain_count)), exp(H) and the top share."""
    everywhere = total(units.values())
    if unknown or not everywhere:
        return Entropy(kind, units, None, None, None, None, None)
    shares = [amount / everywhere for amount in units.values() if amount]
    h = max(0.0, -math.fsum(p * math.log(p) for p in shares))
    top = min(units, key=lambda domain_id: (-units[domain_id], domain_id))
    # Rounding alone can lift an even spread an ULP above its bound.
    h_norm = min(1.0, h / math.log(max(2, len(units))))
    return Entropy(kind, units, h, h_norm, math.exp(h), top, units[top] / everywhere)
