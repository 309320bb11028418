"""What was not looked up is not clean."""

import json
from typing import Any

import pytest

from tests.supply.audit import CLEAN, UNDECIDED, VULNERABLE, verdict, with_newest

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


class TestNewest:
    """What pip-audit could not look up is looked up on the page of the newest release, if that is pinned."""

    SKIPPED = json.dumps(
        {"dependencies": [LOOKED_UP, {"name": "rich", "skip_reason": "could not be audited: rich (15.0.0)"}]}
    )

    @staticmethod
    def page(version: str, *faults: dict[str, Any]) -> dict[str, Any]:
        return {"info": {"version": version}, "vulnerabilities": list(faults)}

    def test_the_pinned_release_is_the_newest_and_clean(self) -> None:
        assert verdict(with_newest(self.SKIPPED, lambda _: self.page("15.0.0")))[0] == CLEAN

    def test_its_faults_are_faults_but_withdrawn_ones(self) -> None:
        faults: tuple[dict[str, Any], ...] = (
            {"id": "PYSEC-1", "fixed_in": [], "withdrawn": None},
            {"id": "PYSEC-2", "fixed_in": [], "withdrawn": "2026-01-01"},
        )
        code, lines = verdict(with_newest(self.SKIPPED, lambda _: self.page("15.0.0", *faults)))
        assert code == VULNERABLE
        assert lines[0] == "rich 15.0.0: PYSEC-1, fixed in no version"
        assert "1 known vulnerabilities" in lines[1]

    @pytest.mark.parametrize("version", ["15.0.1", "5.0.0", "15.0"])
    def test_another_release_vouches_for_nothing(self, version: str) -> None:
        assert verdict(with_newest(self.SKIPPED, lambda _: self.page(version)))[0] == UNDECIDED

    def test_no_page_leaves_it_undecided(self) -> None:
        def fails(name: str) -> None:
            raise OSError(name)

        assert verdict(with_newest(self.SKIPPED, fails))[0] == UNDECIDED
        assert verdict(with_newest("", fails))[0] == UNDECIDED
