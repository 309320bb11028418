"""What a file says first decides nothing: the same estate in another order gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from closure.compiled import compile_facility
from findings.context import Context
from findings.document import findings_document
from findings.headroom.document import headroom_to_json
from findings.headroom.rooms import headroom_report
from findings.scenario import whatif
from findings.scenario_json import whatif_to_json
from findings.sweep_rows import sweep_document, sweep_rows
from tests.findings.small import NOW
from tests.generator import seeded_scenario
from topo.text.findings_sections import sections
from topology.load import load_estate_text
from topology.model import Domain, Estate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LARGE = "two-halls"

T = TypeVar("T")


def shuffled(estate: Estate, order: Random) -> Estate:
    """The same estate: nodes, domains, placements, workloads, loops and shared feeds in another order."""

    def other(things: tuple[T, ...]) -> tuple[T, ...]:
        return tuple(order.sample(things, len(things)))

    def keys(said: Mapping[str, T]) -> dict[str, T]:
        return dict(other(tuple(said.items())))

    def rewired(domain: Domain) -> Domain:
        return domain if domain.transfer == "preferred" else replace(domain, feeds=other(domain.feeds))

    return replace(
        estate,
        nodes=other(estate.nodes),
        domains={name: rewired(domain) for name, domain in keys(estate.domains).items()},
        workloads=other(tuple(replace(job, placements=keys(job.placements)) for job in estate.workloads)),
        loops=other(estate.loops),
    )


def answers(estate: Estate, failures: int) -> dict[str, str]:
    """Every document, as bytes; of the single failures the first ones by id."""
    facility = compile_facility(estate)
    documents = {
        "findings": findings_document(estate, now=NOW),
        "headroom": headroom_to_json(headroom_report(facility)),
        "sweep": sweep_document(sweep_rows(facility), load="allocated"),
        **{name: whatif_to_json(whatif(facility, [name])) for name in sorted(estate.domains)[:failures]},
    }
    return {name: json.dumps(document) for name, document in documents.items()}


def example(name: str) -> Estate:
    loaded = load_estate_text((EXAMPLES / name / "estate.json").read_bytes(), "estate.json")
    assert loaded.value is not None
    return loaded.value


@pytest.mark.parametrize("seed", range(25))
def test_of_estates_built_anew(seed: int) -> None:
    estate = seeded_scenario(seed)[0]
    expected = answers(estate, 30)
    for order in range(2):
        assert answers(shuffled(estate, Random(order)), 30) == expected


@pytest.mark.parametrize("name", ["lab", LARGE])
def test_of_an_example(name: str) -> None:
    """Its ties of headroom and its sums of tenths are what order used to decide."""
    estate = example(name)
    assert answers(shuffled(estate, Random(1)), 12) == answers(estate, 12)


def test_of_the_page_of_findings() -> None:
    estate = example(LARGE)
    shown, other = (list(sections(Context(each, NOW))) for each in (estate, shuffled(estate, Random(2))))
    assert [(each.title, each.rows) for each in shown] == [(each.title, each.rows) for each in other]
