"""Why a box is in its state, in one sentence with the engine's own figures."""

from collections.abc import Sequence

from closure.results import LostDomain, LostNode
from topo.diagram.survey import Survey
from topo.text.clean import clean
from topo.text.table import clip
from topo.text.unplaced import SUPPLY_WORDS
from topo.text.words import number, some

_CLIP = 48
_SHOWN = 4
"""Ids named in a sentence before it says how many more."""


class Reasons:
    """Sentences by id, looked up in the results of one scenario."""

    def __init__(self, scene: Survey) -> None:
        closure, strict = scene.closure, scene.strict
        self._of = {entry.id: _lost_node(entry) for entry in closure.nodes}
        self._of |= {
            entry.id: f"lost {_names(entry.lost_feeds)}; left {_names(entry.surviving_feeds)}"
            for entry in closure.degraded
        }
        for name in scene.unsure:
            rated_kw = scene.ground.facility.estate.domains[name].rated_kw
            unknown = "it has no rating" if rated_kw is None else "some of its load is unknown"
            self._add(name, f"load shifts onto it, and {unknown}")
        for node in scene.unplaced:
            self._add(
                node.id,
                f"where its {SUPPLY_WORDS[node.commodity]} comes from is not in the map: it may be lost too",
            )
        for doubt in closure.electrically_unverified:
            known = f"no rating for {_names(doubt.unrated_feeds)}" if doubt.unrated_feeds else ""
            draw = "" if doubt.draw_known else "its load is unknown"
            self._add(doubt.id, "; ".join(part for part in (known, draw) if part))
        if strict is not None:
            self._of |= {
                trip.id: f"strict check: trips in round {trip.round} under {number(trip.after_kw)} kW, "
                f"rated {number(trip.rated_kw)} kW"
                for trip in strict.tripped
            }
        self._of |= {entry.id: _lost_domain(entry) for entry in closure.domains}

    def _add(self, name: str, said: str) -> None:
        self._of[name] = "; ".join(part for part in (self._of.get(name, ""), said) if part)

    def why(self, name: str) -> str:
        """Return the sentence for an id; empty for what is not affected."""
        return self._of.get(name, "")


def _lost_domain(entry: LostDomain) -> str:
    by = _names(entry.by)
    match entry.cause:
        case "failed":
            return "fails in this scenario"
        case "out":
            return "out of service before anything fails"
        case "parent-lost":
            return f"its parent {by} is lost"
        case "feeds-lost":
            return f"its feeds {by} are lost" if len(entry.by) > 1 else f"its feed {by} is lost"
        case "demoted":
            load, rated = number(entry.load_kw), number(entry.surviving_rated_kw)
            survivors = _names(entry.survivors)
            return f"its load of {load} kW is more than the {rated} kW that {survivors} can carry"


def _lost_node(entry: LostNode) -> str:
    if entry.cause == "failed":
        return "fails in this scenario"
    return f"lost on {entry.axis}: {_names(entry.by)}"


def _names(ids: Sequence[str]) -> str:
    return some([clip(clean(name), _CLIP) for name in ids[:_SHOWN]] + list(ids[_SHOWN:]), _SHOWN)
