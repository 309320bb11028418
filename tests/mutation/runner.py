"""One mutant, one forked process: the module is replaced as it is imported, the tree is never written to."""

import ast
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from inspect import CO_OPTIMIZED
from math import ceil
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Literal

from tests.mutation.coverage_map import OPTIONS, ROOT
from tests.mutation.operators import Mutant, mutated

Outcome = Literal["killed", "timeout", "survived"]
UNCHANGED = -1
"""The number of no change: the tests must pass."""

MEMORY_BYTES = 4 * 1024**3
SLEEPING = 60
"""How much longer [-] than its processor time a mutant may take by the clock."""
SHIPPED = ("closure", "findings", "topo", "topology")


class Replacement(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module of ours another body."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self.name, self.path, self.code = name, path, code

    def find_spec(
        self, fullname: str, _path: object = None, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        package = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self.path, loader=self, submodule_search_locations=package
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


def preload() -> None:
    """Import the product, the answers and their estates once, for all forked processes."""
    for name in ("hypothesis", "networkx", "pytest"):
        importlib.import_module(name)
    from tests.answers.golden import remember

    remember()


def change(mutant: Mutant) -> None:
    """Put a mutant in the place of what is loaded.

    Inside a function its code alone is replaced; anywhere else the product is imported anew.
    """
    path = ROOT / mutant.path
    source = path.read_text(encoding="utf-8")
    code = compile(mutated(source, mutant.index), str(path), "exec")
    function = function_around(source, mutant)
    loaded = [] if function is None else _loaded(str(path), function)
    made = None if function is None else _code_at(code, function)
    if loaded and made and all(each.__code__.co_freevars == made.co_freevars for each in loaded):
        for each in loaded:
            each.__code__ = made
        return
    for stale in [name for name in sys.modules if name.split(".")[0] in (*SHIPPED, "tests")]:
        if not stale.startswith(("tests.mutation", "topology")) and stale != "tests":
            del sys.modules[stale]
    name = mutant.path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    sys.meta_path.insert(0, Replacement(name, path, code))


def function_around(source: str, mutant: Mutant) -> int | None:
    """Return the first line of the outermost function whose body holds a mutant.

    None: it is in none, or in one that the module itself calls, so that what it returned is kept already.
    """
    tree = ast.parse(source)
    called = set(_called_on_import(tree))
    todo: list[ast.stmt] = list(tree.body)
    for each in todo:
        if isinstance(each, ast.ClassDef):
            todo += each.body
        elif isinstance(each, ast.FunctionDef) and each.body[0].lineno <= mutant.line <= (
            each.end_lineno or 0
        ):
            first = min([each.lineno, *(one.lineno for one in each.decorator_list)])
            return None if each.name in called else first
    return None


def _called_on_import(tree: ast.AST) -> Iterator[str]:
    for each in ast.iter_child_nodes(tree):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name):
            yield each.func.id
        if not isinstance(each, ast.FunctionDef | ast.Lambda):
            yield from _called_on_import(each)


def _loaded(path: str, line: int) -> list[FunctionType]:
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType)
        and each.__code__.co_filename == path
        and each.__code__.co_firstlineno == line
        and "<locals>" not in each.__qualname__
        and each.__code__.co_name != "<lambda>"
    ]


def _code_at(code: CodeType, line: int) -> CodeType | None:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_firstlineno == line and each.co_flags & CO_OPTIMIZED and "<" not in each.co_name:
                return each
            found = None if each.co_flags & CO_OPTIMIZED else _code_at(each, line)
            if found is not None:
                return found
    return None


def run(mutant: Mutant, tests: Sequence[str], seconds: float) -> Outcome:
    """Run the tests against one mutant, until the first fails or the processor time is up.

    The answers on record (tests/answers) are asked before all tests: they are quick and see most mutants.
    Processor time, so that a busy machine kills no mutant; a mutant that sleeps meets the clock, much later.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = _child(mutant, tests, seconds)
        finally:
            os._exit(code)
    deadline = time.monotonic() + SLEEPING * seconds
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return "survived" if code == 0 else "timeout" if code == -signal.SIGXCPU else "killed"
        if time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "timeout"
        time.sleep(0.02)


def _child(mutant: Mutant, tests: Sequence[str], seconds: float) -> int:
    import resource

    import pytest

    os.setsid()
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds) + 5))
    if mutant.index != UNCHANGED:
        change(mutant)
    from tests.answers.golden import first_fault

    # Tests that are not found, or none at all, say nothing about a mutant.
    failing = (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    if first_fault():
        return 1
    return 1 if tests and pytest.main([*OPTIONS, "-x", *tests]) in failing else 0
