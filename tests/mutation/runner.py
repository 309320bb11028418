"""One mutant, one forked process: the module is replaced as it is imported, the tree is never written to."""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from types import CodeType, ModuleType
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


def preload(package: str) -> None:
    """Import what no mutant of this package changes, so that every forked process has it already."""
    for name in ("hypothesis", "networkx", "pytest"):
        importlib.import_module(name)
    below = {"closure": ("topology",), "findings": ("topology", "closure")}[package]
    for folder in below:
        for path in sorted((ROOT / folder).glob("*.py")):
            if path.stem != "__main__":
                importlib.import_module(f"{folder}.{path.stem}".removesuffix(".__init__"))
    stale = [
        name for name in sys.modules if name.split(".")[0] in SHIPPED and name.split(".")[0] not in below
    ]
    if stale:
        raise RuntimeError(f"imported too early: {', '.join(stale)}")


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
    path = ROOT / mutant.path
    if mutant.index != UNCHANGED:
        code = compile(mutated(path.read_text(encoding="utf-8"), mutant.index), str(path), "exec")
        name = mutant.path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        sys.meta_path.insert(0, Replacement(name, path, code))
    from tests.answers.golden import first_fault

    return 1 if first_fault() else int(pytest.main([*OPTIONS, "-x", *tests]))
