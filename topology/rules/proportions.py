"""Figures of one domain beside those of what feeds it, and overloads beside the rating they are a part of."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from topology.diagnostics import Fault
from topology.model import Domain, Number
from topology.rules.common import commodity, fault, quoted
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes

FEEDS_RATIO: Final = 10
"""Ratio [-] of a rating or a draw to the rating of all that carries it, from which another unit is more
likely: W, kW and MW are 1,000 apart, and equipment is rated at most a few times what feeds it."""

FULL_LOAD_PERCENT: Final = 100
"""Load [% of the rating] from which equipment is overloaded."""

_SHARE: Final = 10
"""Below this [-] a percentage below the rating was probably meant as a multiple of it: 1.25 for 125."""

_HINT: Final = "kW in both, not W or MW? Write both in kW; leave out what is unknown."


def beyond_its_feeds(facts: Facts, routes: "Routes") -> list[Fault]:
    """A rating or an own draw at least 10 times the rating of its parent, or of all its feeds together."""
    faults = []
    for domain in facts.declared:
        for key, named, kw, carried in _figures(domain):
            for ids in filter(None, ((domain.parent,) if domain.parent else (), domain.feeds)):
                sources = [facts.domains[each] for each in ids if each in facts.domains]
                rated = [each.rated_kw for each in sources if each.rated_kw is not None]
                alike = all(commodity(each) == carried for each in sources)
                if not alike or len(rated) < len(ids) or kw < FEEDS_RATIO * sum(rated):
                    continue
                faults.append(
                    fault(
                        "implausible-rating",
                        f"'{domain.id}' {named} {_kw(kw)}, and {_rated(ids, sum(rated))}",
                        routes.domain(domain.id, key),
                        _HINT,
                        [domain.id, *ids],
                        related=tuple((routes.domain(each, "ratedKw"), "rated here") for each in ids),
                    )
                )
                break
    return faults


def _figures(domain: Domain) -> Iterator[tuple[str, str, Number, str | None]]:
    """Yield a domain's figures: the key, what it says, the kW, and what must carry them."""
    if domain.rated_kw is not None and commodity(domain):
        yield "ratedKw", "is rated", domain.rated_kw, commodity(domain)
    if domain.own_load_kw:
        yield "loadKw", "draws", domain.own_load_kw, "power"


def _rated(ids: Sequence[str], rated_kw: Number) -> str:
    if len(ids) == 1:
        return f"'{ids[0]}', which feeds it, is rated {_kw(rated_kw)}"
    return f"all that feeds it, {quoted(ids)}, is rated {_kw(rated_kw)} together"


def overload_below_rating(facts: Facts, routes: "Routes") -> list[Fault]:
    """An overload of less than 100 percent of the rating: no overload, and often a multiple of the rating."""
    faults = []
    for domain in facts.declared:
        below = [point.percent for point in domain.overload if point.percent < FULL_LOAD_PERCENT]
        if not below:
            continue
        percent = min(below)
        meant = f" {percent * FULL_LOAD_PERCENT:.10g}?" if 1 <= percent < _SHARE else ""
        faults.append(
            fault(
                "implausible-rating",
                f"'{domain.id}' has an overload of {percent:,.10g} %: below 100 % nothing is overloaded",
                routes.domain(domain.id, "overload"),
                f"Percent of the rating:{meant or ' 125 is a quarter more than it.'}",
                [domain.id],
            )
        )
    return faults


def overload_longer_for_more(facts: Facts, routes: "Routes") -> list[Fault]:
    """An overload that is carried longer than a smaller one."""
    faults = []
    for domain in facts.declared:
        listed = sorted(domain.overload, key=lambda point: (point.percent, point.seconds))
        pair = next((pair for pair in pairwise(listed) if pair[0].seconds < pair[1].seconds), None)
        if pair is None:
            continue
        less, more = pair
        faults.append(
            fault(
                "implausible-rating",
                f"'{domain.id}' carries {more.percent:,.10g} % for {more.seconds:,.10g} s, but "
                f"{less.percent:,.10g} % for {less.seconds:,.10g} s",
                routes.domain(domain.id, "overload"),
                "Less is carried at least as long: swap the times, or correct the percentages.",
                [domain.id],
            )
        )
    return faults


def _kw(value: Number) -> str:
    return f"{value:,.10g} kW"
