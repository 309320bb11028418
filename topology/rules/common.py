"""What every rule is and gives: facts and routes in, a list of faults out."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from topology.diagnostics import Fault, Route, Severity
from topology.kinds import KINDS, Commodity
from topology.model import Domain
from topology.registry import REGISTRY
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes

Body = Callable[[Facts, "Routes"], list[Fault]]
"""One rule. What it returns does not depend on the order of anything in the file."""


HOPS_SHOWN: Final = 12
"""Members of a chain that a message spells out; ids and related places are complete."""


def fault(
    rule: str,
    message: str,
    route: Route,
    hint: str,
    ids: Iterable[str],
    *,
    related: tuple[tuple[Route, str], ...] = (),
    severity: Severity | None = None,
    key: bool = False,
) -> Fault:
    """Return a fault, with the rule's own severity unless a softer one is said; `key` points at the key."""
    return Fault(
        rule=rule,
        severity=REGISTRY[rule].severity if severity is None else severity,
        message=message,
        route=route,
        hint=hint,
        ids=tuple(ids),
        at="key" if key else "value",
        related=related,
    )


def commodity(domain: Domain) -> Commodity | None:
    """Return what the domain carries; None for nothing, and for a kind that is itself a fault."""
    kind = KINDS.get(domain.kind)
    return None if kind is None else kind.commodity


def quoted(ids: Iterable[str], limit: int = 3) -> str:
    """Return `'a', 'b', 'c' and 7 more`."""
    names = [f"'{name}'" for name in ids]
    more = len(names) - limit
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:limit])} and {more:,} more"


def chain_text(names: Sequence[str]) -> str:
    """Return `'a' -> 'b' -> 'c'`; the middle of a long chain is counted."""
    words = [f"'{name}'" for name in names]
    hidden = len(words) - HOPS_SHOWN
    if hidden > 1:
        half = HOPS_SHOWN // 2
        words = [*words[:half], f"({hidden:,} more)", *words[-half:]]
    return " -> ".join(words)


def plural(count: int, noun: str) -> str:
    """Return `1 node`, `2 nodes`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
