"""Every example in a docstring shows what really comes out."""

import doctest
import importlib

import pytest

from tests.repo.tree import PACKAGES, module_name, modules

EXAMPLES = [module_name(path) for path in modules(*PACKAGES) if ">>>" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted
    assert not outcome.failed
