"""The first lines of a scenario's page: what happened, how sure we are, how old the data is."""

from findings.impact import Impact
from findings.scenario import WhatIf
from findings.staleness import Staleness
from topo.text.casualties import grave_losses, grave_words
from topo.text.degraded import degraded_in_either
from topo.text.page import sentence, short
from topo.text.staleness import age_words, stale_lines
from topo.text.style import Style
from topo.text.words import count, known, number, percent, some
from topology.model import Estate

_MARGIN = " " * 9


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


def verdict_lines(result: WhatIf, ages: Staleness, style: Style) -> list[str]:
    """Return the verdict, the difference between the two engines, and the stamps."""
    word, colour = _word(result)
    said = _sentence(result)
    first, *rest = sentence(said, first=_MARGIN, then=_MARGIN)
    lines = [style(word.ljust(len(_MARGIN)), "bold", colour) + first[len(_MARGIN) :], *rest]
    for extra in (
        grave_words(result.worse_impact, result.estate),
        _other_engine(result),
        _degraded(result),
        _unverified(result),
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


def _word(result: WhatIf) -> tuple[str, str]:
    impact = result.worse_impact
    if impact.nodes:
        return "OUTAGE", "red"
    if result.closure.electrically_unverified:
        return "UNKNOWN", "magenta"
    return ("DEGRADED", "yellow") if degraded_in_either(result) else ("OK", "blue")


def _sentence(result: WhatIf) -> str:
    impact, estate = result.worse_impact, result.estate
    what = some([short(identifier) for identifier in result.closure.failed], 4) or "nothing"
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
    share = f"({percent(exposure.critical_share)} of {all_critical(estate)})"
    return f"{units}, {critical} of them critical {share}"


def all_critical(estate: Estate) -> str:
    """Return what a share of the critical units is a share of."""
    unsaid = any(workload.critical is None for workload in estate.workloads)
    return "all known to be critical" if unsaid else "all critical"


def _other_engine(result: WhatIf) -> str:
    if result.strict.agrees:
        return ""
    other = result.impact if result.worse == "strict" else result.strict_impact
    name = "The closure alone" if result.worse == "strict" else "The strict check"
    trips = some([short(trip.id) for trip in result.strict.tripped], 3)
    verb, onto = ("trips", "it") if len(result.strict.tripped) == 1 else ("trip", "them")
    tripped = f" {trips} {verb} under what shifts onto {onto}." if trips else ""
    said = f"{name} says {count(len(other.nodes), 'node')}, {_units(other, result.estate)}.{tripped}"
    shared = shared_words(result, "It") if result.worse == "closure" else ""
    graver = not grave_losses(other) <= grave_losses(result.worse_impact)
    also = f"By it {grave_words(other, result.estate)}" if graver else ""
    return " ".join(part for part in (said, also, shared) if part)


def shared_words(result: WhatIf, who: str = "The strict check") -> str:
    """Return what the strict check has the domains carrying that the closure alone demotes; empty: none."""
    flows = [f"{short(name)} carrying {_flow(result, kw)}" for name, kw in result.demoted_flows_kw]
    return f"{who} has {some(flows, 3)}." if flows else ""


def _flow(result: WhatIf, kw: float) -> str:
    return f"{'at least ' if result.strict.lower_bound else ''}{number(kw)} kW"


def _degraded(result: WhatIf) -> str:
    degraded = degraded_in_either(result)
    if not degraded:
        return ""
    last = sum(each.spare == 0 for each in degraded)
    return f"{count(len(degraded), 'survivor')} lost a feed; {number(last)} of them cannot lose another."


def _unverified(result: WhatIf) -> str:
    unverified = result.closure.electrically_unverified
    return (
        f"{count(len(unverified), 'survivor')} electrically unverified: not proven safe."
        if unverified
        else ""
    )
