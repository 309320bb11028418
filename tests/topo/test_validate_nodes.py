"""`topo validate --topology`: nodes that only the map or only the snapshot names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.topo.test_validate import ESTATE, folder, run

__all__ = ["folder"]

TWO = {**ESTATE, "nodes": [{"id": "gpu-01", "allocated": 8}, {"id": "gpu-02", "allocated": 0}]}


class TestNodesOfOneAlone:
    """A node of the map that the snapshot lacks is a warning, the reverse an info, unless none is common."""

    def check(
        self, capsys: pytest.CaptureFixture[str], folder: Path, nodes: str, *words: str
    ) -> tuple[int, dict[str, tuple[str, str, int, list[str]]]]:
        (folder / "two.json").write_text(json.dumps(TWO, indent=1), encoding="utf-8")
        lines = "".join(f"  {name}: {{rack: r1}}\n" for name in nodes.split())
        (folder / "map.yaml").write_text(f"nodes:\n{lines}" if lines else "domains: {r1: {kind: rack}}\n")
        code, out, _ = run(capsys, "--format", "json", "--topology", "map.yaml", "two.json", *words)
        found = json.loads(out)["diagnostics"]
        assert len({each["rule"] for each in found}) == len(found)
        return code, {d["rule"]: (d["severity"], d["file"], d["line"], d["ids"]) for d in found}

    def test_a_typo_is_named_with_what_was_meant(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        code, said = self.check(capsys, folder, "gpu-01 gpu-20", "--strict")
        assert code == 1
        assert said["absent-node"] == ("warning", "map.yaml", 3, ["gpu-20", "gpu-02"])
        assert said["unmapped-node"][:2] == ("info", "two.json")
        assert said["unmapped-node"][3] == ["gpu-02"]

    def test_a_full_name_is_meant_by_a_short_one(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        said = self.check(capsys, folder, "gpu-01 gpu-02.row-7.hall-north.example.com")[1]
        assert said["absent-node"][3] == ["gpu-02.row-7.hall-north.example.com", "gpu-02"]

    def test_more_than_is_registered_is_counted(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        code, said = self.check(capsys, folder, "gpu-01 gpu-02 gpu-03 gpu-04")
        assert code == 0
        assert said == {"absent-node": ("warning", "map.yaml", 4, ["gpu-03", "gpu-04"])}

    def test_no_common_node_is_a_warning_both_ways(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        said = self.check(capsys, folder, "x y")[1]
        assert {rule: each[0] for rule, each in said.items()} == {
            "absent-node": "warning",
            "unmapped-node": "warning",
        }

    def test_a_map_without_nodes_leaves_them_to_their_labels(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        assert self.check(capsys, folder, "")[1] == {}

    def test_nodes_of_another_estate_are_not_missing(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        (folder / "other.json").write_text(
            json.dumps({**ESTATE, "nodes": [{"id": "gpu-03", "allocated": 8}]}), encoding="utf-8"
        )
        (folder / "hall.yaml").write_text("nodes:\n  gpu-01: {rack: r}\n  gpu-03: {rack: r}\n")
        (folder / "two.json").write_text(json.dumps(TWO), encoding="utf-8")
        _, out, _ = run(capsys, "--format", "json", "--topology", "hall.yaml", "two.json", "other.json")
        assert "absent-node" not in {each["rule"] for each in json.loads(out)["diagnostics"]}

    def test_what_to_do_next_keeps_the_map(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self.check(capsys, folder, "gpu-01 gpu-02")
        _, out, _ = run(capsys, "--topology", "map.yaml", "two.json")
        assert "next: topo sweep --topology map.yaml two.json" in out
        assert "next: topo whatif --fail r1 --topology map.yaml two.json" in out
