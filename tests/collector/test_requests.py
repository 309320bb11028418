"""Every request is announced, every announced one is allowed by the shipped role, and nothing more is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.collector.build import node, pod
from tests.collector.direct import estate_of, options
from tests.collector.stub_server import Cluster, ok
from topo import collect

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN_RESOURCES = (
    "secrets",
    "configmaps",
    "exec",
    "attach",
    "portforward",
    "*",
    "nodes/proxy",
    "pods/proxy",
    "pods/log",
)
READING = {"get", "list"}

METHODOLOGY_RULES = [
    {"apiGroups": [""], "resources": ["nodes", "pods", "events"], "verbs": ["get", "list"]},
    {
        "apiGroups": ["apps"],
        "resources": ["replicasets", "deployments", "statefulsets", "daemonsets"],
        "verbs": ["get", "list"],
    },
    {"apiGroups": ["batch"], "resources": ["jobs", "cronjobs"], "verbs": ["get", "list"]},
    {"apiGroups": ["policy"], "resources": ["poddisruptionbudgets"], "verbs": ["get", "list"]},
    {"apiGroups": ["metrics.k8s.io"], "resources": ["nodes", "pods"], "verbs": ["get", "list"]},
    {"apiGroups": [""], "resources": ["services"], "verbs": ["get", "list"]},
    {"apiGroups": [""], "resources": ["services/proxy"], "verbs": ["get"]},
    {"nonResourceURLs": ["/version"], "verbs": ["get"]},
]

Right = tuple[str, str, str]


def documents(path: Path) -> list[dict[str, Any]]:
    """Return the documents of a YAML file."""
    return [one for one in yaml.safe_load_all(path.read_text()) if one]


def rules_of(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rules of all roles among some objects."""
    return [rule for one in objects if one["kind"] in ("ClusterRole", "Role") for rule in one["rules"]]


def rights(rules: list[dict[str, Any]]) -> set[Right]:
    """Return (verb, group, resource) of all rules; non-resource URLs have no group."""
    granted = {
        (verb, group, resource)
        for rule in rules
        for verb in rule["verbs"]
        for group in rule.get("apiGroups", [])
        for resource in rule.get("resources", [])
    }
    return granted | {
        (verb, "", url) for rule in rules for verb in rule["verbs"] for url in rule.get("nonResourceURLs", [])
    }


def needed(*flags: str) -> set[Right]:
    """Return the rights that a run with some flags needs, by what it prints."""
    return {(one.verb, one.group, one.resource) for one in collect.planned_requests(options(*flags))}


def forbidden(rules: list[dict[str, Any]]) -> list[Right]:
    """Return the rights that no role of ours may give."""
    return [
        right
        for right in rights(rules)
        if right[0] not in READING
        or any(part in right[2].split("/") or right[2] == part for part in FORBIDDEN_RESOURCES)
    ]


MINIMAL = rules_of(documents(ROOT / "deploy" / "topo-collector.yaml"))
METHODOLOGY = rules_of(documents(ROOT / "deploy" / "clusterrole-methodology.yaml"))


class TestShippedRoles:
    """deploy/: the default role grants what the default Job uses; the methodology's is verbatim."""

    def test_the_default_role_is_exactly_what_the_default_job_needs(self) -> None:
        job = next(one for one in documents(ROOT / "deploy" / "topo-collector.yaml") if one["kind"] == "Job")
        flags = job["spec"]["template"]["spec"]["containers"][0]["args"]
        assert needed(*flags) == rights(MINIMAL)

    def test_the_methodologys_role_is_verbatim(self) -> None:
        assert METHODOLOGY == METHODOLOGY_RULES

    @pytest.mark.parametrize(
        "flags",
        [
            ("--dra", "off"),
            ("--unit", "cpu"),
            ("--dra", "off", "--prometheus", "m/p:1"),
            ("--dra", "off", "--dcgm", "g/d:1"),
        ],
    )
    def test_the_methodologys_role_covers_what_it_promises(self, flags: tuple[str, ...]) -> None:
        assert needed(*flags) <= rights(METHODOLOGY)

    @pytest.mark.parametrize("rules", [MINIMAL, METHODOLOGY])
    def test_nothing_that_reads_a_credential_or_writes(self, rules: list[dict[str, Any]]) -> None:
        assert forbidden(rules) == []


class TestPrintRequests:
    """--print-requests prints every request that a run makes."""

    @pytest.mark.parametrize(
        "flags",
        [
            (),
            ("--unit", "cpu"),
            ("--dcgm", "off"),
            ("--dra", "on"),
            ("--dcgm", "gpu/dcgm:9400"),
            ("--prometheus", "mon/prom:9090"),
        ],
    )
    def test_what_is_asked_was_printed(self, flags: tuple[str, ...]) -> None:
        service = {"metadata": {"name": "dcgm", "namespace": "gpu"}, "spec": {"ports": [{"port": 9400}]}}
        cluster = Cluster(answers={"/api/v1/services": ok({"items": [service]})})
        cluster.add(*(node(f"n{index}") for index in range(501)), pod("p", "n1", gpus=9))
        estate_of(cluster, *flags)
        printed = [one.path for one in collect.planned_requests(options(*flags))]
        patterns = [
            re.sub(r"<[^>]*>", "[a-z0-9]+", re.escape(path).replace(r"\ ", " ")) + "(&continue=[^&]*)?"
            for path in printed
        ]
        strangers = [
            asked for asked in cluster.log if not any(re.fullmatch(pattern, asked) for pattern in patterns)
        ]
        assert strangers == []

    def test_lines_name_verb_resource_and_path(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert collect.main(["--print-requests", "--prometheus", "mon/prom:9090"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].split() == ["get", "/version", "/version"]
        assert lines[1].split() == ["list", "nodes", "/api/v1/nodes?limit=500"]
        assert any("increase(DCGM_FI_DEV_ECC_SBE_VOL_TOTAL[90d])" in line for line in lines)
        assert {line.split()[0] for line in lines} == READING

    def test_it_asks_nothing(self, tmp_path: Path) -> None:
        assert collect.main(["--print-requests", "--kubectl", str(tmp_path / "absent")]) == 0
