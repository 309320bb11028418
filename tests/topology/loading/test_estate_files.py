"""estate.json into the model, and its invariants (spec 2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.topology.loading.files import ESTATE, estate, estate_faults, estate_file, only
from topology.model import ClusterTerms, Loop, Node, Provenance, Signal, Standing, Workload

FULL: dict[str, Any] = {
    "schemaVersion": 1,
    "cluster": "lab-1",
    "unit": "gpu",
    "snapshotAt": "2026-11-30T12:00:00Z",
    "sample": True,
    "pricePerUnitHour": 2.5,
    "wattsPerUnitKw": 1.0,
    "idleKwPerUnit": 0.1,
    "defaultRestartMinutes": 45,
    "verifiedAt": "2026-10-01T08:00:00+02:00",
    "clusters": [{"id": "lab-1", "snapshotAt": "2026-11-30T12:00:00Z"}],
    "notes": ["prices of lab-1 apply"],
    "nodes": [
        {
            "id": "gpu-node-01",
            "installed": 8,
            "allocated": 6,
            "utilization": 0.62,
            "utilizationBasis": "dcgm",
            "utilizationWindowHours": 24,
            "domains": {"rack": "rack-1", "pdu": ["pdu-a", "pdu-b"], "cooling": {"all": ["c1", "c2"]}},
            "eccErrors90d": 3,
            "jobFailures90d": 1,
            "xidEvents90d": 2,
            "ready": True,
            "schedulable": False,
            "kwPerUnit": 1.2,
            "idleKwPerUnit": 0.2,
            "pricePerUnitHour": 3,
            "model": "H100",
            "unhealthy": 1,
            "roles": ["etcd"],
            "providerID": "x://1",
            "systemUUID": "u-1",
            "cluster": "lab-1",
        }
    ],
    "domains": {"pdu-a": {"kind": "power", "parent": "ups-a"}, "ups-a": {"kind": "ups", "ratedKw": 40}},
    "workloads": [
        {
            "id": "ml/pytorchjob/llama",
            "kind": "training",
            "critical": True,
            "criticalBasis": "label",
            "checkpointMinutes": 30,
            "restartMinutes": 20,
            "gang": True,
            "namespace": "ml",
            "owner": "team-a",
            "contact": "#ml",
            "replicas": {"gpu-node-01": 2},
            "minAvailable": 1,
            "placements": {"gpu-node-01": 6},
            "cluster": "lab-1",
        }
    ],
    "loops": [{"id": "karpenter", "hourlyActions": [None, *[0] * 22, 12], "cluster": "lab-1"}],
    "provenance": {
        "collectedAt": "2026-11-30T12:00:05Z",
        "collectorVersion": "1.0.0",
        "topologyFileModifiedAt": "2026-10-01T08:00:00Z",
        "signals": {"metrics": {"reachable": True}, "dcgm": {"reachable": False, "detail": "none"}},
        "caveats": ["DCGM was not reachable"],
    },
}


class TestModel:
    """Every key of spec 2 finds its place."""

    def test_node(self) -> None:
        (node,) = estate(FULL).nodes
        assert node == Node(
            "gpu-node-01",
            6,
            installed=8,
            standings=(
                Standing("rack", "one", ("rack-1",)),
                Standing("pdu", "any", ("pdu-a", "pdu-b")),
                Standing("cooling", "all", ("c1", "c2")),
            ),
            utilization=0.62,
            utilization_basis="dcgm",
            utilization_window_hours=24,
            ecc_errors_90d=3,
            job_failures_90d=1,
            xid_events_90d=2,
            ready=True,
            schedulable=False,
            kw_per_unit=1.2,
            idle_kw_per_unit=0.2,
            price_per_unit_hour=3,
            model="H100",
            unhealthy=1,
            roles=("etcd",),
            provider_id="x://1",
            system_uuid="u-1",
            cluster="lab-1",
        )

    def test_workload_and_loop(self) -> None:
        loaded = estate(FULL)
        assert loaded.workloads == (
            Workload(
                "ml/pytorchjob/llama",
                "training",
                {"gpu-node-01": 6},
                critical=True,
                critical_basis="label",
                checkpoint_minutes=30,
                restart_minutes=20,
                gang=True,
                namespace="ml",
                owner="team-a",
                contact="#ml",
                replicas={"gpu-node-01": 2},
                min_available=1,
                cluster="lab-1",
            ),
        )
        assert loaded.loops == (Loop("karpenter", (None, *[0] * 22, 12), cluster="lab-1"),)

    def test_the_rest(self) -> None:
        loaded = estate(FULL)
        assert loaded.provenance == Provenance(
            "2026-11-30T12:00:05Z",
            "1.0.0",
            "2026-10-01T08:00:00Z",
            {"metrics": Signal(reachable=True), "dcgm": Signal(reachable=False, detail="none")},
            ("DCGM was not reachable",),
        )
        assert loaded.clusters == (ClusterTerms("lab-1", "2026-11-30T12:00:00Z"),)
        assert loaded.notes == ("prices of lab-1 apply",)
        assert (loaded.sample, loaded.bare, loaded.unit) == (True, False, "gpu")
        assert (loaded.price_per_unit_hour, loaded.watts_per_unit_kw) == (2.5, 1.0)
        assert (loaded.default_restart_minutes, loaded.idle_kw_per_unit) == (45, 0.1)
        assert loaded.verified_at == "2026-10-01T08:00:00+02:00"
        assert set(loaded.domains) == {"pdu-a", "ups-a", "rack-1", "pdu-b", "c1", "c2"}

    def test_missing_and_null_mean_unknown(self) -> None:
        """Spec 2: "`null` is the same as absent"."""

        def nulled(raw: dict[str, Any], *kept: str) -> dict[str, Any]:
            return {key: value if key in kept else None for key, value in raw.items()}

        required = ("schemaVersion", "cluster", "unit", "snapshotAt")
        raw = nulled(FULL, *required)
        raw["nodes"] = [nulled(FULL["nodes"][0], "id", "allocated")]
        raw["workloads"] = [nulled(FULL["workloads"][0], "id", "kind", "placements")]
        loaded = estate(raw)
        assert loaded.nodes == (Node("gpu-node-01", 6),)
        assert loaded.workloads == (Workload("ml/pytorchjob/llama", "training", {"gpu-node-01": 6}),)
        assert loaded.provenance == Provenance()
        assert [*loaded.loops, *loaded.clusters, *loaded.notes] == []

    def test_whole_numbers_stay_whole(self) -> None:
        loaded = estate(FULL)
        assert type(loaded.nodes[0].allocated) is int
        assert type(loaded.watts_per_unit_kw) is float

    @pytest.mark.parametrize("key", ["schemaVersion", "cluster", "unit", "snapshotAt", "nodes"])
    @pytest.mark.parametrize("value", ["absent", None])
    def test_required_at_the_top(self, key: str, value: object) -> None:
        raw = estate_file(**{key: None}) if value is None else {k: v for k, v in ESTATE.items() if k != key}
        found = estate_faults(raw)
        assert any(f"'{key}' is required" in each.message for each in found)

    @pytest.mark.parametrize(
        ("where", "key"),
        [
            ("nodes", "id"),
            ("nodes", "allocated"),
            ("workloads", "id"),
            ("workloads", "kind"),
            ("workloads", "placements"),
        ],
    )
    def test_required_inside(self, where: str, key: str) -> None:
        raw = estate_file()
        del raw[where][0][key]
        assert any(f"'{key}' is required and missing" in each.message for each in estate_faults(raw))


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

    @pytest.mark.parametrize("hours", [0, 23, 25])
    def test_loops_have_24_buckets(self, hours: int) -> None:
        raw = estate_file(loops=[{"id": "k", "hourlyActions": [1] * hours}])
        assert f"expected 24 entries, found {hours}" in only(estate_faults(raw)).message

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
