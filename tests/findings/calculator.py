"""A sceptic's calculator: redoes an explanation from what `topo explain` prints, and nothing else."""

import math
import re
from typing import Any

_SYMBOLS = {"×": "*", "÷": "/", "−": "-", "≥": ">=", "≤": "<="}
_FUNCTIONS = {"ln": math.log, "exp": math.exp, "min": min, "max": max, "abs": abs}
_ARITHMETIC = re.compile(r"(?:[\d.eE+\-*/()<>=, ]|ln|exp|min|max|abs)+")


def arithmetic(text: str) -> float:
    """Evaluate a line of arithmetic; a comparison is 1 or 0."""
    for symbol, operator in _SYMBOLS.items():
        text = text.replace(symbol, operator)
    assert _ARITHMETIC.fullmatch(text), text
    return float(eval(text, {"__builtins__": {}}, dict(_FUNCTIONS)))  # noqa: S307


def redo(term: dict[str, Any]) -> None:
    """Recompute a term and everything behind it; fail where a printed value does not follow."""
    parts = term.get("terms", [])
    for part in parts:
        redo(part)
    how, value = term["how"], term["value"]
    if how in {"sum", "max"}:
        _redo_fold(how, value, parts)
    elif how and "unknown" not in how:
        _redo_line(how, value)
    elif how:
        assert value is None, term
    if value is None:
        assert term["basis"] == "unknown", term


def _redo_fold(how: str, value: float | None, parts: list[dict[str, Any]]) -> None:
    known = [part["value"] for part in parts if part["value"] is not None]
    if value is None:
        assert len(known) < len(parts) or not parts
        return
    if not parts:
        assert value == 0
        return
    result = math.fsum(known) if how == "sum" else max(known)
    assert math.isclose(result, value, rel_tol=1e-9, abs_tol=1e-12), (how, result, value)


def _redo_line(how: str, value: Any) -> None:
    if isinstance(value, str):
        assert verdict(how) == value
    elif value is not None:
        assert math.isclose(arithmetic(how), value, rel_tol=1e-9, abs_tol=1e-12), (how, value)


def verdict(how: str) -> str:
    """Decide a thermal race from its two printed questions: worst ≤ ride-through? expected > it?"""
    if ";" not in how:
        return how
    asked = [side.split("?") for side in how.split(";")]
    in_time, too_late = (bool(arithmetic(question)) for question, _ in asked)
    assert [answer.strip() == "yes" for _, answer in asked] == [in_time, too_late]
    return "checkpointable" if in_time else "not-checkpointable" if too_late else "tight"
