"""The rules of validation that look at meaning: one function each, one module per family (spec 1).

Rules about text and shape (yaml-syntax, json-syntax, duplicate-key, schema, ambiguous-list, slurm-file)
are the loader's; load-mismatch and overcommitted need flows and are the closure's.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from topology.diagnostics import Fault
from topology.rules.chains import cycle, dangling_feed, self_feed
from topology.rules.common import Body
from topology.rules.facts import Domains, Facts, Nodes
from topology.rules.feeds import min_feeds, mixed_commodity, repeated_feed
from topology.rules.gaps import lone_feed, parent_among_feeds, power_from_cooling
from topology.rules.look_alikes import look_alike_ids
from topology.rules.names import likely_typo, undeclared_domain
from topology.rules.order import unusual_order, upside_down
from topology.rules.plausible import implausible_rating
from topology.rules.proportions import beyond_its_feeds, overload_below_rating, overload_longer_for_more
from topology.rules.ratings import misplaced_rating, ride_through_optimistic
from topology.rules.redundancy import fake_redundancy
from topology.rules.standings import axis_kind, split_rack, standing_conflict

if TYPE_CHECKING:
    from topology.routes import Routes

Rule = Callable[[Domains, Nodes, "Routes"], list[Fault]]


def implausible_figures(facts: Facts, routes: "Routes") -> list[Fault]:
    """A figure that no such equipment has, or that its siblings, its feeds or its rating contradict."""
    alone = implausible_rating(facts, routes)
    doubted = {fault.ids[0] for fault in alone}
    beside = beyond_its_feeds(facts, routes)
    return [
        *alone,
        *(fault for fault in beside if doubted.isdisjoint(fault.ids)),
        *overload_below_rating(facts, routes),
        *overload_longer_for_more(facts, routes),
    ]


_BODIES: Final[dict[str, Body]] = {
    "cycle": cycle,
    "self-feed": self_feed,
    "dangling-feed": dangling_feed,
    "repeated-feed": repeated_feed,
    "axis-kind": axis_kind,
    "upside-down": upside_down,
    "unusual-order": unusual_order,
    "mixed-commodity": mixed_commodity,
    "min-feeds": min_feeds,
    "misplaced-rating": misplaced_rating,
    "standing-conflict": standing_conflict,
    "likely-typo": likely_typo,
    "undeclared-domain": undeclared_domain,
    "fake-redundancy": fake_redundancy,
    "ride-through-optimistic": ride_through_optimistic,
    "implausible-rating": implausible_figures,
    "split-rack": split_rack,
    "lone-feed": lone_feed,
    "parent-among-feeds": parent_among_feeds,
    "power-from-cooling": power_from_cooling,
    "look-alike-ids": look_alike_ids,
}


def _alone(body: Body) -> Rule:
    def rule(domains: Domains, nodes: Nodes, routes: "Routes") -> list[Fault]:
        return body(Facts(domains, nodes), routes)

    rule.__doc__ = body.__doc__
    return rule


RULES: Final[dict[str, Rule]] = {name: _alone(body) for name, body in _BODIES.items()}
"""Every rule by id, to be called alone. `check` runs them all over one walk of the model."""


def check(domains: Domains, nodes: Nodes, routes: "Routes") -> list[Fault]:
    """Return the faults of every rule, in rule order, then by id.

    The model may be partial (whatever could be read of a faulty file). `domains` holds the declared ones
    and the implicit roots; a domain of a kind that is not known takes no part in rules about kinds.
    """
    facts = Facts(domains, nodes)
    return [fault for body in _BODIES.values() for fault in body(facts, routes)]
