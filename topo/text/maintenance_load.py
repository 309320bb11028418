"""The parts of the page of `topo ok-to-take-out` about load: what carries more."""

from findings.maintenance.load import CarriesMore
from findings.maintenance.plan import Maintenance
from topo.text.carried import Carried, carried_table
from topo.text.page import PageOptions, heading, short
from topo.text.words import number, percent
from topology.model import Number


def carried_section(result: Maintenance, options: PageOptions) -> list[str]:
    """Return what survives and carries more during the work; nothing where nothing does."""
    if not result.carries_more:
        return []
    rows = (
        Carried(each.id, each.before_kw, each.during_kw, each.rated_kw, each.before_exact, each.during_exact)
        for each in result.carries_more
    )
    lines = heading("Carries more meanwhile", "by the strict check, tightest first", options.style)
    return [*lines, *carried_table(rows, options, first="domain", after="meanwhile")]


def tight_words(each: CarriesMore | None) -> str:
    """Return what of its rating is left to the survivor that the work brings nearest to it."""
    if each is None or each.rated_kw is None or each.during_kw is None:
        return ""
    left_kw, share = each.rated_kw - each.during_kw, percent(each.share)
    if left_kw < 0:
        return f"But {short(each.id)} carries {number(-left_kw)} kW more than it is rated for ({share}). "
    return f"But {short(each.id)} is left {number(left_kw)} kW ({share} of its rating is used). "


def may_fill_up(result: Maintenance) -> bool:
    """Return whether it is fine as loaded now, and units that are free now could change that."""
    fine = result.safety.safe and result.load == "allocated" and not result.estate.bare
    return bool(fine) and any(node.installed != node.allocated for node in result.estate.nodes)


def asked(result: Maintenance) -> list[str]:
    """Return the window and the limit as words of a command."""
    said: list[tuple[str, Number | str | None]] = []
    if result.window is not None:
        said += [("--duration", result.window.duration_minutes), ("--until", result.window.until)]
    if result.largest is not None:
        said += [("--max", result.largest.limit)]
    return [word for flag, value in said if value is not None for word in (flag, str(value))]
