"""What a user installs: exactly the five folders, working outside the repository."""

import json
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from email import message_from_bytes
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.repo.tree import PACKAGES, ROOT, SHIPPED, files, relative

pytestmark = [
    pytest.mark.extra,
    pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed"),
]

LAB = ROOT / "examples" / "lab" / "estate.json"
EPOCH = 1_764_590_400
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
TOPOLOGY = """\
nodes:
  n1: {rack: r1, pdu: a}
domains:
  a: {kind: power, parent: u}
  u: {kind: ups, ratedKw: 40}
"""


def run(*command: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment or None, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def build(source: Path, target: Path, **environment: str) -> tuple[Path, Path]:
    """Wheel and source distribution of a tree."""
    run(sys.executable, "-m", "hatchling", "build", "--directory", target, folder=source, **environment)
    (wheel,), (archive,) = target.glob("*.whl"), target.glob("*.tar.gz")
    return wheel, archive


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def unpacked(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(built[1]) as archive:
        archive.extractall(folder, filter="data")
    (root,) = folder.iterdir()
    return root


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip installed the wheel."""
    folder = tmp_path_factory.mktemp("site")
    if find_spec("pip") is None:
        pytest.skip("pip is not installed")
    options = ("--no-deps", "--no-index", "--quiet", "--target")
    run(sys.executable, "-m", "pip", "install", *options, folder, built[0], folder=folder)
    return folder


def test_the_wheel_holds_the_five_folders_and_nothing_else(built: tuple[Path, Path]) -> None:
    names = zipfile.ZipFile(built[0]).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == set(SHIPPED)
    shipped = {name for name in names if ".dist-info/" not in name}
    assert shipped == {relative(path) for path in files() if relative(path).split("/")[0] in SHIPPED}
    assert {f"{package}/py.typed" for package in PACKAGES} <= shipped


def test_the_metadata_say_licence_python_and_command(built: tuple[Path, Path]) -> None:
    wheel = zipfile.ZipFile(built[0])
    (folder,) = {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
    metadata = message_from_bytes(wheel.read(f"{folder}/METADATA"))
    assert metadata["Name"] == "topo-failure-domains"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata.get_all("Provides-Extra") == ["dask"]
    assert f"{folder}/licenses/LICENSE" in wheel.namelist()
    assert "topo = topo.cli:" in wheel.read(f"{folder}/entry_points.txt").decode()


def test_the_same_tree_gives_the_same_bytes(built: tuple[Path, Path], tmp_path: Path) -> None:
    again = build(ROOT, tmp_path)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]


def test_the_date_of_the_source_is_the_only_date_in_the_archives(tmp_path: Path) -> None:
    wheel, archive = build(ROOT, tmp_path, SOURCE_DATE_EPOCH=str(EPOCH), PATH=os.environ["PATH"])
    with tarfile.open(archive) as opened:
        assert {member.mtime for member in opened} == {EPOCH}
    date = datetime.fromtimestamp(EPOCH, tz=UTC).timetuple()[:6]
    assert {member.date_time for member in zipfile.ZipFile(wheel).infolist()} == {date}


def test_the_source_distribution_gives_the_same_wheel(
    built: tuple[Path, Path], unpacked: Path, tmp_path: Path
) -> None:
    assert build(unpacked, tmp_path)[0].read_bytes() == built[0].read_bytes()


def test_the_source_distribution_can_run_the_tests(unpacked: Path) -> None:
    kept = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert {relative(path) for path in files()} <= kept
    run(sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", folder=unpacked)


@pytest.fixture
def outside(installed: Path, tmp_path: Path) -> Callable[..., str]:
    """Run the installed command in a folder of its own, where nothing of the repository can be found."""
    for name, source in {"small.yaml": TOPOLOGY, "estate.json": LAB.read_text(encoding="utf-8")}.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    environment = {"PYTHONPATH": str(installed), "PYTHONUTF8": "1", "PATH": os.environ["PATH"]}

    def command(*words: str) -> str:
        return run(installed / "bin" / "topo", *words, folder=tmp_path, **environment).stdout

    return command


class TestInstalled:
    def test_its_modules_are_the_installed_ones(self, installed: Path, tmp_path: Path) -> None:
        where = "import closure, findings, topo, topology; print(topo.__file__, closure.__file__)"
        environment = {"PYTHONPATH": str(installed)}
        said = run(sys.executable, "-c", where, folder=tmp_path, **environment).stdout.split()
        assert all(Path(path).is_relative_to(installed) for path in said)

    def test_it_says_its_version(self, outside: Callable[..., str]) -> None:
        assert outside("--version") == f"topo {VERSION}\n"

    def test_it_validates_with_the_shipped_schemas(self, outside: Callable[..., str]) -> None:
        assert "no faults" in outside("validate", "--jsonschema", "small.yaml", "estate.json")

    def test_it_computes(self, outside: Callable[..., str]) -> None:
        assert "1 node" in outside("whatif", "--fail", "u", "small.yaml")
        assert json.loads(outside("findings", "--format", "json", "estate.json"))["schemaVersion"] == 1
        assert "critical_share" in outside("explain", "critical-share/feed-strong", "estate.json")

    def test_it_draws_with_the_shipped_fonts_and_pages(
        self, outside: Callable[..., str], tmp_path: Path
    ) -> None:
        outside("diagram", "estate.json", "-o", "x.png")
        outside("report", "estate.json", "-o", "report.html")
        assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
        assert "Content-Security-Policy" in (tmp_path / "report.html").read_text(encoding="utf-8")

    def test_its_collector_is_a_file_of_its_own(self, installed: Path, tmp_path: Path) -> None:
        collector = installed / "topo" / "collect.py"
        asked = run(sys.executable, "-I", "-S", collector, "--print-requests", folder=tmp_path).stdout
        assert "/api/v1/nodes" in asked
