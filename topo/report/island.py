"""The data behind a click: every single failure with its exact figures, sparse, for the page's script.

Lists of ascending indices are written as differences; figures are those of `topo whatif`, unrounded.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from findings.context import Context
from findings.scenario import WhatIf
from findings.tally import Tally
from topo.diagram.palette import BORDERS
from topo.diagram.states import DEAD, DEAD_IN_STRICT, LOOKS, State
from topo.diagram.svg import STRIPS
from topo.kind_words import kind_word
from topo.report.detail import Details, detail
from topo.report.drawings import CloseUp, Overview, detail_limit
from topo.report.failures import Failure, strict_words
from topo.report.states import Fates
from topo.text.casualties import grave_summary
from topo.text.clean import clean
from topo.text.verdict import all_critical, unit_word
from topo.text.whatif import BASIS_WORDS
from topology.model import Estate

DETAILS = 600
"""The most failures whose lists (workloads, trips, races, services) travel in the page."""
DETAIL_CHARACTERS = 700_000
"""How much of the page those lists may take [characters]."""

_STATES: dict[State, int] = {state: code for code, state in enumerate(LOOKS)}


def island(ctx: Context, ranked: Sequence[Failure], drawn: Overview, close: Sequence[CloseUp]) -> str:
    """Return the page's data as JSON."""
    survey = ctx.survey()
    facility = survey.facility
    document = {
        "unit": [unit_word(ctx.estate, 1), unit_word(ctx.estate, 2)],
        "nodeCount": len(facility.node_ids),
        "states": [_look(state) for state in LOOKS],
        "strips": STRIPS,
        "basisWords": BASIS_WORDS,
        "domains": [
            [clean(name), kind_word(facility.estate.domains[name].kind)] for name in facility.domain_ids
        ],
        "on": [
            [*survey.standing(name), int(survey.criticality_unknown_on(name))] for name in facility.domain_ids
        ],
        "allCritical": all_critical(ctx.index.critical_total),
        "nodes": [clean(name) for name in facility.node_ids],
        "groups": [differences(group.nodes) for group in facility.groups],
        "overview": _overview(ctx, drawn),
        "closeUps": [each.domain for each in close],
        "ranking": [one.domain for one in ranked],
        "failures": [_failure(one, ctx.estate) for one in sorted(ranked, key=lambda one: one.domain)],
        **_details(ctx, ranked, {each.domain: each.result for each in close}),
    }
    return json.dumps(document, separators=(",", ":"), allow_nan=False)


def differences(ascending: Iterable[int]) -> list[int]:
    """Return ascending indices as the first one and the steps between them.

    >>> differences([3, 4, 9])
    [3, 1, 5]
    """
    found, last = [], 0
    for index in ascending:
        found.append(index - last)
        last = index
    return found


def figures(tally: Tally) -> list[Any]:
    """Return a tally's figures in the order that the script knows."""
    return [
        tally.nodes,
        tally.units,
        tally.critical_units,
        tally.critical_share,
        tally.units_stalled,
        tally.amplification,
        tally.usd,
        tally.gang_usd,
        tally.unpriced_workloads,
        int(tally.criticality_unknown),
        int(tally.unknown > 0),
        int(tally.gang_unknown > 0),
    ]


def _look(state: State) -> dict[str, Any]:
    look, border = LOOKS[state], BORDERS[state]
    return {
        "name": state,
        "glyph": look.glyph,
        "word": look.word,
        "means": look.means,
        "strip": border.strip,
        "dead": state in DEAD,
        "deadInStrict": state in DEAD | DEAD_IN_STRICT,
    }


def _overview(ctx: Context, drawn: Overview) -> dict[str, Any]:
    facility = ctx.survey().facility
    boxes = []
    for box in drawn.boxes:
        if box.kind == "nodes":
            of_groups = {facility.node_group[facility.node_index[name]] for name in box.members}
            boxes.append({"key": box.key, "groups": differences(sorted(of_groups))})
        else:
            members = sorted(facility.domain_index[name] for name in box.members)
            boxes.append({"key": box.key, "domains": differences(members)})
    keys = {box.key: position for position, box in enumerate(drawn.boxes)}
    return {"boxes": boxes, "hubs": [keys[hub] for hub in drawn.hubs]}


def _failure(one: Failure, estate: Estate) -> dict[str, Any]:
    row: dict[str, Any] = {
        "c": figures(one.closure),
        "d": one.lost_domains,
        "b": list(one.basis),
        **({} if one.fates is None else _states(one.fates)),
    }
    if one.strict != one.closure:
        row["t"] = figures(one.strict)
    if not one.agrees:
        row["w"] = one.worse
        row["v"] = strict_words(one)
    if one.strict_domains != one.lost_domains:
        row["e"] = one.strict_domains
    if grave := grave_summary(one.grave, estate):
        row["q"] = grave
    if one.unproven:
        row["u"] = 1
    return row


def _states(fates: Fates) -> dict[str, Any]:
    by_state: dict[int, list[int]] = {}
    for d in sorted(fates.domains):
        by_state.setdefault(_STATES[fates.domains[d]], []).append(d)
    row: dict[str, Any] = {
        "s": [[code, differences(found)] for code, found in sorted(by_state.items())],
        "g": differences(fates.lost),
    }
    if fates.strict:
        row["h"] = differences(fates.strict)
    if fates.degraded:
        row["i"] = differences(fates.degraded)
    if fates.unplaced:
        row["j"] = differences(fates.unplaced)
    return row


def _details(ctx: Context, ranked: Sequence[Failure], done: Mapping[int, WhatIf]) -> dict[str, Any]:
    """The lists of as many failures as the page has room for, the worst first. `done`: results at hand."""
    shared, left = Details(ctx), DETAIL_CHARACTERS
    found: dict[str, Any] = {}
    for one in ranked[: detail_limit(ctx.survey().facility, DETAILS)]:
        row = detail(shared, one, done.get(one.domain))
        left -= len(json.dumps(row, separators=(",", ":")))
        if left < 0:
            break
        found[str(one.domain)] = row
    return {"details": found, "texts": shared.texts, "workloads": shared.workloads}
