"""What is collected always loads: whatever Prometheus, labels and the map say together."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.collector.build import container, event, node, owner, pod
from tests.collector.direct import NOW, caveats, estate_of, options
from tests.collector.exporter import QUERY
from tests.collector.stub_server import Answer, Cluster, Handler, ok
from topo import collect
from topo.cli.collect import parse_map
from topology.diagnostics import InvalidInput
from topology.load import load_estate_text

PROMETHEUS = ("--prometheus", "mon/prom:9090", "--dcgm", "off")
LONG = "x" * 4000
MAP = b"""
nodes: {n3: {pdu: [a, b]}}
domains:
  a: {kind: power, parent: u}
  b: {kind: power, feeds: [u, n2]}
  u: {kind: ups}
  n2: {kind: ups}
"""


def loaded(cluster: Cluster, *flags: str, map_file: collect.MapFile | None = None) -> dict[str, Any]:
    """Return the estate of a cluster, which the analyser must accept."""
    estate = estate_of(cluster, *flags, map_file=map_file)
    result = load_estate_text(json.dumps(estate), "estate.json")
    assert result.estate is not None, [str(one) for one in result.diagnostics]
    return estate


def answering(*values: object) -> Handler:
    """Return a Prometheus whose every vector has these values of n1, and the usual times."""

    def handle(query: dict[str, str]) -> Answer:
        said = [NOW.timestamp() - 95 * 86400] if "timestamp" in query["query"] else values
        rows = [{"metric": {"Hostname": "n1", "node": "n1"}, "value": [0, value]} for value in said]
        return ok({"status": "success", "data": {"resultType": "vector", "result": rows}})

    return handle


def history(*values: object) -> tuple[list[Any], str]:
    """Return what Prometheus' values make of the counts of n1, and the caveats."""
    old = node("n1", gpus=1)
    old["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    estate = loaded(Cluster(answers={QUERY: answering(*values)}).add(old), *PROMETHEUS)
    return [estate["nodes"][0][key] for key in collect.HISTORY], caveats(estate)


class TestHistory:
    """A count that cannot be one is unknown, with a caveat."""

    @pytest.mark.parametrize("value", ["-5", "-0.2", "1e300", "6e14", "2147483632", "NaN", "+Inf", "-Inf"])
    def test_no_count(self, value: str) -> None:
        counts, said = history(value)
        assert counts == [None, None, None]
        for key in collect.HISTORY:
            assert f"{key} is negative, not finite or above 1,000,000,000 in Prometheus: unknown" in said
            assert f"{key} is unknown where Prometheus has no series" not in said

    @pytest.mark.parametrize("value", ["1_0", "٥", "0x10", "", None, [], True, "9" * 5000])
    def test_what_is_no_number_is_no_answer(self, value: object) -> None:
        assert history(value)[0] == [None, None, None]

    def test_one_bad_row_is_not_outweighed(self) -> None:
        assert history("7", "-5")[0] == [None, None, None]

    @pytest.mark.parametrize(("value", "ecc"), [("0", 0), ("2.5", 5), ("1e9", 2 * 10**9)])
    def test_a_count(self, value: str, ecc: int) -> None:
        assert history(value)[0][0] == ecc

    def test_a_node_of_the_future(self) -> None:
        young = node("n1", gpus=1)
        young["metadata"]["creationTimestamp"] = "9999-12-31T23:59:59Z"
        estate = loaded(Cluster(answers={QUERY: answering("3")}).add(young), *PROMETHEUS)
        assert estate["nodes"][0]["xidEvents90d"] == 3

    @given(
        st.lists(
            st.one_of(
                st.floats().map(str), st.integers(), st.floats(), st.text(max_size=5), st.integers(10**300)
            ),
            max_size=3,
        )
    )
    def test_any_value(self, values: list[object]) -> None:
        for count in history(*values)[0]:
            assert count is None or 0 <= count <= 2 * collect.MAX_HISTORY


class TestAmounts:
    """No sum, share or slice is more than an estate may hold."""

    @pytest.mark.parametrize("profile", ["0g.5gb", f"{'9' * 40}g.5gb", f"{'9' * 5000}g.5gb", "٣g.5gb"])
    def test_slices_that_no_gpu_has(self, profile: str) -> None:
        resource = f"nvidia.com/mig-{profile}"
        asking = {"name": "c", "resources": {"requests": {resource: "7"}}}
        label = {"nvidia.com/gpu.product": f"NVIDIA-A100-MIG-{profile[:4000]}"}
        cluster = Cluster().add(
            node("n1", capacity={resource: "7"}, labels=label), pod("p", containers=[asking, container(1)])
        )
        assert loaded(cluster, "--dcgm", "off")["nodes"][0]["allocated"] <= 8

    def test_more_than_any_node_has(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(collect, "_NUMBER_LIMIT", 10)
        cluster = Cluster().add(node("n1"), pod("p", gpus=7), pod("q", gpus=7))
        estate = loaded(cluster, "--dcgm", "off")
        assert estate["nodes"][0]["allocated"] == 7
        assert "Ask for more than any node can have, not counted (1 pod: ml/q)" in caveats(estate)

    def test_hours_beyond_counting(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(collect, "_NUMBER_LIMIT", 10)
        when = "2026-12-01T12:10:00Z"
        many = event("SuccessfulRescale", "horizontal-pod-autoscaler", first=when, last=when, count=11)
        assert set(loaded(Cluster().add(node("n1"), many))["loops"][0]["hourlyActions"]) == {None}


class TestIds:
    """Ids are short enough, and one id is one thing."""

    def test_endless_labels(self) -> None:
        labels = {"iverson.gpu/rack": LONG, "iverson.gpu/row": "row-1", collect.NETWORK_TIERS[1][0]: LONG}
        estate = loaded(Cluster().add(node("n1", labels=labels)), "--dcgm", "off")
        assert estate["nodes"][0]["domains"] == {"row": "row-1"}
        assert "Labels name domains of more than 1,000 characters: left out" in caveats(estate)

    def test_endless_roots(self) -> None:
        labels = {"ray.io/originated-from-crd": LONG, "ray.io/originated-from-cr-name": LONG}
        estate = loaded(Cluster().add(node("n1"), pod("p", labels=labels)), "--dcgm", "off")
        assert [work["id"] for work in estate["workloads"]] == ["ml/pod/p"]

    def test_owners_that_would_be_one_workload(self) -> None:
        owners = [owner("Job", "x", group) for group in ("v1", "batch/v1", "a/v1")]
        shouted = owner("JOB", "x", "a/v1")
        cluster = Cluster().add(
            node("n1"), *(pod(f"p{i}", owner=one) for i, one in enumerate([*owners, shouted]))
        )
        estate = loaded(cluster, "--dcgm", "off")
        assert [work["id"] for work in estate["workloads"]] == [
            "ml/job./x",
            "ml/job.a/x",
            "ml/job.a/x~",
            "ml/job/x",
        ]

    def test_a_domain_of_the_map_that_is_a_node(self) -> None:
        parsed = collect.MapFile("0" * 64, "2026-11-01T00:00:00Z", "", parse_map(MAP, "map.yaml"))
        estate = loaded(Cluster().add(node("n2"), node("n3")), "--dcgm", "off", map_file=parsed)
        assert estate["domains"]["b"]["feeds"] == ["u", "ups:n2"]
        assert set(estate["domains"]) == {"a", "b", "u", "ups:n2"}
        assert "These ids mean several things; all but one are written as kind:id (1 id: n2)" in caveats(
            estate
        )

    def test_a_qualified_id_that_is_taken(self) -> None:
        labels = {"iverson.gpu/pdu": "x"}
        nodes = [
            node("n1", annotations={"iverson.gpu/pdu": "n1,power:n1"}),
            node("power:power:n1", labels=labels),
        ]
        estate = loaded(Cluster().add(*nodes), "--dcgm", "off")
        assert estate["nodes"][0]["domains"] == {"pdu": ["power:power:power:n1", "power:n1"]}

    @pytest.mark.parametrize("name", ["a" * 5000, "\udc80"])
    def test_a_name_of_the_cluster_that_is_none(self, name: str) -> None:
        with pytest.raises(collect.Refusal, match="--cluster: a name is text of at most"):
            options("--cluster", name)


NAMES = st.sampled_from(["a", "b", "n1", "n2", "power:a", "power:n1", "ups:n1", "network:n1"])
LABELS = st.dictionaries(
    st.sampled_from(
        [*(f"iverson.gpu/{axis}" for axis in collect.AXES), *(collect.NETWORK_TIERS[1])],
    ),
    NAMES,
    max_size=5,
)
LISTED = st.lists(NAMES, min_size=1, max_size=3).map(",".join)


@st.composite
def maps(draw: st.DrawFn) -> collect.MapFile | None:
    """Some map that the validator accepts, or none."""
    domains: dict[str, Any] = {}
    names: list[str] = draw(st.lists(NAMES, unique=True, max_size=5))
    for name in names:
        kind = draw(st.sampled_from(["power", "ups", "network", "rack"]))
        above = [one for one in domains if domains[one]["kind"] == kind]
        hangs: bool = draw(st.booleans())
        domains[name] = {"kind": kind, **({"parent": above[0]} if above and hangs else {})}
        if len(above) > 1:
            domains[name]["feeds"] = above
    of_kind = [name for name in domains if domains[name]["kind"] == "power"]
    nodes = {
        one: {"pdu": draw(st.sampled_from(of_kind))}
        for one in ("n1", "n3")
        if of_kind and one not in domains and draw(st.booleans())
    }
    text = json.dumps({"domains": domains, "nodes": nodes}).encode()
    try:
        return collect.MapFile("0" * 64, "2026-11-01T00:00:00Z", "", parse_map(text, "map.json"))
    except InvalidInput:
        return None


class TestLabelsAndMap:
    """The map and the labels may contradict each other in any way."""

    @given(LABELS, LABELS, LISTED, maps(), st.sampled_from([(), ("--redact",)]))
    def test_any(
        self,
        one: dict[str, str],
        other: dict[str, str],
        listed: str,
        map_file: collect.MapFile | None,
        flags: tuple[str, ...],
    ) -> None:
        nodes = [node("n1", labels=one, annotations={"iverson.gpu/pdu": listed}), node("n2", labels=other)]
        loaded(Cluster().add(*nodes), "--dcgm", "off", *flags, map_file=map_file)


class TestListedTwice:
    """Of what a list holds twice the last counts, and a caveat says so."""

    def test_nodes_and_pods(self) -> None:
        cluster = Cluster().add(node("n1"), node("n1", gpus=4), node("n2"), pod("p"), pod("p", gpus=3))
        estate = loaded(cluster, "--dcgm", "off")
        assert [(one["installed"], one["allocated"]) for one in estate["nodes"]] == [(4, 3), (8, 0)]
        for noun, name in (("node", "n1"), ("pod", "ml/p")):
            assert f"Listed more than once; the last one counts (1 {noun}: {name})." in caveats(estate)

    def test_nothing_is_said_of_what_is_there_once(self) -> None:
        assert "Listed more than once" not in caveats(loaded(Cluster().add(node("n1"), pod("p"))))
