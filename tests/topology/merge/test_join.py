"""Methodology: Multi-cluster merge. Domain ids are the join key."""

from __future__ import annotations

import dataclasses

from closure.cascade import close
from closure.compiled import compile_facility
from tests.topology.merge.files import estate, node, refused
from topology.merge import merge_estates
from topology.merge.estates import SIDE_BY_SIDE
from topology.merge.facility import JOINED
from topology.model import (
    Domain,
    Loop,
    Standing,
    Topology,
    Workload,
)


class TestJoinKey:
    """Domain ids are the join key: the same domain id in two files is the same physical domain, while node,
    workload, and loop ids are namespaced per cluster."""

    def test_ids_are_namespaced_and_domains_are_not(self) -> None:
        job = Workload("ml/job/x", "training", {"n1": 4}, replicas={"n1": 1})
        first = estate("a", (node("n1", "pdu"),), workloads=(job,), loops=(Loop("hpa", (0,) * 24),))
        second = estate("b", (node("n1", "pdu"),), workloads=(job,), loops=(Loop("hpa", (0,) * 24),))

        # Half of the names in common would be the same cluster twice.
        first = dataclasses.replace(first, nodes=(*first.nodes, *(node(f"a{i}") for i in range(9))))
        second = dataclasses.replace(second, nodes=(*second.nodes, *(node(f"b{i}") for i in range(9))))
        merged = merge_estates([("a.json", first), ("b.json", second)])

        assert [each.id for each in merged.nodes][:2] == ["a/n1", "a/a0"]
        assert [each.cluster for each in merged.nodes].count("b") == 10
        assert [each.id for each in merged.workloads] == ["a/ml/job/x", "b/ml/job/x"]
        assert merged.workloads[1].placements == {"b/n1": 4}
        assert merged.workloads[1].replicas == {"b/n1": 1}
        assert [each.id for each in merged.loops] == ["a/hpa", "b/hpa"]
        assert set(merged.domains) == {"pdu"}
        assert {lost.id for lost in close(compile_facility(merged), ["pdu"]).nodes} == {"a/n1", "b/n1"}

    def test_every_joined_id_is_listed_by_kind(self) -> None:
        merged = merge_estates(
            [
                ("a.json", estate("a", (node("n1", "pdu-1"),), Domain("rack-1", "rack"), Domain("x", "ups"))),
                ("b.json", estate("b", (node("m1", "pdu-1"),), Domain("rack-1", "rack"), Domain("y", "ups"))),
            ]
        )
        assert JOINED in merged.notes
        assert "Joined by id (2): rack rack-1; power pdu-1." in merged.notes
        assert not any("ups" in note for note in merged.notes)

    def test_no_shared_domain_is_a_side_by_side_ledger(self) -> None:
        a, b = estate("a", (node("n1", "pdu-a"),)), estate("b", (node("m1", "pdu-b"),))
        assert SIDE_BY_SIDE in merge_estates([("a.json", a), ("b.json", b)]).notes
        shared = estate("b", (node("m1", "pdu-a"),))
        assert SIDE_BY_SIDE not in merge_estates([("a.json", a), ("b.json", shared)]).notes

    def test_an_id_that_two_names_would_become_is_refused(self) -> None:
        first, second = estate("a", (node("b/c"),)), estate("a/b", (node("c"),))
        assert "'a/b/c'" in refused(("1.json", first), ("2.json", second))["id-clash"]

    def test_a_node_that_would_take_a_domain_s_id_is_refused(self) -> None:
        first, second = estate("a", (node("n"),)), estate("b", (), Domain("a/n", "ups"))
        assert "id of a domain" in refused(("1.json", first), ("2.json", second))["id-clash"]


class TestSharedMap:
    """`--topology` wins over the files, with a note."""

    def test_it_settles_what_the_files_contradict(self) -> None:
        a = estate("a", (node("n", "x"),), Domain("x", "power", rated_kw=8))
        b = estate("b", (node("m", "x"),), Domain("x", "power", rated_kw=9))
        topology = Topology(
            {"n": (Standing("pdu", "one", ("x",)),)}, {"x": Domain("x", "power", rated_kw=10)}
        )
        merged = merge_estates([("a", a), ("b", b)], topology=("map.yaml", topology))
        assert merged.domains["x"].rated_kw == 10
        assert any(
            note.startswith("map.yaml was laid over every file") and "x" in note for note in merged.notes
        )

    def test_a_node_may_be_named_with_its_cluster(self) -> None:
        a, b = (
            estate("a", (node("n"), node("n2"), node("n3"))),
            estate("b", (node("n"), node("m2"), node("m3"))),
        )
        x, y = Domain("x", "power"), Domain("y", "power")
        places = {"n": (Standing("pdu", "one", ("x",)),), "b/n": (Standing("pdu", "one", ("y",)),)}
        merged = merge_estates([("a", a), ("b", b)], topology=("map", Topology(places, {"x": x, "y": y})))
        assert {each.id: each.standings[0].ids for each in merged.nodes if each.standings} == {
            "a/n": ("x",),
            "b/n": ("y",),
        }

    def test_nodes_of_the_map_in_no_snapshot_are_counted_over_all_files(self) -> None:
        a, b = estate("a", (node("n"),)), estate("b", (node("m"),))
        places = {name: (Standing("pdu", "one", ("x",)),) for name in ("n", "m", "gone")}
        merged = merge_estates(
            [("a", a), ("b", b)], topology=("map", Topology(places, {"x": Domain("x", "power")}))
        )
        assert "1 nodes of map are in none of the snapshots: gone." in merged.notes
        assert merged.provenance.caveats == ()
