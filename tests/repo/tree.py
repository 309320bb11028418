"""What belongs to the repository, for the tests that look at it as a whole."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("closure", "findings", "topo", "topology")
CORE = ("closure", "findings", "topology")
"""The packages that import the standard library only."""
SHIPPED = (*PACKAGES, "schemas")

_MADE = {".git", ".venv", ".cache", "__pycache__", "dist", "build"}


@cache
def files() -> tuple[Path, ...]:
    """Every file of the repository, sorted; of an unpacked source distribution where there is no git."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        found = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        found = [path for path in ROOT.rglob("*") if not _MADE.intersection(path.relative_to(ROOT).parts)]
    return tuple(sorted(path for path in found if path.is_file()))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def modules(*folders: str) -> Iterator[Path]:
    """Every Python file below these folders of the root; of the whole repository when none is named."""
    for path in files():
        if path.suffix == ".py" and (not folders or path.relative_to(ROOT).parts[0] in folders):
            yield path


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports(body: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every import beneath a node of the syntax tree."""
    for node in ast.walk(body):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module
