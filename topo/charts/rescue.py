"""A rescue as a picture: what comes off the survivor that gives way first, and how long that carries."""

from findings.rescue.case import SECONDS_PER_MINUTE
from findings.rescue.plan import Rescue
from topo.charts.staircase import Mark, shed_words, staircase_svg
from topo.text.page import short
from topo.text.rescue import verdict_word
from topo.text.staleness import stale_warning
from topo.text.words import number, some


def rescue_picture(result: Rescue) -> str:
    """Return the staircase of the plan shown, counted at the survivor that has the least time for it."""
    verdict, _ = verdict_word(result)
    part = "" if result.partial is None else ", but a part can be kept"
    failed = some([short(name) for name in result.failed], 3)
    title = f"{verdict}{part}: rescue from {failed}, cluster {short(result.estate.cluster)}"
    stale = stale_warning(result.estate, result.staleness)
    hardest = result.hardest
    if hardest is None:
        said = "" if result.shown.pauses else "Nothing is known to be overloaded, and nothing is paused."
        return staircase_svg(result.shown, None, None, title, said=said, stale=stale)
    over = hardest.over
    need = Mark(over.excess_kw, f"needed: {number(over.excess_kw)} kW")
    if result.shown.pauses:
        said = shed_words(result.shown, f", {number(hardest.plan.kw)} kW of it off {short(over.id)}")
    else:
        said = f"No pause relieves {short(over.id)}, which is over by {number(over.excess_kw)} kW"
    deadline = None
    if over.carry_seconds is None:
        said += "; how long that carries is unknown"
    else:
        carries = f"carried for {number(over.carry_seconds)} s"
        deadline = Mark(over.carry_seconds / SECONDS_PER_MINUTE, carries)
    return staircase_svg(hardest.plan, need, deadline, title, said=said, axis="kW off it", stale=stale)
