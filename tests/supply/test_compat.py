"""The lowest versions are those that pyproject.toml says."""

import tomllib

import pytest

import dev
from tests.supply import compat


def test_every_direct_dependency_of_the_product_has_a_floor() -> None:
    document = tomllib.loads((dev.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert len(compat.floors(document["project"]["dependencies"])) == len(document["project"]["dependencies"])


def test_a_requirement_without_a_floor_is_refused() -> None:
    with pytest.raises(ValueError, match="unpack"):
        compat.floors(["networkx<4"])


def test_the_lowest_environment_holds_floors_and_the_pinned_tools() -> None:
    packages = compat.lowest_packages()
    assert all("==" in package for package in packages)
    named = {package.partition("==")[0] for package in packages}
    assert {"networkx", "pyyaml", "hatchling", "distributed", *compat.TOOLS} <= named


def test_an_interpreter_that_does_not_run_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert compat.main(["--python", "no-such-python"]) == 1
    assert "no-such-python" in capsys.readouterr().err
