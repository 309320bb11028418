"""What got worse, as SARIF 2.1.0 on the lines of the new map."""

import hashlib
from typing import Any, Final

from closure.proof import Hop, Rule
from findings.difference import Change, Difference, Topic
from topo.formats.sarif import location, sarif_log
from topo.places import Files, Place
from topo.text.difference import said

_MEANINGS: Final[dict[Topic, str]] = {
    "worst-loss": "The worst single failure takes more than before.",
    "exposure": "The failure of a domain takes more than before.",
    "single-point": "A domain alone stops a critical workload, and did not before.",
    "redundancy": "A domain or node has fewer feeds to spare than before.",
    "rating": "A domain is rated lower than before.",
}
_KEYS: Final[dict[Topic, Rule]] = {"redundancy": "feeds-lost", "rating": "tripped"}
"""The rule whose key in the file the change speaks of; else the thing itself."""


def difference_sarif(result: Difference, files: Files, path: str, *, version: str) -> dict[str, Any]:
    """Return the log: a warning for what is worse, a note for what is no longer known.

    What stands on no line of the new files is reported on the first line of `path`.
    """
    shown = [change for change in result.changes if change.direction in ("worse", "unknown")]
    exact = files.places([_hop(change, result, _KEYS.get(change.key.topic, "failed")) for change in shown])
    whole = files.places([_hop(change, result, "failed") for change in shown])
    start = Place(path, 1, 1)
    rules = [{"id": f"diff-{topic}", "shortDescription": {"text": text}} for topic, text in _MEANINGS.items()]
    results = [
        _result(change, place or fallback or start)
        for change, place, fallback in zip(shown, exact, whole, strict=True)
    ]
    return sarif_log(rules, results, version=version)


def _hop(change: Change, result: Difference, rule: Rule) -> Hop:
    key = change.key
    if key.type == "node":
        return Hop(key.id, "node", "failed")
    worst = result.worst_new.id if result.worst_new else ""
    return Hop(key.id if key.type == "domain" else worst, "domain", rule)


def _result(change: Change, place: Place) -> dict[str, Any]:
    key = change.key
    text = "\0".join((key.topic, key.type, key.id, key.about or "", key.field))
    return {
        "ruleId": f"diff-{key.topic}",
        "ruleIndex": list(_MEANINGS).index(key.topic),
        "level": "warning" if change.direction == "worse" else "note",
        "message": {"text": said(change)},
        "locations": [location(place.file, place.line, place.column)],
        "partialFingerprints": {
            "topoChange/v1": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        },
    }
