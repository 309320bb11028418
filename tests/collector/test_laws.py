"""Laws that hold for any input: no answer of a server ends in a traceback or in an invalid estate."""

from __future__ import annotations

import copy
import json
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.collector.build import budget, container, event, node, owner, parent, pod
from tests.collector.direct import NOW, estate_of
from tests.collector.stub_server import LISTS, Cluster, ok
from topo import collect
from topology.load import load_estate_text

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(
        ["8", "-1", "1e3", "0.5", "100%", "true", "n1", "2026-12-01T12:10:00Z", "9" * 30, "nvidia.com/gpu"]
    ),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)

OBJECTS = [
    node(
        "n1",
        labels={"nvidia.com/gpu.count": "8", "nvidia.com/gpu.replicas": "1", "iverson.gpu/rack": "r"},
        taints=["a"],
    ),
    node("n2", capacity={"nvidia.com/mig-1g.10gb": "7"}, annotations={"iverson.gpu/pdu": "a,b"}),
    pod(
        "p",
        owner=owner("ReplicaSet", "r"),
        annotations={"iverson.gpu/checkpoint-minutes": "30"},
        labels={"app": "x"},
    ),
    pod(
        "q",
        "n2",
        containers=[container(2)],
        initContainers=[container(1, restartPolicy="Always")],
        overhead={"cpu": "1"},
    ),
    {
        **pod("c", resourceClaims=[{"name": "g"}]),
        "status": {"phase": "Running", "extendedResourceClaimStatus": {"resourceClaimName": "k"}},
    },
    parent("ReplicaSet", "r", owner=owner("Deployment", "d")),
    budget(
        "b",
        {
            "matchLabels": {"app": "x"},
            "matchExpressions": [{"key": "app", "operator": "In", "values": ["x"]}],
        },
        minAvailable="50%",
    ),
    event(
        "SuccessfulRescale",
        "horizontal-pod-autoscaler",
        first="2026-12-01T11:10:00Z",
        last="2026-12-01T12:10:00Z",
        count=3,
        series={"count": 2},
    ),
]
CLAIMS = {
    "resourceslices": {
        "spec": {
            "driver": "gpu.nvidia.com",
            "pool": {"name": "n1", "generation": 1, "resourceSliceCount": 1},
            "nodeName": "n1",
            "devices": [{"name": "g", "attributes": {"type": {"string": "gpu"}}}],
        }
    },
    "resourceclaims": {
        "metadata": {"name": "k", "namespace": "ml"},
        "status": {
            "allocation": {
                "devices": {"results": [{"driver": "gpu.nvidia.com", "pool": "n1", "device": "g"}]}
            },
            "reservedFor": [{"resource": "pods", "name": "c"}],
        },
    },
}
METRICS = {"metadata": {"name": "n1"}, "usage": {"cpu": "3"}}


def routes(value: Any, route: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the routes to everything within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [route, *(deeper for key, one in inner for deeper in routes(one, (*route, key)))]


def replaced(value: Any, route: tuple[Any, ...], by: Any) -> Any:
    """Return a copy with what a route leads to replaced."""
    if not route:
        return by
    changed = copy.copy(value)
    changed[route[0]] = replaced(value[route[0]], route[1:], by)
    return changed


@st.composite
def broken_clusters(draw: st.DrawFn) -> Cluster:
    """A small cluster of which a few parts, anywhere, hold something else."""
    things: list[Any] = [*OBJECTS, CLAIMS, METRICS]
    for _ in range(draw(st.integers(1, 3))):
        index = draw(st.integers(0, len(things) - 1))
        route = draw(st.sampled_from([one for one in routes(things[index]) if one and one[0] != "kind"]))
        if all(isinstance(key, (str, int)) for key in route):
            things[index] = replaced(things[index], route, draw(JSON))
    *objects, claims, metrics = things
    cluster = Cluster().add(*objects)
    for name, body in claims.items():
        cluster.answers[collect.RESOURCES[name].path] = ok({"items": [body]})
    cluster.answers[collect.METRICS.path] = ok({"items": [metrics]})
    return cluster


class TestAnyAnswer:
    """Whatever parts of objects hold, the estate is valid, or there is a refusal."""

    @given(broken_clusters(), st.sampled_from([("--dra", "on"), ("--unit", "cpu"), ("--redact",)]))
    def test_the_estate_is_valid(self, cluster: Cluster, flags: tuple[str, ...]) -> None:
        text = json.dumps(estate_of(cluster, "--dcgm", "auto", *flags))
        result = load_estate_text(text, "estate.json")
        assert result.estate is not None, [str(one) for one in result.diagnostics]

    @given(st.dictionaries(st.sampled_from(sorted(LISTS)), JSON))
    def test_or_refused(self, bodies: dict[str, Any]) -> None:
        cluster = Cluster().add(node("n1"))
        cluster.answers.update({path: ok(json.dumps(body)) for path, body in bodies.items()})
        try:
            estate = estate_of(cluster)
        except collect.Refusal:
            return
        assert load_estate_text(json.dumps(estate), "estate.json").estate is not None

    @given(st.text(), st.text())
    def test_words_of_kubectl(self, stderr: str, exposition: str) -> None:
        assert str(collect.classify(stderr)).isprintable()
        collect.exposition(exposition, collect.UTILIZATION_METRICS)


HOURS_AGO = st.integers(0, 40 * 24 * 60).map(lambda minutes: NOW - timedelta(minutes=minutes))


@st.composite
def events(draw: st.DrawFn) -> collect.Event:
    """An event of some loop, or of none."""
    first, last = sorted(draw(st.tuples(HOURS_AGO, HOURS_AGO)))
    return collect.Event(
        draw(st.sampled_from(["", "hpa", "karpenter"])), first, last, draw(st.integers(1, 50))
    )


class TestChurn:
    """0 is said only of hours that were wholly observed; nothing is counted twice."""

    @given(st.lists(events(), min_size=1), st.integers(0, 59))
    def test_hours(self, found: list[collect.Event], minute: int) -> None:
        now: datetime = NOW.replace(minute=minute) + timedelta(hours=1)
        result = collect.churn(found, now)
        since = min(event.last for event in found)
        newest = collect.last_hour(now)
        for hours in result.loops.values():
            assert len(hours) == 24
            for index, count in enumerate(hours):
                start = newest - timedelta(hours=23 - index)
                if start + timedelta(hours=1) <= since:
                    assert count is None
                elif start >= since:
                    assert count is not None
                else:
                    assert count != 0
        placed = sum(count or 0 for hours in result.loops.values() for count in hours)
        assert placed + result.unplaced <= sum(event.times for event in found if event.loop)


class TestIds:
    """One id means one thing, and what means one thing keeps its id."""

    @given(
        st.sets(st.tuples(st.sampled_from(sorted(set(collect.AXES.values()))), st.sampled_from("abc"))),
        st.sets(st.sampled_from("abc")),
    )
    def test_names_are_distinct(self, uses: set[tuple[str, str]], nodes: set[str]) -> None:
        name = collect.id_namer(uses, {}, frozenset(nodes), collect.Caveats())
        written = {use: name(*use) for use in uses}
        assert len(set(written.values())) == len(uses)
        assert not set(written.values()) & nodes
        for one in "abc":
            kinds = [use for use in uses if use[1] == one]
            assert one in nodes or not kinds or sum(written[use] == one for use in kinds) == 1
