"""What is proven safe is the same, whoever asks: the verdict of a failure, its row, and its maintenance."""

import pytest

from closure.compiled import compile_facility
from findings.index import EstateIndex
from findings.maintenance.safety import Scene, judge
from findings.scenario import whatif
from findings.sweep_rows import sweep_rows
from tests.estates import estate_of, on
from tests.generator import seeded_scenario


class TestSameDoubts:
    """docs/concepts.md: a failure is not proven safe where something carries more, or may, without a rating
    or an unknown load; docs/maintenance.md says the same of what is taken out.
    """

    @pytest.mark.parametrize("seed", range(120))
    def test_no_maintenance_doubts_what_a_failure_calls_proven(self, seed: int) -> None:
        facility = compile_facility(seeded_scenario(seed)[0])
        scene = Scene(facility, EstateIndex(facility.estate))
        for row in sweep_rows(facility):
            doubts = [each for each in judge(scene, [row.failed]).doubts if each.why != "allocated-unknown"]
            if doubts and row.leading.nodes == 0:
                assert row.unproven, (row.failed, doubts)

    def test_upstream_without_a_rating(self) -> None:
        """Two rated PDUs behind a UPS each that has no rating: the other UPS takes the 8 kW over."""
        domains = {
            "ua": {"kind": "ups"},
            "ub": {"kind": "ups"},
            "pa": {"kind": "power", "ratedKw": 20, "parent": "ua"},
            "pb": {"kind": "power", "ratedKw": 20, "parent": "ub"},
            "r": {"kind": "rack", "feeds": ["pa", "pb"]},
        }
        nodes = {"n": {"allocated": 8, "installed": 8, "kwPerUnit": 1, "domains": {"rack": "r"}}}
        assert whatif(compile_facility(estate_of(domains, nodes)), ["ua"]).verdict == "unknown"

    def test_a_machine_of_unknown_draw_elsewhere_is_no_doubt(self) -> None:
        """`misc` stands on the other PDU and has cooling of its own: what moves between the rest is known."""
        domains = {
            "ups": {"kind": "ups", "ratedKw": 100},
            "pdu-a": {"kind": "power", "ratedKw": 50, "parent": "ups"},
            "pdu-b": {"kind": "power", "ratedKw": 50, "parent": "ups"},
            "crah-1": {"kind": "cooling", "ratedKw": 40, "loadKw": 2, "parent": "pdu-a"},
            "crah-2": {"kind": "cooling", "ratedKw": 40, "loadKw": 2, "parent": "pdu-a"},
        }
        nodes = {
            "h100": {
                "allocated": 8,
                "installed": 8,
                "kwPerUnit": 1,
                "domains": {"pdu": "pdu-a", "cooling": {"any": ["crah-1", "crah-2"]}},
            },
            "misc": {**on("pdu-b", kwPerUnit=None), "domains": {"pdu": "pdu-b", "cooling": "fans"}},
        }
        domains["fans"] = {"kind": "cooling"}
        found = whatif(compile_facility(estate_of(domains, nodes, wattsPerUnitKw=None)), ["crah-1"])
        assert (found.verdict, found.unproven) == ("degraded", False)
