"""What can be judged is judged, what cannot is unknown: power, collisions, casualties, a bare map."""

from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.caveats import LOWER_BOUND_CAVEAT
from findings.context import Context
from findings.document import findings_document
from findings.explain import explanation_to_json
from findings.registry import find
from findings.scenario import whatif
from tests.findings.small import NOW, estate_of_json, node
from topology.bare import estate_of
from topology.load import load_topology_text


class TestPowerUnverified:
    """Spec 5: no rating or kW to judge by: not capped, its free units counted as `powerUnverified`.

    A rack's headroom is an upper bound only where power of unknown kW enters at it, or below it.
    """

    @staticmethod
    def unverified(neighbour: dict[str, Any], domains: dict[str, Any]) -> Any:
        racked = node("a", kwPerUnit=1, domains={"rack": "r"})
        estate = estate_of_json([racked, node("b", allocated=8, domains=neighbour)], domains)
        return findings_document(estate, now=NOW)["metrics"]["ledger"]["powerUnverified"]

    def test_a_neighbour_on_a_pdu_of_its_own_never_loads_the_rack(self) -> None:
        domains = {"r": {"kind": "rack", "ratedKw": 9}, "p": {"kind": "power"}}
        assert self.unverified({"rack": "r", "pdu": "p"}, domains) == 0

    def test_a_neighbour_that_names_no_pdu_enters_at_the_rack(self) -> None:
        assert self.unverified({"rack": "r"}, {"r": {"kind": "rack", "ratedKw": 9}}) == 8

    def test_what_enters_below_passes_the_rack(self) -> None:
        domains = {
            "r": {"kind": "rack", "ratedKw": 9},
            "strip": {"kind": "rack", "parent": "r"},
        }
        assert self.unverified({"rack": "strip"}, domains) == 8

    def test_a_ups_of_its_own_is_an_entry_before_the_rack(self) -> None:
        domains = {"r": {"kind": "rack", "ratedKw": 9}, "u": {"kind": "ups"}}
        assert self.unverified({"rack": "r", "ups": "u"}, domains) == 0


class TestCollisionHours:
    """A collision window is an hour with two active loops: an unobserved one may have been the second."""

    @staticmethod
    def hours(*loops: list[int | None]) -> list[Any]:
        rows = [{"id": f"loop-{n}", "hourlyActions": actions} for n, actions in enumerate(loops)]
        finding = find(Context(estate_of_json([node("a")], loops=rows), NOW), "control-loop-collision")
        assert finding is not None
        explained = explanation_to_json(finding)
        return [explained["value"], *(hour["value"] for hour in explained["terms"][0]["terms"])]

    def test_an_unobserved_loop_that_could_have_collided_leaves_the_hour_unknown(self) -> None:
        assert self.hours([9] * 24, [None, *[0] * 23]) == [0, None, *[0] * 23]

    def test_one_that_could_not_have_leaves_it_measured(self) -> None:
        assert self.hours([0] * 24, [None, *[0] * 23]) == [0] * 25
        assert self.hours([9] * 24, [9] * 24, [None] * 24) == [24, *[1] * 24]

    def test_no_hour_that_can_be_judged_is_no_figure(self) -> None:
        assert self.hours([9] * 24, [None] * 24) == [None] * 25


class TestCasualtiesListed:
    """`belowMinAvailable` and `quorum` list what some single failure takes below, and nothing else."""

    @pytest.mark.parametrize(("needed", "listed"), [(2, ["serve"]), (1, [])])
    def test_services(self, needed: int, listed: list[str]) -> None:
        nodes = [node(name, allocated=1, domains={"rack": f"r-{name}"}) for name in "ab"]
        serve = {
            "id": "serve",
            "kind": "inference",
            "placements": {"a": 1, "b": 1},
            "replicas": {"a": 1, "b": 1},
            "minAvailable": needed,
        }
        document = findings_document(estate_of_json(nodes, workloads=[serve]), now=NOW)
        rows = document["beyond"]["allocated"]["belowMinAvailable"]
        assert [row["workload"] for row in rows] == listed

    @pytest.mark.parametrize(("racks", "listed"), [("rrs", ["etcd"]), ("rst", [])])
    def test_quorum(self, racks: str, listed: list[str]) -> None:
        nodes = [node(f"n{n}", roles=["etcd"], domains={"rack": rack}) for n, rack in enumerate(racks)]
        rows = findings_document(estate_of_json(nodes), now=NOW)["beyond"]["allocated"]["quorum"]
        assert [row["role"] for row in rows] == listed

    @pytest.mark.parametrize(("roles", "value"), [([], None), (["control-plane"], None), (["etcd"], 1)])
    def test_voters_that_nobody_reported_are_no_quorum_that_holds(
        self, roles: list[str], value: int | None
    ) -> None:
        nodes = [node("n", roles=roles, domains={"rack": "r"})]
        found = findings_document(estate_of_json(nodes), now=NOW)["findings"]
        quorum = next(each for each in found if each["id"] == "quorum-loss@allocated")
        assert (quorum["value"], quorum["confidence"]) == (value, "Low" if value is None else "High")
        assert quorum["caveats"] == (["No node with a voting role was reported."] if value is None else [])


def test_a_bare_map_does_not_speak_of_nodes_with_units() -> None:
    loaded = load_topology_text("nodes: {a: {rack: r}}\ndomains: {r: {kind: rack, ratedKw: 9}}\n", "t.yaml")
    assert loaded.value is not None
    assert LOWER_BOUND_CAVEAT not in whatif(compile_facility(estate_of(loaded.value)), ["r"]).caveats
    snapshot = estate_of_json([node("a", allocated=8, domains={"rack": "r"})])
    assert LOWER_BOUND_CAVEAT in whatif(compile_facility(snapshot), ["r"]).caveats
