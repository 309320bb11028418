"""Known vulnerabilities of what constraints.txt pins, by pip-audit in an environment of its own.

Exit codes: 0 every pinned package was looked up and none has a known vulnerability; 1 some have; 3 it cannot
be decided, because the service was not reached or does not know a package. Silence is not safety.
"""

import json
import subprocess
import sys

import dev
from tests.supply import environment

PIP_AUDIT = "pip-audit==2.10.1"
CLEAN, VULNERABLE, UNDECIDED = 0, 1, 3


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
    code, lines = verdict(done.stdout)
    sys.stdout.write("\n".join(lines) + "\n")
    if not done.stdout.strip():
        dev.say("".join(done.stderr.strip().splitlines()[-1:]))
    return code


if __name__ == "__main__":
    sys.exit(main())
