"""What could have been given where nothing was: the worst failures of the file that is at hand."""

from pathlib import Path
from typing import Final

_LARGEST_BYTES: Final = 4 * 1024**2
"""The largest file that is ranked for a hint: an answer to wrong usage has to be instant."""

_SHOWN: Final = 3


def worst_failures(path: str) -> tuple[str, ...]:
    """Return a few of the worst single failures by the closure; nothing where the file is of no use."""
    from closure.compiled import compile_facility
    from findings.sweep_rows import sweep_rows
    from topology.bare import estate_of
    from topology.load import load_text
    from topology.model import Topology

    try:
        if Path(path).stat().st_size > _LARGEST_BYTES:
            return ()
        value = load_text(Path(path).read_bytes(), path).value
    except (OSError, ValueError):
        return ()
    if value is None:
        return ()
    rows = sweep_rows(
        compile_facility(estate_of(value) if isinstance(value, Topology) else value), strict=False
    )
    return tuple(row.failed for row in rows if row.tally.nodes)[:_SHOWN]
