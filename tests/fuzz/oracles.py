"""What every input must do: be accepted and hold, or be refused at a place inside the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from random import Random
from typing import Any

from closure.cascade import close
from closure.compiled import compile_facility
from closure.strict import strict_check
from tests.fuzz.invariants import violations
from topology.bare import estate_of
from topology.diagnostics import Diagnostic
from topology.dump import estate_to_json, topology_to_json
from topology.load import LoadResult, load_estate_text, load_topology_text
from topology.model import Estate, Topology

NOW = "2026-12-01T00:00:00Z"
ACCEPTED = "accepted"
_PARTICULARS = re.compile(r"'[^']*'|\"[^\"]*\"|[\d.,]+|\S*\.\.\.")


class Broken(AssertionError):
    """A law that an input broke."""


def require(law: object, said: str) -> None:
    """Raise `Broken` where a law does not hold."""
    if not law:
        raise Broken(said)


def judge(result: LoadResult[Any], dice: Random) -> set[str]:
    """Hold a loaded file to every law; return what was remarkable about it, for the search to follow."""
    errors = [each for each in result.diagnostics if each.severity == "error"]
    require((result.value is None) == bool(errors), "accepted with an error, or refused without one")
    for each in result.diagnostics:
        _placed(each, result)
    if dice.random() < 0.02:
        _judges_agree(result)
    features = {_template(each) for each in result.diagnostics}
    if isinstance(result.value, Topology | Estate):
        features |= accepted(result.value, dice)
    return features


def accepted(value: Topology | Estate, dice: Random) -> set[str]:
    """Hold an accepted value to every law; return what it has."""
    broken = next(violations(value), None)
    require(broken is None, f"accepted although {broken}")
    _comes_back(value)
    estate = estate_of(value) if isinstance(value, Topology) else value
    _closes(estate, dice)
    if isinstance(value, Estate) and dice.random() < 0.04:
        _analyses(value)
    return (
        {ACCEPTED}
        | {f"kind {domain.kind}" for domain in value.domains.values()}
        | {f"{standing.axis} {standing.mode}" for node in estate.nodes for standing in node.standings}
    )


def _placed(each: Diagnostic, result: LoadResult[Any]) -> None:
    require(each.message and each.hint, f"{each.rule} without a word or a hint")
    for line, column in ((each.line, each.column), *((place[0], place[1]) for place in each.related)):
        text = result.source.line(line)
        require(
            line >= 1 and 1 <= column <= len(text) + 2, f"{each.rule} at {line}:{column}, outside the file"
        )


def _template(each: Diagnostic) -> str:
    """A diagnostic without its particulars: two of one template were found by the same branch."""
    return f"{each.rule} {_PARTICULARS.sub('', each.message)[:80]}"


def _judges_agree(result: LoadResult[Any]) -> None:
    from topo.validation import disagreement

    said = disagreement(result)
    require(said is None, f"the two judges disagree: {said}")


def _comes_back(value: Topology | Estate) -> None:
    """Dumped and loaded again, it is equal."""
    if isinstance(value, Topology):
        text = json.dumps(topology_to_json(value), allow_nan=False)
        again: LoadResult[Any] = load_topology_text(text, "topology.json")
    else:
        text = json.dumps(estate_to_json(value), allow_nan=False)
        again = load_estate_text(text, "estate.json")
    require(again.value is not None, f"written back, it is refused: {_first(again.diagnostics)}")
    require(again.value == value, "written back and read again, it is another")


def _first(diagnostics: Iterable[Diagnostic]) -> str:
    return next((str(each) for each in diagnostics if each.severity == "error"), "without a reason")


def _closes(estate: Estate, dice: Random) -> None:
    """It compiles, and whatever fails in it is lost."""
    facility = compile_facility(estate)
    names = [*estate.domains, *(node.id for node in estate.nodes)]
    failed = dice.sample(names, min(len(names), 2))
    closure = close(facility, failed)
    check = strict_check(facility, failed, closure)
    for lost in (
        {*(d.id for d in closure.domains), *(n.id for n in closure.nodes)},
        {*check.domains, *check.nodes},
    ):
        require(lost >= set(failed), "something failed and is not lost")


def _analyses(estate: Estate) -> None:
    """Every figure can be computed, and written as JSON without NaN or Infinity."""
    from findings.document import findings_document
    from findings.scenario import whatif, whatif_to_json

    json.dumps(findings_document(estate, now=NOW), allow_nan=False)
    facility = compile_facility(estate, "installed")
    for name in sorted(estate.domains)[:2]:
        json.dumps(whatif_to_json(whatif(facility, [name])), allow_nan=False)
