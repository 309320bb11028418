"""The command feels instant: what a small task does not need is not imported."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.tree import ROOT

HEAVY = {"dask", "distributed", "highspy", "jinja2", "networkx", "jsonschema", "numpy", "resvg_py", "scipy"}
TOPOLOGY = """\
nodes:
  n1: {rack: r1, pdu: a}
domains:
  a: {kind: power, parent: u}
  u: {kind: ups, ratedKw: 40}
"""
RUN = """
import json, sys
before = set(sys.modules)
import topo.cli
try:
    code = topo.cli.main(sys.argv[1:])
except SystemExit as error:
    code = error.code
sys.stderr.write(json.dumps([code, sorted(set(sys.modules) - before)]))
"""


def imported(folder: Path, *arguments: str) -> tuple[int | None, set[str]]:
    """Exit code of the command and the modules that it imported."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    code, names = json.loads(done.stderr.splitlines()[-1])
    return code, set(names)


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("validate", "--help"), ("whatif", "--help")]
)
def test_help_imports_nothing_heavy(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    code, names = imported(tmp_path, *arguments)
    assert code in (0, None)
    assert not names & (HEAVY | {"yaml", "closure", "findings"})


def test_the_overview_imports_the_command_line_alone(tmp_path: Path) -> None:
    _, names = imported(tmp_path, "--help")
    assert {name for name in names if not name.startswith("topo")} == set()


def test_validating_a_small_file_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(TOPOLOGY, encoding="utf-8")
    code, names = imported(tmp_path, "validate", "small.yaml")
    assert code == 0
    assert not names & HEAVY


def test_a_blast_radius_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(TOPOLOGY, encoding="utf-8")
    code, names = imported(tmp_path, "whatif", "--fail", "u", "small.yaml")
    assert code == 0
    assert not names & HEAVY
