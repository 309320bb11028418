"""Ratings and draws that no such equipment has: W or MW typed where kW are read (rule implausible-rating)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from topology.diagnostics import Fault, Route
from topology.model import Domain, Estate, Number
from topology.rules.common import commodity, fault
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes

LARGEST_RACK_KW: Final = 2_000
"""Rating [kW] above which a rack is doubted: the densest that are announced stay below 1,000."""

LARGEST_UNIT_KW: Final = 20_000
"""Rating [kW] above which a PDU, ATS or UPS is doubted: at low voltage 6,300 A are about 4,500 kW, and
parallel blocks of UPS reach a few times that."""

LARGEST_PLANT_KW: Final = 500_000
"""Rating [kW] above which what is built for a whole campus is doubted: a transformer, a generator, medium
voltage switchgear, a cooling plant."""

SMALLEST_UNIT_KW: Final = 1
"""Rating [kW] below which a PDU, ATS, UPS, cooling unit or utility is doubted: one cord of 10 A at 120 V
carries 1 kW, and a megawatt typed as 1 is not told from it."""

SMALLEST_PLANT_KW: Final = 5
"""Rating [kW] below which a transformer, a generator or switchgear is doubted: those of buildings start at
about 10 kW."""

SMALLEST_RACK_KW: Final = 0.5
"""Rating [kW] below which a rack is doubted: less does not run one server."""

SIBLING_RATIO: Final = 500
"""Ratio [-] of the ratings of two siblings from which another unit is more likely: W, kW and MW are 1,000
apart, and siblings that differ by half of that by design are unknown."""

LARGEST_UNIT_DRAW_KW: Final = 100
"""Draw [kW] of one GPU or core above which it is doubted: the largest accelerators draw below 4 kW."""

_LARGEST_KW: Final = {
    "rack": LARGEST_RACK_KW,
    **dict.fromkeys(("power", "ats", "ups"), LARGEST_UNIT_KW),
    **dict.fromkeys(("switchgear", "transformer", "generator", "cooling"), LARGEST_PLANT_KW),
}
"""Kind -> rating [kW]; a utility has no bound."""

_SMALLEST_KW: Final = {
    "rack": SMALLEST_RACK_KW,
    **dict.fromkeys(("power", "ats", "ups", "cooling", "utility"), SMALLEST_UNIT_KW),
    **dict.fromkeys(("switchgear", "transformer", "generator"), SMALLEST_PLANT_KW),
}
"""Kind -> rating [kW]."""

Rated = tuple[Number, Domain]
"""A rating [kW] and what has it."""

_UNIT_HINT: Final = "kW, not W or MW? Write the rating in kW, or leave it out where it is unknown."
_DRAW_HINT: Final = "kW per unit, not W? 700 W are 0.7."


def implausible_rating(facts: Facts, routes: "Routes") -> list[Fault]:
    """A `ratedKw` that no equipment of that kind has, or that is 500 times its siblings'."""
    rated = [
        (each.rated_kw, each) for each in facts.declared if each.rated_kw is not None and commodity(each)
    ]
    apart = _apart(rated)
    faults = []
    for rated_kw, domain in rated:
        sibling = ""
        message = _out_of_band(rated_kw, domain.kind)
        if not message and domain.id in apart:
            sibling_kw, sibling = apart[domain.id]
            ratio = max(rated_kw, sibling_kw) / min(rated_kw, sibling_kw)
            message = f"its sibling '{sibling}' has {_kw(sibling_kw)}, a ratio of {ratio:,.0f}"
        if message:
            faults.append(
                fault(
                    "implausible-rating",
                    f"'{domain.id}' is rated {_kw(rated_kw)}: {message}",
                    routes.domain(domain.id, "ratedKw"),
                    _hint(rated_kw) if rated_kw < _SMALLEST_KW[domain.kind] else _UNIT_HINT,
                    [domain.id, sibling] if sibling else [domain.id],
                    related=((routes.domain(sibling, "ratedKw"), "its sibling's rating"),) if sibling else (),
                )
            )
    return faults


def _hint(rated_kw: Number) -> str:
    return f"kW, not MW? {rated_kw:.10g} MW are {rated_kw * 1_000:,.10g} kW. Leave out what is unknown."


def _out_of_band(rated_kw: Number, kind: str) -> str:
    largest_kw = _LARGEST_KW.get(kind)
    smallest_kw = _SMALLEST_KW[kind]
    if rated_kw < smallest_kw:
        return f"nothing of kind {kind} has less than {smallest_kw:g} kW"
    if largest_kw is not None and rated_kw > largest_kw:
        return f"nothing of kind {kind} has more than {largest_kw:,} kW"
    return ""


def _apart(rated: list[Rated]) -> dict[str, tuple[Number, str]]:
    """Return, by id, the rating and the id of the sibling from which a domain's rating is far."""
    groups: dict[tuple[str, object], list[Rated]] = {}
    for each in rated:
        domain = each[1]
        if domain.parent is not None:
            groups.setdefault((domain.kind, domain.parent), []).append(each)
        if domain.feeds:
            groups.setdefault((domain.kind, frozenset(domain.feeds)), []).append(each)
    found: dict[str, tuple[Number, str]] = {}
    for group in groups.values():
        for domain, (sibling_kw, sibling) in _outliers(sorted(group, key=lambda each: (each[0], each[1].id))):
            found.setdefault(domain.id, (sibling_kw, sibling.id))
    return found


def _outliers(group: list[Rated]) -> Iterator[tuple[Domain, Rated]]:
    """Yield who of a group in order of rating is far from its middle, and the one in the middle.

    Where most have the wrong unit the others are named: the message shows both figures.
    """
    low, high = group[(len(group) - 1) // 2], group[len(group) // 2]
    large = [domain for rated_kw, domain in group if rated_kw >= SIBLING_RATIO * low[0]]
    for domain in large:
        yield domain, low
    if not large:
        yield from ((domain, high) for rated_kw, domain in group if SIBLING_RATIO * rated_kw <= high[0])


def implausible_draw(estate: Estate, routes: "Routes", top: Route = ()) -> list[Fault]:
    """A draw of one unit that no GPU or core has; `top` is the route of the estate."""
    faults = [
        _draw_fault(key, drawn, (*top, key), "")
        for key, drawn in (
            ("wattsPerUnitKw", estate.watts_per_unit_kw),
            ("idleKwPerUnit", estate.idle_kw_per_unit),
        )
        if drawn is not None and drawn > LARGEST_UNIT_DRAW_KW
    ]
    for key, attribute in (("kwPerUnit", "kw_per_unit"), ("idleKwPerUnit", "idle_kw_per_unit")):
        large: list[tuple[str, Number]] = [
            (node.id, drawn)
            for node in estate.nodes
            if (drawn := getattr(node, attribute)) is not None and drawn > LARGEST_UNIT_DRAW_KW
        ]
        if large:
            node_id, largest = min(large)
            more = f" (and {len(large) - 1:,} more)" if len(large) > 1 else ""
            faults.append(
                _draw_fault(key, largest, (*routes.node(node_id), key), f" of node '{node_id}'{more}")
            )
    return faults


def _draw_fault(key: str, drawn_kw: Number, route: Route, whose: str) -> Fault:
    message = f"{key}{whose} is {_kw(drawn_kw)}: no unit draws more than {LARGEST_UNIT_DRAW_KW} kW"
    return fault("implausible-rating", message, route, _DRAW_HINT, [])


def _kw(value: Number | None) -> str:
    return f"{value:,.10g} kW"
