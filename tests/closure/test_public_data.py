"""Real facilities, published by others, with what is known about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from topology.bare import estate_of
from topology.kinds import KINDS
from topology.load import load_topology_text

PUBLIC = Path(__file__).resolve().parent.parent / "data" / "public"


def facility_of(path: Path) -> Facility:
    topology = load_topology_text(path.read_bytes(), path.name).topology
    assert topology is not None
    return compile_facility(estate_of(topology))


class TestNetBoxDemo:
    """NetBox demo data: 4 power panels, 48 feeds, two per rack."""

    @pytest.mark.parametrize(
        ("failed", "power_domains", "nodes"),
        [(("panel-1",), 0, 0), (("panel-1", "panel-2"), 16, 11), (("panel-1", "panel-3"), 0, 0)],
    )
    def test_panels(self, failed: tuple[str, ...], power_domains: int, nodes: int) -> None:
        facility = facility_of(PUBLIC / "netbox" / "mdf-topology.yaml")
        closure = close(facility, failed)
        kinds = [facility.estate.domains[domain.id].kind for domain in closure.domains]
        assert kinds.count("power") == power_domains
        assert len(closure.nodes) == nodes

    def test_units_are_unknown_without_a_snapshot(self) -> None:
        facility = facility_of(PUBLIC / "netbox" / "mdf-topology.yaml")
        closure = close(facility, ["panel-1"])
        assert closure.basis == ("electrically-unverified", "redundant", "worst-credible")
        assert not any(unverified.draw_known for unverified in closure.electrically_unverified)


class TestRaps:
    """Topologies of Lassen, Marconi100 and Summit from ExaDigiT RAPS configurations."""

    def test_summit_has_no_rating_and_no_feeds(self) -> None:
        facility = facility_of(PUBLIC / "raps" / "summit-topology.yaml")
        assert set(facility.rated_kw) == {None}
        assert set(facility.feeds) == {()}
        carrying = [name for name, domain in facility.estate.domains.items() if KINDS[domain.kind].commodity]
        assert {facility.load_kw(name) for name in carrying} == {None}

    @pytest.mark.parametrize("name", ["lassen", "marconi100", "summit"])
    def test_a_rack_takes_its_own_nodes_and_no_others(self, name: str) -> None:
        facility = facility_of(PUBLIC / "raps" / f"{name}-topology.yaml")
        (rack, *_) = sorted(d for d, domain in facility.estate.domains.items() if domain.kind == "rack")
        standing = {
            node.id
            for node in facility.estate.nodes
            if any(s.axis == "rack" and rack in s.ids for s in node.standings)
        }
        assert {node.id for node in close(facility, [rack]).nodes} == standing != set()
