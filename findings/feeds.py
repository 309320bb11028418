"""What the loss of one feed does to each domain that has several (methodology: Rated-feed demotion)."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from closure.compiled import NONE, Facility
from closure.single_losses import SingleLosses, single_losses
from closure.tolerance import exceeds


@dataclass(frozen=True, slots=True)
class FeedLoss:
    """A domain after the failure of one of its feeds, which leaves it its parent and enough feeds.

    `taken` are its feeds that the failure takes along, `survivors` those that are left. `rated_kw` is the
    survivors' combined rating [kW], None where one has none; `draw_kw` what the domain draws from them [kW],
    None where unknown. `demoted` is None where that cannot be decided.
    """

    domain: str
    lost_feed: str
    taken: tuple[str, ...]
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
    """Yield each failure of one live feed that leaves a domain enough of them, by domain and feed.

    What is left is what the closure of that failure leaves: a feed that hangs from the one that fails goes
    with it, and where too few are left, or the parent goes, the domain is lost and not demoted. Only feeds
    that carry power or heat: a spine's links have nothing electrical to verify. What is out of service, and
    what it takes along, is gone before.
    """
    losses = single_losses(facility)
    gone = losses.baseline_domains
    for domain_id in sorted(facility.domain_ids):
        d = facility.domain_index[domain_id]
        if d in gone or facility.feeds_commodity[d] is None:
            continue
        live = [feed for feed in facility.feeds[d] if feed not in gone]
        if len(live) - 1 < facility.needed[d]:
            continue
        for lost in sorted(live, key=facility.domain_ids.__getitem__):
            parent = facility.parent[d]
            if parent != NONE and _takes(losses, lost, parent):
                continue
            survivors = [feed for feed in live if not _takes(losses, lost, feed)]
            if len(survivors) >= facility.needed[d]:
                yield _loss(facility, d, lost, live, survivors)


def _takes(losses: SingleLosses, failed: int, domain: int) -> bool:
    """Return whether one domain's failure loses another that stands in the baseline."""
    behind = losses.domains[failed]
    place = bisect_left(behind, domain)
    return failed == domain or (place < len(behind) and behind[place] == domain)


def _loss(facility: Facility, d: int, lost: int, live: Sequence[int], survivors: Sequence[int]) -> FeedLoss:
    ids = facility.domain_ids
    return FeedLoss(
        domain=ids[d],
        lost_feed=ids[lost],
        taken=tuple(sorted(ids[feed] for feed in {*live} - {*survivors, lost})),
        survivors=tuple(sorted(ids[feed] for feed in survivors)),
        unrated=tuple(sorted(ids[feed] for feed in survivors if facility.rated_kw[feed] is None)),
        rated_kw=facility.combined_rating(survivors),
        draw_kw=facility.draws_kw[d],
    )
