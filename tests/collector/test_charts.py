"""The chart, the kustomize base and the plain YAML: valid, hardened, and granting no more than is used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.collector import tools
from tests.collector.test_requests import (
    METHODOLOGY_RULES,
    ROOT,
    documents,
    forbidden,
    needed,
    rights,
    rules_of,
)

CHART = ROOT / "charts" / "topo-collector"
PLAIN = ROOT / "deploy" / "topo-collector.yaml"
VERSIONS = ("1.34", "1.37")

SETTINGS: dict[str, list[str]] = {
    "default": [],
    "stdout": ["output=stdout"],
    "existing claim": ["pvc.existingClaim=mine"],
    "cpu": ["collector.unit=cpu"],
    "dcgm": ["collector.dcgm=gpu-operator/nvidia-dcgm-exporter:9400"],
    "dcgm auto": ["collector.dcgm=auto"],
    "prometheus": ["collector.prometheus=mon/https:prom:9090", "collector.dcgm=gpu/dcgm:9400"],
    "dra": ["rbac.dra=true"],
    "methodology": ["rbac.profile=methodology", "collector.dcgm=auto"],
    "map": ["topology.configMap=facility", "collector.cluster=lab-1", "collector.redact=true"],
}


def job_of(objects: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the Job."""
    return next(one for one in objects if one["kind"] == "Job")


def container_of(objects: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the Job's one container."""
    (one,) = job_of(objects)["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = one
    return found


class TestPlain:
    """deploy/: what needs no tool."""

    def test_the_pod_is_hardened(self) -> None:
        assert_hardened(documents(PLAIN))

    def test_the_values_schema_is_json(self) -> None:
        schema = json.loads((CHART / "values.schema.json").read_text())
        values = yaml.safe_load((CHART / "values.yaml").read_text())
        assert set(values) <= set(schema["properties"])

    def test_the_image_is_pinned_alike(self) -> None:
        values = yaml.safe_load((CHART / "values.yaml").read_text())
        image = f"{values['image']['repository']}:{values['image']['tag']}"
        assert container_of(documents(PLAIN))["image"] == image
        assert image in (ROOT / "deploy" / "Containerfile").read_text()


def assert_hardened(objects: list[dict[str, Any]]) -> None:
    """Non-root uid 10001, read-only root, no escalation, no capabilities, seccomp, limits, one hour."""
    spec = job_of(objects)["spec"]
    pod, container = spec["template"]["spec"], container_of(objects)
    assert (spec["ttlSecondsAfterFinished"], spec["backoffLimit"]) == (3600, 0)
    assert (pod["securityContext"]["runAsNonRoot"], pod["securityContext"]["runAsUser"]) == (True, 10001)
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert set(container["resources"]["limits"]) == {"cpu", "memory"}
    volumes = {kind for volume in pod["volumes"] for kind in volume if kind != "name"}
    assert volumes <= {"emptyDir", "persistentVolumeClaim", "configMap"}


@pytest.mark.extra
class TestKustomize:
    """The base builds to the plain YAML."""

    def test_the_plain_yaml_is_its_build(self) -> None:
        command = [str(tools.installed_kubectl()), "kustomize", str(ROOT / "deploy" / "kustomize")]
        built = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert [one for one in yaml.safe_load_all(built) if one] == documents(PLAIN)

    @pytest.mark.parametrize("version", VERSIONS)
    def test_valid(self, version: str) -> None:
        assert_valid(PLAIN, version)


def assert_valid(path: Path, version: str) -> None:
    """Validate a file against the schemas of a Kubernetes version."""
    tool = Path(sys.executable).with_name("kubernetes-validate")
    if not tool.exists():
        pytest.skip("kubernetes-validate is not installed")
    done = subprocess.run([str(tool), "-k", version, "--strict", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.extra
class TestHelm:
    """The chart, rendered with the real helm."""

    def template(self, *settings: str) -> list[dict[str, Any]]:
        done = self.run("template", *settings)
        assert done.returncode == 0, done.stderr
        return [one for one in yaml.safe_load_all(done.stdout) if one]

    def run(self, verb: str, *settings: str) -> subprocess.CompletedProcess[str]:
        names = (
            ["topo-collector", str(CHART), "--namespace", "topo"]
            if verb == "template"
            else ["--strict", str(CHART)]
        )
        sets = [part for setting in settings for part in ("--set", setting)]
        return subprocess.run([str(tools.helm()), verb, *names, *sets], capture_output=True, text=True)

    @pytest.mark.parametrize("name", SETTINGS)
    def test_lint(self, name: str) -> None:
        done = self.run("lint", *SETTINGS[name])
        assert done.returncode == 0, done.stdout

    @pytest.mark.parametrize(
        "setting",
        [
            "output=nfs",
            "unknown=1",
            "collector.dcgm=everything",
            "rbac.profile=admin",
            "collector.unit=tpu",
            "pvc.size=big",
        ],
    )
    def test_wrong_values_are_refused(self, setting: str) -> None:
        assert self.run("lint", setting).returncode == 1
        assert self.run("template", setting).returncode == 1

    @pytest.mark.parametrize("name", SETTINGS)
    def test_rendered(self, name: str, tmp_path: Path) -> None:
        objects = self.template(*SETTINGS[name])
        assert_hardened(objects)
        assert forbidden(rules_of(objects)) == []
        place = tmp_path / "rendered.yaml"
        place.write_text(yaml.safe_dump_all(objects))
        for version in VERSIONS:
            assert_valid(place, version)

    @pytest.mark.parametrize("name", [name for name in SETTINGS if name != "methodology"])
    def test_the_role_is_exactly_what_the_job_needs(self, name: str) -> None:
        objects = self.template(*SETTINGS[name])
        assert needed(*container_of(objects)["args"]) == rights(rules_of(objects))

    def test_the_methodologys_role_is_verbatim_and_enough(self) -> None:
        objects = self.template(*SETTINGS["methodology"])
        assert rules_of(objects) == METHODOLOGY_RULES
        assert needed(*container_of(objects)["args"]) <= rights(METHODOLOGY_RULES)

    def test_a_named_exporter_is_allowed_by_name_in_its_namespace_only(self) -> None:
        objects = self.template(*SETTINGS["prometheus"])
        roles = {one["metadata"]["namespace"]: one["rules"] for one in objects if one["kind"] == "Role"}
        assert {name: rules[0]["resourceNames"] for name, rules in roles.items()} == {
            "gpu": ["dcgm:9400"],
            "mon": ["https:prom:9090"],
        }
        bound = [one["subjects"][0]["namespace"] for one in objects if one["kind"] == "RoleBinding"]
        assert bound == ["topo", "topo"]

    def test_the_result_goes_to_a_claim_by_default_and_to_stdout_on_request(self) -> None:
        default, stdout = self.template(), self.template("output=stdout")
        assert "--output=/out/estate.json" in container_of(default)["args"]
        assert any(one["kind"] == "PersistentVolumeClaim" for one in default)
        assert "--output=-" in container_of(stdout)["args"]
        assert not any(one["kind"] == "PersistentVolumeClaim" for one in stdout)

    def test_the_default_is_the_plain_yaml(self) -> None:
        spec = job_of(self.template())["spec"]["template"]["spec"]
        assert spec == job_of(documents(PLAIN))["spec"]["template"]["spec"]
