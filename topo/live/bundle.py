"""What the page carries of this program: its packages and PyYAML's pure Python, as one archive."""

import io
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PACKAGES: Final = ("closure", "findings", "topo", "topology", "yaml")
LEFT_OUT: Final = frozenset(
    {
        "topo/__main__.py", "topo/charts", "topo/cli", "topo/collect.py", "topo/diagram/png.py",
        "topo/assets/live", "topo/live/bundle.py", "topo/live/page.py", "topo/live/runtime.py",
        "topo/live/snapshot.py",
        "topo/live_runtime.py", "topology/graph.py", "topology/schema_check.py", "yaml/cyaml.py",
    }
)  # fmt: skip
"""What works at a command line, or needs a library that a page does not have."""
_CARRIED: Final = (".py", ".css", ".js", ".txt", ".json")
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def bundle() -> bytes:
    """Return the archive: the same program, the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(members()):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def members() -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of every file in the archive."""
    for package in PACKAGES:
        yield from _walk(files(package), package)
    yield "yaml/LICENSE", yaml_license().encode()


def modules() -> tuple[str, ...]:
    """Return the names of the modules in the archive, sorted."""
    paths = (name for name, _ in members() if name.endswith(".py"))
    return tuple(
        sorted(path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in paths)
    )


def yaml_license() -> str:
    """Return the licence of PyYAML, which travels with it; "" where the installation carries none."""
    for path in distribution("PyYAML").files or ():
        if path.name == "LICENSE":
            return path.read_text()
    return ""


def _walk(folder: "Traversable", path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = f"{path}/{entry.name}"
        if name in LEFT_OUT:
            continue
        if entry.is_dir():
            yield from _walk(entry, name)
        elif name.endswith(_CARRIED):
            yield name, entry.read_bytes()
