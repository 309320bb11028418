"""What hangs from something else than before, where a figure follows and where none does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from closure.compiled import compile_facility
from findings.difference.compare import compare
from findings.difference.document import difference_to_json
from findings.difference.wiring import rewired
from tests import strategies
from tests.estates import estate_of, on
from topology.model import Estate

UPS: dict[str, Any] = {name: {"kind": "ups", "ratedKw": 10} for name in ("ups-a", "ups-b", "ups-c")}


def pdu(**keys: Any) -> Estate:
    return estate_of({**UPS, "pdu-1": {"kind": "power", **keys}}, {"n1": on("pdu-1")})


def found(old: Estate, new: Estate) -> list[tuple[tuple[str, ...], str, object, object]]:
    return [(each.ids, each.axis or each.field, each.old, each.new) for each in rewired(old, new)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"parent": "ups-a"}, {"parent": "ups-b"}, [("parent", "ups-a", "ups-b")]),
        (
            {"parent": "ups-a"},
            {"feeds": ["ups-a", "ups-b"]},
            [("parent", "ups-a", None), ("feeds", (), ("ups-a", "ups-b"))],
        ),
        (
            {"feeds": ["ups-a", "ups-b"]},
            {"feeds": ["ups-a", "ups-c"]},
            [("feeds", ("ups-a", "ups-b"), ("ups-a", "ups-c"))],
        ),
        ({"feeds": ["ups-a", "ups-b"]}, {"feeds": ["ups-b", "ups-a"]}, []),
        (
            {"feeds": ["ups-a", "ups-b"], "transfer": "preferred"},
            {"feeds": ["ups-b", "ups-a"], "transfer": "preferred"},
            [("feeds", ("ups-a", "ups-b"), ("ups-b", "ups-a"))],
        ),
        ({"feeds": ["ups-a", "ups-b"]}, {"feeds": ["ups-a", "ups-b"], "minFeeds": 1}, []),
        (
            {"feeds": ["ups-a", "ups-b"]},
            {"feeds": ["ups-a", "ups-b"], "minFeeds": 2},
            [("minFeeds", 1, 2)],
        ),
        ({"feeds": ["ups-a", "ups-b"]}, {"feeds": ["ups-a", "ups-b"], "transfer": "share"}, []),
        (
            {"feeds": ["ups-a", "ups-b"]},
            {"feeds": ["ups-a", "ups-b"], "transfer": "preferred"},
            [("transfer", "share", "preferred")],
        ),
        ({}, {"status": "out"}, [("status", "in", "out")]),
        ({}, {"status": "in", "ratedKw": 7}, []),
    ],
)
def test_what_a_domain_says_otherwise(
    old: dict[str, Any], new: dict[str, Any], expected: list[tuple[object, ...]]
) -> None:
    assert found(pdu(**old), pdu(**new)) == [(("pdu-1",), *each) for each in expected]


def test_a_kind() -> None:
    old, new = (estate_of({"x": {"kind": kind}}, {}) for kind in ("ups", "generator"))
    assert found(old, new) == [(("x",), "kind", "ups", "generator")]


def test_what_changed_alike_is_one_change_and_what_one_side_lacks_is_none() -> None:
    def nodes(rack: str) -> dict[str, Any]:
        return {f"n{i}": {"allocated": 1, "domains": {"rack": rack}} for i in range(3)}

    old = estate_of({}, {**nodes("r1"), "gone": on("p1")})
    new = estate_of({}, {**nodes("r2"), "more": on("p1")})
    (only,) = rewired(old, new)
    assert (only.type, only.ids, only.axis) == ("node", ("n0", "n1", "n2"), "rack")


def test_how_a_standing_is_written_is_no_change_and_its_mode_is_one() -> None:
    def stands(said: Any) -> Estate:
        return estate_of(UPS, {"n1": {"allocated": 1, "domains": {"ups": said}}})

    alone = stands("ups-a")
    assert found(alone, stands(["ups-a"])) == []
    two = stands({"any": ["ups-a", "ups-b"]})
    assert found(two, stands(["ups-b", "ups-a"])) == []
    (only,) = difference_to_json(
        compare(compile_facility(two), compile_facility(stands({"all": ["ups-a", "ups-b"]})))
    )["wiring"]
    assert (only["field"], only["axis"]) == ("standing", "ups")
    assert only["old"] == {"mode": "any", "ids": ["ups-a", "ups-b"]}
    assert only["new"] == {"mode": "all", "ids": ["ups-a", "ups-b"]}


def test_a_pdu_that_moved_to_its_twin_changes_no_figure_and_is_said() -> None:
    """Behind a second feed nothing is lost with one UPS, so no figure knows which UPS it is."""
    old, new = (
        estate_of(
            {
                **UPS,
                "pdu-1": {"kind": "power", "feeds": feeds},
                "pdu-2": {"kind": "power", "feeds": feeds[::-1]},
            },
            {"n1": on("pdu-1"), "n2": on("pdu-2")},
        )
        for feeds in (["ups-a", "ups-b"], ["ups-a", "ups-c"])
    )
    result = compare(compile_facility(old), compile_facility(new))
    assert (result.changes, result.worse) == ((), False)
    assert [each.ids for each in result.wiring] == [("pdu-1",), ("pdu-2",)]


@settings(max_examples=25, deadline=None)
@given(old=strategies.estates(), new=strategies.estates())
def test_the_way_back_is_mirrored_and_nothing_differs_from_itself(old: Estate, new: Estate) -> None:
    there = {(each.ids, each.field, each.axis, each.old, each.new) for each in rewired(old, new)}
    assert there == {(each.ids, each.field, each.axis, each.new, each.old) for each in rewired(new, old)}
    assert rewired(old, old) == ()
