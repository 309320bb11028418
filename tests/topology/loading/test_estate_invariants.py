"""The invariants of an estate, each with its place (spec 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.topology.loading.files import estate, estate_faults, estate_file, only
from topology.schema_check import schema_verdict


class TestInvariants:
    """Spec 2: "Invariants that the loader enforces with located errors"."""

    def _fault(self, place: tuple[Any, ...], value: object, **more: Any) -> tuple[str, str]:
        raw = estate_file(**more)
        box: Any = raw
        for step in place[:-1]:
            box = box[step]
        box[place[-1]] = value
        text = json.dumps(raw, indent=1)
        found = only(estate_faults(text))
        assert found.rule == "schema"
        return found.message, text.split("\n")[found.line - 1].strip()

    def test_allocated_is_at_most_installed(self) -> None:
        message, line = self._fault(("nodes", 0, "allocated"), 9)
        assert "9 units are allocated, 8 installed" in message
        assert line == '"allocated": 9,'

    def test_allocated_is_at_least_0(self) -> None:
        assert "out of range" in self._fault(("nodes", 1, "allocated"), -1)[0]

    @pytest.mark.parametrize("value", [-0.01, 1.01])
    def test_utilization_is_a_share(self, value: float) -> None:
        assert "at least 0 and at most 1" in self._fault(("nodes", 0, "utilization"), value)[0] or value < 0

    def test_placements_sum_to_at_most_allocated(self) -> None:
        message, line = self._fault(("workloads", 0, "placements"), {"n1": 7})
        assert "placements sum to 7 units, 6 are allocated" in message
        assert line == '"n1": 7'

    def test_placements_may_sum_to_less(self) -> None:
        assert estate(
            estate_file(workloads=[{"id": "w", "kind": "batch", "placements": {"n1": 1}}])
        ).workloads

    def test_fractions_may_miss_by_rounding(self) -> None:
        nodes = [{"id": "n1", "allocated": 0.3}]
        jobs = [{"id": f"w{units}", "kind": "batch", "placements": {"n1": units}} for units in (0.1, 0.2)]
        assert estate(estate_file(unit="cpu", nodes=nodes, workloads=jobs)).workloads

    @pytest.mark.parametrize("key", ["placements", "replicas"])
    def test_placements_name_known_nodes(self, key: str) -> None:
        message, line = self._fault(("workloads", 0, key), {"n3": 1})
        assert "no node of this estate" in message
        assert line == '"n3": 1'

    def test_the_closest_node_is_named(self) -> None:
        raw = estate_file(workloads=[{"id": "w", "kind": "batch", "placements": {"N-1": 1}}])
        assert only(estate_faults(raw)).hint == "Did you mean 'n1'?"

    def test_node_and_domain_ids_share_one_namespace(self) -> None:
        message, _ = self._fault(("nodes", 1, "id"), "r1")
        assert message == "'r1' is a node and a rack domain"

    @pytest.mark.parametrize("where", ["nodes", "workloads", "loops"])
    def test_ids_are_unique(self, where: str) -> None:
        loop = {"id": "k", "hourlyActions": [0] * 24}
        raw = estate_file(loops=[loop])
        raw[where].append({**raw[where][-1], "placements": {}} if where == "workloads" else raw[where][-1])
        found = only(estate_faults(raw))
        assert "is there twice" in found.message
        assert found.related[0][2] == "first here"

    def test_a_cluster_is_named_once(self) -> None:
        """Named twice, a merge would count two: refused by both judges, at the second."""
        first, second = ({"id": "c", "snapshotAt": f"2026-11-30T12:00:0{n}Z"} for n in range(2))
        raw = estate_file(clusters=[first, second])
        found = only(estate_faults(raw))
        assert found.message == "cluster 'c' is there twice"
        assert found.related[0][2] == "first here"
        assert [error.keyword for error in schema_verdict(raw, "estate").errors] == ["x-unique-ids"]

    def test_a_cluster_that_cannot_be_read_hides_no_place(self) -> None:
        when = "2026-11-30T12:00:00Z"
        raw = estate_file(clusters=[{"id": "c"}, *[{"id": "c", "snapshotAt": when}] * 2])
        assert "snapshotAt" in only(estate_faults(raw)).message

    @pytest.mark.parametrize("hours", [0, 23, 25])
    def test_loops_have_24_buckets(self, hours: int) -> None:
        raw = estate_file(loops=[{"id": "k", "hourlyActions": [1] * hours}])
        assert f"expected 24 entries, found {hours}" in only(estate_faults(raw)).message

    def test_a_role_is_named_once(self) -> None:
        """Named twice it would be two members of a quorum: refused by both judges, at the second."""
        message, line = self._fault(("nodes", 0, "roles"), ["etcd", "storage", "etcd"])
        assert (message, line) == ("node 'n1': roles: 'etcd' is there twice", '"etcd"')
        raw = estate_file()
        raw["nodes"][0]["roles"] = ["etcd", "etcd"]
        assert [error.keyword for error in schema_verdict(raw, "estate").errors] == ["uniqueItems"]

    @pytest.mark.parametrize("bad", [-1, "1", True, [1]])
    def test_buckets_are_counts_or_null(self, bad: object) -> None:
        found = only(estate_faults(estate_file(loops=[{"id": "k", "hourlyActions": [None] * 23 + [bad]}])))
        assert found.message.startswith("loop 'k': hourlyActions")

    @pytest.mark.parametrize("time", ["2026-11-30", "2026-11-30T12:00:00", "2026-13-01T00:00:00Z", 5])
    def test_times_are_rfc_3339_with_an_offset(self, time: object) -> None:
        assert "expected a time" in only(estate_faults(estate_file(snapshotAt=time))).message

    @pytest.mark.parametrize("unit", ["GPU", "tpu", 1])
    def test_units_are_gpu_or_cpu(self, unit: object) -> None:
        assert "one of gpu, cpu" in only(estate_faults(estate_file(unit=unit))).message

    def test_an_empty_list_on_an_axis(self) -> None:
        """Spec 2: "An empty list on an axis is an error"."""
        assert "empty" in self._fault(("nodes", 0, "domains"), {"pdu": []})[0]

    @pytest.mark.parametrize("version", [0, 2, "1", True, 1.5])
    def test_versions(self, version: object) -> None:
        assert only(estate_faults(estate_file(schemaVersion=version))).rule == "schema"

    def test_graph_rules_apply(self) -> None:
        raw = estate_file(
            domains={"p1": {"kind": "power", "parent": "p2"}, "p2": {"kind": "power", "parent": "p1"}}
        )
        assert only(estate_faults(raw)).rule == "cycle"

    def test_one_bad_id_hides_no_other_fault_and_makes_none(self) -> None:
        raw = estate_file()
        raw["nodes"][0]["id"] = 7
        assert [each.message for each in estate_faults(raw)] == [
            "node: id: expected an id, found the number 7"
        ]

    def test_all_faults_in_one_run(self) -> None:
        raw = estate_file(unit="x", snapshotAt="y", loops=[{"id": "k", "hourlyActions": []}])
        raw["nodes"][0].update(allocated=9, utilization=2, ready="yes", hall="x")
        raw["workloads"][0].update(kind="train", placements={"n9": 1})
        assert len(estate_faults(raw)) == 9
