"""What stands over a picture and beneath it: the scenario, its outcome, and what is not drawn."""

from closure.compiled import Facility
from closure.results import Closure, Strict
from topo.diagram.figures import Tally
from topo.diagram.kindwords import kind_word
from topo.diagram.model import NODES, Amount
from topo.diagram.plan import Plan
from topo.diagram.survey import Survey
from topo.text.clean import clean
from topo.text.words import count, number, some

_NAMED = 3
"""Ids named in a headline before it says how many more."""


def title(facility: Facility, closure: Closure) -> str:
    """Return the question that the picture answers."""
    if not closure.failed:
        return f"The facility under {clean(facility.estate.cluster)}"
    names = clean(some(closure.failed, _NAMED))
    return f"What if {names} {'fail' if len(closure.failed) > 1 else 'fails'}?"


def summary(scene: Survey, lost: Tally) -> tuple[str, ...]:
    """Return the outcome: the closure's, then the strict check's; the worse of the two is named."""
    facility, closure, strict = scene.ground.facility, scene.closure, scene.strict
    sizes = f"{count(len(facility.domain_ids), 'domain')}, {count(len(facility.node_ids), 'node')}"
    if not closure.domains and not closure.nodes:
        return (f"{sizes}; nothing failed, nothing lost.",) + _strict(closure, strict)
    lines = [
        f"Closure: {len(closure.domains):,} of {count(len(facility.domain_ids), 'domain')} and "
        f"{len(closure.nodes):,} of {count(len(facility.node_ids), 'node')} lost"
        f"{_units(lost, facility.estate.unit)}."
    ]
    if closure.baseline_domains or closure.baseline_nodes:
        lines.append(
            f"Out of service before: {count(len(closure.baseline_domains), 'domain')} and "
            f"{count(len(closure.baseline_nodes), 'node')} of these."
        )
    return (*lines, *_strict(closure, strict))


def _units(lost: Tally, unit: str) -> str:
    units, critical = lost.units_amount(), lost.critical_amount()
    if not lost.nodes:
        return ""
    return f": {amount_words(units)} {unit.upper()} units, {amount_words(critical)} critical"


def amount_words(amount: Amount) -> str:
    """Return a sum in words; what is not known is said."""
    if amount.known is None:
        return "unknown"
    return f"at least {number(amount.known)}" if amount.unknown else number(amount.known)


def _strict(closure: Closure, strict: Strict | None) -> tuple[str, ...]:
    if strict is None or (strict.agrees and not strict.tripped and not closure.failed):
        return ()
    if strict.agrees and not strict.tripped:
        return ("Strict check: agrees.",)
    closed, checked = {node.id for node in closure.nodes}, set(strict.nodes)
    parts = []
    if strict.tripped:
        trips = some([clean(trip.id) for trip in strict.tripped], _NAMED)
        parts.append(f"{trips} {'trip' if len(strict.tripped) > 1 else 'trips'}")
    if more := len(checked - closed):
        parts.append(f"{count(more, 'node')} more lost")
    if fewer := len(closed - checked):
        parts.append(f"{count(fewer, 'node')} of the closure's survive")
    worse = "closure" if len(closed) > len(checked) else "strict check"
    verdict = "" if len(closed) == len(checked) else f" Worse: the {worse}."
    return (f"Strict check: {', '.join(parts) or 'other domains lost'}.{verdict}",)


def notes(scene: Survey, chosen: Plan) -> tuple[str, ...]:
    """Return what a reader must know about what is not drawn, or drawn together."""
    lines = []
    if any(len(box) > 1 for box in chosen.boxes):
        lines.append(f"Grouped by {chosen.level}: a box with a shadow is several domains, its figures their union.")
    drawn_kinds = {scene.vertices[v].kind for box in chosen.boxes for v in box}
    unaffected = [v for v in chosen.folded if scene.vertices[v].kind not in drawn_kinds]
    for words, vertices in (
        ("Unaffected, not drawn", unaffected),
        ("Other kinds, unaffected, not drawn (--all-kinds)", chosen.hidden),
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
    return f"{words} ({affected:,} of them affected)" if affected else words
