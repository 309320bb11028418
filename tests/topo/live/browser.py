"""The live page in a real browser: what is needed for it, and what a visit showed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.topo.command import ROOT
from topo.live.runtime import TARBALL, cache_folder

NOW = "2026-12-01T00:00:00Z"
MODULES = ROOT / ".cache" / "npm" / "node_modules"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True)
class Visit:
    """What a visit to the page showed: its values, and everything that should not have happened."""

    values: dict[str, Any]
    console: list[str]
    requests: list[str]
    blocked: list[str]
    axe: list[str]
    milliseconds: dict[str, int]


def browser() -> str | None:
    """Return the browser's program; TOPO_BROWSER names another."""
    names = (os.environ.get("TOPO_BROWSER"), *_BROWSERS)
    return next((found for name in names if name and (found := shutil.which(name))), None)


@cache
def missing() -> str | None:
    """Return what these tests would need and do not find; None when all is there."""
    if browser() is None:
        return "no Chromium"
    if shutil.which("node") is None:
        return "no Node.js"
    if not (MODULES / "playwright-core").is_dir():
        return f"no playwright-core in {MODULES}"
    if not (cache_folder() / TARBALL).is_file():
        return f"no {TARBALL} in the cache (python3 dev.py live fetches it)"
    return None


def live_page(folder: Path) -> Path:
    """Write the page. Skips where something is missing."""
    if reason := missing():
        pytest.skip(reason)
    path = folder / "live.html"
    # Node.js starts the page's Python first: on a busy machine that takes longer than any other command may.
    command = [sys.executable, "-m", "topo", "report", "--live", "-o", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return path


def visit(page: Path, steps: list[dict[str, Any]], **options: Any) -> Visit:
    """Open the page from disk and carry out steps (see drive.mjs)."""
    scenario = page.with_suffix(f".{abs(hash(json.dumps(steps)))}.json")
    document = {
        "url": page.as_uri(),
        "browser": browser(),
        "modules": str(MODULES),
        "steps": steps,
        **options,
    }
    scenario.write_text(json.dumps(document), encoding="utf-8")
    driver = Path(__file__).with_name("drive.mjs")
    done = subprocess.run(["node", driver, scenario], capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr[-3000:]
    return Visit(**json.loads(done.stdout))
