"""docs/collector.md says what the file does: every flag, label, kind and query."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from topo import collect

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "collector.md").read_text()


def test_every_flag() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    collect.add_arguments(parser)
    flags = {flag for action in parser._actions for flag in action.option_strings}
    assert sorted(flag for flag in flags if f"`{flag}" not in PAGE) == []


def test_every_label_of_the_table() -> None:
    assert [label for _, label in collect.AXIS_LABELS if f"`{label}`" not in PAGE] == []
    assert [family[0] for family in collect.NETWORK_TIERS if f"`{family[0]}`" not in PAGE] == []


def test_every_resource_that_is_asked_for() -> None:
    assert [name for name in collect.RESOURCES if name not in PAGE] == []


@pytest.mark.parametrize(
    "name", [name for name in collect.QUERIES if "since" not in name and "double" not in name]
)
def test_every_query(name: str) -> None:
    query = collect.QUERIES[name].replace("|", "\\|")
    first = query.replace("GR_ENGINE_ACTIVE", "SM_ACTIVE").replace("DEV_GPU_UTIL", "PROF_SM_ACTIVE")
    assert f"`{first}`" in PAGE


def test_every_annotation() -> None:
    named = (collect.LABEL_KIND, collect.LABEL_CRITICAL, collect.ANNOTATION_GANG)
    minutes = (collect.ANNOTATION_CHECKPOINT, collect.ANNOTATION_RESTART)
    keys = (*collect.OWNER_KEYS, *collect.CONTACT_KEYS, *named, *minutes)
    assert [key for key in keys if f"`{key}`" not in PAGE] == []
