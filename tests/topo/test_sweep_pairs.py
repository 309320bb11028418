"""`topo sweep --order 2` through its real entry point: page, document, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from closure import losing_sets, pair_sums
from tests.topo.command import ROOT, golden, topo, widest
from tests.topo.test_documents import ESTATE, MAP, schema
from topo.cli import main
from topo.text.table import PAGE_WIDTH

GOLDEN = Path(__file__).parent / "golden"
NOW = ("--now", "2026-12-01T12:00:00Z")


class TestPage:
    """The worst pair first, then what is worse than the sum of its parts."""

    @pytest.mark.parametrize(("name", "file"), [("sweep-pairs", ESTATE), ("sweep-pairs-bare", MAP)])
    def test_golden(self, name: str, file: str) -> None:
        done = topo("sweep", "--order", "2", "--rows", "6", *NOW, file)
        assert (done.code, done.err) == (0, "")
        golden(GOLDEN / f"{name}.txt", done.out)
        assert widest(done.out) <= PAGE_WIDTH

    def test_what_only_the_strict_check_sees_is_shown(self) -> None:
        page = topo("sweep", "--order", "2", *NOW, ESTATE).out
        assert "WORSE THAN THEY LOOK" in page
        assert "topo whatif --fail h1-spine-1 --fail h1-spine-2" in page

    def test_without_the_strict_check(self) -> None:
        page = topo("sweep", "--order", "2", "--no-strict", *NOW, ESTATE).out
        assert "The strict check was not run." in page
        assert "WORSE THAN THEY LOOK" not in page
        assert "not run" in topo("sweep", "--no-strict", *NOW, ESTATE).out


class TestDocument:
    """The contract: the keys of order 1, what is beyond the single failures, and the aggregate."""

    def test_valid_with_what_is_out_and_the_list_as_long_as_asked(self) -> None:
        words = ("sweep", "--order", "2", "--top", "7", "--out", "h1-ups-a", ESTATE, "--format", "json", *NOW)
        done = topo(*words)
        document = json.loads(done.out)
        schema("sweep").validate(document)
        assert document["order"] == 2
        assert [len(document[key]) for key in ("scenarios", "coupledScenarios", "strictScenarios")] == [7] * 3
        assert document["aggregate"]["pairs"] == 202 * 201 // 2
        assert topo(*words).out == done.out

    def test_a_row_of_order_1_is_none_of_order_2(self) -> None:
        single = json.loads(topo("sweep", ESTATE, "--format", "json").out)
        assert not schema("sweep").is_valid({**single, "order": 2})


class TestRefusals:
    """One clear message."""

    def test_top_without_pairs(self) -> None:
        done = topo("sweep", "--top", "5", ESTATE)
        assert (done.code, done.out) == (2, "")
        assert "--top belongs to --order 2" in done.err

    @pytest.mark.parametrize("words", [("--order", "3"), ("--order", "2", "--top", "0")])
    def test_what_makes_no_sense(self, words: tuple[str, ...]) -> None:
        assert topo("sweep", *words, ESTATE).code == 2

    def test_a_map_too_large_for_pairs(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(losing_sets, "MAX_SETS", 100)
        monkeypatch.setattr(losing_sets, "MAX_SETS_EACH", 0)
        assert main(["sweep", "--order", "2", str(ROOT / ESTATE)]) == 2
        refusal = capsys.readouterr().err
        assert "more than 100 sets of up to 2 failures" in refusal
        assert "topo whatif" in refusal

    def test_a_map_in_which_most_pairs_overlap(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        chain = "".join(f"  p{n:02}: {{kind: power, parent: p{n - 1:02}}}\n" for n in range(1, 60))
        file = tmp_path / "chain.yaml"
        file.write_text(f"version: 2\nnodes: {{n: {{pdu: p59}}}}\ndomains:\n  p00: {{kind: power}}\n{chain}")
        monkeypatch.setattr(pair_sums, "MAX_EXCEPTIONS", 1000)
        assert main(["sweep", "--order", "2", str(file)]) == 2
        refusal = " ".join(capsys.readouterr().err.split())
        assert "60 domains each take the same down: p00, p01, p02 and 57 more" in refusal
        assert "Keep in the map only one of those that always fail together" in refusal
