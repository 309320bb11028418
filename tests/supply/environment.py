"""Environments beside .venv: created once below .cache, used again until their packages change."""

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import dev

FOLDER = dev.ROOT / ".cache" / "environments"


class Failed(Exception):
    """A step of the setup failed; the text says which, and what it printed."""


def ensure(name: str, packages: Sequence[str], *, python: str | None = None) -> Path:
    """Return the interpreter of an environment that holds these packages and this checkout.

    Raises:
        Failed: the environment cannot be created, or a package cannot be installed.
    """
    base = python or getattr(sys, "_base_executable", None) or sys.executable
    folder = FOLDER / name
    own = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = folder / "installed"
    wanted = hashlib.sha256("\n".join([base, str(dev.ROOT), *packages]).encode()).hexdigest()
    if own.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return own
    dev.say(f"creating {folder.relative_to(dev.ROOT)}")
    _step(base, "-m", "venv", "--clear", "--without-pip", str(folder))
    with_pip = sys.executable if find_spec("pip") else base
    options = ("install", "--no-input", "--disable-pip-version-check", "--quiet")
    _step(with_pip, "-m", "pip", "--python", str(own), *options, *packages)
    stamp.write_text(wanted, encoding="utf-8")
    return own


def _step(*command: str) -> None:
    done = subprocess.run(command, cwd=dev.ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
