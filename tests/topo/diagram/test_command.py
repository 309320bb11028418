"""`topo diagram` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.topo.diagram.drawing import ROOT
from topo.cli import main

LAB = str(ROOT / "examples/lab/estate.json")
NOW = "2026-12-01T12:00:00Z"


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        ("svg", b"<?xml"),
        ("png", b"\x89PNG"),
        ("html", b"<!doctype html>"),
        ("dot", b"digraph"),
        ("mmd", b"---"),
        ("txt", b"What if"),
    ],
)
def test_the_ending_chooses_the_format(tmp_path: Path, ending: str, start: bytes) -> None:
    target = tmp_path / f"x.{ending}"
    assert main(["diagram", LAB, "--fail", "feed-strong", "-o", str(target), "--now", NOW]) == 0
    assert target.read_bytes().startswith(start)


def test_without_output_the_tree_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagram", LAB, "--fail", "feed-strong"]) == 0
    assert "lab-panel (PDU)  DEMOTED" in capsys.readouterr().out


def test_a_topology_alone_is_drawn_with_units_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagram", str(ROOT / "examples/methodology/topology.yaml"), "--fail", "xfmr-t1"]) == 0
    assert "GPU unknown" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "x.gif"], "cannot tell the format"),
        (["--fail", "feed-strng"], "feed-strong"),
        (["--focus", "nowhere"], "nowhere"),
        (["--full", "-o", "x.mmd"], "--full is not drawn as mmd"),
    ],
)
def test_wrong_usage_is_said_and_nothing_is_written(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["diagram", LAB, *arguments]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_focus_and_depth_narrow_the_picture(capsys: pytest.CaptureFixture[str]) -> None:
    halls = str(ROOT / "examples/two-halls/estate.json")
    assert main(["diagram", halls, "--focus", "h1-pdu-4b", "--depth", "1"]) == 0
    out = capsys.readouterr().out
    assert "h1-pdu-4b" in out
    assert "Outside the focus:" in out
    assert "h2-" not in out
