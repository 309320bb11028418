"""Why a box is in its state, in one sentence with the engine's own figures."""

from collections.abc import Sequence

from closure.results import Closure, LostDomain, LostNode, Strict
from topo.text.clean import clean
from topo.text.table import clip
from topo.text.words import number, some

_CLIP = 48
_SHOWN = 4
"""Ids named in a sentence before it says how many more."""


class Reasons:
    """Sentences by id, looked up in the results of one scenario."""

    def __init__(self, closure: Closure, strict: Strict | None) -> None:
        self._of = {entry.id: _lost_node(entry) for entry in closure.nodes}
        self._of |= {
            entry.id: f"lost {_names(entry.lost_feeds)}; left {_names(entry.surviving_feeds)}"
            for entry in closure.degraded
        }
        for entry in closure.electrically_unverified:
            known = f"no rating for {_names(entry.unrated_feeds)}" if entry.unrated_feeds else ""
            draw = "" if entry.draw_known else "its load is unknown"
            gone = self._of.get(entry.id, "")
            self._of[entry.id] = "; ".join(part for part in (gone, known, draw) if part)
        if strict is not None:
            self._of |= {
                trip.id: f"strict check: trips in round {trip.round} under {number(trip.after_kw)} kW, "
                f"rated {number(trip.rated_kw)} kW"
                for trip in strict.tripped
            }
        self._of |= {entry.id: _lost_domain(entry) for entry in closure.domains}

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
