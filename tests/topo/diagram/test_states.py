"""Every state of a box, by the smallest facility that shows it."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from tests.estates import estate_of
from tests.topo.diagram.drawing import box, draw, example, node, small
from topo.diagram.model import Options
from topo.diagram.render import render
from topo.diagram.svg import render_svg
from topology.model import Domain, Standing
from topology.model import Node as Machine


def test_the_lab_shows_failed_tripped_demoted_and_lost() -> None:
    drawn = draw(example("lab"), ["feed-strong"])
    states = {name: box(drawn, name).state for b in drawn.boxes for name in b.members}
    assert states == {
        "feed-strong": "failed",
        "feed-weak": "tripped",
        "lab-panel": "demoted",
        "lab-rack": "lost",
        "lab-loop": "emptied",
    }


def test_out_of_service_is_not_called_failed() -> None:
    drawn = draw(small(Domain("ups", "ups", out=True), Domain("pdu", "power", parent="ups")))
    assert (box(drawn, "ups").state, box(drawn, "pdu").state) == ("out", "lost")


def test_degraded_says_how_many_feeds_are_left() -> None:
    estate = small(
        *(Domain(name, "ups", rated_kw=10) for name in ("a", "b", "c")),
        Domain("pdu", "power", feeds=("a", "b", "c")),
        nodes=[node("n", pdu="pdu")],
    )
    drawn = box(draw(estate, ["a"]), "pdu")
    assert (drawn.state, drawn.spare, drawn.feeds_left) == ("degraded", 1, (2, 3))


def test_a_survivor_without_rating_is_unverified() -> None:
    estate = small(
        Domain("a", "ups", rated_kw=10),
        Domain("b", "ups"),
        Domain("pdu", "power", feeds=("a", "b")),
        nodes=[node("n", pdu="pdu")],
    )
    drawn = draw(estate, ["a"])
    assert box(drawn, "pdu").state == "unverified"
    assert box(drawn, "pdu").why == "lost a; left b; no rating for b"
    assert box(drawn, "b").shift_kw == 2.0


def test_a_rack_that_stands_is_emptied_when_its_nodes_are_lost() -> None:
    estate = small(
        Domain("loop", "cooling"),
        Domain("rack", "rack"),
        nodes=[node("n1", rack="rack", cooling="loop"), node("n2", rack="rack", cooling="loop")],
    )
    drawn = box(draw(estate, ["loop"]), "rack")
    assert (drawn.state, drawn.nodes, drawn.nodes_lost) == ("emptied", 2, 2)


def test_a_failed_node_is_a_box_of_its_own_and_leaves_its_rack_partial() -> None:
    estate = small(Domain("rack", "rack"), nodes=[node("n1", rack="rack"), node("n2", rack="rack")])
    drawn = draw(estate, ["n1"])
    assert (box(drawn, "n1").state, box(drawn, "rack").state) == ("failed", "partial")
    assert [(edge.source, edge.target) for edge in drawn.edges] == [
        (box(drawn, "rack").key, box(drawn, "n1").key)
    ]


def test_nodes_that_lost_a_cord_show_on_their_rack() -> None:
    places = (Standing("rack", "one", ("rack",)), Standing("pdu", "any", ("a", "b")))
    estate = small(
        Domain("a", "power"), Domain("b", "power"), Domain("rack", "rack"), nodes=[Machine("n", 4, 4, places)]
    )
    assert box(draw(estate, ["a"]), "rack").state == "degraded"


def test_what_the_strict_check_alone_loses_is_marked_as_such() -> None:
    """Two PDUs of 6 kW on UPSs of 10 kW: each passes the closure's test, together they trip the survivor."""
    estate = small(
        Domain("a", "ups", rated_kw=10),
        Domain("b", "ups", rated_kw=10),
        Domain("p1", "power", feeds=("a", "b")),
        Domain("p2", "power", feeds=("a", "b")),
        nodes=[node("n1", 6, pdu="p1"), node("n2", 6, pdu="p2")],
    )
    drawn = draw(estate, ["a"])
    survivor = box(drawn, "b")
    assert survivor.state == "tripped"
    assert survivor.gauge is not None
    assert (survivor.gauge.before, survivor.gauge.after) == (0.6, 1.2)
    assert {b.state for b in drawn.boxes if b.kind == "power"} == {"strict-lost"}
    assert {edge.style for edge in drawn.edges if edge.source == survivor.key} == {"strict"}


def test_what_the_strict_check_saves_is_marked_too() -> None:
    """Preferred transfer leaves the closure's demotion standing while nothing is overloaded."""
    estate = small(
        Domain("a", "ups", rated_kw=10),
        Domain("b", "ups", rated_kw=5),
        Domain("p", "power", feeds=("a", "b")),
        Domain("r", "rack", parent="p"),
        nodes=[node("n", 6, rack="r", pdu="other")],
    )
    estate.domains["other"] = Domain("other", "power")  # type: ignore[index]
    demoted = box(draw(estate, ["a"]), "p")
    assert (demoted.state, demoted.strict_survives) == ("demoted", True)


def test_other_kinds_appear_only_when_they_matter() -> None:
    estate = small(
        Domain("spine", "network"), Domain("pdu", "power"), nodes=[node("n", pdu="pdu", network="spine")]
    )
    assert {b.kind for b in draw(estate).boxes} == {"power", "nodes"}
    assert {b.kind for b in draw(estate, ["spine"]).boxes} == {"power", "nodes", "network"}


def test_an_estate_without_domains_or_nodes_is_drawn() -> None:
    assert draw(small()).boxes == ()
    assert render_svg(draw(small())).endswith("</svg>\n")
    alone = draw(small(nodes=[node("n1"), node("n2")]), ["n1"])
    assert {b.members: b.state for b in alone.boxes} == {("n1",): "failed", ("n2",): "safe"}


def test_a_switch_in_a_rack_hangs_from_it_though_nodes_of_other_racks_use_it() -> None:
    """Cross-cabled top-of-rack switches would make a circle of racks and switches."""
    both = (("r1", "t2"), ("r2", "t1"))
    estate = small(
        *(Domain(rack, "rack") for rack, _ in both),
        Domain("t1", "network", parent="r1"),
        Domain("t2", "network", parent="r2"),
        nodes=[node(f"n-{rack}", rack=rack, network=switch) for rack, switch in both],
    )
    drawn = draw(estate, ["r1"])
    assert {name: box(drawn, name).state for name in ("r1", "r2", "t1")} == {
        "r1": "failed",
        "t1": "lost",
        "r2": "emptied",
    }
    assert box(drawn, "t1").row > box(drawn, "r1").row


class TestNodesLostElsewhere:
    """docs/diagrams.md: "nodes lost: stands, but every node on it is lost", whatever its kind."""

    ESTATE = small(
        *(Domain(name, "rack") for name in ("r1", "r2")),
        *(Domain(name, "power", parent="u") for name in ("p1", "p2")),
        Domain("u", "ups"),
        *(Domain(name, "nvlink") for name in ("nv1", "nv2")),
        Domain("z", "zone"),
        nodes=[
            Machine(
                f"n{i}",
                8,
                8,
                (
                    Standing("rack", "one", (f"r{i}",)),
                    Standing("pdu", "any", ("p1", "p2")),
                    Standing("nvlink", "one", (f"nv{i}",)),
                    Standing("zone", "one", ("z",)),
                ),
            )
            for i in (1, 2)
        ],
    )

    def test_every_kind_says_so(self) -> None:
        drawn = draw(self.ESTATE, ["r1"], Options(all_kinds=True))
        assert box(drawn, "nv1").state == "emptied"
        assert [box(drawn, name).state for name in ("z", "p1", "p2", "u")] == ["stands"] * 4
        assert box(drawn, "nv2").state == "safe"

    @pytest.mark.parametrize("form", ["svg", "txt", "mmd", "dot", "html"])
    def test_every_format_says_so(self, form: str) -> None:
        text = render(draw(self.ESTATE, ["r1"]), form)
        assert isinstance(text, str)
        assert "NODES LOST" in text
        assert "STANDS" in text


class TestProof:
    """The header says what the page of what-if says: what stands need not be safe."""

    RACK: ClassVar[dict[str, Any]] = {"r": {"kind": "rack", "feeds": ["a", "b"]}, "a": {"kind": "power"}}

    @pytest.mark.parametrize(("keys", "said"), [({}, True), ({"ratedKw": 9}, False)])
    def test_survivors_without_rating(self, keys: dict[str, Any], *, said: bool) -> None:
        nodes = {"n": {"allocated": 1, "installed": 1, "domains": {"rack": "r"}}}
        estate = estate_of({**self.RACK, "b": {"kind": "power", **keys}}, nodes)
        text = str(render(draw(estate, ["a"]), "txt"))
        assert ("UNKNOWN: 1 survivor electrically unverified: not proven safe." in text) is said

    def test_what_stands_above_the_damage_is_not_at_fault(self) -> None:
        domains = {
            "u": {"kind": "utility"},
            "p": {"kind": "power", "parent": "u"},
            "q": {"kind": "power", "parent": "u"},
        }
        nodes = {name: {"allocated": 1, "domains": {"pdu": name}} for name in ("p", "q")}
        estate = estate_of(domains, {f"n-{name}": keys for name, keys in nodes.items()})
        assert box(draw(estate, ["p"]), "u").state == "stands"


class TestCarriesMore:
    """What carries more without a known rating or load is doubted by every answer, and never drawn safe."""

    def test_an_unrated_survivor_that_others_hang_from(self) -> None:
        estate = small(
            Domain("a", "ups", rated_kw=10),
            Domain("b", "ups"),
            Domain("pdu", "power", feeds=("a", "b")),
            Domain("c", "ups"),
            nodes=[node("n", pdu="pdu")],
        )
        drawn = draw(estate, ["a"], Options(full=True))
        assert (box(drawn, "b").state, box(drawn, "b").why) == (
            "unverified",
            "load shifts onto it, and it has no rating",
        )
        assert box(draw(estate, [], Options(full=True)), "b").state == "safe"

    def test_machines_of_unknown_supply_and_their_rack(self) -> None:
        estate = small(
            Domain("a", "ups", rated_kw=10),
            Domain("loop", "cooling", rated_kw=10),
            Domain("rack", "rack", rated_kw=10),
            nodes=[node("n", pdu="a", cooling="loop"), node("loose", ups="a"), node("racked", rack="rack")],
        )
        drawn = draw(estate, ["loop"], Options(full=True))
        assert box(drawn, "loose").state == box(drawn, "rack").state == "unverified"
        assert box(drawn, "loose").why == "where its cooling comes from is not in the map: it may be lost too"
