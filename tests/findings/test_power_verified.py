"""The best of a node's PDUs decides whether its free units have power: one with known room is enough."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closure.compiled import compile_facility
from findings.index import EstateIndex
from findings.ledger import Ledger, ledger
from tests.findings.small import estate_of_json, node
from topology.model import Estate


def book(estate: Estate) -> Ledger:
    return ledger(EstateIndex(estate), compile_facility(estate))


@pytest.mark.parametrize(
    ("p_kw", "q_kw", "capped", "unverified"),
    [
        (5, 10, 0, 0),  # q carries nothing and has room, whatever p carries
        (50, 10, 0, 0),  # p may have more room; that of q is known
        (5, 0.5, 0, 8),  # q is too small for a unit, and nobody knows what p has left
        (0.5, 0.25, 8, 0),  # both are too small, p whatever it carries
    ],
)
def test_a_pdu_with_known_room_is_enough(p_kw: float, q_kw: float, capped: int, unverified: int) -> None:
    nodes = [
        node("n0", kwPerUnit=1, domains={"pdu": ["p", "q"]}),
        node("n1", allocated=4, installed=4, domains={"pdu": "p"}),
    ]
    pdus: dict[str, Any] = {
        "p": {"kind": "power", "ratedKw": p_kw},
        "q": {"kind": "power", "ratedKw": q_kw},
    }
    found = book(estate_of_json(nodes, pdus))
    assert (found.power_capped, found.power_unverified) == (capped, unverified)


@given(
    ratings=st.lists(st.sampled_from((0.5, 2, 5, 10)), min_size=1, max_size=3),
    neighbours=st.lists(st.tuples(st.integers(0, 2), st.sampled_from((None, 1, 2))), max_size=3),
)
def test_verified_is_what_holds_whatever_the_unknown_units_draw(
    ratings: list[float], neighbours: list[tuple[int, int | None]]
) -> None:
    """Eight free units at 1 kW behind some PDUs, beside neighbours, some without a known kW per unit."""
    pdus = [f"p{number}" for number in range(len(ratings))]
    domains: dict[str, Any] = {
        pdu: {"kind": "power", "ratedKw": kw} for pdu, kw in zip(pdus, ratings, strict=True)
    }

    def at(unknown_kw: float | None) -> Ledger:
        beside = [
            node(
                f"n{number}",
                allocated=4,
                installed=4,
                domains={"pdu": pdus[place % len(pdus)]},
                kwPerUnit=unknown_kw if kw is None else kw,
            )
            for number, (place, kw) in enumerate(neighbours)
        ]
        free = node("free", kwPerUnit=1, domains={"pdu": pdus})
        return book(estate_of_json([free, *beside], domains))

    asked, least, most = at(None), at(0), at(1000)
    assert (asked.power_unverified == 0) == (least.power_capped == most.power_capped)
    assert asked.power_capped == least.power_capped
