"""Every answer to a dozen small estates is as it was, and the engine agrees with the naive ones on them.

With TOPO_REGENERATE=1 in the environment this test writes the digests anew. Before you keep them, compare
the answers whole: `python3 -m tests.answers FOLDER` writes them, before and after.
"""

import json
import os

import pytest

from tests.answers.estates import estates
from tests.answers.golden import RECORD, differences, disagreements, record

ESTATES = dict(estates())


@pytest.fixture(scope="module", autouse=True)
def regenerated() -> None:
    if os.environ.get("TOPO_REGENERATE"):
        RECORD.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8", newline="\n")


@pytest.mark.parametrize("name", ESTATES)
def test_every_answer_is_as_it_was(name: str) -> None:
    assert list(differences(name, ESTATES[name])) == []


@pytest.mark.parametrize("name", ESTATES)
def test_the_engines_agree(name: str) -> None:
    assert list(disagreements(name, ESTATES[name])) == []
