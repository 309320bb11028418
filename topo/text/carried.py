"""What carries more than before, tightest first: a table that several pages share."""

from collections.abc import Iterable
from typing import NamedTuple

from topo.text.page import PageOptions, rows_of
from topo.text.table import UNKNOWN, Column
from topo.text.words import known_cell, number, percent


class Carried(NamedTuple):
    """What something carries before and after [kW], of its rating; only at least that where not exact."""

    id: str
    before_kw: float | None
    after_kw: float | None
    rated_kw: float | None
    before_exact: bool = True
    after_exact: bool = True


def carried_table(
    carried: Iterable[Carried], options: PageOptions, *, first: str = "carries more", after: str = "after kW"
) -> list[str]:
    """Return the table, what comes nearest to its rating first."""
    rows = [
        [
            each.id,
            known_cell(each.before_kw, unsaid=not each.before_exact),
            known_cell(each.after_kw, unsaid=not each.after_exact),
            number(each.rated_kw),
            _loading(each),
        ]
        for each in sorted(carried, key=_tightest)
    ]
    columns = [Column(first, flexible=True), *flow_columns(after), Column("load", right=True)]
    return rows_of(columns, rows, options)


def flow_columns(after: str = "after kW") -> tuple[Column, ...]:
    """Return the columns of what something carries before and after, and of its rating."""
    return (Column("before kW", right=True), Column(after, right=True), Column("rated kW", right=True))


def _tightest(each: Carried) -> tuple[float, str]:
    share = None if each.rated_kw is None else (each.after_kw or 0.0) / each.rated_kw
    return (1.0 if share is None else -share, each.id)


def _loading(each: Carried) -> str:
    if each.rated_kw is None or each.after_kw is None:
        return UNKNOWN
    share = percent(each.after_kw / each.rated_kw)
    return share if each.after_exact else f">= {share}"
