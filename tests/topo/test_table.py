"""Tables for a terminal: what gives way when the page is too narrow, and what is never clipped."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from topo.text.clean import clean
from topo.text.table import PAGE_WIDTH, Column, display_width, table

ORDERS = [Column("", right=True), Column("pause", whole=True), Column("kW", right=True), Column("stops")]


def orders(*ids: str) -> list[str]:
    return table(ORDERS, [[str(i), name, "1.5", "at checkpoint"] for i, name in enumerate(ids, 1)])


def test_a_whole_cell_that_fits_stays_in_its_row() -> None:
    assert orders("train/a") == ["     pause     kW  stops", "  1  train/a  1.5  at checkpoint"]


def test_a_whole_cell_that_does_not_fit_gets_a_line_of_its_own() -> None:
    name = "train/" + "x" * 60
    header, named, row = orders(name)
    assert named == f"  1  {name}"
    assert row.split() == ["1.5", "at", "checkpoint"]
    assert row.index("1.5") == header.index("kW") - 1


def test_a_whole_column_gives_way_before_a_flexible_one() -> None:
    columns = [Column("domain", whole=True), Column("full 1st", flexible=True)]
    lines = table(columns, [["d" * 40, "e" * 60]])
    assert lines[1:] == ["  " + "d" * 40, " " * 20 + "e" * 60]


def test_a_name_wider_than_the_page_goes_on_below() -> None:
    name = "".join(chr(ord("a") + i % 26) for i in range(300))
    lines = orders(name)
    assert "".join(line[5:] for line in lines[1:-1]) == name
    assert all(display_width(line) <= PAGE_WIDTH for line in lines)


@given(st.lists(st.text(max_size=120), min_size=1, max_size=4))
def test_nothing_of_a_whole_cell_is_lost_and_no_line_is_too_wide(names: list[str]) -> None:
    lines = orders(*names)
    assert all(display_width(line) <= PAGE_WIDTH for line in lines)
    squeezed = "".join("".join(lines).split())
    assert all("".join(clean(name).split()) in squeezed for name in names)


def test_what_wraps_goes_on_below_and_loses_nothing() -> None:
    columns = [Column("kind"), Column("which", wraps=True)]
    names = ", ".join(f"rack-{each:02}" for each in range(40))
    lines = table(columns, [["rack", names], ["PDU", "pdu-a"]])
    assert max(map(len, lines)) <= PAGE_WIDTH
    assert " ".join(" ".join(lines[1:-1]).split()) == f"rack {names}"
    assert lines[-1].split() == ["PDU", "pdu-a"]
