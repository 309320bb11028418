"""topology.yaml into the model (spec 1): the axes' forms, domains, repeated keys, aliases."""

from __future__ import annotations

import pytest

from tests.topology.loading.files import faults, only, topology
from topology.load import load_topology_text
from topology.model import Domain, Overload, Standing, Topology

METHODOLOGY = """\
nodes:
  gpu-node-01: {rack: rack-1, pdu: pdu-a, cooling: cdu-loop-a}
  gpu-node-02: {rack: rack-1, pdu: pdu-a, cooling: cdu-loop-a}
  gpu-node-05: {rack: rack-2, pdu: pdu-a, cooling: cdu-loop-b}
  gpu-node-06: {rack: rack-2, pdu: pdu-a, cooling: cdu-loop-b}
domains:   # optional (v2): facility parent chains
  pdu-a: {kind: power, parent: ups-a}
  ups-a: {kind: ups, parent: xfmr-t1, ratedKw: 40}
  xfmr-t1: {kind: transformer}
  cdu-loop-a: {kind: cooling, rideThroughMinutes: 20}
"""


class TestMethodologyExample:
    """Spec 1: "The methodology's own example validates with infos only"."""

    def test_infos_only(self) -> None:
        result = load_topology_text(METHODOLOGY, "topology.yaml")
        assert {each.severity for each in result.diagnostics} == {"info"}

    def test_the_model(self) -> None:
        loaded = topology(METHODOLOGY)
        assert loaded.nodes["gpu-node-01"] == (
            Standing("rack", "one", ("rack-1",)),
            Standing("pdu", "one", ("pdu-a",)),
            Standing("cooling", "one", ("cdu-loop-a",)),
        )
        assert loaded.domains["ups-a"] == Domain("ups-a", "ups", parent="xfmr-t1", rated_kw=40)
        assert loaded.domains["cdu-loop-a"].ride_through_minutes == 20

    def test_a_domain_that_only_nodes_name_is_an_implicit_root(self) -> None:
        loaded = topology(METHODOLOGY)
        assert loaded.domains["rack-1"] == Domain("rack-1", "rack", declared=False)
        assert loaded.domains["cdu-loop-b"] == Domain("cdu-loop-b", "cooling", declared=False)

    def test_equal_places_are_one_object(self) -> None:
        loaded = topology(METHODOLOGY)
        assert loaded.nodes["gpu-node-01"] is loaded.nodes["gpu-node-02"]


class TestTop:
    """Top-level keys: version, nodes, domains, verifiedAt, $schema (ignored)."""

    def test_all_of_them(self) -> None:
        loaded = topology(
            "$schema: https://example.org/x\nversion: 2\nverifiedAt: 2026-10-01T08:00:00Z\nnodes:\ndomains:\n"
        )
        assert loaded == Topology({}, {}, 2, "2026-10-01T08:00:00Z")

    @pytest.mark.parametrize("version", ["0", "3", "two", "1.5"])
    def test_versions_nobody_wrote(self, version: str) -> None:
        assert only(faults(f"version: {version}\n")).rule == "schema"

    @pytest.mark.parametrize(
        "time", ["2026-10-01", "2026-10-01T08:00:00", "2026-02-30T08:00:00Z", "2026-10-01 08:00:00Z", "now"]
    )
    def test_times_need_rfc_3339_with_an_offset(self, time: str) -> None:
        found = only(faults(f"verifiedAt: {time}\n"))
        assert (found.line, found.column) == (1, 13)
        assert "2026-10-01T08:00:00Z" in found.message

    def test_the_closest_key_is_named(self) -> None:
        found = only(faults("node: {}\n"))
        assert (found.line, found.column) == (1, 1)
        assert "closest is 'nodes'" in found.message


class TestAxes:
    """Spec 1: "An axis value is one id; or a list, on pdu and ups only; or {any: [..]} / {all: [..]}"."""

    @pytest.mark.parametrize(
        ("axis", "value", "mode", "ids"),
        [
            ("rack", "r", "one", ("r",)),
            ("pdu", "[a, b]", "any", ("a", "b")),
            ("ups", "[a]", "any", ("a",)),
            ("pdu", "{any: [a, b]}", "any", ("a", "b")),
            ("ups", "{all: [a, b]}", "all", ("a", "b")),
            ("cooling", "{all: [a, b], any: }", "all", ("a", "b")),
            ("network", "{any: [a]}", "any", ("a",)),
        ],
    )
    def test_forms(self, axis: str, value: str, mode: str, ids: tuple[str, ...]) -> None:
        (standing,) = topology(f"nodes:\n  n: {{{axis}: {value}}}\n").nodes["n"]
        assert (standing.axis, standing.mode, standing.ids) == (axis, mode, ids)

    def test_standings_come_in_the_order_of_the_axes(self) -> None:
        loaded = topology("nodes:\n  n: {zone: z, cooling: c, rack: r, pdu: p}\n")
        assert [standing.axis for standing in loaded.nodes["n"]] == ["rack", "pdu", "cooling", "zone"]

    @pytest.mark.parametrize("axis", ["rack", "cooling", "network", "nvlink", "row", "zone"])
    def test_a_bare_list_elsewhere_is_ambiguous(self, axis: str) -> None:
        """Spec 1: "A bare list elsewhere is an error whose hint names any and all"."""
        found = only(faults(f"nodes:\n  n: {{{axis}: [a]}}\n"))
        assert found.rule == "ambiguous-list"
        assert "{any: [..]}" in found.hint
        assert "{all: [..]}" in found.hint

    @pytest.mark.parametrize(
        ("value", "said"),
        [
            ("{any: [a], all: [b]}", "both"),
            ("{}", "an empty mapping"),
            ("{any: }", "a mapping"),
            ("{some: [a]}", "unknown key 'some'"),
            ("{any: a}", "a list"),
            ("{any: []}", "empty"),
            ("{any: [[a]]}", "an id"),
            ("[]", "empty"),
            ("''", "an id"),
            ("[a, '']", "an id"),
        ],
    )
    def test_other_forms_are_refused(self, value: str, said: str) -> None:
        found = only(faults(f"nodes:\n  n: {{pdu: {value}}}\n"))
        assert (found.rule, found.ids) == ("schema", ("n",))
        assert said in found.message

    def test_any_and_all_are_for_four_axes(self) -> None:
        found = only(faults("nodes:\n  n: {rack: {any: [a]}}\n"))
        assert "pdu, ups, cooling, network" in found.hint

    def test_an_unknown_axis_is_at_its_key(self) -> None:
        found = only(faults("nodes:\n  n: {rack: r, cooler: c}\n"))
        assert (found.line, found.column) == (2, 16)
        assert "closest is 'cooling'" in found.message or "cooling" in found.hint


class TestDomains:
    """Every key of the domain table (spec 1)."""

    def test_every_key(self) -> None:
        loaded = topology(
            "domains:\n"
            "  a: {kind: ups, parent: x, feeds: [b, c], minFeeds: 2, ratedKw: 40.5, loadKw: 0, \n"
            "      measuredKw: 3, transfer: preferred, overload: [{percent: 125, seconds: 60}],\n"
            "      failuresPerYear: 0.1, repairHours: 4, status: out, description: north, contact: ops}\n"
            "  b: {kind: ups, transfer: share, status: in}\n  c: {kind: ups}\n  x: {kind: transformer}\n"
        )
        assert loaded.domains["a"] == Domain(
            "a",
            "ups",
            parent="x",
            feeds=("b", "c"),
            min_feeds=2,
            rated_kw=40.5,
            own_load_kw=0,
            measured_kw=3,
            transfer="preferred",
            overload=(Overload(125, 60),),
            failures_per_year=0.1,
            repair_hours=4,
            out=True,
            description="north",
            contact="ops",
        )
        assert not loaded.domains["b"].out

    @pytest.mark.parametrize(
        ("domain", "said"),
        [
            ("{kind: upz}", "Did you mean ups?"),
            ("{kind: UPS}", "Did you mean ups?"),
            ("{kind: pdu}", "Did you mean power?"),
            ("{kind: CRAC}", "Did you mean cooling?"),
            ("{kind: gen-set}", "Did you mean generator?"),
            ("{kind: banana}", "Write one of"),
            ("{kind: [ups]}", "Write one of"),
            ("{}", "Add kind"),
            ("", "Write {key: value}"),
            ("[kind, ups]", "Write {key: value}"),
            ("{kind: ups, ratedKW: 4}", "Write ratedKw"),
            ("{kind: ups, rated-kw: 4}", "Write ratedKw"),
            ("{kind: cooling, rideThrough: 4}", "Write rideThroughMinutes"),
            ("{kind: ups, minimumFeeds: 1}", "Write minFeeds"),
            ("{kind: ups, colour: red}", "Known: kind"),
            ("{kind: ups, failuresPerYear: 1e6}", "Write a number at least 0"),
            ("{kind: ups, failuresPerYear: -1}", "Write a number at least 0"),
            ("{kind: ups, failuresPerYear: .nan}", "unknown is not infinite"),
            ("{kind: ups, repairHours: 1e7}", "Write a number at least 0"),
            ("{kind: ups, repairHours: -1}", "Write a number at least 0"),
            ("{kind: ups, repairHours: .inf}", "unknown is not infinite"),
            ("{kind: ups, feeds: a}", "Write ['a']"),
            ("{kind: ups, feeds: []}", "Leave the key out"),
            ("{kind: ups, parent: [a]}", "Write parent: a."),
            ("{kind: ups, parent: [a, b]}", "Write feeds: [a, b] where one of them is enough (minFeeds: 2"),
            ("{kind: ups, parent: {a: 1}}", "Write one id"),
            ("{kind: ups, overload: {percent: 125, seconds: 600}}", "Write [{percent: 125, seconds: 600}]."),
            ("{kind: ups, status: down}", "Write status: out."),
            ("{kind: ups, status: Active}", "Write status: in."),
            ("{kind: ups, status: sideways}", "Write one of in, out"),
            ("{kind: ups, overload: [{percent: 120}]}", "Add seconds"),
            (
                "{kind: ups, overload: [{percent: 150, seconds: 10}, {percent: 150.0, seconds: 9000}]}",
                "Give one time for it.",
            ),
            (
                "{kind: ups, overload: [{percent: 0, seconds: 1}]}",
                "Write a number above 0.",
            ),
            ("{kind: ups, status: off}", "Write status: out."),
            ("{kind: ups, transfer: shared}", "Did you mean share?"),
            ("{kind: ups, loadKw: -1}", "Write a number at least 0"),
            ("{kind: ups, description: [x]}", "Write text"),
        ],
    )
    def test_faults_say_what_to_do(self, domain: str, said: str) -> None:
        found = only(faults(f"domains:\n  a: {domain}\n"))
        assert (found.rule, found.line) == ("schema", 2)
        assert said in found.hint

    def test_all_faults_of_a_file_in_one_run(self) -> None:
        found = faults(
            "version: 9\nnodes:\n  n: {rack: [a], hall: x, pdu: [p, p]}\n  n: {}\n"
            "domains:\n  a: {kind: upz, ratedKw: 4kW}\n  b: {kind: ups, parent: zz, feed: [a]}\n"
            "  c: {kind: ups, parent: d}\n  d: {kind: ups, parent: c}\n"
        )
        assert [(each.line, each.rule) for each in found] == [
            (1, "schema"),
            (3, "ambiguous-list"),
            (3, "schema"),
            (3, "repeated-feed"),
            (4, "duplicate-key"),
            (6, "schema"),
            (6, "schema"),
            (7, "dangling-feed"),
            (7, "schema"),
            (8, "cycle"),
        ]

    def test_a_domain_of_unknown_kind_is_no_dangling_feed(self) -> None:
        assert {
            each.rule for each in faults("domains:\n  a: {kind: upz}\n  b: {kind: ups, parent: a}\n")
        } == {"schema"}

    def test_feeds_that_cannot_be_read_do_not_count_against_min_feeds(self) -> None:
        found = faults("domains:\n  a: {kind: ups, feeds: [b, ''], minFeeds: 2}\n  b: {kind: ups}\n")
        assert [each.rule for each in found] == ["schema"]

    def test_a_deep_chain_needs_no_recursion(self) -> None:
        """Case 1: "A 5,000-deep chain: works"."""
        chain = "".join(f"  d{i}: {{kind: power, parent: d{i + 1}}}\n" for i in range(5_000))
        assert len(topology(f"domains:\n{chain}  d5000: {{kind: power}}\n").domains) == 5_001


class TestNamespace:
    """Spec 2: "node and domain ids share one namespace and a clash is an error"."""

    def test_a_declared_domain(self) -> None:
        found = only(faults("nodes:\n  a: {}\ndomains:\n  a: {kind: ups}\n"))
        assert (found.line, found.column, found.ids) == (2, 3, ("a",))
        assert found.related == ((4, 3, "the domain"),)

    def test_a_domain_that_a_node_names(self) -> None:
        assert only(faults("nodes:\n  a: {rack: b}\n  b: {rack: r}\n")).ids == ("b",)


class TestRepeatedKeys:
    """Rule duplicate-key: "the same key twice in one mapping; both lines named"."""

    def test_both_lines_are_named(self) -> None:
        found = only(faults("nodes:\n  a: {rack: r}\n  b: {rack: r}\n  a: {rack: q}\n"))
        assert (found.rule, found.line, found.column, found.ids) == ("duplicate-key", 4, 3, ("a",))
        assert "line 2" in found.message
        assert "line 4" in found.message
        assert found.related == ((2, 3, "first here"),)

    def test_every_repeat_is_found(self) -> None:
        found = faults("nodes:\n  a: {rack: r, rack: q}\n  a:\n  a:\ndomains:\nnodes:\n")
        assert [(each.line, each.rule) for each in found] == [
            (2, "duplicate-key"),
            (3, "duplicate-key"),
            (4, "duplicate-key"),
            (6, "duplicate-key"),
        ]

    def test_the_same_key_in_two_mappings_is_fine(self) -> None:
        assert len(topology("nodes:\n  a: {rack: r}\n  b: {rack: r}\n").nodes) == 2
