"""The tests in another environment than the pinned one of the oldest Python.

    python3 dev.py compat [...]                the lowest versions that pyproject.toml allows, on this Python
    python3 dev.py compat --python EXE [...]   the versions that constraints.txt pins, on another Python

Whatever else is given goes to pytest. Without anything: for the lowest versions the tests of the product, the
ones that a library's version can break; for another Python all tests that run by default.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import dev
from tests.supply import environment

TOOLS = ("hypothesis", "igraph", "packaging", "pytest", "pytest-xdist", "rustworkx")
"""What the tests import. The developers' other tools check sources, which no version of a library changes."""

PRODUCT_TESTS = ("closure", "conformance", "docs", "examples", "findings", "topo", "topology")


def floors(requirements: list[str]) -> list[str]:
    """Return each requirement at the lowest version that it allows.

    >>> floors(["networkx>=3.2", "pyyaml>=6.0.1,<7"])
    ['networkx==3.2', 'pyyaml==6.0.1']
    """
    from packaging.requirements import Requirement

    found = []
    for requirement in map(Requirement, requirements):
        (lowest,) = (clause.version for clause in requirement.specifier if clause.operator == ">=")
        found.append(f"{requirement.name}=={lowest}")
    return found


def lowest_packages() -> list[str]:
    """Return the direct dependencies at their floors, and the tools of the tests as they are pinned."""
    document = tomllib.loads((dev.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    direct = [*document["project"]["dependencies"], *document["dependency-groups"]["build"]]
    for extra in document["project"]["optional-dependencies"].values():
        direct += extra
    pins = dict(
        line.split(" ;")[0].split("==")
        for line in (dev.ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
    return [*floors(direct), *(f"{tool}=={pins[tool]}" for tool in TOOLS)]


def pinned_packages() -> list[str]:
    product, tools = dev.requirements()
    return ["--constraint", "constraints.txt", *product, *tools]


def version_of(python: str) -> str:
    """Return major and minor version of an interpreter."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise environment.Failed(f"{python} does not run: {done.stderr}")
    return done.stdout.strip()


def main(arguments: list[str]) -> int:
    if arguments[:1] in (["-h"], ["--help"]):
        sys.stdout.write(f"{__doc__}")
        return 0
    try:
        if arguments[:1] == ["--python"]:
            other, *rest = arguments[1:] or [sys.executable]
            python = environment.ensure(f"pinned-{version_of(other)}", pinned_packages(), python=other)
            chosen = rest
        else:
            name = f"lowest-{version_of(sys.executable)}"
            python = environment.ensure(name, lowest_packages())
            chosen = arguments or [f"tests/{name}" for name in PRODUCT_TESTS]
    except (environment.Failed, OSError) as failure:
        dev.say(f"dev.py compat: {failure}")
        return 1
    return subprocess.run(
        [str(python), "-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", *chosen],
        cwd=dev.ROOT,
        env={**os.environ, "PATH": f"{Path(python).parent}{os.pathsep}{os.environ.get('PATH', '')}"},
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
