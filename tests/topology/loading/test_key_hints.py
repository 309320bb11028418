"""A key that nothing reads: the fix gives the key that was meant, and its number in that key's unit."""

from __future__ import annotations

import pytest

from tests.topology.loading.files import estate_faults, estate_file, faults, only

_KVA = "kVA is not kW: multiply by the power factor, and write that number of kW as ratedKw."


def domain_hint(entry: str) -> str:
    return only(faults(f"domains:\n  a: {{kind: cooling, {entry}}}\n")).hint


class TestUnits:
    """The unit is in the key's name: a number under another unit's name is converted, or not at all."""

    @pytest.mark.parametrize(
        ("entry", "fix"),
        [
            ("ratedKva: 20", _KVA),
            ("capacityKVA: 20", _KVA),
            ("kva: 20", _KVA),
            ("ratedW: 20000", "Write ratedKw: 20."),
            ("ratedMw: 0.5", "Write ratedKw: 500."),
            ("maxKw: 3", "Write ratedKw: 3."),
            ("power: 20", "Write ratedKw: the number in kW."),
            ("ratedMw: tbd", "Write ratedKw: the number in kW."),
            ("loadW: 900", "Write loadKw: 0.9."),
            ("measuredMw: 1.2", "Write measuredKw: 1200."),
            ("rideThroughSeconds: 90", "Write rideThroughMinutes: 1.5."),
            ("repairDays: 2", "Write repairHours: 48."),
            ("mttrHours: 8", "Write repairHours: 8."),
        ],
    )
    def test_of_a_domain(self, entry: str, fix: str) -> None:
        assert domain_hint(entry) == fix

    @pytest.mark.parametrize("key", ["ratedA", "ratedAmps", "amps"])
    def test_amperes_are_never_taken_for_kw(self, key: str) -> None:
        assert domain_hint(f"{key}: 32").startswith("Amperes are not kW: multiply by the volts")

    def test_hours_between_failures(self) -> None:
        assert domain_hint("mtbf: 87600").startswith("Write failuresPerYear: 0.1:")
        assert domain_hint("mtbf: 0").startswith("Write failuresPerYear: 8,760 hours")

    def test_of_an_estate(self) -> None:
        assert only(estate_faults(estate_file(wattsPerUnit=700))).hint == "Write wattsPerUnitKw: 0.7."


class TestSynonyms:
    """What other systems call a key."""

    @pytest.mark.parametrize(
        ("entry", "fix"),
        [
            ("upstream: a1", "Write parent: a1, or feeds: [a1, ..] where another can take over."),
            (
                "fed_by: [b, c]",
                "Write feeds: [b, c]: one of them is enough, unless minFeeds says more.",
            ),
            ("downstream: [b]", "Say it the other way round"),
            (
                "name: North",
                "Leave it out: the key of a domain is its id. For people, write description",
            ),
            ("id: a", "Leave it out: the key of a domain is its id."),
            ("state: down", "Write status: in, or status: out"),
            ("owner: ops", "Write contact: ops."),
            ("volts: 400", "Leave it out: the map has no volts"),
            ("rack: r1", "Nodes have axes, domains do not"),
            ("min: 2", "Write minFeeds: 2."),
        ],
    )
    def test_of_a_domain(self, entry: str, fix: str) -> None:
        assert domain_hint(entry).startswith(fix)

    def test_a_type_is_a_kind(self) -> None:
        found = faults("domains:\n  a: {type: ups}\n")
        assert "Write kind: ups." in {each.hint for each in found}

    @pytest.mark.parametrize(
        ("axis", "fix"),
        [("hall: h1", "Write room: h1."), ("cdu: c", "Write cooling."), ("pdus: p", "Write pdu.")],
    )
    def test_of_a_node(self, axis: str, fix: str) -> None:
        assert only(faults(f"nodes:\n  n: {{{axis}}}\n")).hint == fix


class TestWhatIsFar:
    """What is merely the least unlike is named, but no fix says to write it."""

    @pytest.mark.parametrize("key", ["weight", "colour", "phase", "efficiency", "tier", "sla", "redundancy"])
    def test_is_never_written(self, key: str) -> None:
        assert domain_hint(f"{key}: 1").startswith("Known: kind")

    def test_the_name_of_an_estate_is_no_sample(self) -> None:
        assert only(estate_faults(estate_file(name="lab"))).hint == "Write cluster."
