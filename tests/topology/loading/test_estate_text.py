"""What an estate file repeats, and the topology text that it may carry (spec 2)."""

from __future__ import annotations

import json

from tests.topology.loading.files import ESTATE, estate, estate_faults, estate_file, only
from topology.load import load_estate_text
from topology.model import Standing


class TestRepeatedKeys:
    """Rule duplicate-key holds for JSON too, wherever the mapping stands."""

    def test_both_places(self) -> None:
        text = json.dumps(ESTATE).replace('"allocated": 6', '"allocated": 6,\n"allocated": 7', 1)
        found = only(estate_faults(text))
        assert (found.rule, found.line, found.column, found.ids) == ("duplicate-key", 2, 1, ("allocated",))
        assert found.related[0][0] == 1

    def test_escapes_spell_the_same_key(self) -> None:
        text = json.dumps(ESTATE).replace('"unit": "gpu"', '"unit": "gpu", "\\u0075nit": "cpu"')
        assert only(estate_faults(text)).rule == "duplicate-key"

    def test_the_same_key_elsewhere_is_fine(self) -> None:
        assert load_estate_text(json.dumps(ESTATE), "e.json").value is not None


class TestEmbeddedTopology:
    """Spec 2: "`topology` ({sha256, modifiedAt, verifiedAt, text} when the collector could not parse it)"."""

    TEXT = (
        "verifiedAt: 2026-09-01T00:00:00Z\nnodes:\n  n1: {rack: r2}\n"
        "domains:\n  r2: {kind: rack, parent: p1}\n  p1: {kind: power}\n"
    )

    def test_is_applied(self) -> None:
        loaded = estate(estate_file(topology={"text": self.TEXT, "modifiedAt": "2026-10-01T08:00:00Z"}))
        assert loaded.nodes[0].standings == (
            Standing("rack", "one", ("r2",)),
            Standing("pdu", "any", ("p1", "p2")),
        )
        assert loaded.domains["r2"].parent == "p1"
        assert loaded.verified_at == "2026-09-01T00:00:00Z"
        assert loaded.provenance.topology_file_modified_at == "2026-10-01T08:00:00Z"
        assert any("disagree on 1 axis of 1 node" in caveat for caveat in loaded.provenance.caveats)

    def test_its_own_stamp_wins_over_the_collectors(self) -> None:
        stamps = {"text": self.TEXT, "verifiedAt": "2026-01-01T00:00:00Z"}
        assert estate(estate_file(topology=stamps)).verified_at == "2026-09-01T00:00:00Z"

    def test_stamps_without_text(self) -> None:
        stamps = {"verifiedAt": "2026-01-01T00:00:00Z", "modifiedAt": "2026-10-01T08:00:00Z"}
        loaded = estate(estate_file(topology=stamps))
        assert loaded.verified_at == "2026-01-01T00:00:00Z"
        assert loaded.provenance.topology_file_modified_at == "2026-10-01T08:00:00Z"

    def test_its_faults_stand_at_its_key_and_name_the_inner_line(self) -> None:
        raw = estate_file(
            topology={"text": "nodes:\n  n1: {hall: x}\ndomains:\n  a: {kind: ups, parent: b}\n"}
        )
        text = json.dumps(raw, indent=1)
        found = estate_faults(text)
        assert {each.rule for each in found} == {"schema", "dangling-feed"}
        assert {text.split("\n")[each.line - 1].strip()[:7] for each in found} == {'"text":'}
        assert {each.message.split(" of ")[0] for each in found} == {"line 2, column 8", "line 4, column 26"}

    def test_text_that_is_no_yaml(self) -> None:
        assert only(estate_faults(estate_file(topology={"text": "nodes: {"}))).rule == "yaml-syntax"

    def test_a_conflict_with_the_labels(self) -> None:
        raw = estate_file(topology={"text": "domains:\n  p1: {kind: cooling}\n"})
        found = only(estate_faults(raw))
        assert found.rule == "axis-kind"
        assert found.message.startswith("with the embedded topology")

    def test_a_text_that_is_not_the_file_that_was_hashed(self) -> None:
        loaded = estate(estate_file(topology={"text": self.TEXT, "sha256": "00"}))
        assert any("SHA-256" in caveat for caveat in loaded.provenance.caveats)
