"""Rule fake-redundancy: one upstream failure, ratings ignored, that loses all feeds of a thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hypothesis import given

from tests.strategies import topologies
from topology.chains import chains_of
from topology.load import load_topology_text
from topology.meetings import Cords, meetings
from topology.model import Domain, Topology


def lost_by(domains: Mapping[str, Domain], failed: str) -> set[str]:
    """The closure of one failure, ratings and `out` ignored, by repetition."""
    lost = {failed}
    while True:
        more = {
            d.id
            for d in domains.values()
            if d.parent in lost or (d.feeds and sum(f not in lost for f in d.feeds) < d.feeds_needed)
        }
        if more <= lost:
            return lost
        lost |= more


def naive_meetings(topology: Topology) -> dict[str, set[str]]:
    """Culprit -> claimants, for every failure that defeats a claim and has no other such one below it."""
    domains = topology.domains
    losses = {name: lost_by(domains, name) for name in domains}
    found: dict[str, set[str]] = {}
    for claimant, feeds, survivable in claims(topology):
        fatal = {name for name in domains if len(losses[name] & feeds) > survivable}
        for name in fatal:
            if not (losses[name] - {name}) & fatal - {claimant}:
                found.setdefault(name, set()).add(claimant)
    return found


def claims(topology: Topology) -> Iterator[tuple[str, set[str], int]]:
    for domain in topology.domains.values():
        if len(domain.feeds) > domain.feeds_needed >= 1:
            yield domain.id, set(domain.feeds), len(domain.feeds) - domain.feeds_needed
    for node, standings in topology.nodes.items():
        for standing in standings:
            if standing.mode == "any" and len(standing.ids) > 1:
                yield node, set(standing.ids), len(standing.ids) - 1


class TestMeetings:
    """The lowest upstream domain whose failure alone loses all feeds of a domain, or all of a node's list."""

    @given(topologies(max_domains=14))
    def test_as_the_closure_of_every_failure_says(self, topology: Topology) -> None:
        cords = [
            Cords(standing.axis, standing.ids, (node,))
            for node, standings in topology.nodes.items()
            for standing in standings
            if standing.mode == "any"
        ]
        found = meetings(topology.domains, chains_of(topology.domains), cords)
        claimed = {each.domain: {*each.domains, *each.nodes} for each in found}
        assert claimed == naive_meetings(topology)

    @given(topologies(max_domains=14))
    def test_every_path_leads_from_a_feed_to_the_domain_by_losses(self, topology: Topology) -> None:
        for each in meetings(topology.domains, chains_of(topology.domains), ()):
            lost = lost_by(topology.domains, each.domain)
            for path in each.paths:
                assert path[-1] == each.domain
                assert set(path) <= lost


def warned(text: str) -> list[tuple[str, tuple[str, ...]]]:
    diagnostics = load_topology_text(text, "topology.yaml").diagnostics
    return [(each.severity, each.ids) for each in diagnostics if each.rule == "fake-redundancy"]


class TestFakeRedundancy:
    """Warning; info where they only meet in a transformer or utility that is itself a root."""

    def test_both_feeds_in_one_panel(self) -> None:
        text = """
domains:
  util: {kind: utility}
  panel: {kind: power, parent: util}
  pdu-a: {kind: power, parent: panel}
  pdu-b: {kind: power, parent: panel}
  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}
  rack-2: {kind: rack, feeds: [pdu-a, pdu-b]}
"""
        assert warned(text) == [("warning", ("panel", "rack-1", "rack-2"))]

    def test_reachable_from_both_is_not_enough(self) -> None:
        text = """
domains:
  ups-a: {kind: ups}
  ups-b: {kind: ups}
  pdu-a: {kind: power, feeds: [ups-a, ups-b]}
  pdu-b: {kind: power, feeds: [ups-a, ups-b]}
  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}
"""
        assert warned(text) == []

    def test_a_transformer_that_is_a_root_is_only_an_info(self) -> None:
        text = """
domains:
  xfmr: {kind: transformer}
  pdu-a: {kind: power, parent: xfmr}
  pdu-b: {kind: power, parent: xfmr}
  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}
"""
        assert warned(text) == [("info", ("xfmr", "rack-1"))]
        assert warned(
            text.replace("{kind: transformer}", "{kind: transformer, parent: u}\n  u: {kind: utility}")
        ) == [("warning", ("xfmr", "rack-1"))]

    def test_one_feed_behind_the_other(self) -> None:
        text = """
domains:
  pdu-a: {kind: power}
  pdu-b: {kind: power, parent: pdu-a}
nodes:
  n1: {pdu: [pdu-a, pdu-b]}
"""
        assert warned(text) == [("warning", ("pdu-a", "n1"))]

    def test_two_of_three_that_needs_two(self) -> None:
        text = """
domains:
  pdu-a: {kind: power}
  pdu-b: {kind: power}
  c1: {kind: cooling, parent: pdu-a}
  c2: {kind: cooling, parent: pdu-a}
  c3: {kind: cooling, parent: pdu-b}
  cdu: {kind: cooling, feeds: [c1, c2, c3], minFeeds: 2}
"""
        assert warned(text) == [("warning", ("pdu-a", "cdu"))]

    def test_what_needs_all_its_feeds_claims_no_redundancy(self) -> None:
        text = """
domains:
  pdu-a: {kind: power}
  c1: {kind: cooling, parent: pdu-a}
  c2: {kind: cooling, parent: pdu-a}
  cdu: {kind: cooling, feeds: [c1, c2], minFeeds: 2}
"""
        assert warned(text) == []

    def test_ratings_and_out_of_service_play_no_part(self) -> None:
        text = """
domains:
  ups-a: {kind: ups, ratedKw: 1}
  ups-b: {kind: ups, ratedKw: 1, status: out}
  pdu: {kind: power, feeds: [ups-a, ups-b], loadKw: 100}
"""
        assert warned(text) == []

    def test_past_a_domain_that_feeds_itself(self) -> None:
        text = """
domains:
  ups: {kind: ups}
  pdu-a: {kind: power, parent: pdu-a, feeds: [pdu-a, ups]}
  pdu-b: {kind: power, feeds: [ups]}
  rack: {kind: rack, feeds: [pdu-a, pdu-b]}
"""
        assert warned(text) == [("warning", ("ups", "rack"))]

    def test_behind_a_cycle_nothing_is_claimed(self) -> None:
        text = """
domains:
  a: {kind: power, parent: b}
  b: {kind: power, parent: a}
  c: {kind: power, feeds: [a, b]}
"""
        assert warned(text) == []

    def test_only_power_comes_through_cords(self) -> None:
        text = """
nodes:
  n1: {cooling: {any: [cdu-1, cdu-2]}}
  n2: {pdu: [pdu-a, pdu-b]}
domains:
  chiller: {kind: cooling}
  cdu-1: {kind: cooling, parent: chiller}
  cdu-2: {kind: cooling, parent: chiller}
  panel: {kind: power}
  pdu-a: {kind: power, parent: panel}
  pdu-b: {kind: power, parent: panel}
"""
        diagnostics = load_topology_text(text, "topology.yaml").diagnostics
        said = [each.message.split(":")[0] for each in diagnostics if each.rule == "fake-redundancy"]
        assert said == [
            "'chiller' alone loses all that 1 node ('n1') can choose from on cooling",
            "'panel' alone loses all cords of 1 node ('n2')",
        ]
