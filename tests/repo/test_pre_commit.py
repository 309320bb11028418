"""The pre-commit hook that other repositories use."""

import re

import pytest
import yaml

from tests.repo.tree import ROOT
from topo.cli import COMMANDS


def hook() -> dict[str, object]:
    (only,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert isinstance(only, dict)
    return only


def test_the_hook_runs_a_command_that_exists() -> None:
    program, command = str(hook()["entry"]).split()
    assert program == "topo"
    assert command in COMMANDS
    assert hook()["language"] == "python"


@pytest.mark.parametrize("path", ["topo.yaml", "topology.yml", "site/dublin/topology.yaml"])
def test_it_takes_topologies(path: str) -> None:
    assert re.search(str(hook()["files"]), path)


@pytest.mark.parametrize("path", ["my-topology.yaml", "topology.yaml.bak", "values.yaml", "topology/x.yaml"])
def test_it_leaves_other_files_alone(path: str) -> None:
    assert not re.search(str(hook()["files"]), path)
