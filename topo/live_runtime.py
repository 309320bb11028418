"""`python -m topo.live_runtime`: fetch the pinned runtime of the live page with npm, once, into the cache."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from topo.live.runtime import INTEGRITY, PACKAGE, TARBALL, VERSION, cache_folder, integrity
from topo.output import UsageError, write_output


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch it unless it is there; print where it is. Exit 2 where that is impossible."""
    parser = argparse.ArgumentParser(prog="dev.py live", description=__doc__)
    parser.add_argument(
        "--to", metavar="FOLDER", type=Path, help="default: topo's folder in the user's cache"
    )
    target = (parser.parse_args(arguments).to or cache_folder()) / TARBALL
    try:
        if not (target.is_file() and integrity(target.read_bytes()) == INTEGRITY):
            fetch(target)
    except (UsageError, OSError) as refusal:
        sys.stderr.write(f"live: error: {refusal}\n")
        return 2
    sys.stdout.write(f"{target}\n")
    return 0


def fetch(target: Path) -> None:
    """Have npm download the tarball, check it against the pinned integrity, and put it at `target`.

    Raises:
        UsageError: npm is missing or fails, or what came is not what is pinned.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise UsageError("npm is needed to fetch the runtime, and there is none; it comes with Node.js")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", f"{PACKAGE}@{VERSION}", "--pack-destination", folder, "--ignore-scripts"]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", check=False
        )
        packed = Path(folder, TARBALL)
        if done.returncode != 0 or not packed.is_file():
            raise UsageError(f"npm could not fetch {PACKAGE} {VERSION}: {done.stderr.strip()[-500:]}")
        data = packed.read_bytes()
    if integrity(data) != INTEGRITY:
        raise UsageError(f"npm fetched a {TARBALL} whose hash is not the pinned one; it was not kept")
    target.parent.mkdir(parents=True, exist_ok=True)
    write_output(str(target), data)


if __name__ == "__main__":
    sys.exit(main())
