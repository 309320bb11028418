"""What was not looked up is not clean."""

import json

from tests.supply.audit import CLEAN, UNDECIDED, VULNERABLE, verdict

LOOKED_UP = {"name": "networkx", "version": "3.6.1", "vulns": []}
SKIPPED = {"name": "vermin", "skip_reason": "Dependency not found on PyPI"}
FAULTY = {"name": "jinja2", "version": "3.1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3.1.6"]}]}


def asked(*packages: object) -> tuple[int, list[str]]:
    return verdict(json.dumps({"dependencies": packages}))


def test_all_looked_up_and_nothing_found_is_clean() -> None:
    assert asked(LOOKED_UP) == (CLEAN, ["1 of 1 packages looked up, 0 known vulnerabilities"])


def test_a_package_that_was_skipped_leaves_it_undecided() -> None:
    code, lines = asked(LOOKED_UP, SKIPPED)
    assert code == UNDECIDED
    assert lines == ["1 of 2 packages looked up, 0 known vulnerabilities", "not looked up: vermin"]


def test_a_known_fault_fails_even_beside_skipped_ones() -> None:
    code, lines = asked(FAULTY, SKIPPED)
    assert code == VULNERABLE
    assert lines[0] == "jinja2 3.1.0: PYSEC-1, fixed in 3.1.6"


def test_no_answer_at_all_is_undecided() -> None:
    assert verdict("")[0] == verdict("[]")[0] == asked()[0] == UNDECIDED
