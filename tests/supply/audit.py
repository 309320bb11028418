"""Known vulnerabilities of what constraints.txt pins, by pip-audit in an environment of its own.

Exit codes: 0 every pinned package was looked up and none has a known vulnerability; 1 some have; 3 it cannot
be decided, because the service was not reached or does not know a package. Silence is not safety.

pip-audit asks the index for the page of each version. A mirror may have the page of the newest release alone:
what pip-audit could not look up is looked up there, if the newest release is the one that is pinned.
"""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dev
from tests.supply import environment

PIP_AUDIT = "pip-audit==2.10.1"
INDEX = "from pip._internal.models.index import PyPI; print(PyPI.pypi_url)"
"""Prints where pages of packages are: pip knows."""
SECONDS = 30
CLEAN, VULNERABLE, UNDECIDED = 0, 1, 3

Ask = Callable[[str], Any]
"""Returns the index's page of the newest release of a package. Raises OSError or ValueError."""


def verdict(document: str) -> tuple[int, list[str]]:
    """Return the exit code and what to print, from the JSON that pip-audit wrote."""
    try:
        packages = json.loads(document)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return UNDECIDED, ["pip-audit gave no result: nothing is known about any package"]
    skipped = [package for package in packages if "skip_reason" in package]
    found = [
        f"{package['name']} {package['version']}: {fault['id']}, fixed in "
        f"{', '.join(fault['fix_versions']) or 'no version'}"
        for package in packages
        for fault in package.get("vulns", ())
    ]
    looked_up = len(packages) - len(skipped)
    lines = [*found, f"{looked_up} of {len(packages)} packages looked up, {len(found)} known vulnerabilities"]
    if skipped:
        lines.append(f"not looked up: {', '.join(sorted(package['name'] for package in skipped))}")
    if found:
        return VULNERABLE, lines
    return (UNDECIDED if skipped or not packages else CLEAN), lines


def with_newest(document: str, ask: Ask) -> str:
    """Return what pip-audit wrote, with what the newest release's page says of packages that it skipped."""
    try:
        packages = json.loads(document)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return document
    return json.dumps(
        {"dependencies": [_looked_up(each, ask) if "skip_reason" in each else each for each in packages]}
    )


def _looked_up(package: dict[str, Any], ask: Ask) -> dict[str, Any]:
    try:
        page = ask(package["name"])
        version, faults = page["info"]["version"], page["vulnerabilities"]
    except (OSError, ValueError, KeyError, TypeError):
        return package
    # The reason quotes the requirement with the version that was asked for.
    if f"({version})" not in package["skip_reason"]:
        return package
    vulns = [
        {"id": fault["id"], "fix_versions": fault["fixed_in"]} for fault in faults if not fault["withdrawn"]
    ]
    return {"name": package["name"], "version": version, "vulns": vulns}


def _index(python: Path) -> Ask:
    said = subprocess.run([python, "-c", INDEX], capture_output=True, text=True, check=False).stdout.strip()

    def ask(name: str) -> Any:
        with urllib.request.urlopen(f"{said}/{name}/json", timeout=SECONDS) as page:
            return json.load(page)

    return ask


def main() -> int:
    try:
        python = environment.ensure("audit", [PIP_AUDIT])
    except environment.Failed as failure:
        dev.say(f"dev.py audit: {failure}")
        return UNDECIDED
    command = (python, "-m", "pip_audit", "--requirement", "constraints.txt", "--no-deps", "--disable-pip")
    done = subprocess.run(
        [*command, "--format", "json", "--progress-spinner", "off"],
        cwd=dev.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    code, lines = verdict(with_newest(done.stdout, _index(python)))
    sys.stdout.write("\n".join(lines) + "\n")
    if not done.stdout.strip():
        dev.say("".join(done.stderr.strip().splitlines()[-1:]))
    return code


if __name__ == "__main__":
    sys.exit(main())
