"""What the loss of one feed does to each domain that has several (methodology: Rated-feed demotion)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from closure.cascade import close
from closure.compiled import Facility
from closure.tolerance import exceeds


@dataclass(frozen=True, slots=True)
class FeedLoss:
    """A domain after the loss of one more of its feeds, with enough feeds left on paper.

    `rated_kw` is the survivors' combined rating [kW], None where one has none; `draw_kw` what the domain
    draws from them [kW], None where unknown. `demoted` is None where that cannot be decided.
    """

    domain: str
    lost_feed: str
    survivors: tuple[str, ...]
    unrated: tuple[str, ...]
    rated_kw: float | None
    draw_kw: float | None

    @property
    def demoted(self) -> bool | None:
        """Whether the survivors cannot carry the draw; equality survives."""
        if self.rated_kw is None or self.draw_kw is None:
            return None
        return exceeds(self.draw_kw, self.rated_kw)


def feed_losses(facility: Facility) -> Iterator[FeedLoss]:
    """Yield each loss of one live feed that leaves a domain enough of them, by domain and feed.

    Only feeds that carry power or heat: a spine's links have nothing electrical to verify. What is out of
    service, and what it takes along, is gone before.
    """
    gone = {facility.domain_index[lost.id] for lost in close(facility, ()).domains}
    for domain_id in sorted(facility.domain_ids):
        d = facility.domain_index[domain_id]
        if d in gone or facility.feeds_commodity[d] is None:
            continue
        live = [feed for feed in facility.feeds[d] if feed not in gone]
        if len(live) - 1 < facility.needed[d]:
            continue
        for lost in sorted(live, key=facility.domain_ids.__getitem__):
            yield _loss(facility, d, lost, [feed for feed in live if feed != lost])


def _loss(facility: Facility, d: int, lost: int, survivors: list[int]) -> FeedLoss:
    ids = facility.domain_ids
    ratings = [facility.rated_kw[feed] for feed in survivors]
    rated = [kw for kw in ratings if kw is not None]
    return FeedLoss(
        domain=ids[d],
        lost_feed=ids[lost],
        survivors=tuple(sorted(ids[feed] for feed in survivors)),
        unrated=tuple(sorted(ids[feed] for feed in survivors if facility.rated_kw[feed] is None)),
        rated_kw=math.fsum(rated) if len(rated) == len(ratings) else None,
        draw_kw=facility.draws_kw[d],
    )
