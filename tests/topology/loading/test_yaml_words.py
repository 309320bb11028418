"""Both of PyYAML's parsers, the one in C and the pure one, are heard in the same words."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from topology.load import load_topology_text

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "invalid"
TEXTS = {
    "an open mapping": "nodes:\n  n1: {rack: a\n  n2: {rack: b}\n",
    "an open list": "nodes:\n  n1: {rack: [a, b}\n",
    "a mapping inside a value": "nodes: a: b\n",
    "a list inside a value": "nodes: - a\n",
    "a key that ends early": "nodes:\n  n1: {}\n }\n",
    "a block that is left": "nodes:\n  n1:\n    rack: a\n   pdu: b\n",
    "a list that is left": "nodes:\n  - a\n  b: c\n",
    "a reserved character": "nodes:\n  n1: {rack: @a}\n",
    "no content": "nodes:\n  n1: {rack: [,]}\n",
    "a block scalar's head": "nodes: |a\n",
    "an anchor without a name": "nodes: & a\n",
    "an alias without a name": "nodes: *\n",
    "half of an escape": 'nodes: "\\xg0"\n',
    "an unknown escape": 'nodes: "\\q"\n',
    "a document inside a text": 'nodes: "a\n---\nb"\n',
    "text after the document": "{}\n{}\n",
}


def said(text: str, *, in_c: bool, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int, str, str]]:
    monkeypatch.setattr(yaml, "__with_libyaml__", in_c)
    found = load_topology_text(text, "topology.yaml").diagnostics
    return [(each.rule, each.line, each.column, each.message, each.hint) for each in found]


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")
@pytest.mark.parametrize("what", TEXTS)
def test_a_text_is_refused_in_the_same_words(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = said(TEXTS[what], in_c=True, monkeypatch=monkeypatch)
    assert ours[0][0] == "yaml-syntax"
    pure = said(TEXTS[what], in_c=False, monkeypatch=monkeypatch)
    if what == "an unknown escape":  # the parsers point at the backslash and at the character after it
        assert [(rule, words) for rule, _, _, words, _ in pure] == [
            (rule, words) for rule, _, _, words, _ in ours
        ]
    else:
        assert pure == ours


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")
@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.yaml")), ids=lambda path: str(path.name))
def test_a_faulty_file_is_told_in_the_same_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text(encoding="utf-8")
    assert said(text, in_c=True, monkeypatch=monkeypatch) == said(text, in_c=False, monkeypatch=monkeypatch)
