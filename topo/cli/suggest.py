"""What could have been given where nothing was, or something else was: hints for wrong usage."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topo.cli import values

if TYPE_CHECKING:
    from topology.unknown_id import UnknownId

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


def unknown_hint(refusal: "UnknownId", args: argparse.Namespace) -> str:
    """Return what to do about ids that are neither domain nor node: usually a slip of one of few kinds."""
    from topo.text.page import next_command

    for flag in ("fail", "out", "focus", "ids"):
        for word in getattr(args, flag, None) or ():
            parts = [part.strip() for part in word.split(",") if part.strip()]
            if word in refusal.ids and len(parts) > 1:
                if flag == "ids":
                    return f"Each id is a word of its own: {' '.join(parts)}."
                return f"Each id takes its own option: {' '.join(f'--{flag} {part}' for part in parts)}."
    if refusal.workloads:
        target = next_command("--target", refusal.workloads[0]).strip()
        return (
            f"topo {args.command} is about domains and nodes; "
            f"`topo cutsets {target} FILE` says what takes this workload down."
        )
    if not refusal.domains and not getattr(args, "topology", None):
        return "There are no domains at all: give the facility map with --topology FILE."
    return "Ids are matched exactly; `topo sweep FILE` lists every domain."


def node_out_hint(args: argparse.Namespace, nodes: Sequence[str]) -> str:
    """Return what to ask instead where nodes are given to --out: a command that can be run."""
    from topo.cli.common import assumption_words
    from topo.text.page import command_about, fails, next_command

    if hasattr(args, "fail"):
        return f"Use {next_command(*fails(nodes)).strip()} instead."
    out = [name for name in args.out if name not in nodes]
    words = (
        *assumption_words(argparse.Namespace(**{**vars(args), "out": out})),
        values.identifier(args.file),
    )
    if getattr(args, "ids", None):
        together = command_about([*args.ids, *nodes], args.command, *words).strip()
        return f"Ask whether all of them may be out together: {together}"
    alone = next_command("topo", "whatif", *fails(nodes), *words).strip()
    return f"Ask what is lost without the node: {alone}"


def file_elsewhere(args: argparse.Namespace) -> str:
    """Return a hint where one of the ids is the file: it stands last."""
    ids = [*(getattr(args, "ids", None) or ()), *filter(None, [getattr(args, "id", None)])]
    misplaced = next((word for word in ids if is_file(word)), None)
    if misplaced is None:
        return ""
    others = [word for word in (*ids, args.file) if word != misplaced]
    return f"FILE stands last: topo {args.command} {' '.join(others)} {misplaced}"


def is_file(word: str) -> bool:
    """Return whether there is a file of that name."""
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # too long to be the name of one
        return False
