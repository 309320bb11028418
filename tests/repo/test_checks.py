"""Linters, formatter, types and import layers find nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

import dev
from tests.repo.tree import ROOT


@pytest.mark.extra
@pytest.mark.parametrize("name", dev.CHECKS)
def test_finds_nothing(name: str) -> None:
    tool, *arguments = dev.CHECKS[name]
    program = Path(sys.executable).with_name(tool)
    if not program.exists():
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
