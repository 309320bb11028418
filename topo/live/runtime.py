"""The Python that runs inside a page: one pinned npm package, from a file or the local cache."""

import io
import json
import os
import tarfile
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha512
from pathlib import Path
from typing import Any, Final

from topo.output import UsageError

PACKAGE: Final = "pyodide"
VERSION: Final = "314.0.7"
INTEGRITY: Final = (
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
"""Of the package's tarball, as the registry publishes it (`npm view pyodide@314.0.7 dist.integrity`)."""
TARBALL: Final = f"{PACKAGE}-{VERSION}.tgz"

HOW_TO_GET_IT: Final = (
    f"With npm: `npm pack {PACKAGE}@{VERSION}`, then `topo report --live --runtime {TARBALL} -o live.html`. "
    "In a checkout of topo, `python3 dev.py live` does it once for all."
)


@dataclass(frozen=True, slots=True)
class Runtime:
    """The parts of the package that a page needs, and the loader that Node.js needs to make one.

    `lock` is what its lock file says about the build.
    """

    loader: str
    node_loader: str
    module: str
    wasm: bytes
    stdlib: bytes
    lock: dict[str, Any]


def cache_folder() -> Path:
    """Return where the runtime is kept: TOPO_CACHE, else topo's folder in the user's cache."""
    if chosen := os.environ.get("TOPO_CACHE"):
        return Path(chosen)
    local = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    return (Path(local) if local else Path.home() / ".cache") / "topo"


def load_runtime(path: str | None = None) -> Runtime:
    """Return the runtime of a tarball; without `path`, of the one in the cache.

    Raises:
        UsageError: there is none, or it is not exactly the pinned one.
    """
    place = Path(path) if path else cache_folder() / TARBALL
    try:
        data = place.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            f"the live page needs {PACKAGE} {VERSION}, and {place} does not exist", HOW_TO_GET_IT
        ) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {place}: {error}", HOW_TO_GET_IT) from None
    if integrity(data) != INTEGRITY:
        raise UsageError(
            f"{place} is not the tarball of {PACKAGE} {VERSION}: its hash differs", HOW_TO_GET_IT
        )
    return unpack(data)


def integrity(data: bytes) -> str:
    """Return the hash of a tarball, written as npm writes it."""
    return f"sha512-{b64encode(sha512(data).digest()).decode('ascii')}"


def unpack(data: bytes) -> Runtime:
    """Return the parts of a tarball whose integrity is known."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:

        def member(name: str) -> bytes:
            stream = archive.extractfile(f"package/{name}")
            assert stream is not None
            return stream.read()

        return Runtime(
            loader=member("pyodide.js").decode("utf-8"),
            node_loader=member("pyodide.mjs").decode("utf-8"),
            module=member("pyodide.asm.mjs").decode("utf-8"),
            wasm=member("pyodide.asm.wasm"),
            stdlib=member("python_stdlib.zip"),
            lock={"info": json.loads(member("pyodide-lock.json"))["info"], "packages": {}},
        )
