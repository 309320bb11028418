"""What a merge says: every reason why not, or every choice that it made."""

import shlex

from topo.text.clean import clean
from topo.text.page import numbered, sentence
from topo.text.words import count, number
from topology.merge import MergeRefused
from topology.model import Estate


def refusal_text(refusal: MergeRefused) -> str:
    """Return every reason, each with what to do about it."""
    lines = []
    for each in refusal.refusals:
        lines += sentence(f"topo: error[{each.rule}]: {clean(each.message)}", first="", then="    ")
        lines += sentence(f"help: {clean(each.hint)}", then="    ")
    lines.append(f"{count(len(refusal.refusals), 'reason')} against this merge: nothing was written.")
    return "\n".join(lines) + "\n"


def notes_text(merged: Estate, output: str) -> str:
    """Return what was merged, and the notes that the merged estate carries."""
    where = "" if output == "-" else f" into {clean(output)}"
    what = f"{count(len(merged.clusters), 'cluster')}, {number(len(merged.nodes))} nodes"
    lines = [*sentence(f"merged{where}: {what}", first="", then="    "), *numbered(merged.notes)]
    if output != "-":
        lines += ["", f"next: {shlex.join(['topo', 'sweep', clean(output)])}"]
    return "\n".join(lines) + "\n"
