"""The shipped examples are valid, current, and tell the stories that their READMEs tell."""

import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

from closure.cascade import close
from closure.compiled import compile_facility
from closure.results import Closure, Strict
from closure.strict import strict_check
from topology.load import load_text
from topology.merge import merge_estates
from topology.model import Estate, Topology
from topology.notes import CRITICALITY_CAVEAT

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TWO_HALLS = EXAMPLES / "two-halls"
FILES = sorted(path for pattern in ("*/*.yaml", "*/*.json") for path in EXAMPLES.glob(pattern))
PLANTED = {
    ("fake-redundancy", "h1-mech-1"),
    ("fake-redundancy", "h2-ups-a"),
    ("likely-typo", "h2-loop12"),
}


def read_estate(path: str) -> Estate:
    estate = load_text((EXAMPLES / path).read_bytes(), path).estate
    assert estate is not None
    return estate


def read_topology(path: str) -> Topology:
    topology = load_text((EXAMPLES / path).read_bytes(), path).topology
    assert topology is not None
    return topology


def fail(estate: Estate, *ids: str) -> tuple[Closure, Strict]:
    facility = compile_facility(estate)
    closure = close(facility, ids)
    return closure, strict_check(facility, ids, closure)


def units(estate: Estate, nodes: Collection[str]) -> float:
    return sum(node.allocated or 0 for node in estate.nodes if node.id in nodes)


def units_lost(estate: Estate, *ids: str) -> tuple[float, float]:
    """Units in the blast by the closure and by the strict check."""
    closure, strict = fail(estate, *ids)
    return units(estate, {node.id for node in closure.nodes}), units(estate, strict.nodes)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_example_is_valid_and_only_the_planted_flaws_are_warned_of(path: Path) -> None:
    diagnostics = load_text(path.read_bytes(), path.name).diagnostics

    assert [d for d in diagnostics if d.severity == "error"] == []
    warned = {(d.rule, d.ids[0]) for d in diagnostics if d.severity == "warning"}
    assert warned == (PLANTED if path.parent == TWO_HALLS else set())


@pytest.mark.parametrize("folder", ["lab", "two-halls"])
def test_the_estate_carries_the_map_of_the_topology_file(folder: str) -> None:
    estate, topology = read_estate(f"{folder}/estate.json"), read_topology(f"{folder}/topology.yaml")

    assert estate.domains == topology.domains
    assert {node.id: node.standings for node in estate.nodes} == topology.nodes
    assert estate.sample


def test_the_clusters_of_one_room_agree_with_its_map() -> None:
    topology = read_topology("two-clusters/topology.yaml")
    for cluster in ("train", "serve"):
        estate = read_estate(f"two-clusters/{cluster}.json")

        assert estate.domains.items() <= topology.domains.items()
        assert all(topology.nodes[node.id] == node.standings for node in estate.nodes)


class TestLab:
    """Feeds rated 8 kW and 4 kW under a 6 kW load (methodology: Rated-feed demotion)."""

    estate = read_estate("lab/estate.json")

    def test_losing_the_weak_feed_is_survivable(self) -> None:
        assert units_lost(self.estate, "feed-weak") == (0, 0)

    def test_losing_the_strong_feed_is_an_outage(self) -> None:
        closure, strict = fail(self.estate, "feed-strong")

        demoted = next(domain for domain in closure.domains if domain.id == "lab-panel")
        assert (demoted.cause, demoted.load_kw, demoted.surviving_rated_kw) == ("demoted", 6, 4)
        assert units_lost(self.estate, "feed-strong") == (6, 6)
        assert strict.agrees


class TestTwoHalls:
    estate = read_estate("two-halls/estate.json")

    def test_the_files_are_what_the_script_writes(self, tmp_path: Path) -> None:
        subprocess.run([sys.executable, TWO_HALLS / "build.py", tmp_path], check=True)

        for name in ("topology.yaml", "estate.json"):
            assert (tmp_path / name).read_text() == (TWO_HALLS / name).read_text(), (
                f"run build.py: {name} is stale"
            )

    def test_it_is_as_large_as_its_readme_says(self) -> None:
        assert sum(node.installed or 0 for node in self.estate.nodes) == 2528
        assert sum(node.allocated or 0 for node in self.estate.nodes) == 2260
        assert CRITICALITY_CAVEAT in self.estate.provenance.caveats

    def test_the_pump_panel_is_demoted_and_takes_row_5_with_it(self) -> None:
        closure, _ = fail(self.estate, "h1-ups-a")
        lost = {domain.id: domain for domain in closure.domains}

        panel = lost["h1-mech-1"]
        assert (panel.cause, panel.load_kw, panel.surviving_rated_kw) == ("demoted", 67.5, 60)
        assert lost["h1-loop-5"].by == ("h1-cdu-5", "h1-cdu-6")
        assert units_lost(self.estate, "h1-ups-a")[0] == 280

    def test_the_strict_check_finds_the_pdu_that_the_closure_calls_fine(self) -> None:
        closure, strict = fail(self.estate, "h1-ups-a")

        assert "h1-pdu-4b" not in {domain.id for domain in closure.domains}
        assert {trip.id: (round(trip.after_kw), trip.rated_kw) for trip in strict.tripped} == {
            "h1-pdu-4b": (303, 240),
            "h1-ups-m": (68, 60),
        }
        assert units_lost(self.estate, "h1-ups-a") == (280, 504)
        assert {"etcd-1", "etcd-2"} <= set(strict.nodes)

    @pytest.mark.parametrize(
        "failed", ["h1-ups-b", "h2-ups-b", "ups-r", "utility-a", "utility-b", "gen-1", "h1-ch-1"]
    )
    def test_what_is_really_redundant_loses_nothing(self, failed: str) -> None:
        assert units_lost(self.estate, failed) == (0, 0)

    def test_the_fake_pair_goes_dark_with_one_ups(self) -> None:
        assert units_lost(self.estate, "h2-ups-a") == (204, 204)

    def test_the_unrated_pdu_leaves_its_racks_unverified(self) -> None:
        closure, _ = fail(self.estate, "h2-pdu-1a")

        unverified = {entry.id: entry.unrated_feeds for entry in closure.electrically_unverified}
        assert unverified["h2-r1-01"] == ("h2-pdu-1b",)

    def test_the_meter_on_row_2_contradicts_the_map(self) -> None:
        facility = compile_facility(self.estate)
        metered = {d.id: d.measured_kw for d in self.estate.domains.values() if d.measured_kw is not None}

        off = {i for i, kw in metered.items() if abs(kw / facility.strict_flow_kw(i) - 1) > 0.2}
        assert off == {"h2-pdu-2b"}

    def test_nothing_is_over_its_rating_before_anything_fails(self) -> None:
        facility = compile_facility(self.estate)
        rated = {d.id: d.rated_kw for d in self.estate.domains.values() if d.rated_kw is not None}

        assert [i for i, kw in rated.items() if facility.strict_flow_kw(i) > kw] == []


class TestTwoClusters:
    """Each cluster's own report understates what the shared room can do to it."""

    train = read_estate("two-clusters/train.json")
    serve = read_estate("two-clusters/serve.json")

    def test_each_alone_survives_a_ups(self) -> None:
        assert units_lost(self.train, "ups-1") == (0, 0)
        assert units_lost(self.serve, "ups-1") == (0, 0)

    def test_each_alone_counts_only_itself_behind_the_transformer(self) -> None:
        assert units_lost(self.train, "xfmr-t1") == (60, 60)
        assert units_lost(self.serve, "xfmr-t1") == (42, 42)

    def test_merged_they_go_dark_together(self) -> None:
        merged = merge_estates([("train.json", self.train), ("serve.json", self.serve)])
        closure, strict = fail(merged, "ups-1")

        panel = next(domain for domain in closure.domains if domain.id == "busway-1")
        assert (panel.cause, round(panel.load_kw or 0), panel.surviving_rated_kw) == ("demoted", 136, 120)
        assert strict.agrees
        assert units_lost(merged, "ups-1") == (102, 102)
        assert units_lost(merged, "xfmr-t1") == (102, 102)
