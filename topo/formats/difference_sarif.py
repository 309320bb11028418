"""What got worse, and what is wired otherwise, as SARIF 2.1.0 on the lines of the new map."""

import hashlib
from typing import Any, Final

from closure.proof import Hop, Rule
from findings.difference.compare import Change, Difference
from findings.difference.figures import Topic
from findings.difference.wiring import Field, Rewiring
from topo.formats.sarif import location, sarif_log
from topo.places import Files, Place
from topo.text.difference import said
from topo.text.wiring import rewiring_said

_MEANINGS: Final[dict[Topic, str]] = {
    "worst-loss": "The worst single failure takes more than before.",
    "exposure": "The failure of a domain takes more than before.",
    "single-point": "A domain alone stops a critical workload, and did not before.",
    "redundancy": "A domain or node has fewer feeds to spare than before.",
    "rating": "A domain is rated lower than before.",
    "proof": "What survives the failure of a domain was proven safe before, and is no longer.",
    "draw": "The draw of more nodes is unknown than before.",
}
_WIRING: Final = "What a domain is or hangs from, or where a node stands, is not what it was."
_KEYS: Final[dict[Topic, Rule]] = {"redundancy": "feeds-lost", "rating": "tripped"}
"""The rule whose key in the file the change speaks of; else the thing itself."""

_WIRED_BY: Final[dict[Field, Rule]] = {
    "parent": "parent-lost",
    "feeds": "feeds-lost",
    "minFeeds": "feeds-lost",
    "transfer": "feeds-lost",
    "status": "out",
}
"""The same for wiring."""


def difference_sarif(result: Difference, files: Files, path: str, *, version: str) -> dict[str, Any]:
    """Return the log: a warning for what is worse, a note for what is no longer known or wired otherwise.

    Things that were rewired alike are one note, on the line of the first.
    What stands on no line of the new files is reported on the first line of `path`.
    """
    shown = [change for change in result.changes if change.direction in ("worse", "unknown")]
    start = Place(path, 1, 1)
    places = _places(
        files,
        [_hop(change, result, _KEYS.get(change.key.topic, "failed")) for change in shown],
        [_hop(change, result, "failed") for change in shown],
    )
    wired = _places(files, [_wired(each) for each in result.wiring], [_whole(each) for each in result.wiring])
    rules = [{"id": f"diff-{topic}", "shortDescription": {"text": text}} for topic, text in _MEANINGS.items()]
    rules.append({"id": "diff-wiring", "shortDescription": {"text": _WIRING}})
    results = [_result(change, place or start) for change, place in zip(shown, places, strict=True)]
    results += [_note(each, place or start) for each, place in zip(result.wiring, wired, strict=True)]
    return sarif_log(rules, results, version=version)


def _places(files: Files, exact: list[Hop], whole: list[Hop]) -> list[Place | None]:
    """Return where the exact thing is written, else where the whole is."""
    return [one or other for one, other in zip(files.places(exact), files.places(whole), strict=True)]


def _wired(each: Rewiring) -> Hop:
    return Hop(each.ids[0], each.type, _WIRED_BY.get(each.field, "failed"), axis=each.axis)


def _whole(each: Rewiring) -> Hop:
    return Hop(each.ids[0], each.type, "failed")


def _hop(change: Change, result: Difference, rule: Rule) -> Hop:
    key = change.key
    if key.type == "node":
        return Hop(key.id, "node", "failed")
    worst = result.worst_new.id if result.worst_new else ""
    return Hop(key.id if key.type == "domain" else worst, "domain", rule)


def _result(change: Change, place: Place) -> dict[str, Any]:
    key = change.key
    level = "warning" if change.direction == "worse" else "note"
    about = (key.topic, key.type, key.id, key.about or "", key.field)
    return _entry(list(_MEANINGS).index(key.topic), f"diff-{key.topic}", level, said(change), about, place)


def _note(each: Rewiring, place: Place) -> dict[str, Any]:
    about = ("wiring", each.type, each.ids[0], each.axis or "", each.field)
    return _entry(len(_MEANINGS), "diff-wiring", "note", rewiring_said(each), about, place)


def _entry(
    index: int, rule: str, level: str, text: str, about: tuple[str, ...], place: Place
) -> dict[str, Any]:
    return {
        "ruleId": rule,
        "ruleIndex": index,
        "level": level,
        "message": {"text": text},
        "locations": [location(place.file, place.line, place.column)],
        "partialFingerprints": {
            "topoChange/v1": hashlib.sha256("\0".join(about).encode("utf-8", "surrogatepass")).hexdigest()[
                :32
            ]
        },
    }
