"""Runs a scenario of `driver.mjs` in a real browser; skips with a reason where there is none."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / ".cache" / "npm" / "node_modules"
READY = "document.documentElement.dataset.ready === 'true'"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a browser reported: the values that were read, and everything that should not have happened."""

    values: dict[str, Any]
    console: list[str]
    errors: list[str]
    requests: list[str]
    violations: list[dict[str, Any]]

    def assert_quiet(self) -> None:
        """Fail on a message on the console, an error of the page, a request, a barrier."""
        assert (self.console, self.errors, self.requests, self.violations) == ([], [], [], [])


def browser() -> str:
    """Return the browser's path, or skip the test: what is missing, and how it comes here."""
    found = next(
        (path for name in ("chromium", "google-chrome", "chrome") if (path := shutil.which(name))), None
    )
    for what, there in (
        ("node", shutil.which("node")),
        ("a Chromium", found),
        ("playwright-core and axe-core (.ci/run installs them)", (MODULES / "playwright-core").exists()),
    ):
        if not there:
            pytest.skip(f"no {what} on this machine")
    assert found is not None
    return found


def drive(folder: Path, page: Path, *steps: dict[str, Any], timeout: int = 60, **options: Any) -> Seen:
    """Open a page from disk, carry out the steps, and return what was seen."""
    scenario = {
        "url": page.as_uri(),
        "browser": browser(),
        "modules": str(MODULES),
        "ready": READY,
        "timeout": timeout * 1000,
        "steps": list(steps),
        **options,
    }
    path = folder / "scenario.json"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    done = subprocess.run(
        ["node", str(ROOT / "tests" / "browser" / "driver.mjs"), str(path)],
        capture_output=True,
        text=True,
        timeout=20 * timeout,
    )
    assert done.returncode == 0, done.stderr
    return Seen(**json.loads(done.stdout))
