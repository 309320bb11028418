"""Names: hashed on request, hostile at times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.collector.build import budget, node, owner, pod
from tests.collector.direct import caveats, estate_of
from tests.collector.stub_server import Cluster, status
from topo import collect
from topology.load import load_estate_text

MAP = {"n1": {"pdu": ["pdu-a", "pdu-b"], "cooling": {"all": ["loop-1", "loop-2"]}}}


PARSED = collect.ParsedMap(
    MAP,
    {
        "pdu-a": {"kind": "power", "feeds": ["ups-a"], "contact": "ann", "description": "left"},
        "ups-a": {"kind": "ups", "parent": "xfmr"},
        "xfmr": {"kind": "transformer"},
    },
    {
        "pdu-a": "power",
        "pdu-b": "power",
        "ups-a": "ups",
        "xfmr": "transformer",
        "loop-1": "cooling",
        "loop-2": "cooling",
    },
    None,
)


class TestRedaction:
    """Names are hashed, the same way every time; figures stay."""

    def cluster(self) -> Cluster:
        work = pod(
            "secret-pod",
            owner=owner("PyTorchJob", "secret-job", "kubeflow.org/v1"),
            labels={"owner": "secret-ann"},
            namespace="secret-ns",
        )
        stray = pod("secret-stray", on="secret-node")
        shown = node(
            "n1",
            providerID="secret-provider",
            labels={"iverson.gpu/rack": "secret-rack", "topology.kubernetes.io/zone": "secret-zone"},
        )
        cluster = Cluster().add(
            shown, work, stray, budget("secret-budget", {}, namespace="secret-ns", minAvailable=1)
        )
        cluster.answers["/api/v1/events"] = status(403, 'events is forbidden: User "secret-user" cannot list')
        return cluster

    def redacted(self, *flags: str) -> dict[str, Any]:
        map_file = collect.MapFile("0" * 64, "2026-11-01T00:00:00Z", "secret text", PARSED)
        return estate_of(self.cluster(), "--redact", "--cluster", "secret-cluster", *flags, map_file=map_file)

    def test_no_name_is_left(self) -> None:
        text = json.dumps(self.redacted())
        for name in ("secret", "n1", "pdu-a", "ups-a", "loop-1", "xfmr", "ann", "left"):
            assert f'"{name}' not in text
            assert "secret" not in text

    def test_references_still_meet(self) -> None:
        estate = self.redacted()
        one, work = estate["nodes"][0], estate["workloads"][0]
        assert set(work["placements"]) == {one["id"]}
        power = next(name for name, body in estate["domains"].items() if body["kind"] == "power")
        assert power in one["domains"]["pdu"]
        assert estate["domains"][power]["feeds"][0] in estate["domains"]
        assert work["id"].split("/")[1] == "pytorchjob"
        assert (work["critical"], one["allocated"]) == (True, 1)

    def test_same_key_same_hash_other_key_other_hash(self, tmp_path: Path) -> None:
        key = tmp_path / "key"
        key.write_text("k")
        ids = [self.redacted(*flags)["nodes"][0]["id"] for flags in ((), (), ("--redact-key-file", str(key)))]
        assert ids[0] == ids[1] != ids[2]

    def test_without_a_key_it_is_said(self) -> None:
        assert "hashed without a key" in caveats(self.redacted())

    def test_a_failures_words_are_left_out(self) -> None:
        assert self.redacted()["provenance"]["signals"]["events"]["detail"] == "forbidden"


class TestHostileNames:
    """Names are text from strangers."""

    NAMES = ("<script>alert(1)</script>", "a\x00b\x1b[31m", "x" * 400, "\ud800", "日本", "{ids}", "%s")

    def test_they_pass_through_the_file(self) -> None:
        """But for half of a surrogate pair: it is no character, and no reader of the estate takes it."""
        cluster = Cluster().add(*(node(name, labels={"iverson.gpu/rack": f"r{name}"}) for name in self.NAMES))
        estate = estate_of(cluster, "--dcgm", "off")
        assert {one["id"] for one in estate["nodes"]} == {*self.NAMES, "?"} - {"\ud800"}
        assert load_estate_text(json.dumps(estate), "estate.json").estate is not None

    def test_a_name_that_no_kubernetes_allows_is_refused(self) -> None:
        with pytest.raises(collect.Refusal, match="a name has 5,000 characters"):
            estate_of(Cluster().add(node("x" * 5000)))

    def test_a_label_too_long_to_be_an_id_is_left_out(self) -> None:
        cluster = Cluster().add(node("n1", annotations={"iverson.gpu/rack": "r" * 5000}))
        (found,) = estate_of(cluster, "--dcgm", "off")["nodes"]
        assert "rack" not in found["domains"]

    @pytest.mark.parametrize("asked", [10**15, "9223372036854775807", "1e18"])
    def test_amounts_beyond_all_reason_are_unreadable(self, asked: int | str) -> None:
        cluster = Cluster().add(node("n1", gpus=asked), pod("p", gpus=2))
        (found,) = estate_of(cluster, "--dcgm", "off")["nodes"]
        assert "installed" not in found
        assert found["allocated"] == 2

    def test_caveats_are_printable_lines(self) -> None:
        cluster = Cluster().add(*(pod(name, on="gone", namespace=name) for name in self.NAMES), node("n1"))
        assert all(one.isprintable() for one in estate_of(cluster)["provenance"]["caveats"])

    @pytest.mark.parametrize("name", NAMES)
    def test_messages_too(self, name: str) -> None:
        failure = collect.classify(f"Error from server (Forbidden): {name}\nmore")
        assert failure.kind == "forbidden"
        assert str(failure).isprintable()
        assert len(str(failure)) <= 300
