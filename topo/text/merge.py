"""What a merge says: every reason why not, or every choice that it made."""

from typing import Final

from topo.text.clean import clean
from topo.text.page import numbered, sentence, short
from topo.text.shell import shell_line
from topo.text.words import count, number, some
from topology.merge import MergeRefused
from topology.model import Estate

_LONGEST: Final = 800
"""Characters of a note on the page: ten lines."""


def refusal_text(refusal: MergeRefused) -> str:
    """Return every reason, each with what to do about it."""
    lines = []
    for each in refusal.refusals:
        lines += sentence(f"topo: error[{each.rule}]: {clean(each.message)}", first="", then="    ")
        lines += sentence(f"help: {clean(each.hint)}", then="    ")
    lines.append(f"{count(len(refusal.refusals), 'reason')} against this merge: nothing was written.")
    return "\n".join(lines) + "\n"


def notes_text(merged: Estate, output: str) -> str:
    """Return what was merged, the notes that the merged estate carries, and which nodes stand nowhere."""
    where = "" if output == "-" else f" into {clean(output)}"
    what = f"{count(len(merged.clusters), 'cluster')}, {count(len(merged.nodes), 'node')}"
    notes = [*map(_shortened, merged.notes), *_nowhere(merged)]
    lines = [*sentence(f"merged{where}: {what}", first="", then="    "), *numbered(notes)]
    if output != "-":
        lines += ["", f"next: {shell_line(['topo', 'sweep', output])}"]
    return "\n".join(lines) + "\n"


def _shortened(note: str) -> str:
    """Return a note without the end of a list too long to be read; the estate carries all of it."""
    if len(note) <= _LONGEST:
        return note
    return f"{note[:_LONGEST].rpartition(', ')[0]} ... (the notes of the merged estate have the rest)."


def _nowhere(merged: Estate) -> list[str]:
    nowhere = [short(node.id) for node in merged.nodes if not node.standings]
    if not nowhere:
        return []
    stand = "stands" if len(nowhere) == 1 else "stand"
    said = f"{number(len(nowhere))} of {count(len(merged.nodes), 'node')} {stand} on no domain"
    return [f"{said}, so no domain's failure is known to take them: {some(nowhere, 4)}."]
