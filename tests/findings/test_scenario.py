"""A scenario, assessed: which engine is worse, whom to call, and what is said beside the figures."""

import pytest

from closure.compiled import compile_facility
from findings.caveats import estate_caveats
from findings.degraded import degraded_in_either
from findings.index import EstateIndex
from findings.scenario import WhatIf, whatif, whatif_to_json
from topology.model import Domain, Estate, Node, Provenance, Standing, Workload
from topology.notes import CRITICALITY_CAVEAT, NO_MAP_CAVEAT, SELF_REPORTED_NOTE

SNAPSHOT = "2026-11-30T12:00:00Z"


def shared_survivors(**more: object) -> Estate:
    """Feeds a and b of 8 kW, d1 and d2 of 6 kW on both: the closure survives a, the strict check does not."""
    feeds = {name: Domain(name, "ups", rated_kw=8, contact=f"{name}@site") for name in ("a", "b")}
    panels = {name: Domain(name, "power", feeds=("a", "b")) for name in ("d1", "d2")}
    nodes = tuple(Node(f"n{number}", 6, 8, (Standing("pdu", "one", (f"d{number}",)),)) for number in (1, 2))
    jobs = (
        Workload("ml/t", "training", {"n1": 4}, True, "label", 30, 20, namespace="ml", owner="ann"),
        Workload("ml/u", "training", {"n1": 2}, False, "label", namespace="ml", owner="ann"),
        Workload("web/s", "inference", {"n2": 6}, None, namespace="web", contact="#web"),
    )
    fields: dict[str, object] = {
        "workloads": jobs,
        "watts_per_unit_kw": 1,
        "price_per_unit_hour": 2.5,
        "provenance": Provenance(caveats=("DCGM was not reachable",)),
        **more,
    }
    return Estate("lab", "gpu", SNAPSHOT, nodes, {**feeds, **panels}, **fields)  # type: ignore[arg-type]


@pytest.fixture
def result() -> WhatIf:
    return whatif(compile_facility(shared_survivors()), ["a"])


def test_the_worse_engine_leads(result: WhatIf) -> None:
    assert result.worse == "strict"
    assert result.impact.nodes == ()
    assert result.worse_impact.nodes == ("n1", "n2")
    assert result.worse_impact.exposure.units == 12
    document = whatif_to_json(result)
    assert document["exposure"]["units"] == 0
    assert document["strict"]["exposure"]["units"] == 12
    assert document["strict"]["more"] == {"domains": ["b", "d1", "d2"], "nodes": ["n1", "n2"]}
    assert document["strict"]["fewer"] == {"domains": [], "nodes": []}


def test_where_both_lose_as_much_the_closure_leads() -> None:
    """Spec 4: it is "the number the report prints". `f` fails: `d` is demoted for 12 kW, of which it carries
    6, and `s`, rated 5, trips under 6; nothing else is lost."""
    rated = {"f": 99, "a": 8, "s": 5, "t": 99}
    fed = {"d": ("a", "f"), "p": ("f", "s", "t")}
    domains = {
        "z": Domain("z", "power"),
        **{name: Domain(name, "ups", rated_kw=kw) for name, kw in rated.items()},
        **{name: Domain(name, "power", feeds=feeds) for name, feeds in fed.items()},
    }
    nodes = (
        Node("n", 12, standings=(Standing("pdu", "any", ("d", "z")),)),
        Node("m", 12, standings=(Standing("pdu", "one", ("p",)),)),
    )
    estate = Estate("c", "gpu", SNAPSHOT, nodes, domains, watts_per_unit_kw=1)
    result = whatif(compile_facility(estate), ["f"])
    assert [loss.id for loss in result.closure.domains] == ["d", "f"]
    assert (result.strict.domains, result.strict.nodes, result.closure.nodes) == (("f", "s"), (), ())
    assert result.worse == "closure"


def test_an_agreeing_check_is_the_same() -> None:
    result = whatif(compile_facility(shared_survivors()), ["n1"])
    assert result.worse == "same"
    assert result.strict_impact is result.impact


def test_whom_to_call_most_critical_first(result: WhatIf) -> None:
    calls = result.worse_impact.calls
    assert [(call.namespace, call.owner, call.contact) for call in calls] == [
        ("ml", "ann", None),
        ("web", None, "#web"),
    ]
    assert (calls[0].workloads, calls[0].units, calls[0].critical_units) == (2, 6, 4)
    assert calls[1].critical_units is None
    assert [call.criticality_unknown for call in calls] == [False, True]
    assert result.facility_contacts == (("a", "a@site"), ("b", "b@site"))


def test_caveats_begin_with_the_provenance_verbatim() -> None:
    result = whatif(compile_facility(shared_survivors()), ["d1", "d2"])
    assert result.caveats[0] == "DCGM was not reachable"
    assert CRITICALITY_CAVEAT in result.caveats
    assert SELF_REPORTED_NOTE in result.caveats
    said = " ".join(result.caveats)
    assert "report no checkpoint interval: 1" in said
    assert "do not say whether they are gangs: 2" in said
    assert "do not say whether they are critical: 1" in said
    assert len(set(result.caveats)) == len(result.caveats)


def test_nothing_rests_on_annotations_where_nothing_is_hit(result: WhatIf) -> None:
    assert SELF_REPORTED_NOTE not in result.caveats
    assert CRITICALITY_CAVEAT not in result.caveats


def test_assumptions_carry_their_basis() -> None:
    facility = compile_facility(shared_survivors(bases={"price_per_unit_hour": "command line"}))
    found = {each.name: each for each in whatif(facility, ["a"]).assumptions}
    assert (found["pricePerUnitHour"].value, found["pricePerUnitHour"].basis) == (2.5, "command line")
    assert found["wattsPerUnitKw"].basis == "declared"
    assert (found["defaultRestartMinutes"].value, found["defaultRestartMinutes"].basis) == (90, "assumed")


def test_a_bare_topology_knows_what_goes_dark_and_nothing_more() -> None:
    nodes = (
        Node("n", None, standings=(Standing("zone", "one", ("z",)), Standing("cooling", "one", ("l",)))),
    )
    domains = {"z": Domain("z", "zone"), "l": Domain("l", "cooling", ride_through_minutes=5)}
    estate = Estate("topology", "gpu", SNAPSHOT, nodes, domains, bare=True)
    document = whatif_to_json(whatif(compile_facility(estate), ["l"]))
    exposure = document["exposure"]
    assert (exposure["nodes"], exposure["units"], exposure["criticalUnits"]) == (1, None, None)
    assert document["progressAtRisk"]["usd"] is None
    assert document["unitsStalled"] is None
    assert document["thermalRaces"][0]["verdict"] == "unknown"
    assert document["thermalRaces"][0]["rideThroughMinutes"] == 5


def test_without_a_map_the_document_says_so() -> None:
    nodes = (Node("n", 8, 8, (Standing("zone", "one", ("z",)),)),)
    estate = Estate("c", "gpu", SNAPSHOT, nodes, {"z": Domain("z", "zone")})
    assert NO_MAP_CAVEAT in whatif(compile_facility(estate), ["z"]).caveats


def test_what_was_out_before_is_said() -> None:
    estate = shared_survivors()
    domains = {**estate.domains, "c": Domain("c", "ups", out=True)}
    result = whatif(compile_facility(shared_survivors_with(domains)), ["a"])
    assert any("Already out of service" in caveat for caveat in result.caveats)
    assert whatif_to_json(result)["baseline"]["domains"] == ["c"]


def shared_survivors_with(domains: dict[str, Domain]) -> Estate:
    estate = shared_survivors()
    return Estate("lab", "gpu", SNAPSHOT, estate.nodes, domains, estate.workloads, watts_per_unit_kw=1)


def test_what_survives_both_engines_with_a_feed_gone_in_either_goes_by_id() -> None:
    """`f` fails: 6 of 12 kW each on `s`, rated 5, and `t`. `s` trips: `x` is lost, the others hold."""
    rated = {"b": 99, "f": 99, "s": 5, "t": 99}
    fed = {"p1": ("f", "s", "t"), "p2": ("s", "b")}
    domains = {
        **{name: Domain(name, "ups", rated_kw=kw) for name, kw in rated.items()},
        **{name: Domain(name, "power", feeds=feeds) for name, feeds in fed.items()},
    }
    nodes = (
        Node("n", 12, standings=(Standing("pdu", "one", ("p1",)),)),
        Node("m", 0, standings=(Standing("ups", "any", ("s", "b")),)),
        Node("x", 0, standings=(Standing("ups", "any", ("f", "s")),)),
    )
    estate = Estate("c", "gpu", SNAPSHOT, nodes, domains, watts_per_unit_kw=1)
    result = whatif(compile_facility(estate), ["f"])
    assert (result.strict.nodes, result.closure.nodes) == (("x",), ())
    found = [(each.id, each.lost_feeds, each.surviving_feeds) for each in degraded_in_either(result)]
    assert found == [("m", ("s",), ("b",)), ("p1", ("f", "s"), ("t",)), ("p2", ("s",), ("b",))]


class TestUnclaimedUnits:
    """Per node, placements sum to <= allocated; less is allowed and becomes a caveat (spec 2)."""

    def test_what_no_workload_claims_is_counted(self) -> None:
        node = Node("n", allocated=8, installed=8)
        claimed = Workload("w", "batch", {"n": 6})
        index = EstateIndex(Estate("c", "gpu", "2026-11-30T12:00:00Z", (node,), {}, (claimed,)))
        assert index.unclaimed == {"n": 2}
        assert any(
            "no workload claims: 2, nodes that hold them: 1" in caveat for caveat in estate_caveats(index)
        )

    def test_nothing_is_said_where_all_is_claimed(self) -> None:
        node = Node("n", allocated=8, installed=8)
        claimed = Workload("w", "batch", {"n": 8})
        index = EstateIndex(Estate("c", "gpu", "2026-11-30T12:00:00Z", (node,), {}, (claimed,)))
        assert not any("no workload claims" in caveat for caveat in estate_caveats(index))
