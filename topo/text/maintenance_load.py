"""The parts of the page of `topo ok-to-take-out` about load: what carries more."""

from typing import Final

from findings.maintenance.load import CarriesMore
from findings.maintenance.plan import Maintenance
from topo.text.carried import Carried, carried_table
from topo.text.page import PageOptions, heading, more, sentence, short
from topo.text.words import number, percent
from topology.kinds import POWER, commodity_of
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


def decided_by(result: Maintenance, options: PageOptions) -> list[str]:
    """Return what would decide the answer: which ratings, with what they have to carry, and which draws."""
    lines: list[str] = []
    for each in result.ratings_needed[: options.rows]:
        lines += sentence(f"{short(each.id)} has no ratedKw; {_then_and_now(each)}.")
    lines += more(options.rows, len(result.ratings_needed))
    own = [
        each.id
        for each in result.safety.doubts
        if each.why == "draw-unknown" and _draws_itself(result, each.id)
    ]
    if own:
        lines += sentence(
            f"What is drawn by equipment itself is its loadKw: {options.some(list(map(short, own)), 4)}."
        )
    wanting = {each.why for each in result.safety.doubts if each.id not in own}
    if not wanting.isdisjoint(_LOADS):
        lines += sentence(_SNAPSHOT if result.estate.bare else _KW)
    return lines


_LOADS: Final = frozenset({"allocated-unknown", "draw-unknown", "load-unknown"})
_SNAPSHOT: Final = "Give a snapshot (estate.json, this map with --topology): a map alone has no load."
_KW: Final = "Units without kW: give kwPerUnit of their nodes, or --kw-per-unit."


def _then_and_now(each: CarriesMore) -> str:
    if each.during_kw is None and not each.during_exact:
        return "what it carries is unknown"
    then, now = (
        f"{'' if exact else 'at least '}{number(0.0 if kw is None else kw)}"
        for kw, exact in ((each.during_kw, each.during_exact), (each.before_kw, each.before_exact))
    )
    return f"it carries {then} kW then ({now} now)"


def _draws_itself(result: Maintenance, name: str) -> bool:
    """Return whether what a domain draws of its feeds is its own load: it passes no power on."""
    domains = result.estate.domains
    domain = domains[name]
    powered = any(commodity_of(domains[feed].kind) == POWER for feed in domain.feeds)
    return powered and commodity_of(domain.kind) != POWER


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
