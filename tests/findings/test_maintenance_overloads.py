"""Whether the work overloads something, so that a shed is worth asking for."""

from __future__ import annotations

from tests.estates import estate_of, on
from tests.findings.test_maintenance import PAIR, pair, plan


def test_a_shed_could_keep_a_demotion_or_a_trip_from_happening() -> None:
    """A demotion alone (the weak feed carries all of it already), a trip alone, and neither."""
    weak = {
        "weak": {"kind": "ups", "ratedKw": 4},
        "strong": {"kind": "ups", "ratedKw": 8},
        "d": {"kind": "power", "feeds": ["weak", "strong"], "transfer": "preferred"},
    }
    demoted = plan(estate_of(weak, {"n": on("d", 6)}), "strong")
    assert (demoted.safety.strict.tripped, demoted.overloads) == ((), True)
    domains = {**PAIR, "pdu-2": {"kind": "power", "feeds": ["ups-a", "ups-b"]}}
    tripped = plan(estate_of(domains, {"n1": on("pdu-1", 6), "n2": on("pdu-2", 6)}), "ups-a")
    assert (tripped.safety.closure.nodes, tripped.overloads) == ((), True)
    assert plan(pair(), "ups-a").overloads is False
    assert plan(pair(), "pdu-1").overloads is False
