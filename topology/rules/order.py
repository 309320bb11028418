"""Chains in an impossible or an unusual order."""

from typing import TYPE_CHECKING, Final

from topology.chains import Chains
from topology.diagnostics import Fault
from topology.kinds import KINDS, is_facility
from topology.rules.chains import named_upstream, where_named
from topology.rules.common import commodity, fault
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes

_UNUSUAL: Final = {"transformer": "ups", "ups": "power"}
"""Kind -> the kind that is rarely found upstream of it."""

_WORDS: Final = {"transformer": "transformer", "ups": "UPS", "power": "PDU"}


def upside_down(facts: Facts, routes: "Routes") -> list[Fault]:
    """A rack, or a kind that carries nothing, upstream of facility equipment.

    The first such hop of a chain is always a direct one. A rack may hang from a row or a room: it stands
    there.
    """
    feeding_nothing = {
        domain.id: domain.kind
        for domain in facts.domains.values()
        if domain.kind in KINDS and (domain.kind == "rack" or commodity(domain) is None)
    }
    return [
        fault(
            "upside-down",
            f"'{domain.id}' ({domain.kind}) hangs from '{upstream}', a {feeding_nothing[upstream]}, which "
            "feeds no power or cooling equipment",
            route,
            f"Turn it round ('{upstream}' hangs from '{domain.id}'), or name the equipment that "
            f"feeds '{domain.id}'.",
            [domain.id, upstream],
        )
        for domain in facts.declared
        if domain.kind in KINDS
        and is_facility(domain.kind)
        and (domain.parent in feeding_nothing or not feeding_nothing.keys().isdisjoint(domain.feeds))
        for upstream, route in named_upstream(domain, routes)
        if upstream in feeding_nothing
    ]


def unusual_order(facts: Facts, routes: "Routes") -> list[Fault]:
    """A transformer below a UPS, or a UPS below a PDU, with anything in between."""
    if not _UNUSUAL.keys() & {domain.kind for domain in facts.domains.values()}:
        return []
    chains = facts.chains
    kinds = [facts.domains[domain_id].kind for domain_id in chains.ids]
    faults = []
    for below, above in _UNUSUAL.items():
        if above not in _kinds_upstream(chains, kinds, below):
            continue
        for i, (hop, source) in sorted(_first_above(chains, kinds, above).items()):
            if kinds[i] == below:
                domain, upstream, far = (chains.ids[n] for n in (i, hop, source))
                faults.append(
                    fault(
                        "unusual-order",
                        f"'{domain}', a {_WORDS[below]}, is below '{far}', a {_WORDS[above]}",
                        where_named(facts.domains[domain], upstream, routes),
                        "Legal: leave it if the plant is built so, else swap the two.",
                        [domain, far],
                    )
                )
    return faults


def _kinds_upstream(chains: Chains, kinds: list[str], kind: str) -> set[str]:
    """Return the kinds of everything upstream of the domains of one kind: few domains, in most plants."""
    queue = [up for i, ups in enumerate(chains.upstream) if kinds[i] == kind for up in ups]
    seen = set(queue)
    for i in queue:
        fresh = [up for up in chains.upstream[i] if up not in seen]
        seen.update(fresh)
        queue += fresh
    return {kinds[i] for i in seen}


def _first_above(chains: Chains, kinds: list[str], kind: str) -> dict[int, tuple[int, int]]:
    """Return, for each domain below one of `kind`, the hop that leads there and that one."""
    found: dict[int, tuple[int, int]] = {}
    for i in chains.order:
        for hop in chains.upstream[i]:
            if kinds[hop] == kind:
                found[i] = (hop, hop)
                break
            if hop in found:
                found[i] = (hop, found[hop][1])
                break
    return found
