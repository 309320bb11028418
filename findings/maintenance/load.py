"""What carries more while something is out for maintenance, and how near to its rating (beyond)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from closure.bounded import bounded_flows, known_part
from closure.cascade import split_ids
from closure.compiled import Facility
from closure.growth import growth
from closure.strict import Round, simulate
from findings.maintenance.safety import Safety, Scene

TIGHT_SHARE: Final = 0.9
"""[-] From this share of its rating on, the survivor that comes nearest to it is named beside the verdict."""


@dataclass(frozen=True, slots=True)
class CarriesMore:
    """What a survivor carries before the work and during it [kW].

    Of a load that is not exact only a lower bound is known; None where that is nothing, and for no rating.
    """

    id: str
    kind: str
    before_kw: float | None
    during_kw: float | None
    rated_kw: float | None
    before_exact: bool = True
    during_exact: bool = True

    @property
    def share(self) -> float | None:
        """What it carries of its rating during the work [-]; None: unknown."""
        if self.during_kw is None or self.rated_kw is None or not self.during_exact:
            return None
        return self.during_kw / self.rated_kw


def carries_more(scene: Scene, safety: Safety) -> tuple[CarriesMore, ...]:
    """Return what carries more in the last round of the strict check than before the work, tightest first.

    Ranked by the known part of the load; what has no rating comes last.
    """
    _, failed_nodes = split_ids(scene.facility, safety.ids)
    now = _last_round(scene, safety)
    grown = growth(scene.facility, (scene.settled,), (now,), failed_nodes).domains
    return tuple(sorted(_carried(scene, safety, grown, now), key=_tightest))


def ratings_needed(scene: Scene, safety: Safety) -> tuple[CarriesMore, ...]:
    """Return what each domain carries whose missing rating keeps the answer from being known, by id."""
    wanted = {name for doubt in safety.doubts for name in doubt.feeds}
    wanted |= {doubt.id for doubt in safety.doubts if doubt.why == "unrated"}
    if not wanted:
        return ()
    domains = [scene.facility.domain_index[name] for name in sorted(wanted)]
    return tuple(_carried(scene, safety, domains, _last_round(scene, safety)))


def _last_round(scene: Scene, safety: Safety) -> Round:
    return simulate(scene.facility, *split_ids(scene.facility, safety.ids))[-1]


def _carried(scene: Scene, safety: Safety, domains: Iterable[int], now: Round) -> Iterator[CarriesMore]:
    """Yield what some domains carry before the work and in a round of it."""
    facility, before = scene.facility, scene.settled
    _, failed_nodes = split_ids(facility, safety.ids)
    short_before = bounded_flows(facility, before.unpowered, before.lost)
    short = bounded_flows(facility, now.unpowered, now.lost, failed_nodes)
    for d in domains:
        yield CarriesMore(
            facility.domain_ids[d],
            _kind(facility, d),
            known_part(before.flows_kw[d], exact=d not in short_before),
            known_part(now.flows_kw[d], exact=d not in short),
            facility.rated_kw[d],
            d not in short_before,
            d not in short,
        )


def tight(carried: tuple[CarriesMore, ...]) -> CarriesMore | None:
    """Return the survivor that comes nearest to its rating, where that is near; None where none does."""
    return next((each for each in carried if each.share is not None and each.share >= TIGHT_SHARE), None)


def _kind(facility: Facility, d: int) -> str:
    return facility.estate.domains[facility.domain_ids[d]].kind


def _tightest(each: CarriesMore) -> tuple[float, str]:
    share = None if each.rated_kw is None else (each.during_kw or 0.0) / each.rated_kw
    return (1.0 if share is None else -share, each.id)
