"""The collector is one file for an administration host: the standard library and Python 3.9 are enough."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.tree import ROOT, imports

COLLECTOR = ROOT / "topo" / "collect.py"
pytestmark = pytest.mark.skipif(not COLLECTOR.exists(), reason="this checkout has no collector")


def test_it_imports_the_standard_library_alone() -> None:
    tree = ast.parse(COLLECTOR.read_text(encoding="utf-8"))
    foreign = {name for _, name in imports(tree) if name.partition(".")[0] not in sys.stdlib_module_names}
    # PyYAML reads an operator's topology where it is installed, and the collector says so where it is not.
    assert foreign <= {"yaml"}


def test_it_parses_as_python_39() -> None:
    ast.parse(COLLECTOR.read_text(encoding="utf-8"), feature_version=(3, 9))


@pytest.mark.extra
def test_it_uses_nothing_newer_than_python_39() -> None:
    tool = Path(sys.executable).with_name("vermin")
    if not tool.exists():
        pytest.skip("vermin is not installed")
    command = [str(tool), "--no-tips", "--eval-annotations", "--target=3.9-", str(COLLECTOR)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
