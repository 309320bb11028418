"""The pinned environment covers what pyproject.toml asks for, on every supported Python."""

import tomllib

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import dev
from tests.repo.tree import ROOT

VERSIONS = ("3.11", "3.12", "3.13")


def pins(python: str) -> dict[str, str]:
    """Name -> the version that constraints.txt pins for this Python on Linux."""
    environment = {name: str(value) for name, value in default_environment().items()}
    environment |= {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux"}
    found: dict[str, str] = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(environment):
            assert requirement.name not in found
            (pin,) = requirement.specifier
            assert pin.operator == "=="
            found[canonicalize_name(requirement.name)] = pin.version
    return found


@pytest.mark.parametrize("python", VERSIONS)
def test_every_direct_dependency_is_pinned_within_its_bounds(python: str) -> None:
    pinned = pins(python)
    product, tools = dev.requirements()
    wanted = [Requirement(text) for text in (*product, *tools)]
    outside = [
        str(need)
        for need in wanted
        if not need.specifier.contains(pinned.get(canonicalize_name(need.name), "0"))
        or canonicalize_name(need.name) not in pinned
    ]
    assert outside == []


def test_one_lowest_python_everywhere() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert document["project"]["requires-python"] == ">=3.11"
    assert document["tool"]["ruff"]["target-version"] == "py311"
    assert document["tool"]["mypy"]["python_version"] == VERSIONS[0]
    said = {name.rpartition(":: ")[2] for name in document["project"]["classifiers"] if ":: 3." in name}
    assert said == set(VERSIONS)
