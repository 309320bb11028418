"""Every developer command, on a machine that has nothing but Python 3.11 or newer.

    python3 dev.py demo                what one UPS takes with it, on a shipped estate
    python3 dev.py test [--all] [...]  the tests; --all adds linters, types, layers, packaging and slow
                                       tests; whatever else is given goes to pytest
    python3 dev.py lint                ruff, mypy and the import layers alone
    python3 dev.py build               wheel and sdist into dist/
    python3 dev.py bench [...]         the benchmarks
    python3 dev.py fuzz [--seconds N]  hostile input until the time is up
    python3 dev.py differential [...]  the engine against a naive one, on random estates
    python3 dev.py live [...]          fetch the runtime that computes inside a report page
    python3 dev.py mutate [...]        mutation testing of closure/ and findings/; --sample N
    python3 dev.py compat [...]        tests with the lowest versions that pyproject.toml allows;
                                       --python EXE: with the pinned ones on another Python
    python3 dev.py audit               known vulnerabilities of what constraints.txt pins
    python3 dev.py licences            write docs/licences.md from what is installed

The first command creates .venv with the versions pinned in constraints.txt; later ones reuse it until
pyproject.toml, constraints.txt, the interpreter or the folder changes.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
PRODUCT = VENV / "product-installed"
DEVELOPERS = VENV / "developers-installed"
"""Written when a part of the environment is complete; they hold the fingerprint of what it was made from."""
LOG = ROOT / ".cache" / "setup.log"

CHECKS: dict[str, tuple[str, ...]] = {
    "lint": ("ruff", "check", "."),
    "format": ("ruff", "format", "--check", "."),
    "types": ("mypy",),
    "layers": ("lint-imports",),
}
"""Name of a check -> the tool and its arguments, run in the repository's root."""

ON_PATH = (
    '$env:Path = "$PWD\\.venv\\Scripts;$env:Path"'
    if os.name == "nt"
    else 'export PATH="$PWD/.venv/bin:$PATH"'
)
"""What makes `topo` a command of the shell: of PowerShell on Windows."""
DEMO = ("whatif", "--fail", "h1-ups-a", "--now", "2026-12-01T12:00:00Z", "examples/two-halls/estate.json")
MODULES = {
    "bench": "benchmarks",
    "differential": "tests.differential",
    "fuzz": "tests.fuzz",
    "live": "topo.live_runtime",
    "mutate": "tests.mutation",
    "compat": "tests.supply.compat",
    "audit": "tests.supply.audit",
    "licences": "tests.supply.licences",
}
"""Command -> the module that carries it out."""

DEBIAN_HINT = "on Debian and Ubuntu it comes with: apt-get install python3-venv"
OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|Max retries|No matching distribution|ProxyError"
    r"|Temporary failure in name resolution|Network is unreachable|SSLError"
)


class SetupError(Exception):
    """The environment cannot be made; the text says why and what to do."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def requirements() -> tuple[list[str], list[str]]:
    """What the product and its build need, and what its developers need beside that."""
    import tomllib

    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = document["project"]
    extras = [name for names in project["optional-dependencies"].values() for name in names]
    product = [*project["dependencies"], *document["dependency-groups"]["build"]]
    return product, [
        *extras,
        *(name for name in document["dependency-groups"]["dev"] if isinstance(name, str)),
    ]


def fingerprint() -> str:
    """Changes with everything that the environment is made from."""
    digest = hashlib.sha256(f"{sys.version}\n{sys.base_prefix}\n{ROOT}\n".encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def logged(command: Sequence[str]) -> str | None:
    """Run a step of the setup. None when it succeeded, else what it printed."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    with LOG.open("a", encoding="utf-8") as log:
        log.write(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}\n")
    return None if done.returncode == 0 else done.stdout + done.stderr


def pip_for_venv() -> list[str]:
    """The command that installs into .venv: its own pip, or this interpreter's where ensurepip is missing."""
    if find_spec("ensurepip"):
        return [str(PYTHON), "-m", "pip"]
    if find_spec("pip"):
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    raise SetupError(f"{sys.executable} has neither ensurepip nor pip: {DEBIAN_HINT}.")


def create_venv() -> None:
    # Started from a virtual environment, perhaps .venv itself: build on the interpreter beneath it.
    base = getattr(sys, "_base_executable", None) or sys.executable
    options = [] if find_spec("ensurepip") else ["--without-pip"]
    output = logged([base, "-m", "venv", "--clear", *options, str(VENV)])
    if output is not None:
        reason = (output.strip().splitlines() or ["no output"])[-1]
        raise SetupError(f"{VENV} could not be created: {reason} ({DEBIAN_HINT}).")


def install(arguments: Sequence[str]) -> None:
    """Install into .venv. Bytecode is left to the first import, which compiles only what is used."""
    options = ("install", "--no-input", "--disable-pip-version-check", "--retries", "2", "--no-compile")
    output = logged([*pip_for_venv(), *options, *arguments])
    if output is None:
        return
    if OFFLINE.search(output):
        raise SetupError(
            "the packages could not be downloaded: is this machine offline, or does pip need a proxy or "
            f"another package index (https_proxy, PIP_INDEX_URL)? What pip said is in {LOG}."
        )
    reasons = [line for line in output.splitlines() if "error" in line.lower()] or ["no reason given"]
    raise SetupError(f"pip failed: {reasons[-1].strip()} (the whole of it is in {LOG}).")


def made(stamp: Path, wanted: str) -> bool:
    return PYTHON.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted


def ensure_environment(*, developers: bool) -> None:
    """Make .venv what pyproject.toml and constraints.txt ask for; instant when it is already."""
    wanted = fingerprint()
    if made(DEVELOPERS if developers else PRODUCT, wanted):
        return
    started = time.monotonic()
    LOG.parent.mkdir(exist_ok=True)
    LOG.write_text("", encoding="utf-8")
    product, tools = requirements()
    if not made(PRODUCT, wanted):
        say(f"[1/3] creating .venv with Python {sys.version.split()[0]}")
        create_venv()
        say(f"[2/3] installing topo and the {len(product)} packages that it needs, pinned by constraints.txt")
        install(["--constraint", "constraints.txt", *product])
        install(["--no-deps", "--no-build-isolation", "--editable", "."])
        PRODUCT.write_text(wanted, encoding="utf-8")
    if developers:
        say(f"[3/3] installing {len(tools)} packages for tests, linters and benchmarks")
        install(["--constraint", "constraints.txt", *tools])
        DEVELOPERS.write_text(wanted, encoding="utf-8")
    say(f"ready in {time.monotonic() - started:.0f} s\n")


def run(tool: str, *arguments: str) -> int:
    """Run a program of the environment in the repository's root and return its exit code."""
    return subprocess.run([str(BIN / tool), *arguments], cwd=ROOT, check=False).returncode


def demo(arguments: Sequence[str]) -> int:
    command = (*DEMO, *arguments)
    say(f"$ topo {' '.join(command)}")
    code = run("topo", *command)
    say(f"\ntopo is in .venv. To run the commands above, in this folder: {ON_PATH}")
    return code


def test(arguments: Sequence[str]) -> int:
    return run("python", "-m", "pytest", "-n", "auto", "--dist", "worksteal", *arguments)


def lint(_: Sequence[str]) -> int:
    failed = []
    for name, (tool, *options) in CHECKS.items():
        say(f"$ {tool} {' '.join(options)}".rstrip())
        if run(tool, *options) != 0:
            failed.append(name)
    say(f"failed: {', '.join(failed)}" if failed else "all clean")
    return 1 if failed else 0


def build(arguments: Sequence[str]) -> int:
    return run("python", "-m", "hatchling", "build", "--directory", "dist", *arguments)


def module(command: str) -> Callable[[Sequence[str]], int]:
    """A command that is a module of the repository."""
    name = MODULES[command]
    path = ROOT.joinpath(*name.split("."))

    def carry_out(arguments: Sequence[str]) -> int:
        if not path.with_suffix(".py").exists() and not (path / "__main__.py").exists():
            say(f"dev.py {command}: this checkout has no module {name}.")
            return 2
        return run("python", "-m", name, *arguments)

    return carry_out


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "demo": demo,
    "test": test,
    "lint": lint,
    "build": build,
    **{command: module(command) for command in MODULES},
}


def main(arguments: Sequence[str]) -> int:
    if sys.version_info < (3, 11):
        say(f"dev.py: Python 3.11 or newer is needed, and this is {sys.version.split()[0]}.")
        return 2
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    command = COMMANDS.get(arguments[0])
    if command is None:
        say(f"dev.py: there is no command {arguments[0]!r}; choose one of {', '.join(COMMANDS)}.")
        return 2
    try:
        ensure_environment(developers=command is not demo)
        return command(arguments[1:])
    except (SetupError, OSError) as error:
        say(f"dev.py: {error}")
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
