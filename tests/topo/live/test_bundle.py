"""What the page carries of this program works with nothing but the standard library and pure PyYAML."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.topo.command import TWO_HALLS, topo
from tests.topo.live.browser import NOW
from topo.live.bundle import LEFT_OUT, bundle, members, modules

# Without site-packages: a module that needs a library fails.
BARE = [sys.executable, "-I", "-S", "-W", "error", "-c"]
IMPORT_ALL = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    importlib.import_module(name)
import yaml
assert yaml.__file__.startswith(sys.argv[1]) and not yaml.__with_libyaml__
foreign = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names - {"__main__"}
print(*sorted(foreign))
"""
RUN = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from topo.live.engine import Session
session = Session()
taken = session.take([("estate.json", Path(sys.argv[2]).read_bytes(), 0)], sys.argv[3], "allocated")
assert taken["readable"]
sys.stdout.buffer.write(session.report())
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    zipfile.ZipFile(io.BytesIO(bundle())).extractall(folder)
    return folder


def test_every_module_imports_with_nothing_else_installed(unpacked: Path) -> None:
    done = subprocess.run([*BARE, IMPORT_ALL, unpacked, *modules()], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["closure", "findings", "topo", "topology", "yaml"]


def test_it_makes_the_report_of_the_command(unpacked: Path) -> None:
    estate = TWO_HALLS / "estate.json"
    done = subprocess.run([*BARE, RUN, unpacked, estate, NOW], capture_output=True)
    assert done.stderr == b""
    assert done.stdout.decode() == topo("report", estate, "--now", NOW).out


def test_what_is_left_out_exists() -> None:
    root = Path(__file__).resolve().parents[3]
    ours = {name for name in LEFT_OUT if not name.startswith("yaml/")}
    assert {name for name in ours if not (root / name).exists()} == set()
    assert not LEFT_OUT & {name for name, _ in members()}


def test_the_same_program_gives_the_same_bytes() -> None:
    assert bundle() == bundle()


def test_the_licence_travels_with_yaml() -> None:
    text = dict(members())["yaml/LICENSE"].decode()
    assert "Permission is hereby granted" in text
    assert json.dumps(text).isascii()
