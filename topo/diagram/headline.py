"""What stands over a picture and beneath it: the scenario, its outcome, and what is not drawn."""

from collections.abc import Sequence

from closure.compiled import Facility
from closure.results import Closure, Strict
from findings.unproven import overloadable_by_id
from topo.diagram.machines import Stock
from topo.diagram.model import NODES, Amount
from topo.diagram.plan import Plan
from topo.diagram.survey import Survey
from topo.kind_words import kind_word
from topo.text.clean import clean
from topo.text.table import clip
from topo.text.verdict import unproven_words
from topo.text.words import count, number, some

_NAMED = 3
"""Ids named in a headline before it says how many more."""
_CLIP = 48
"""Cells that a named id may take."""


def title(facility: Facility, closure: Closure, focus: tuple[str, ...]) -> str:
    """Return the question that the picture answers."""
    around = f" (around {_names(focus)})" if focus else ""
    if not closure.failed:
        return f"The facility under {_names([facility.estate.cluster])}{around}"
    names = _names(closure.failed)
    return f"What if {names} {'fail' if len(closure.failed) > 1 else 'fails'}?{around}"


def _names(ids: Sequence[str]) -> str:
    return some([clip(clean(name), _CLIP) for name in ids[:_NAMED]] + list(ids[_NAMED:]), _NAMED)


def summary(scene: Survey, lost: Stock, strict_lost: Stock) -> tuple[str, ...]:
    """Return the outcome: the closure's, then the strict check's; the worse of the two is named."""
    facility, closure = scene.ground.facility, scene.closure
    if not closure.domains and not closure.nodes:
        domains, nodes = len(facility.domain_ids), len(facility.node_ids)
        return (f"{count(domains, 'domain')}, {count(nodes, 'node')}; nothing fails, nothing is lost.",)
    lines = [f"Closure: {_outcome(facility, len(closure.domains), lost)}."]
    if closure.baseline_domains or closure.baseline_nodes:
        lines.append(
            f"Out of service before: {count(len(closure.baseline_domains), 'domain')} and "
            f"{count(len(closure.baseline_nodes), 'node')} of these."
        )
    if scene.strict is not None:
        lines.append(f"Strict check: {_strict(facility, closure, scene.strict, strict_lost)}")
    if doubt := _doubt(scene, lost.nodes + strict_lost.nodes):
        lines.append(doubt)
    return tuple(lines)


def _doubt(scene: Survey, lost: int) -> str:
    """Return why survivors are not proven safe, after the verdict that follows where no node is lost."""
    facility, closure = scene.ground.facility, scene.closure
    if scene.strict is None:
        said = unproven_words(closure, overloadable=bool(closure.electrically_unverified))
    else:
        overloadable = overloadable_by_id(facility, closure, scene.strict)
        said = unproven_words(closure, overloadable=overloadable, unplaced=scene.unplaced)
    return f"UNKNOWN: {said}" if said and not lost else said


def _outcome(facility: Facility, domains: int, lost: Stock) -> str:
    said = (
        f"{domains:,} of {count(len(facility.domain_ids), 'domain')} and "
        f"{lost.nodes:,} of {count(len(facility.node_ids), 'node')} lost"
    )
    if not lost.nodes:
        return said
    units, critical, word = lost.units.amount(), lost.critical_amount(), unit_word(facility.estate.unit)
    if units.known is None:
        return f"{said}; how many {word} that is, is unknown"
    if critical.known is None:
        return f"{said}: {_amount(units)} {word}, of which critical: unknown"
    return f"{said}: {_amount(units)} {word}, {_amount(critical)} of them critical"


def unit_word(unit: str) -> str:
    """Return what the units of an estate are called."""
    return "GPUs" if unit == "gpu" else "cores"


def _amount(amount: Amount) -> str:
    return f"at least {number(amount.known)}" if amount.unknown else number(amount.known)


def _strict(facility: Facility, closure: Closure, strict: Strict, lost: Stock) -> str:
    if strict.agrees and not strict.tripped:
        return "agrees."
    trips = _names([trip.id for trip in strict.tripped])
    said = f"{trips} {'trip' if len(strict.tripped) > 1 else 'trips'}; " if strict.tripped else ""
    said += _outcome(facility, len(strict.domains), lost)
    if len(strict.nodes) == len(closure.nodes):
        return f"{said}."
    worse = "strict check" if len(strict.nodes) > len(closure.nodes) else "closure"
    return f"{said}. The {worse} is worse."


def notes(scene: Survey, chosen: Plan) -> tuple[str, ...]:
    """Return what a reader must know about what is not drawn, or drawn together."""
    lines = []
    if any(len(box) > 1 for box in chosen.boxes):
        lines.append(
            f"Grouped by {chosen.level}: one box may be several domains; its figures are of their union."
        )
    drawn_kinds = {scene.vertices[v].kind for box in chosen.boxes for v in box}
    unaffected = [v for v in chosen.folded if scene.vertices[v].kind not in drawn_kinds]
    for words, vertices in (
        ("Not drawn", unaffected),
        ("Other kinds, not drawn (--all-kinds)", chosen.hidden),
        ("Outside the focus", chosen.outside),
    ):
        if vertices:
            lines.append(f"{words}: {_kinds(scene, vertices)}.")
    strict = scene.strict
    if strict is not None and strict.lower_bound:
        lines.append("The draw of some nodes is unknown: what is carried is a lower bound.")
    return tuple(lines)


def _kinds(scene: Survey, vertices: list[int] | tuple[int, ...]) -> str:
    counts: dict[str, int] = {}
    affected = 0
    for v in vertices:
        vertex = scene.vertices[v]
        counts[vertex.kind] = counts.get(vertex.kind, 0) + (len(vertex.nodes) if vertex.kind == NODES else 1)
        affected += vertex.state != "safe"
    words = ", ".join(f"{amount:,} {kind_word(kind, amount)}" for kind, amount in sorted(counts.items()))
    return f"{words} ({affected:,} of them with nodes lost)" if affected else words
