"""What a box says, line by line: each line as candidates from the fullest wording to the shortest."""

from dataclasses import dataclass
from typing import Final

from closure.tolerance import RELATIVE_TOLERANCE
from topo.diagram.model import NODES, Amount, Box, Gauge, Span
from topo.diagram.states import DEAD, DEAD_IN_STRICT, LOOKS
from topo.kind_words import kind_word
from topo.text.clean import clean
from topo.text.words import count, number

_PRECISIONS: Final = ((1.0, "kW", None), (1.0, "kW", 3), (1000.0, "MW", 3), (1000.0, "MW", 2))
"""How a load may be written: kilowatts in a unit, the unit, significant digits (None: one decimal)."""

_SCALES: Final = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


_NONE: Final = Amount(0)


@dataclass(frozen=True, slots=True)
class BoxText:
    """Candidates per line. Empty: `state` of a safe box, `units` without nodes, `load` without commodity."""

    name: tuple[str, ...]
    state: tuple[str, ...]
    place: tuple[str, ...]
    units: tuple[str, ...]
    load: tuple[str, ...]
    gauge: str


def box_text(box: Box, unit: str, *, ascii_only: bool = False) -> BoxText:
    """Return the lines of a box."""
    return BoxText(
        name=box_name(box),
        state=state_words(box, ascii_only=ascii_only),
        place=_place(box),
        units=_units(box, unit.upper()),
        load=_load(box),
        gauge=gauge_words(box),
    )


def short(value: float) -> str:
    """Return a figure in few characters: 1,164,000 is `1.16 M`."""
    for scale, letter in _SCALES:
        if abs(value) >= scale:
            return f"{value / scale:.3g} {letter}"
    return number(value)


def box_name(box: Box) -> tuple[str, ...]:
    """Return the id of a single thing, or how many of what."""
    if box.single:
        return (clean(box.members[0]),)
    size = len(box.members)
    return (f"{size:,} {kind_word(box.kind, size)}", f"{short(size)} {kind_word(box.kind, size)}")


def state_words(box: Box, *, ascii_only: bool = False) -> tuple[str, ...]:
    """Return the state in words; a box of several states counts them."""
    look = LOOKS[box.state]
    glyph = look.ascii if ascii_only else look.glyph
    if len(box.states) > 1:
        full = [
            f"{LOOKS[s].ascii if ascii_only else LOOKS[s].glyph} {n:,} {LOOKS[s].word}" for s, n in box.states
        ]
        brief = [f"{LOOKS[s].ascii if ascii_only else LOOKS[s].glyph} {short(n)}" for s, n in box.states]
        return (" · ".join(full), " · ".join(brief), " ".join(part.replace(" ", "") for part in brief))
    if box.state == "safe":
        return ()
    word = f"{glyph} {look.word}"
    return (*(f"{word} · {detail}" for detail in _details(box)), word)


def _details(box: Box) -> list[str]:
    details = []
    if box.state in {"degraded", "unverified"} and box.spare is not None:
        spare = f"{box.spare} spare" if box.spare else "no spare"
        if box.feeds_left is not None and box.kind not in {"rack", NODES}:
            left, of = box.feeds_left
            details.append(f"{left} of {of} feeds")
            if box.state == "degraded":
                details.insert(0, f"{left} of {of} feeds, {spare}")
        details.append(spare)
    if box.strict_survives:
        details += ["strict check: alive", "strict: alive"]
    return details


def _place(box: Box) -> tuple[str, ...]:
    if box.kind == NODES:
        return ("outside racks",) if box.state != "failed" else ("node",)
    if not box.nodes:
        return ("no node stands on it", "no nodes")
    lost, strict, nodes = box.nodes_lost, box.nodes_strict_lost, count(box.nodes, "node")
    if not _gone(box):
        return (nodes if box.single else f"{nodes} in all", nodes, f"{short(box.nodes)} nodes")
    if strict > lost:
        return (
            f"{lost:,} (strict {strict:,}) of {nodes} lost",
            f"{lost:,} (strict {strict:,}) of {box.nodes:,} lost",
            f"{short(lost)} (strict {short(strict)}) of {short(box.nodes)} lost",
        )
    return (
        f"{lost:,} of {nodes} lost",
        f"{lost:,} of {box.nodes:,} lost",
        f"{short(lost)} of {short(box.nodes)} lost",
    )


def _gone(box: Box) -> bool:
    """Return whether the box is to say how much is lost, be it nothing: it is lost itself, or nodes are."""
    dead = any(state in DEAD | DEAD_IN_STRICT for state, _ in box.states)
    return dead or bool(box.nodes_lost or box.nodes_strict_lost)


def _units(box: Box, unit: str) -> tuple[str, ...]:
    if not box.nodes:
        return ()
    if box.units.known is None:
        return (f"{unit} unknown",)
    if _gone(box) and box.units != _NONE:
        return _units_lost(box, unit)
    critical = box.critical_units
    return tuple(
        f"{_amount(box.units, brief=brief)} {unit} · {_amount(critical, brief=brief)} {word}"
        for brief, word in _BREVITIES
    )


_BREVITIES: Final = ((False, "critical"), (False, "crit."), (True, "critical"), (True, "crit."))


def _units_lost(box: Box, unit: str) -> tuple[str, ...]:
    """Say how many of the units that stand there are lost, and the same of the critical ones."""
    closure = box.lost
    strict = box.strict_lost if box.strict_lost.nodes > closure.nodes else None
    worse = (None, None) if strict is None else (strict.units, strict.critical_units)
    texts = []
    for brief, word in _BREVITIES:
        units = _share_lost(closure.units, worse[0], box.units, brief=brief)
        critical = _share_lost(closure.critical_units, worse[1], box.critical_units, brief=brief)
        texts.append(f"{units} {unit} lost · {critical} {word}")
    for brief in (False, True):
        units = _share_lost(closure.units, worse[0], box.units, brief=brief)
        # In a narrow box the line above says which of two figures is the strict check's, and what of.
        brief_units = units.replace("(strict ", "(")
        texts += [f"{units} {unit} lost", f"{brief_units} {unit} lost", f"{brief_units} {unit}"]
    return tuple(texts)


def _share_lost(lost: Amount, strict: Amount | None, of: Amount, *, brief: bool) -> str:
    if of == _NONE or (of.known is None and lost == _NONE and strict in (None, _NONE)):
        return "0"
    if of.known is None:
        return "?"
    more = "" if strict is None else f" (strict {_amount(strict, brief=brief)})"
    return f"{_amount(lost, brief=brief)}{more} of {_amount(of, brief=brief)}"


def _amount(amount: Amount, *, brief: bool) -> str:
    if amount.known is None:
        return "?"
    figure = short(amount.known) if brief else number(amount.known)
    return f"≥ {figure}" if amount.unknown else figure


def _load(box: Box) -> tuple[str, ...]:
    if box.carries == "other":
        return ()
    if box.load is None:
        rating = _rating(box, 1.0, "kW")
        return (f"load unknown · {rating}", f"load ? · {rating}")
    each = "" if box.single else " each"
    more = f" · {box.load_unknown:,} unknown" if box.load_unknown else ""
    word, carried = ("load", box.load) if box.flow is None else ("flow", box.flow)
    texts: list[str] = []
    for scale, letters, digits in _PRECISIONS:
        if scale > 1 and carried.high < scale:
            continue
        amount = _span(carried, scale, digits)
        if box.rated is not None and not box.unrated:
            figures = f"{amount} of {_span(box.rated, scale, digits)} {letters}{each}"
        else:
            figures = f"{amount} {letters}{each} · {_rating(box, scale, letters)}"
        if not texts and box.flow is not None:
            texts.append(f"{word} {figures}{_on_it(box, amount)}{more}")
        texts += [f"{word} {figures}{more}", f"{figures}{more}" if more else f"{word} {figures}", figures]
        if "–" in amount:
            # A range already says that it is not the group's total.
            texts.append(figures.replace(" each", ""))
    return tuple(texts)


def _on_it(box: Box, amount: str) -> str:
    """Say the static load where it is another figure than what flows: other feeds share it."""
    load = "" if box.load is None else _span(box.load, 1.0, None)
    return "" if load == amount else f" · load on it {load} kW"


def _rating(box: Box, scale: float, letters: str) -> str:
    if box.rated is None:
        return "unrated"
    if box.unrated:
        return f"{box.unrated:,} unrated"
    return f"rated {_span(box.rated, scale, None)} {letters}"


def _span(values: Span, scale: float, digits: int | None) -> str:
    """Return a range of kilowatts at a scale, to one decimal or to so many significant digits."""
    low, high = (
        number(value / scale, 1) if digits is None else number(float(f"{value / scale:.{digits}g}"), 3)
        for value in (values.low, values.high)
    )
    return low if low == high else f"{low}–{high}"


def gauge_words(box: Box) -> str:
    """Say how full the fullest domain is, before and in the strict check; or what an unrated one takes on."""
    if box.gauge is not None:
        return gauge_percent(box.gauge)
    return "" if box.shift_kw is None else f"carries +{short(round(box.shift_kw, 1))} kW"


def gauge_percent(gauge: Gauge) -> str:
    """Return the shares of a gauge as percentages."""
    before = share(gauge.before)
    if gauge.after is None:
        return before
    return f"{before.removesuffix(' %')} → {'≥ ' if gauge.lower_bound else ''}{share(gauge.after)}"


def share(value: float) -> str:
    """Return a share as whole percent; one above 1 never reads 100 %, one below never either."""
    percent = round(value * 100)
    if percent == 100 and abs(value - 1) > RELATIVE_TOLERANCE:
        return "> 100 %" if value > 1 else "> 99 %"
    return f"{percent:,} %"
