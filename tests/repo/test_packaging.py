"""What a user installs: exactly the five folders, working outside the repository."""

import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.repo.tree import PACKAGES, ROOT, SHIPPED, files, relative

pytestmark = [
    pytest.mark.extra,
    pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed"),
]

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


def build(source: Path, target: Path) -> tuple[Path, Path]:
    """Wheel and source distribution of a tree."""
    run(sys.executable, "-m", "hatchling", "build", "--directory", target, folder=source)
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


def test_the_source_distribution_gives_the_same_wheel(
    built: tuple[Path, Path], unpacked: Path, tmp_path: Path
) -> None:
    assert build(unpacked, tmp_path)[0].read_bytes() == built[0].read_bytes()


def test_the_source_distribution_can_run_the_tests(unpacked: Path) -> None:
    kept = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert {relative(path) for path in files()} <= kept
    run(sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", folder=unpacked)


def test_the_installed_command_works_outside_the_tree(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(TOPOLOGY, encoding="utf-8")
    environment = {"PYTHONPATH": str(installed), "PYTHONUTF8": "1"}
    topo = installed / "bin" / "topo"
    where = "import closure, findings, topo, topology; print(topo.__file__, closure.__file__)"
    said = run(sys.executable, "-c", where, folder=tmp_path, **environment).stdout.split()
    assert all(Path(path).is_relative_to(installed) for path in said)
    assert "topo 0.1.0" in run(topo, "--version", folder=tmp_path, **environment).stdout
    run(topo, "validate", "small.yaml", folder=tmp_path, **environment)
    page = run(topo, "whatif", "--fail", "u", "small.yaml", folder=tmp_path, **environment).stdout
    assert "n1" in page or "1 node" in page
