"""The marks before the nodes of a ranked failure: what it costs beyond units, and what is not proven."""

from collections.abc import Callable, Sequence
from typing import Final

from findings.pairs.rows import PairRow
from findings.sweep_rows import SweepRow
from topo.text.page import PageOptions, sentence, short
from topo.text.words import count

Row = SweepRow | PairRow

_NAMED: Final = 3
_MARKS: Final[tuple[tuple[str, str, Callable[[Row], bool]], ...]] = (
    ("!", "a quorum is lost", lambda row: bool(row.grave.quorums)),
    ("*", "a service is left below minAvailable", lambda row: bool(row.grave.services_below)),
    ("?", "not proven safe (survivors of unknown rating, kW or supply)", lambda row: row.unproven),
)


def marks(row: Row) -> str:
    """Return the marks of a failure, in their order."""
    return "".join(mark for mark, _, holds in _MARKS if holds(row))


def marked(rows: Sequence[Row], noun: str, options: PageOptions) -> list[str]:
    """Return what the marks say and which failures have them, shown in the table or not."""
    lines: list[str] = []
    for mark, said, holds in _MARKS:
        failed = [_name(row) for row in rows if holds(row)]
        if failed:
            which = options.some(failed, _NAMED)
            lines += sentence(f"{mark} {said} in {count(len(failed), noun)}: {which}.")
    return lines


def _name(row: Row) -> str:
    return short(row.failed) if isinstance(row, SweepRow) else " + ".join(map(short, row.failed))
