"""A small run of the fuzzer, what it once found, and that it would notice."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.search import Search
from tests.fuzz.targets import REGRESSIONS, SEPARATOR, TARGETS
from topo import collect
from topology import judge
from topology.diagnostics import Fault

INPUTS = {"topology": 400, "estate": 250, "dcgm": 800, "kubernetes": 120}


@pytest.mark.parametrize("name", TARGETS)
def test_no_law_is_broken(name: str) -> None:
    """The same inputs on every run; python3 dev.py fuzz tries many more."""
    outcome = Search(TARGETS[name], seed=1).run(INPUTS[name], 60, print)
    assert [(one.law, one.text) for one in outcome.found] == []
    assert outcome.accepted >= outcome.inputs // 50
    assert outcome.features > 10


@pytest.mark.parametrize("path", sorted(REGRESSIONS.glob("*")), ids=lambda path: path.name)
@pytest.mark.parametrize("seed", range(6))
def test_what_was_found_before(path: Path, seed: int) -> None:
    """Inputs that once broke a law; the seed chooses the name or the flags that it is tried with."""
    name, _, _ = path.name.partition("-")
    TARGETS[name].check(path.read_bytes(), Random(seed))


def test_a_search_is_repeatable() -> None:
    first, second = (Search(TARGETS["dcgm"], seed=3).run(200, 60, print) for _ in "ab")
    assert (first.accepted, first.features) == (second.accepted, second.features)


class TestItWouldNotice:
    """Faults that the laws are there for, planted."""

    def test_an_exception(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(collect, "_float", float)
        found = Search(TARGETS["dcgm"], seed=0).run(2000, 60, print).found
        assert any("ValueError" in one.law for one in found)

    def test_it_is_made_short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(collect, "_float", float)
        (found, *_) = Search(TARGETS["dcgm"], seed=0).run(2000, 60, print).found
        assert len(found.text) < 40

    def test_something_accepted_that_breaks_an_invariant(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(judge, "check", _nothing)
        text = b"nodes: {}\ndomains: {a: {kind: ups, parent: b}, b: {kind: ups, parent: a}}\n"
        with pytest.raises(AssertionError, match="a cycle among"):
            TARGETS["topology"].check(text, Random(0))

    def test_an_estate_that_the_analyser_refuses(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(collect, "stamp", lambda _: "today")
        nodes = {"items": [{"metadata": {"name": "n1"}}]}
        text = b"".join(
            SEPARATOR + path.encode() + b"\n" + json.dumps(body).encode()
            for path, body in (("/api/v1/nodes", nodes), ("/api/v1/pods", {"items": []}))
        )
        with pytest.raises(AssertionError, match="an invalid estate"):
            TARGETS["kubernetes"].check(text, Random(0))


def _nothing(*_: object) -> list[Fault]:
    return []
