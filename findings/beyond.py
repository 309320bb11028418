"""What the graph shows beyond the methodology, at one kind of load: computed once, as values and as rows."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from findings.casualties import QuorumLosses, Shortfalls, quorum_losses, shortfalls
from findings.electrical import Meter, Rated, meters, rated_domains
from findings.feeds import FeedLoss, feed_losses
from findings.single_points import SinglePoints, single_points
from findings.survey import Survey
from findings.worst_survivor import WorstSurvivor, worst_survivors


@dataclass(frozen=True, eq=False)
class Beyond:
    """The findings of one survey; `unrated` is the same estate, all ratings ignored. Not slotted: kept."""

    survey: Survey
    unrated: Survey

    @cached_property
    def feed_losses(self) -> dict[str, list[FeedLoss]]:
        """Domain id -> what the loss of each of its feeds does, for domains that keep enough of them."""
        found: dict[str, list[FeedLoss]] = {}
        for loss in feed_losses(self.survey.facility):
            found.setdefault(loss.domain, []).append(loss)
        return found

    @cached_property
    def rated(self) -> tuple[Rated, ...]:
        """Every rated domain with its flow."""
        return tuple(rated_domains(self.survey.facility))

    @cached_property
    def meters(self) -> tuple[Meter, ...]:
        """Every metered domain with its flow."""
        return tuple(meters(self.survey.facility))

    @cached_property
    def worst_survivors(self) -> tuple[WorstSurvivor, ...]:
        """The worst survivor of every single failure."""
        return worst_survivors(self.survey.facility)

    @cached_property
    def single_points(self) -> tuple[SinglePoints, ...]:
        """The single points of every critical workload."""
        return single_points(self.survey, self.unrated)

    @cached_property
    def shortfalls(self) -> tuple[Shortfalls, ...]:
        """Every service with a `minAvailable`, and the failures that take it below."""
        return shortfalls(self.survey)

    @cached_property
    def quorum_losses(self) -> tuple[QuorumLosses, ...]:
        """Every voting role, and the failures that lose its quorum."""
        return quorum_losses(self.survey)


def beyond_to_json(beyond: Beyond) -> dict[str, Any]:
    """Return the rows behind the findings, by id."""
    return {**_feeds(beyond), **_ratings(beyond), **_structure(beyond), **_casualties(beyond)}


def _feeds(beyond: Beyond) -> dict[str, Any]:
    return {
        "ratedFeedDemotions": [
            {
                "domain": loss.domain,
                "lostFeed": loss.lost_feed,
                "loadKw": loss.draw_kw,
                "survivingRatedKw": loss.rated_kw,
            }
            for losses in beyond.feed_losses.values()
            for loss in losses
            if loss.demoted
        ],
        "electricallyUnverified": [
            {
                "domain": loss.domain,
                "lostFeed": loss.lost_feed,
                "unratedFeeds": list(loss.unrated),
                "drawKnown": loss.draw_kw is not None,
            }
            for losses in beyond.feed_losses.values()
            for loss in losses
            if loss.demoted is None
        ],
    }


def _ratings(beyond: Beyond) -> dict[str, Any]:
    return {
        "overcommitted": [
            {"domain": row.domain, "flowKw": row.flow_kw, "ratedKw": row.rated_kw}
            for row in beyond.rated
            if row.overcommitted
        ],
        "strandedCapacity": [
            {
                "rack": row.domain,
                "strandedKw": row.stranded_kw,
                "flowKw": row.flow_kw if row.exact else None,
                "ratedKw": row.rated_kw,
            }
            for row in beyond.rated
            if row.kind == "rack"
        ],
        "meters": [
            {
                "domain": row.domain,
                "measuredKw": row.measured_kw,
                "modelKw": row.model_kw,
                "mismatch": row.mismatch,
            }
            for row in beyond.meters
        ],
        "worstSurvivors": [
            {
                "failed": row.failed,
                "survivor": row.survivor,
                "afterKw": row.after_kw,
                "ratedKw": row.rated_kw,
                "share": row.share,
            }
            for row in beyond.worst_survivors
        ],
    }


def _structure(beyond: Beyond) -> dict[str, Any]:
    return {
        "singlePoints": [
            {
                "workload": row.workload.id,
                "domains": list(row.honouring),
                "ignoringRatings": list(row.ignoring),
                "stoppedBefore": row.stopped_before,
            }
            for row in beyond.single_points
        ],
        "gangAmplification": [
            {
                "domain": one.domain,
                "unitsStanding": one.tally.units_placed,
                "unitsStalled": one.tally.units_stalled,
                "factor": one.tally.amplification,
            }
            for one in beyond.survey.singles.values()
            if one.tally.amplification is not None
        ],
    }


def _casualties(beyond: Beyond) -> dict[str, Any]:
    return {
        "belowMinAvailable": [
            {
                "workload": row.service.workload.id,
                "minAvailable": row.service.min_available,
                "failures": [
                    {"domain": domain_id, "replicasLeft": left.replicas_left}
                    for domain_id, left in row.failures
                ],
            }
            for row in beyond.shortfalls
            if row.failures
        ],
        "quorum": [
            {
                "cluster": row.cluster,
                "role": row.role,
                "total": row.total,
                "failures": [{"domain": domain_id, "lost": loss.lost} for domain_id, loss in row.failures],
            }
            for row in beyond.quorum_losses
            if row.failures
        ],
    }
