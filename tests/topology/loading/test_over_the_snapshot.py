"""What is laid over a snapshot: a topology file, the command line's assumptions; a bare map in its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from tests.strategies import estates, topologies
from tests.topology.loading.files import estate, estate_file, topology
from topology.apply import apply_topology
from topology.assume import assume
from topology.bare import estate_of
from topology.diagnostics import InvalidInput
from topology.dump import estate_to_json, topology_to_json
from topology.load import load_estate_text, load_topology_text
from topology.model import Domain, Estate, Standing, Topology
from topology.unknown_id import UnknownId


class TestApply:
    """Spec 1: the file wins, per axis; "the number of disagreements becomes a provenance caveat"."""

    def test_the_file_wins_per_axis(self) -> None:
        applied = apply_topology(estate(estate_file()), topology("nodes:\n  n1: {rack: r9, cooling: c}\n"))
        assert applied.nodes[0].standings == (
            Standing("rack", "one", ("r9",)),
            Standing("pdu", "any", ("p1", "p2")),
            Standing("cooling", "one", ("c",)),
        )
        assert set(applied.domains) == {"r9", "p1", "p2", "c"}

    def test_its_domains_join_and_win(self) -> None:
        before = estate(estate_file(domains={"p1": {"kind": "power", "ratedKw": 5}, "u": {"kind": "ups"}}))
        applied = apply_topology(before, topology("domains:\n  p1: {kind: power, ratedKw: 9}\n"))
        assert applied.domains["p1"].rated_kw == 9
        assert applied.domains["u"] == Domain("u", "ups")

    def test_disagreements_and_unmatched_nodes_are_counted(self) -> None:
        text = "nodes:\n  n1: {rack: r9, pdu: [p2, p1]}\n  n2.example.org: {rack: r9}\n"
        caveats = apply_topology(estate(estate_file()), topology(text)).provenance.caveats
        hint = "'n2.example.org' in the file looks like 'n2' in the snapshot: write the full name"
        assert caveats == (
            "The topology file and the cluster disagree on 1 axis of 1 node (n1): the file wins",
            f"1 node of the topology file not in the snapshot (n2.example.org); {hint}",
            f"1 node of the snapshot not in the topology file (n2); {hint}",
        )

    def test_applying_twice_says_nothing_twice(self) -> None:
        over = topology("nodes:\n  n1: {rack: r1}\n")
        once = apply_topology(estate(estate_file()), over)
        assert apply_topology(once, over) == once

    @pytest.mark.parametrize("stamp", ["2026-10-01T08:00:00Z", None])
    def test_the_age_of_the_map_is_this_files(self, stamp: str | None) -> None:
        provenance = {"topologyFileModifiedAt": "2026-01-01T08:00:00Z"}
        before = estate(estate_file(verifiedAt="2026-01-02T08:00:00Z", provenance=provenance))
        applied = apply_topology(before, topology(f"verifiedAt: {stamp or 'null'}\nnodes:\n"))
        assert applied.verified_at == stamp
        assert applied.provenance.topology_file_modified_at is None

    def test_a_map_that_does_not_fit_is_refused(self) -> None:
        with pytest.raises(InvalidInput) as refusal:
            apply_topology(
                estate(estate_file()), topology("domains:\n  r1: {kind: cooling}\n  n2: {kind: ups}\n")
            )
        assert {each.rule for each in refusal.value.diagnostics} == {"axis-kind", "schema"}

    @given(estates(max_nodes=3, max_domains=6))
    def test_a_map_of_the_same_facility_changes_nothing(self, before: Estate) -> None:
        same = Topology({node.id: node.standings for node in before.nodes}, before.domains)
        assert apply_topology(before, same) == before


class TestAssume:
    """Spec 2: "a figure that rests on one says `command line` as its basis"."""

    def test_figures(self) -> None:
        under = assume(
            estate(estate_file()), price_per_unit_hour=2, kw_per_unit=0.7, default_restart_minutes=0
        )
        assert (under.price_per_unit_hour, under.watts_per_unit_kw, under.default_restart_minutes) == (
            2,
            0.7,
            0,
        )
        assert dict(under.bases) == {
            "price_per_unit_hour": "command line",
            "watts_per_unit_kw": "command line",
            "default_restart_minutes": "command line",
        }

    def test_nothing_assumed_changes_nothing(self) -> None:
        assert assume(estate(estate_file())) == estate(estate_file())

    def test_out(self) -> None:
        under = assume(estate(estate_file()), out=("p1",))
        assert under.domains["p1"].out
        assert not under.domains["p2"].out

    @pytest.mark.parametrize("unknown", ["p3", "n1"])
    def test_only_domains_can_be_out(self, unknown: str) -> None:
        with pytest.raises(UnknownId) as refusal:
            assume(estate(estate_file()), out=("p1", unknown))
        assert refusal.value.ids == (unknown,)


class TestBare:
    """A topology without any snapshot: every unit unknown."""

    def test_units_are_unknown(self) -> None:
        stand_in = estate_of(topology("verifiedAt: 2026-10-01T08:00:00Z\nnodes:\n  a: {rack: r}\n"))
        assert stand_in.bare
        assert [(node.id, node.allocated, node.installed) for node in stand_in.nodes] == [("a", None, None)]
        assert stand_in.domains["r"].kind == "rack"
        assert stand_in.verified_at == "2026-10-01T08:00:00Z"


class TestDump:
    """Writing is the exact inverse of loading."""

    @given(estates())
    def test_estates(self, original: Estate) -> None:
        text = json.dumps(estate_to_json(original))
        assert load_estate_text(text, "e.json").value == original

    @given(topologies())
    def test_topologies(self, original: Topology) -> None:
        text = json.dumps(topology_to_json(original))
        assert load_topology_text(text, "t.json").value == original
        assert load_topology_text(text, "t.yaml").value == original

    def test_every_key_of_an_estate(self) -> None:
        from tests.topology.loading.test_estate_files import FULL

        assert estate_to_json(estate(FULL)) == FULL
