"""The first lines of a scenario's page: what happened, how sure we are, how old the data is."""

from collections.abc import Sequence
from typing import Final

from closure.results import Closure
from closure.unplaced import Unplaced
from findings.amounts import Partial
from findings.degraded import degraded_in_either
from findings.impact import Impact
from findings.scenario import WhatIf
from findings.staleness import Staleness
from findings.verdict import Verdict
from topo.text.casualties import grave_losses, grave_words
from topo.text.page import PageOptions, sentence, short
from topo.text.staleness import age_words, stale_lines
from topo.text.unplaced import unplaced_words
from topo.text.words import count, known, number, percent
from topology.model import Estate

_MARGIN: Final = " " * 9
_COLOURS: Final[dict[Verdict, str]] = {
    "outage": "red",
    "unknown": "magenta",
    "degraded": "yellow",
    "ok": "blue",
}


def unit_word(estate: Estate, amount: float | None) -> str:
    """Return what a unit of this estate is called: GPU or core; a map alone does not say which."""
    word = "unit" if estate.bare else "GPU" if estate.unit == "gpu" else "core"
    return word if amount == 1 else word + "s"


def lacks_kw(estate: Estate) -> bool:
    """Return whether nobody says what a unit of some node draws: `--kw-per-unit` would."""
    said = estate.watts_per_unit_kw is not None
    return not estate.bare and not said and any(node.kw_per_unit is None for node in estate.nodes)


def unit_title(estate: Estate) -> str:
    """Return the same at the beginning of a heading."""
    word = unit_word(estate, None)
    return word[0].upper() + word[1:]


def verdict_lines(result: WhatIf, ages: Staleness, options: PageOptions) -> list[str]:
    """Return the verdict, the difference between the two engines, and the stamps."""
    style = options.style
    first, *rest = sentence(_sentence(result, options), first=_MARGIN, then=_MARGIN)
    word = style(result.verdict.upper().ljust(len(_MARGIN)), "bold", _COLOURS[result.verdict])
    lines = [word + first[len(_MARGIN) :], *rest]
    for extra in (
        grave_words(result.worse_impact, result.estate, options),
        _other_engine(result, options),
        _degraded(result),
        unproven_words(result.closure, overloadable=result.overloadable, unplaced=result.unplaced),
    ):
        if extra:
            lines += sentence(extra, first=_MARGIN, then=_MARGIN)
    lines.append("")
    lines += sentence(_stamps(result, ages))
    return [*lines, *stale_lines(result.estate, ages, style)]


def _stamps(result: WhatIf, ages: Staleness) -> str:
    facility_map = f"facility map {age_words(ages.topology_file.hours)}"
    if result.estate.bare:
        return f"no snapshot, {facility_map}"
    snapshot = f"snapshot {age_words(ages.snapshot.hours)}"
    load = f"{result.load} {unit_word(result.estate, None)}"
    return f"cluster {short(result.estate.cluster)}, load: {load}, {snapshot}, {facility_map}"


def _sentence(result: WhatIf, options: PageOptions) -> str:
    impact, estate = result.worse_impact, result.estate
    what = options.some([short(identifier) for identifier in result.closure.failed], 4) or "nothing"
    fails = "fails" if len(result.closure.failed) == 1 else "fail"
    if not impact.nodes:
        return f"{what} {fails}: no node is lost."
    nodes = f"{what} {fails}: {number(len(impact.nodes))} of {count(len(estate.nodes), 'node')} lost"
    by = " (by the strict check, which is worse)" if result.worse == "strict" else ""
    if result.worse == "closure" and result.demoted_flows_kw:
        by = " by the closure's worst case"
    return f"{nodes}{by}, {_units(impact, estate)}."


def _units(impact: Impact, estate: Estate) -> str:
    exposure = impact.exposure
    if exposure.units is None:
        return f"{unit_word(estate, None)} unknown"
    units = f"{number(exposure.units)} {unit_word(estate, exposure.units)}"
    if exposure.critical_units is None:
        return f"{units}, of which critical: unknown"
    critical = known(exposure.critical_units, unsaid=exposure.unknown_criticality > 0)
    share = f"{percent(exposure.critical_share)} of {all_critical(exposure.critical_everywhere)}"
    return f"{units}, {critical} of them critical" + (
        "" if exposure.critical_share is None else f" ({share})"
    )


def all_critical(everywhere: Partial) -> str:
    """Return what a share of the critical units is a share of."""
    return "all known to be critical" if everywhere.unknown else "all critical"


def _other_engine(result: WhatIf, options: PageOptions) -> str:
    if result.strict.agrees:
        return ""
    other = result.impact if result.worse == "strict" else result.strict_impact
    name = "The closure alone" if result.worse == "strict" else "The strict check"
    trips = options.some([short(trip.id) for trip in result.strict.tripped], 3)
    verb, onto = ("trips", "it") if len(result.strict.tripped) == 1 else ("trip", "them")
    tripped = f" {trips} {verb} under what shifts onto {onto}." if trips else ""
    said = f"{name} says {count(len(other.nodes), 'node')}, {_units(other, result.estate)}.{tripped}"
    shared = shared_words(result, options, "It") if result.worse == "closure" else ""
    graver = not grave_losses(other) <= grave_losses(result.worse_impact)
    also = f"By it {grave_words(other, result.estate, options)}" if graver else ""
    return " ".join(part for part in (said, also, shared) if part)


def shared_words(result: WhatIf, options: PageOptions, who: str = "The strict check") -> str:
    """Return what the strict check has the domains carrying that the closure alone demotes; empty: none."""
    flows = [f"{short(name)} carrying {_flow(result, kw)}" for name, kw in result.demoted_flows_kw]
    return f"{who} has {options.some(flows, 3)}." if flows else ""


def _flow(result: WhatIf, kw: float) -> str:
    return f"{'at least ' if result.strict.lower_bound else ''}{number(kw)} kW"


def _degraded(result: WhatIf) -> str:
    degraded = degraded_in_either(result)
    if not degraded:
        return ""
    last = sum(each.spare == 0 for each in degraded)
    those = "it" if len(degraded) == last == 1 else f"{number(last)} of them"
    return f"{count(len(degraded), 'survivor')} lost a feed; {those} cannot lose another."


def unproven_words(closure: Closure, *, overloadable: bool, unplaced: Sequence[Unplaced] = ()) -> str:
    """Return what keeps survivors from being proven safe; empty: nothing does."""
    return " ".join(
        part for part in (_overloadable(closure, said=overloadable), unplaced_words(unplaced)) if part
    )


def _overloadable(closure: Closure, *, said: bool) -> str:
    if not said:
        return ""
    unverified = len(closure.electrically_unverified)
    if not unverified:
        return "Survivors carry more, of unknown rating or unknown kW: not proven safe."
    return f"{count(unverified, 'survivor')} electrically unverified: not proven safe."
