"""The shed over time as a picture: two staircases, what is asked, and the deadline."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from findings.curtail.plan import Plan
from topo.diagram.fit import text_width
from topo.diagram.palette import LIGHT, Palette
from topo.diagram.svg import FONT
from topo.diagram.xml import escaped
from topo.text.words import count, minutes, number

_WIDTH: Final = 760
_HEIGHT: Final = 400
_LEFT: Final = 76
_RIGHT: Final = 28
_TOP: Final = 84
_BOTTOM: Final = 56
_TICKS: Final = 6
_EXPECTED: Final = "7 4"
_ASKED: Final = "2 3"
_DEADLINE: Final = "8 4"
_CEILING: Final = 1.08
"""The axis reaches this far beyond the largest figure [-]."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """The plot: how many minutes and kW its axes span."""

    minutes: float
    kw: float

    def x(self, at: float) -> float:
        return _LEFT + at / self.minutes * (_WIDTH - _LEFT - _RIGHT)

    def y(self, kw: float) -> float:
        return _HEIGHT - _BOTTOM - kw / self.kw * (_HEIGHT - _TOP - _BOTTOM)


@dataclass(frozen=True, slots=True)
class Mark:
    """What is asked [kW], or by when [min]: where its line stands, and what it is called."""

    at: float
    words: str


def staircase_svg(
    plan: Plan,
    asked: Mark | None,
    deadline: Mark | None,
    title: str,
    *,
    said: str = "",
    axis: str = "kW shed",
    stale: str = "",
    palette: Palette = LIGHT,
) -> str:
    """Return the staircase of a plan as SVG text; what cannot be timed is said, not drawn.

    `said` goes under the title, by default what the plan sheds by when. `stale` warns of an old snapshot;
    empty for a fresh one.
    """
    last = max([1.0, deadline.at if deadline else 0.0, *(step.minutes for step in plan.staircase)])
    frame = _Frame(last * _CEILING, max(asked.at if asked else 0.0, plan.kw, 1e-9) * _CEILING)
    expected = [(step.minutes, step.expected_kw) for step in plan.staircase]
    worst = [(step.minutes, step.worst_kw) for step in plan.staircase]
    marks = [
        *_head(title, said or shed_words(plan), stale, palette),
        *_axes(frame, axis, palette),
        *_steps(frame, expected, palette.heat, _EXPECTED),
        *_steps(frame, worst, palette.text, ""),
        *_lines(frame, asked, deadline, palette),
        *_legend(asked, deadline, palette),
    ]
    return "".join(marks) + "</svg>\n"


def _head(title: str, said: str, stale: str, palette: Palette) -> Iterator[str]:
    about = f"{stale} {said}" if stale else said
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="title about" font-family="{FONT}">\n'
        f'<title id="title">{escaped(title)}</title>\n<desc id="about">{escaped(about)}</desc>\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{palette.page}"/>\n'
    )
    if not stale:
        yield _text(_LEFT, 28, title, palette.text, size=16, bold=True)
        yield _text(_LEFT, 50, said, palette.muted, size=12)
        return
    yield _text(_LEFT, 22, title, palette.text, size=16, bold=True)
    yield _text(_LEFT, 38, said, palette.muted, size=12)
    yield _text(_LEFT, 54, stale.partition(". ")[0] + ".", palette.over, size=12, bold=True)


def shed_words(plan: Plan, part: str = "") -> str:
    """Return what a plan sheds by when, and what `part` of it counts, in a line."""
    bound = "at most " if plan.upper_bound else ""
    untimed = f"; {number(plan.untimed_kw)} kW cannot be timed" if plan.untimed_kw else ""
    worst = minutes(plan.time.worst_minutes)
    expected = minutes(plan.time.expected_minutes)
    verb = "sheds" if len(plan.pauses) == 1 else "shed"
    shed = f"{count(len(plan.pauses), 'pause')} {verb} {bound}{number(plan.kw)} kW{part}"
    return f"{shed}: {expected} expected, {worst} at worst{untimed}"


def _axes(frame: _Frame, axis: str, palette: Palette) -> Iterator[str]:
    left, right, bottom = _LEFT, _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for kw in _ticks(frame.kw):
        y = frame.y(kw)
        yield _line((left, y), (right, y), palette.muted, width=0.5, dash="1 4")
        yield _text(left - 8, y + 4, number(kw), palette.text, anchor="end")
    for minute in _ticks(frame.minutes):
        x = frame.x(minute)
        yield _line((x, bottom), (x, bottom + 5), palette.muted)
        yield _text(x, bottom + 20, number(minute), palette.text, anchor="middle")
    yield _line((left, bottom), (right, bottom), palette.text)
    yield _line((left, _TOP), (left, bottom), palette.text)
    yield _text((left + right) / 2, _HEIGHT - 12, "minutes after the orders", palette.text, anchor="middle")
    yield _text(left - 8, _TOP - 10, axis, palette.text, anchor="end")


def _steps(frame: _Frame, points: Sequence[tuple[float, float]], colour: str, dash: str) -> Iterator[str]:
    if not points:
        return
    path = [f"M{_n(frame.x(points[0][0]))} {_n(frame.y(points[0][1]))}"]
    for minute, kw in points[1:]:
        path.append(f"H{_n(frame.x(minute))}V{_n(frame.y(kw))}")
    path.append(f"H{_n(_WIDTH - _RIGHT)}")
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    yield f'<path d="{"".join(path)}" fill="none" stroke="{colour}" stroke-width="2.5"{dashes}/>\n'


def _lines(frame: _Frame, asked: Mark | None, deadline: Mark | None, palette: Palette) -> Iterator[str]:
    if asked is not None:
        y = frame.y(asked.at)
        yield _line((_LEFT, y), (_WIDTH - _RIGHT, y), palette.over, width=1.5, dash=_ASKED)
    if deadline is not None:
        x = frame.x(deadline.at)
        yield _line((x, _TOP), (x, _HEIGHT - _BOTTOM), palette.over, width=1.5, dash=_DEADLINE)


def _legend(asked: Mark | None, deadline: Mark | None, palette: Palette) -> Iterator[str]:
    samples = [
        ("at worst: what can be promised", palette.text, ""),
        ("expected", palette.heat, _EXPECTED),
    ]
    marks = ((asked, _ASKED), (deadline, _DEADLINE))
    samples += [(mark.words, palette.over, dash) for mark, dash in marks if mark is not None]
    x = float(_LEFT)
    for words, colour, dash in samples:
        yield _line((x, 66), (x + 30, 66), colour, width=2, dash=dash)
        yield _text(x + 36, 70, words, palette.text)
        x += 36 + text_width(words, 12) + 18


def _ticks(span: float) -> list[float]:
    """Return about six round numbers from 0 to `span`."""
    rough = span / _TICKS
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
    return [count * step for count in range(math.floor(span / step) + 1)]


def _line(
    start: tuple[float, float], end: tuple[float, float], colour: str, *, width: float = 1, dash: str = ""
) -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{_n(start[0])}" y1="{_n(start[1])}" x2="{_n(end[0])}" y2="{_n(end[1])}" '
        f'stroke="{colour}" stroke-width="{width}"{dashes}/>\n'
    )


def _text(
    x: float, y: float, words: str, colour: str, *, size: int = 12, bold: bool = False, anchor: str = "start"
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>'
        f"{escaped(words)}</text>\n"
    )


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
