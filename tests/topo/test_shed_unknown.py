"""What the page of a curtailment says of the unknown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.topo.command import topo
from tests.topo.test_shed_commands import NOW


class TestWordsOfWhatIsUnknown:
    def page(self, tmp_path: Path, *arguments: str, code: int, **estate: Any) -> str:
        document = {
            "schemaVersion": 1,
            "cluster": "c",
            "unit": "gpu",
            "snapshotAt": "2026-12-01T12:00:00Z",
            "wattsPerUnitKw": 1,
            "nodes": [{"id": "n", "allocated": 8}],
            "workloads": [{"id": "w", "kind": "batch", "placements": {"n": 8}}],
            **estate,
        }
        path = tmp_path / "estate.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        done = topo("curtail", "--shed-kw", "4", *arguments, path, *NOW)
        assert (done.code, done.err) == (code, "")
        return " ".join(done.out.split())

    def test_what_paused_units_draw(self, tmp_path: Path) -> None:
        said = self.page(tmp_path, code=0)
        assert said.startswith("PLAN the estate draws 8 kW; 4 kW have to go: pause 1 workload, at most 8 kW.")
        assert (
            "An upper bound, not a promise: nobody says what paused GPUs still draw (idleKwPerUnit)." in said
        )

    def test_whether_a_paused_workload_is_critical(self, tmp_path: Path) -> None:
        said = self.page(tmp_path, code=0, idleKwPerUnit=0)
        assert "0 known critical GPUs, and 1 workload of unknown criticality, paused." in said

    def test_what_may_be_critical_is_protected(self, tmp_path: Path) -> None:
        said = self.page(tmp_path, "--protect-critical", code=3, idleKwPerUnit=0)
        assert "w 8 1 min may be critical" in said
        assert "--protect-critical: they are critical, or do not say" in said
