"""Where nodes stand: labels, annotations, cloud tables, the operator's map on top."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.collector.build import node
from tests.collector.direct import by_id, caveats, estate_of
from tests.collector.stub_server import Cluster
from topo import collect
from topology.load import load_estate_text

UUID = "3f2a4b1c-0000-1111-2222-333344445555"
T = "topology.kubernetes.io/"


def collected(
    *nodes: dict[str, Any], flags: tuple[str, ...] = (), parsed: collect.ParsedMap | None = None
) -> dict[str, Any]:
    """Return the estate of some nodes; it must be valid."""
    map_file = collect.MapFile("0" * 64, "2026-11-01T00:00:00Z", "nodes: {}", parsed) if parsed else None
    estate = estate_of(Cluster().add(*nodes), "--dcgm", "off", *flags, map_file=map_file)
    result = load_estate_text(json.dumps(estate), "estate.json")
    assert result.estate is not None, [str(one) for one in result.diagnostics]
    return estate


def standing(
    labels: dict[str, str] | None = None, annotations: dict[str, str] | None = None, *flags: str
) -> Any:
    """Return where one node stands."""
    return collected(node("n1", labels=labels, annotations=annotations), flags=flags)["nodes"][0]["domains"]


class TestLabels:
    """iverson.gpu/<axis>, standard zones, and what clouds and operators write."""

    @pytest.mark.parametrize("axis", collect.AXES)
    def test_every_axis(self, axis: str) -> None:
        assert standing({f"iverson.gpu/{axis}": "x-1"}) == {axis: "x-1"}

    @pytest.mark.parametrize(
        ("labels", "expected"),
        [
            ({T + "zone": "z", T + "region": "r"}, {"zone": "z", "region": "r"}),
            ({"failure-domain.beta.kubernetes.io/zone": "old"}, {"zone": "old"}),
            ({"failure-domain.beta.kubernetes.io/zone": "old", T + "zone": "new"}, {"zone": "new"}),
            ({"nvidia.com/gpu.clique": f"{UUID}.3"}, {"nvlink": UUID}),
            ({"nvidia.com/gpu.clique": "plain.3"}, {"nvlink": "plain.3"}),
            ({"network.topology.nvidia.com/accelerator": f"{UUID}.1"}, {"nvlink": UUID}),
            ({"accelerator.topograph.run/domain": "nvl-1"}, {"nvlink": "nvl-1"}),
            ({"topology.k8s.aws/ultraserver-id": "u"}, {"nvlink": "u"}),
            ({"topology.k8s.aws/capacity-block-id": "cr-1"}, {}),
            (
                {
                    "oci.oraclecloud.com/host.rack_id": "r",
                    "oci.oraclecloud.com/host.gpu_memory_fabric_id": "f",
                },
                {"rack": "r", "nvlink": "f"},
            ),
            ({"kubernetes.azure.com/ppg": "g"}, {"network": "g"}),
            ({"iverson.gpu/zone": "mine", T + "zone": "theirs"}, {"zone": "mine"}),
            ({"iverson.gpu/rack": " r1 "}, {"rack": "r1"}),
        ],
    )
    def test_tables(self, labels: dict[str, str], expected: dict[str, str]) -> None:
        assert standing(labels) == expected

    def test_a_label_map_stands_between(self) -> None:
        labels = {
            "corp/rack": "c",
            "corp/pdu": "p",
            "iverson.gpu/rack": "i",
            "oci.oraclecloud.com/host.rack_id": "o",
        }
        assert standing(labels, None, "--label-map", "rack=corp/rack", "--label-map", "pdu=corp/pdu") == {
            "rack": "i",
            "pdu": "p",
        }
        del labels["iverson.gpu/rack"]
        assert standing(labels, None, "--label-map", "rack=corp/rack") == {"rack": "c"}


class TestAnnotations:
    """They win over labels and may hold comma-separated lists; a list is redundancy on pdu and ups only."""

    def test_a_list_of_cords(self) -> None:
        assert standing({"iverson.gpu/pdu": "pdu-a"}, {"iverson.gpu/pdu": "pdu-a, pdu-b"}) == {
            "pdu": ["pdu-a", "pdu-b"]
        }

    def test_the_same_cord_twice_is_one(self) -> None:
        estate = collected(node("n1", annotations={"iverson.gpu/pdu": "a,a"}))
        assert estate["nodes"][0]["domains"] == {"pdu": "a"}
        assert "no redundancy" in caveats(estate)

    def test_a_list_elsewhere_is_refused_out_loud_and_the_label_stands(self) -> None:
        estate = collected(
            node("n1", labels={"iverson.gpu/cooling": "c"}, annotations={"iverson.gpu/cooling": "a,b"})
        )
        assert estate["nodes"][0]["domains"] == {"cooling": "c"}
        assert "several domains on cooling" in caveats(estate)

    def test_an_empty_one_says_nothing(self) -> None:
        assert standing({"iverson.gpu/rack": "r"}, {"iverson.gpu/rack": " , "}) == {"rack": "r"}


class TestNetworkTiers:
    """Tiers become a chain of network domains; the closest is the node's."""

    @pytest.mark.parametrize(
        ("labels", "chain"),
        [
            ({f"fabric.topograph.run/tier-{tier}": name for tier, name in enumerate("abc")}, ["a", "b", "c"]),
            ({"network.topology.nvidia.com/leaf": "l", "network.topology.nvidia.com/spine": "s"}, ["l", "s"]),
            (
                {f"topology.k8s.aws/network-node-layer-{layer}": f"nn-{layer}" for layer in (1, 2, 3)},
                ["nn-3", "nn-2", "nn-1"],
            ),
            (
                {"cloud.google.com/gce-topology-block": "b", "cloud.google.com/gce-topology-subblock": "s"},
                ["s", "b"],
            ),
        ],
    )
    def test_order(self, labels: dict[str, str], chain: list[str]) -> None:
        estate = collected(node("n1", labels=labels))
        assert estate["nodes"][0]["domains"] == {"network": chain[0]}
        parents = {one: body.get("parent") for one, body in estate["domains"].items()}
        assert parents == dict(zip(chain, [*chain[1:], None], strict=True))

    def test_disagreement_leaves_a_tier_alone(self) -> None:
        leaf, spine = "network.topology.nvidia.com/leaf", "network.topology.nvidia.com/spine"
        estate = collected(
            node("n1", labels={leaf: "l", spine: "s1"}), node("n2", labels={leaf: "l", spine: "s2"})
        )
        assert estate["domains"] == {}
        assert "disagree on what these hang from" in caveats(estate)

    def test_two_tiers_that_swap_are_no_cycle(self) -> None:
        leaf, spine = "network.topology.nvidia.com/leaf", "network.topology.nvidia.com/spine"
        estate = collected(
            node("n1", labels={leaf: "a", spine: "b"}), node("n2", labels={leaf: "b", spine: "a"})
        )
        assert estate["domains"] == {}


class TestOneIdOneThing:
    """An id with two meanings would be an invalid estate: one meaning keeps it."""

    def test_a_rack_and_a_pdu_of_one_name(self) -> None:
        estate = collected(node("n1", labels={"iverson.gpu/rack": "1", "iverson.gpu/pdu": "1"}))
        assert estate["nodes"][0]["domains"] == {"rack": "1", "pdu": "power:1"}
        assert "mean several things" in caveats(estate)

    def test_a_domain_named_like_a_node(self) -> None:
        estate = collected(node("n1", labels={"iverson.gpu/rack": "n1"}))
        assert estate["nodes"][0]["domains"] == {"rack": "rack:n1"}

    def test_what_the_map_declares_keeps_its_name(self) -> None:
        parsed = collect.ParsedMap({}, {"1": {"kind": "power"}}, {"1": "power"}, None)
        estate = collected(node("n1", labels={"iverson.gpu/rack": "1"}), parsed=parsed)
        assert estate["nodes"][0]["domains"] == {"rack": "rack:1"}


class TestMap:
    """The file wins over labels, per axis; what does not match is said both ways."""

    def test_the_file_wins_and_disagreements_are_counted(self) -> None:
        parsed = collect.ParsedMap(
            {"n1": {"rack": "r2", "pdu": ["a", "b"]}, "n9": {"rack": "r2"}},
            {"a": {"kind": "power"}, "b": {"kind": "power"}},
            {"a": "power", "b": "power", "r2": "rack"},
            "2026-10-01T00:00:00Z",
        )
        nodes = [node("n1", labels={"iverson.gpu/rack": "r1", "iverson.gpu/cooling": "c"}), node("n2")]
        estate = collected(*nodes, parsed=parsed)
        assert by_id(estate["nodes"])["n1"]["domains"] == {"rack": "r2", "pdu": ["a", "b"], "cooling": "c"}
        assert "disagree 1 time; the map wins (1 node: n1)" in caveats(estate)
        assert "not in the cluster (1 node: n9)" in caveats(estate)
        assert "does not name (1 node: n2)" in caveats(estate)
        assert estate["domains"] == {"a": {"kind": "power"}, "b": {"kind": "power"}}
        assert estate["topology"] == {
            "sha256": "0" * 64,
            "modifiedAt": "2026-11-01T00:00:00Z",
            "verifiedAt": "2026-10-01T00:00:00Z",
        }
        assert estate["provenance"]["topologyFileModifiedAt"] == "2026-11-01T00:00:00Z"

    @pytest.mark.parametrize(("mapped", "real"), [("n1", "n1.example.com"), ("n1.example.com", "n1")])
    def test_short_against_full_names(self, mapped: str, real: str) -> None:
        parsed = collect.ParsedMap({mapped: {"rack": "r"}}, {}, {"r": "rack"}, None)
        assert "short names and the other full ones" in caveats(collected(node(real), parsed=parsed))

    def test_any_and_all_pass_through(self) -> None:
        parsed = collect.ParsedMap(
            {"n1": {"cooling": {"all": ["a", "b"]}}}, {}, {"a": "cooling", "b": "cooling"}, None
        )
        assert collected(node("n1"), parsed=parsed)["nodes"][0]["domains"] == {"cooling": {"all": ["a", "b"]}}

    def test_without_any_facility_it_is_said(self) -> None:
        assert (
            collect.NO_MAP_CAVEAT
            in collected(node("n1", labels={"iverson.gpu/rack": "r"}))["provenance"]["caveats"]
        )
        assert collect.NO_MAP_CAVEAT not in caveats(collected(node("n1", labels={"iverson.gpu/pdu": "p"})))
