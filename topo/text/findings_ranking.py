"""Every single failure by both engines, ranked and in words: what tables and verdicts of findings share."""

from typing import Final

from findings.context import Context
from findings.survey import Single
from findings.sweep_rows import size
from findings.tally import Tally
from topo.text.words import count, known_cell, percent, usd


def ranked(ctx: Context) -> list[Single]:
    """Return every single failure, the worst first, by the worse of the two engines."""
    singles = ctx.survey().singles.values()
    return sorted(singles, key=lambda one: (*(-part for part in size(leading(ctx, one))), one.domain))


def leading(ctx: Context, one: Single) -> Tally:
    """Return the figures of the engine that loses more."""
    return max(one.tally, ctx.survey().checked(one.domain), key=size)


def critical_cell(tally: Tally) -> str:
    """Return the critical units that are lost."""
    return known_cell(tally.critical_units, unsaid=tally.criticality_unknown)


def standing_cell(tally: Tally) -> str:
    """Return the dollars of what stands in the blast."""
    return known_cell(tally.usd, unsaid=tally.unknown > 0, write=usd)


def strict_words(ctx: Context, one: Single) -> str:
    """Return what the strict check says where it differs."""
    strict = ctx.survey().checked(one.domain)
    return same_words(ctx, one) if size(one.tally) == size(strict) else strict_figure(strict)


def strict_figure(strict: Tally) -> str:
    """Return the critical units and their share, or the nodes where nobody knows them."""
    if strict.critical_units is None:
        return count(strict.nodes, "node")
    return f"{critical_cell(strict)} = {percent(strict.critical_share)}"


def same_words(ctx: Context, one: Single) -> str:
    """Return that both engines say the same, or lose as much of other nodes."""
    return "same" if ctx.survey().same_nodes(one) else OTHER_NODES


OTHER_NODES: Final = "equal, other nodes"
