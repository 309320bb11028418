"""docs/licences.md: what every pinned package is licensed under, read from what is installed.

`python3 dev.py licences` writes the page; a test compares it with the environment that it runs in.
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "licences.md"
UNKNOWN = "unknown: not installed where this page was made"

SPDX = {
    "Apache 2.0": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""What packages say in words that mean one SPDX expression. "BSD License" means several: it stays."""

MIT_TEXT = ("Permission is hereby granted, free of charge", 'THE SOFTWARE IS PROVIDED "AS IS"')

INTRODUCTION = """\
# Licences

`topo` is Apache-2.0. `python3 dev.py licences` writes this page from the metadata of the installed
packages, and a test compares the two. The versions stand in [constraints.txt](../constraints.txt).
Nothing here is bundled with `topo` unless the last table says so: pip installs it beside.
"""

BUNDLED = """\
## Inside the package, and inside its pages

| what | where | licence |
|---|---|---|
| DejaVu Sans, subsets | `topo/assets/fonts` | [Bitstream Vera](../topo/assets/fonts/LICENSE-DejaVu.txt) |
| Pyodide | only a page of `topo report --live`; fetched from npm, pinned by its hash | MPL-2.0 |
| CPython, in Pyodide | the same page | PSF-2.0 |
| PyYAML, its Python sources | the same page | MIT |

Tests of pages in a browser fetch `playwright-core` (Apache-2.0) and `axe-core` (MPL-2.0) from npm. Neither is
shipped.
"""


@dataclass(frozen=True, slots=True)
class Package:
    """One pinned package: its canonical name, and its licence as SPDX or in its own words."""

    name: str
    licence: str


def pinned() -> list[str]:
    """Return the canonical name of every package in constraints.txt, sorted."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    names = (re.split("[=<>~! ;]", line)[0] for line in lines if line[:1] not in ("", "#"))
    return sorted(map(canonicalize_name, set(names)))


def licence(package: Distribution) -> str:
    """Return an SPDX expression where the metadata give one, else the words they use."""
    metadata = package.metadata
    if "License-Expression" in metadata:
        return metadata["License-Expression"]
    said = metadata["License"].strip().splitlines() if "License" in metadata else []
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in metadata.get_all("Classifier") or []
        if line.startswith("License :: ") and not line.endswith("OSI Approved")
    ]
    words = said[0] if len(said) == 1 and len(said[0]) < 40 else " or ".join(classifiers)
    return SPDX.get(words, words) or _by_text(package)


def _by_text(package: Distribution) -> str:
    files = [file for file in package.files or [] if "LICEN" in file.name.upper()]
    texts = [Path(str(file.locate())).read_text(encoding="utf-8") for file in files]
    if any(all(phrase in text for phrase in MIT_TEXT) for text in texts):
        return "MIT (by its text; its metadata do not say)"
    return "unknown: its metadata do not say"


def closure_of(names: list[str]) -> set[str]:
    """Return these packages and whatever they pull in, as far as it is installed."""
    found: set[str] = set()
    waiting = [Requirement(name) for name in names]
    while waiting:
        need = waiting.pop()
        name = canonicalize_name(need.name)
        if name in found or (need.marker is not None and not need.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        try:
            waiting += [Requirement(text) for text in distribution(name).requires or []]
        except PackageNotFoundError:
            continue
    return found


def packages() -> dict[str, list[Package]]:
    """Return every pinned package under the heading of what first needs it."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = document["project"]
    extras = [name for extra in project["optional-dependencies"].values() for name in extra]
    needed = {
        "Installed with topo": closure_of(project["dependencies"]),
        "Installed with the extra dask": closure_of(extras),
        "For developers alone: tests, linters, benchmarks, the build": set(pinned()),
    }
    found: dict[str, list[Package]] = {heading: [] for heading in needed}
    for name in pinned():
        heading = next(heading for heading, names in needed.items() if name in names)
        try:
            found[heading].append(Package(name, licence(distribution(name))))
        except PackageNotFoundError:
            found[heading].append(Package(name, UNKNOWN))
    return found


def page() -> str:
    """Return docs/licences.md."""
    parts = [INTRODUCTION]
    for heading, rows in packages().items():
        table = "\n".join(f"| {row.name} | {row.licence} |" for row in rows)
        parts.append(f"## {heading}\n\n| package | licence |\n|---|---|\n{table}\n")
    return "\n".join([*parts, BUNDLED])


def main() -> int:
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
