"""The memory of the page's Python once all is imported: a page that starts from it is ready at once."""

import gzip
import json
import shutil
import subprocess
import tempfile
from importlib.resources import files
from pathlib import Path

from topo.live.bundle import bundle, modules
from topo.live.runtime import Runtime
from topo.output import UsageError


def snapshot(runtime: Runtime) -> bytes | None:
    """Return the memory, compressed, as Node.js leaves it; None where there is no Node.js.

    Same runtime and program, same bytes.

    Raises:
        UsageError: Node.js is there and cannot do it.
    """
    node = shutil.which("node")
    if node is None:
        return None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for member, data in _members(runtime).items():
            (folder / member).write_bytes(data)
        target = folder / "memory"
        command = [node, "snapshot.mjs", name, ",".join(modules()), str(target)]
        done = subprocess.run(
            command, cwd=name, capture_output=True, text=True, errors="replace", check=False
        )
        if done.returncode != 0 or not target.is_file():
            raise UsageError(
                f"Node.js could not start the page's Python: {done.stderr.strip()[-500:]}",
                "Node.js 20 or newer can; without any in the PATH, a page is made that starts slower.",
            )
        return gzip.compress(target.read_bytes(), mtime=0)


def _members(runtime: Runtime) -> dict[str, bytes]:
    script = files("topo") / "assets/live/snapshot.mjs"
    return {
        "pyodide.mjs": runtime.node_loader.encode(),
        "pyodide.asm.mjs": runtime.module.encode(),
        "pyodide.asm.wasm": runtime.wasm,
        "python_stdlib.zip": runtime.stdlib,
        "pyodide-lock.json": json.dumps(runtime.lock).encode(),
        "topo.zip": bundle(),
        "snapshot.mjs": script.read_bytes(),
    }
