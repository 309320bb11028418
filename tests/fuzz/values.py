"""Documents as values, changed here and there: what a person, a tool or a half-written file gets wrong."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from topology.kinds import AXES, KINDS

Value = Any

SCALARS: tuple[Value, ...] = (
    *(
        None,
        True,
        False,
        0,
        -0.0,
        1,
        2,
        7,
        8,
        0.5,
        1e-300,
        1e15,
        1e300,
        -1,
        -0.1,
        24,
        100,
        10**15,
        10**15 + 1,
    ),
    *(float("nan"), float("inf"), float("-inf"), 10**400, -(10**30), 4294967295, 9223372036854775792),
    *(
        "",
        " ",
        "x",
        "in",
        "out",
        "share",
        "preferred",
        "40",
        "1e3",
        "012",
        "on",
        "no",
        "null",
        "~",
        "<<",
        "=",
        "*a",
    ),
    *("100%", "50%", "3060164198400m", "131072k", "0.1m", "1Ki", "8", "-8", "1e999", "٣", "true", "True"),
    *("2026-11-30T12:00:00Z", "2026-02-30T12:00:00Z", "2026-11-30T12:00:00", "0001-01-01T00:00:00+23:59"),
    *("9999-12-31T23:59:60Z", "2026-11-30t12:00:00.123456789-00:00", "2026-01-01"),
    *(
        "\x00",
        "\x1b[31m",
        "\u202e",
        "\ud800",
        "\U0001f600",
        "é",
        "e\u0301",
        "\x85",
        "\u2028",
        "a\nb",
        "a\rb",
        "\t",
    ),
    *(
        "n" * 4096,
        "n" * 4097,
        "a, b",
        "{a: b}",
        "[a]",
        "- a",
        "# a",
        "a: b",
        "a #b",
        "'",
        '"',
        "\\",
        "<b>",
        "%s",
    ),
)
"""Values where something else was meant."""

LISTS: tuple[Value, ...] = (
    [],
    [None],
    ["x", "x"],
    [5] * 24,
    [None] * 24,
    [0] * 23,
    {},
    {"any": []},
    {"all": ["x"]},
)

KEYS = (
    *"kind parent feeds minFeeds ratedKw rideThroughMinutes loadKw measuredKw transfer overload".split(),
    *"failuresPerYear repairHours description contact version nodes domains verifiedAt $schema any".split(),
    *"id allocated installed utilization utilizationBasis placements replicas minAvailable gang all".split(),
    *"workloads loops hourlyActions topology text provenance signals caveats clusters notes sample".split(),
    *"kwPerUnit pricePerUnitHour wattsPerUnitKw unit snapshotAt schemaVersion percent seconds ready".split(),
    *"metadata name namespace labels annotations spec status items capacity allocatable requests".split(),
    *"limits model roles critical ratedKW Kind feed '' <<".split(),
    *AXES,
)


def routes(value: Value, route: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the route of everything within a value, itself first."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [route, *(deeper for key, one in inner for deeper in routes(one, (*route, key)))]


def at(value: Value, route: tuple[Any, ...]) -> Value:
    """Return what stands at a route."""
    for step in route:
        value = value[step]
    return value


def changed(value: Value, dice: Random, other: Value) -> Value:
    """Return a copy with up to four changes; `other` is a document to borrow from."""
    value = copy.deepcopy(value)
    for _ in range(dice.choice((0, 0, 1, 1, 1, 2, 2, 3, 4))):
        value = _changed_once(value, dice, other)
    return value


def _changed_once(value: Value, dice: Random, other: Value) -> Value:
    everywhere = routes(value)
    route = dice.choice(everywhere)
    if not route:
        return value if dice.random() < 0.95 else _anything(dice)
    box, step = at(value, route[:-1]), route[-1]
    dice.choice((_replace, _replace, _reuse, _reuse, _refer, _refer, _nudge, _remove, _add, _add, _twice))(
        value, box, step, dice, other
    )
    return value


def _anything(dice: Random) -> Value:
    return copy.deepcopy(dice.choice(LISTS) if dice.random() < 0.2 else dice.choice(SCALARS))


def _replace(_value: Value, box: Value, step: Any, dice: Random, _other: Value) -> None:
    box[step] = _anything(dice)


def _reuse(value: Value, box: Value, step: Any, dice: Random, other: Value) -> None:
    source = value if dice.random() < 0.7 else other
    box[step] = copy.deepcopy(at(source, dice.choice(routes(source))))


def _refer(value: Value, box: Value, step: Any, dice: Random, _other: Value) -> None:
    """Name another thing of the same document: chains, cycles, clashes."""
    domains = value.get("domains") if isinstance(value, dict) else None
    names = [*domains] if isinstance(domains, dict) and domains else [*KINDS]
    name = dice.choice(names) if dice.random() < 0.9 else dice.choice([*KINDS])
    box[step] = [name, dice.choice(names)] if isinstance(box[step], list) or dice.random() < 0.1 else name


def _nudge(_value: Value, box: Value, step: Any, dice: Random, _other: Value) -> None:
    """A number a little different, a text a little longer."""
    now = box[step]
    if isinstance(now, bool):
        box[step] = not now
    elif isinstance(now, int | float):
        near = min(max(now, -1e99), 1e99)  # divides and multiplies without an OverflowError
        box[step] = dice.choice((now + 1, now - 1, now * 2, -now, near / 2, near * 1e9))
    elif isinstance(now, str):
        box[step] = dice.choice(
            (now[:-1], now + dice.choice("0-_ .X\u200b"), now.upper(), now[::-1], now * 2)
        )
    elif isinstance(now, list):
        dice.shuffle(now)


def _remove(_value: Value, box: Value, step: Any, _dice: Random, _other: Value) -> None:
    del box[step]


def _add(_value: Value, box: Value, _step: Any, dice: Random, _other: Value) -> None:
    if isinstance(box, dict):
        box[dice.choice(KEYS)] = _anything(dice)
    elif box:
        box.insert(dice.randrange(len(box) + 1), copy.deepcopy(dice.choice(box)))


def _twice(_value: Value, box: Value, step: Any, dice: Random, _other: Value) -> None:
    """The same thing under another name."""
    if isinstance(box, dict):
        box[f"{step}{dice.choice(('', '2', '-', ' '))}"] = copy.deepcopy(box[step])
    elif len(box) < 100:
        box.append(copy.deepcopy(box[step]))
