"""Methodology: Multi-cluster merge."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closure.cascade import close
from closure.compiled import compile_facility
from tests.strategies import estates, failures, renamed
from topology.dump import estate_to_json
from topology.load import load_estate_text
from topology.merge import MergeRefused, merge_estates
from topology.merge.estates import SIDE_BY_SIDE
from topology.merge.facility import JOINED
from topology.model import (
    Domain,
    Estate,
    Loop,
    Node,
    Overload,
    Provenance,
    Signal,
    Standing,
    Topology,
    Workload,
)

SNAPSHOT = "2026-11-30T12:00:00Z"


def node(name: str, *domains: str, **values: Any) -> Node:
    standings = tuple(Standing("pdu", "one", (domain,)) for domain in domains)
    return Node(name, 4, standings=standings, **values)


def estate(cluster: str, nodes: tuple[Node, ...] = (), *domains: Domain, **values: Any) -> Estate:
    named = {domain.id: domain for domain in domains}
    for each in nodes:
        for standing in each.standings:
            for name in standing.ids:
                named.setdefault(name, Domain(name, "power", declared=False))
    options: dict[str, Any] = {"unit": "gpu", "snapshot_at": SNAPSHOT, **values}
    return Estate(cluster=cluster, nodes=nodes, domains=named, **options)


def refused(*files: tuple[str, Estate], **options: Any) -> dict[str, str]:
    """Rule -> message of every reason."""
    with pytest.raises(MergeRefused) as caught:
        merge_estates(files, **options)
    return {refusal.rule: refusal.message for refusal in caught.value.refusals}


def text_of(merged: Estate) -> str:
    return json.dumps(estate_to_json(merged))


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
        assert "Joined by id, rack (1): rack-1." in merged.notes
        assert "Joined by id, power (1): pdu-1." in merged.notes
        assert not any("ups" in note for note in merged.notes)

    def test_no_shared_domain_is_a_side_by_side_ledger(self) -> None:
        a, b = estate("a", (node("n1", "pdu-a"),)), estate("b", (node("m1", "pdu-b"),))
        assert SIDE_BY_SIDE in merge_estates([("a.json", a), ("b.json", b)]).notes
        shared = estate("b", (node("m1", "pdu-a"),))
        assert SIDE_BY_SIDE not in merge_estates([("a.json", a), ("b.json", shared)]).notes

    def test_an_id_that_two_names_would_become_is_refused(self) -> None:
        first, second = estate("a", (node("b/c"),)), estate("a/b", (node("c"),))
        assert '"a/b/c"' in refused(("1.json", first), ("2.json", second))["id-clash"]

    def test_a_node_that_would_take_a_domain_s_id_is_refused(self) -> None:
        first, second = estate("a", (node("n"),)), estate("b", (), Domain("a/n", "ups"))
        assert "id of a domain" in refused(("1.json", first), ("2.json", second))["id-clash"]


class TestRefusals:
    """The merge refuses rather than fudges: each reason names both files and both values, all in one run."""

    @pytest.mark.parametrize(
        ("rule", "first", "second", "values"),
        [
            ("kind-conflict", Domain("x", "power"), Domain("x", "ups"), ("power", "ups")),
            (
                "upstream-conflict",
                Domain("x", "power", parent="u"),
                Domain("x", "power", parent="v"),
                ("u", "v"),
            ),
            (
                "upstream-conflict",
                Domain("x", "power", feeds=("u", "v")),
                Domain("x", "power", feeds=("u",)),
                ("[u, v]", "[u]"),
            ),
            (
                "upstream-conflict",
                Domain("x", "power", parent="u"),
                Domain("x", "power", feeds=("u", "v")),
                ('"u"', "[u, v]"),
            ),
            (
                "upstream-conflict",
                Domain("x", "power", feeds=("u", "v"), min_feeds=1),
                Domain("x", "power", feeds=("u", "v"), min_feeds=2),
                ("1", "2"),
            ),
            (
                "upstream-conflict",
                Domain("x", "power", feeds=("u", "v"), transfer="preferred"),
                Domain("x", "power", feeds=("v", "u")),
                ("[u, v]", "[v, u]"),
            ),
            (
                "rating-conflict",
                Domain("x", "power", rated_kw=8),
                Domain("x", "power", rated_kw=9),
                ("8", "9"),
            ),
            (
                "rating-conflict",
                Domain("x", "power", overload=(Overload(125, 60),)),
                Domain("x", "power", overload=(Overload(125, 30),)),
                ("125 % for 60 s", "125 % for 30 s"),
            ),
            (
                "ride-through-conflict",
                Domain("x", "cooling", ride_through_minutes=2),
                Domain("x", "cooling", ride_through_minutes=3),
                ("2", "3"),
            ),
            (
                "load-conflict",
                Domain("x", "power", own_load_kw=2),
                Domain("x", "power", own_load_kw=3),
                ("2", "3"),
            ),
        ],
    )
    def test_conflicting_domains(
        self, rule: str, first: Domain, second: Domain, values: tuple[str, str]
    ) -> None:
        upstream = Domain("u", "ups"), Domain("v", "ups")
        files = ("a.json", estate("a", (), first, *upstream)), ("b.json", estate("b", (), second, *upstream))
        message = refused(*files)[rule]
        for word in ("a.json", "b.json", '"x"', *values):
            assert word in message

    def test_all_reasons_in_one_run(self) -> None:
        first = estate("a", (), Domain("x", "ups", rated_kw=1), Domain("y", "ups"))
        second = estate("a", (), Domain("x", "ups", rated_kw=2), Domain("y", "power"), unit="cpu")
        assert set(refused(("a.json", first), ("b.json", second))) == {
            "unit-mix",
            "cluster-twice",
            "rating-conflict",
            "kind-conflict",
        }

    def test_a_cycle_that_only_both_files_together_have(self) -> None:
        first = estate("a", (), Domain("x", "power", parent="y"), Domain("y", "power"))
        second = estate("b", (), Domain("y", "power", parent="x"), Domain("x", "power"))
        message = refused(("a.json", first), ("b.json", second))["invalid-together"]
        assert "a.json, b.json" in message
        assert "'x'" in message

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            (Domain("x", "power", rated_kw=8), Domain("x", "power")),
            (Domain("x", "power", feeds=("u", "v"), min_feeds=2), Domain("x", "power", feeds=("v", "u"))),
            (Domain("x", "power", parent="u"), Domain("x", "power", declared=False)),
        ],
    )
    def test_absent_is_not_a_conflict(self, first: Domain, second: Domain) -> None:
        upstream = Domain("u", "ups"), Domain("v", "ups")
        a, b = estate("a", (), first, *upstream), estate("b", (), second, *upstream)
        for files in ([("a", a), ("b", b)], [("b", b), ("a", a)]):
            assert merge_estates(files).domains["x"] == first

    def test_out_of_service_in_one_file_is_out(self) -> None:
        a, b = estate("a", (), Domain("x", "ups", out=True)), estate("b", (), Domain("x", "ups"))
        merged = merge_estates([("a.json", a), ("b.json", b)])
        assert merged.domains["x"].out
        assert any("out of service in a.json" in note for note in merged.notes)


class TestSameClusterDefense:
    """Two estates sharing >= 80 % of their node ids are rejected as the same cluster uploaded twice, and
    overlap of >= 20 % draws a written note instead of silence."""

    def files(self, common: int, own: int, **values: Any) -> list[tuple[str, Estate]]:
        shared = [
            node(f"n{i}", **{key: f"{value}{i}" for key, value in values.items()}) for i in range(common)
        ]
        return [
            (f"{name}.json", estate(name, (*shared, *(node(f"{name}-{i}") for i in range(own)))))
            for name in ("a", "b")
        ]

    def test_eighty_percent_is_refused(self) -> None:
        message = refused(*self.files(8, 2))["same-cluster"]
        assert "a.json" in message
        assert "b.json" in message
        assert "80%" in message

    def test_the_share_is_of_the_smaller(self) -> None:
        big = estate("a", tuple(node(f"n{i}") for i in range(100)))
        small = estate("b", tuple(node(f"n{i}") for i in range(5)))
        assert "same-cluster" in refused(("a.json", big), ("b.json", small))

    @pytest.mark.parametrize(("common", "own", "noted"), [(79, 21, True), (2, 8, True), (19, 81, False)])
    def test_below_it_is_noted_from_twenty_percent(self, common: int, own: int, noted: bool) -> None:
        notes = merge_estates(self.files(common, own)).notes
        assert any("double counting" in note for note in notes) is noted

    def test_machine_identity_decides_before_names(self) -> None:
        """Two sites that both count from n0 are two clusters when their machines say so."""
        a = estate("a", tuple(node(f"n{i}", system_uuid=f"A{i}") for i in range(5)))
        b = estate("b", tuple(node(f"n{i}", system_uuid=f"B{i}") for i in range(5)))
        assert len(merge_estates([("a.json", a), ("b.json", b)]).nodes) == 10

    @pytest.mark.parametrize("key", ["system_uuid", "provider_id"])
    def test_renamed_machines_are_still_the_same_cluster(self, key: str) -> None:
        a = estate("a", tuple(node(f"n{i}", **{key: f"id{i}"}) for i in range(5)))
        b = estate("b", tuple(node(f"m{i}", **{key: f"id{i}"}) for i in range(5)))
        assert "5 by machine identity" in refused(("a.json", a), ("b.json", b))["same-cluster"]


class TestTerms:
    """Where files disagree on prices or the power assumption, the first file's figure applies and the merge
    says so in a note."""

    def merged(self, *prices: float | None, **values: Any) -> Estate:
        files = [
            (f"{name}.json", estate(name, (node(f"{name}1", **values),), price_per_unit_hour=price))
            for name, price in zip("abc", prices, strict=False)
        ]
        return merge_estates(files)

    def test_the_first_file_s_figure_applies(self) -> None:
        merged = self.merged(2.5, 2.2)
        assert merged.price_per_unit_hour == 2.5
        assert any("a.json 2.5, b.json 2.2" in note for note in merged.notes)

    def test_agreement_is_not_worth_a_note(self) -> None:
        assert self.merged(2.5, 2.5).price_per_unit_hour == 2.5
        assert not any("pricePerUnitHour" in note for note in self.merged(2.5, 2.5).notes)

    def test_a_node_s_own_price_survives(self) -> None:
        merged = self.merged(2.5, 2.2, price_per_unit_hour=9)
        assert [each.price_per_unit_hour for each in merged.nodes] == [9, 9]

    def test_a_cluster_without_a_price_stays_without(self) -> None:
        merged = self.merged(None, 2.2)
        assert merged.price_per_unit_hour is None
        assert [each.price_per_unit_hour for each in merged.nodes] == [None, 2.2]
        assert any("a.json says none" in note for note in merged.notes)

    def test_the_power_assumption_goes_the_same_way(self) -> None:
        a = estate("a", (node("n"),), watts_per_unit_kw=1, idle_kw_per_unit=0.1)
        b = estate("b", (node("m"),), watts_per_unit_kw=2)
        merged = merge_estates([("a.json", a), ("b.json", b)])
        assert merged.watts_per_unit_kw == 1
        assert [each.idle_kw_per_unit for each in merged.nodes] == [0.1, None]


class TestFreshness:
    """The merged report is stamped as only as fresh as its stalest input."""

    def test_instants_are_compared_not_texts(self) -> None:
        a = estate("a", (node("n"),), snapshot_at="2026-11-30T12:00:00+02:00")
        b = estate("b", (node("m"),), snapshot_at="2026-11-30T11:00:00Z")
        assert merge_estates([("a", a), ("b", b)]).snapshot_at == "2026-11-30T12:00:00+02:00"

    def test_the_oldest_clock_is_kept(self) -> None:
        old = Provenance(collected_at="2026-11-29T12:00:00Z")
        a = estate("a", (node("n"),), provenance=old, snapshot_at="2026-11-30T12:00:00Z")
        b = estate("b", (node("m"),), snapshot_at="2026-11-28T12:00:00Z")
        assert merge_estates([("a", a), ("b", b)]).provenance.collected_at == "2026-11-28T12:00:00Z"

    def test_what_the_collectors_could_not_see_is_attributed(self) -> None:
        blind = Provenance(signals={"dcgm": Signal(reachable=False, detail="none")}, caveats=("both", "one"))
        seeing = Provenance(signals={"dcgm": Signal(reachable=True)}, caveats=("both",))
        a, b = estate("a", (node("n"),), provenance=blind), estate("b", (node("m"),), provenance=seeing)
        provenance = merge_estates([("a", a), ("b", b)]).provenance
        assert provenance.caveats == ("both", "a: one")
        assert provenance.signals["dcgm"] == Signal(reachable=False, detail="a: none")


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


class TestLaws:
    @given(estates())
    def test_the_merge_of_one_is_that_one_namespaced(self, one: Estate) -> None:
        merged = merge_estates([("a.json", one)])
        prefixed = renamed(one, lambda name: name if name in one.domains else f"{one.cluster}/{name}")
        assert [dataclasses.replace(each, cluster=None) for each in merged.nodes] == list(prefixed.nodes)
        assert merged.domains == one.domains
        assert merge_estates([("m.json", merged)]) == merged

    @given(estates(), st.data())
    def test_without_a_shared_domain_blasts_are_united(self, one: Estate, data: st.DataObject) -> None:
        other = dataclasses.replace(renamed(one, lambda name: f"{name}'"), cluster="other")
        failed = data.draw(failures(one))
        domains = [name for name in failed if name in one.domains]
        merged = merge_estates([("a", one), ("b", other)])
        assert SIDE_BY_SIDE in merged.notes or not any(each.standings for each in one.nodes)

        def lost(estate: Estate, prefix: str, ids: list[str]) -> set[str]:
            return {prefix + each.id for each in close(compile_facility(estate), ids).nodes}

        united = lost(one, "lab/", domains) | lost(other, "other/", [f"{name}'" for name in domains])
        assert lost(merged, "", [*domains, *(f"{name}'" for name in domains)]) == united

    @given(estates(kw_known=True), st.data())
    def test_a_merge_never_shrinks_a_blast(self, one: Estate, data: st.DataObject) -> None:
        nodes = tuple(dataclasses.replace(each, id=f"{each.id}'") for each in one.nodes)
        other = dataclasses.replace(one, cluster="other", nodes=nodes, workloads=())
        failed = [name for name in data.draw(failures(one)) if name in one.domains]
        alone = {f"lab/{each.id}" for each in close(compile_facility(one), failed).nodes}
        merged = merge_estates([("a", one), ("b", other)])
        assert alone <= {each.id for each in close(compile_facility(merged), failed).nodes}

    @given(estates())
    def test_the_order_of_the_files_does_not_matter(self, one: Estate) -> None:
        nodes = tuple(dataclasses.replace(each, id=f"{each.id}'") for each in one.nodes)
        other = dataclasses.replace(one, cluster="other", nodes=nodes, workloads=())
        forwards, backwards = [("a", one), ("b", other)], [("b", other), ("a", one)]
        assert text_of(merge_estates(forwards)) == text_of(merge_estates(backwards))

    @given(estates())
    def test_a_merged_estate_can_be_written_and_read(self, one: Estate) -> None:
        other = dataclasses.replace(renamed(one, lambda name: f"{name}'"), cluster="other")
        merged = merge_estates([("a", one), ("b", other)])
        read = load_estate_text(text_of(merged), "merged.json")
        assert read.estate is not None, read.diagnostics
        assert estate_to_json(read.estate) == estate_to_json(merged)

    @pytest.mark.parametrize("files", [[], [("a", dataclasses.replace(estate("a"), bare=True))]])
    def test_nothing_to_merge_is_an_error(self, files: list[tuple[str, Estate]]) -> None:
        with pytest.raises(ValueError, match="one estate or more"):
            merge_estates(files)
