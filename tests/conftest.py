"""Options, profiles and the public-data fixture that every test shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import clock

ROOT = Path(__file__).resolve().parent.parent

_COMMON = settings(
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("dev", _COMMON, max_examples=20)
settings.register_profile("all", _COMMON, max_examples=100)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", default=False, help="also run the tests marked 'extra'")


def pytest_configure(config: pytest.Config) -> None:
    clock.set_ahead()
    if config.getoption("--hypothesis-profile") is None:
        settings.load_profile("all" if config.getoption("--all") else "dev")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all"):
        return
    skip = pytest.mark.skip(reason="extra: runs with --all")
    for item in items:
        if item.get_closest_marker("extra") is not None:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def public_data() -> Path:
    """The folder of public data sets; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("TOPO_PUBLIC_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no public data at {folder} (set TOPO_PUBLIC_DATA)")
    return folder
