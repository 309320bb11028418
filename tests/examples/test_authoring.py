"""The files of docs/authoring.md: each draft has the flaws that its step is about, and the last has none."""

import subprocess
import sys
from pathlib import Path

import pytest

from topology.load import load_text

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "authoring"

FOUND = {
    "drafts/1-exported.yaml": {
        ("error", "dangling-feed"), ("error", "repeated-feed"), ("warning", "fake-redundancy"),
        ("warning", "likely-typo"), ("info", "ride-through-optimistic"), ("info", "undeclared-domain"),
    },
    "drafts/2-mended.yaml": {
        ("warning", "fake-redundancy"), ("warning", "likely-typo"), ("info", "ride-through-optimistic"),
        ("info", "undeclared-domain"),
    },
    "drafts/3-walked.yaml": set(),
    "topology.yaml": set(),
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_every_step_has_its_flaws(name: str) -> None:
    diagnostics = load_text((FOLDER / name).read_bytes(), name).diagnostics
    assert {(str(each.severity), each.rule) for each in diagnostics} == FOUND[name]


def test_the_first_draft_is_what_the_script_makes_of_the_export() -> None:
    script = [sys.executable, str(FOLDER / "from_csv.py"), str(FOLDER / "export")]
    made = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    assert made == (FOLDER / "drafts" / "1-exported.yaml").read_text(encoding="utf-8")
