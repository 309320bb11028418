"""topo > findings > closure > topology: nothing imports upwards, and the core stays pure."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.repo.tree import CORE, PACKAGES, ROOT, imports, modules, relative, tree_of

FORBIDDEN_BELOW_TOPO = {
    *("argparse", "asyncio", "getpass", "http", "logging", "multiprocessing", "random", "secrets", "signal"),
    *("socket", "subprocess", "tempfile", "threading", "time", "urllib"),
}
"""Modules through which a result could depend on the clock, on chance or on the outside."""

FORBIDDEN_CALLS = {"breakpoint", "exec", "eval", "input", "print"}
FORBIDDEN_METHODS = {"now", "utcnow", "today"}
READING = {"open", "read_text", "read_bytes", "write_text", "write_bytes"}


def test_nothing_imports_upwards() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    if not tool.exists():
        pytest.skip("import-linter is not installed")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_package_has_its_place_in_the_layers() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = document["tool"]["importlinter"]["contracts"][0]["layers"]
    assert layers == ["topo", "findings", "closure", "topology"]
    roots = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert roots - {"benchmarks", "tests"} == set(PACKAGES)


def test_the_wheel_ships_every_layer() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = document["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert sorted(shipped) == sorted([*PACKAGES, "schemas"])


def test_schemas_are_data() -> None:
    assert not list((ROOT / "schemas").glob("**/*.py"))
    importing = [
        f"{relative(path)}:{line}"
        for path in modules()
        for line, name in imports(tree_of(path))
        if name.split(".")[0] == "schemas"
    ]
    assert not importing


def test_every_package_is_typed() -> None:
    assert [name for name in PACKAGES if not (ROOT / name / "py.typed").is_file()] == []


@pytest.mark.parametrize("package", CORE)
def test_no_clock_chance_or_outside_below_the_command(package: str) -> None:
    found = [
        f"{relative(path)}:{line} imports {name}"
        for path in modules(package)
        for line, name in imports(tree_of(path))
        if name.split(".")[0] in FORBIDDEN_BELOW_TOPO
    ]
    assert not found


@pytest.mark.parametrize("package", CORE)
def test_no_printing_and_no_now_below_the_command(package: str) -> None:
    found = [
        f"{relative(path)}:{node.lineno} calls {ast.unparse(node.func)}"
        for path in modules(package)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and _impure(node.func)
    ]
    assert not found


@pytest.mark.parametrize("package", ["closure", "findings"])
def test_no_files_in_the_engine_and_the_findings(package: str) -> None:
    found = [
        f"{relative(path)}:{node.lineno} calls {ast.unparse(node.func)}"
        for path in modules(package)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and _called(node.func) in READING
    ]
    assert not found


def _called(function: ast.expr) -> str | None:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else None


def _impure(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in FORBIDDEN_CALLS
    return isinstance(function, ast.Attribute) and function.attr in FORBIDDEN_METHODS
