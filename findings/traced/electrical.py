"""Findings about ratings: demotion, unverified survivors, overcommitment, stranded capacity, meters."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from closure.compiled import Load
from findings import constants
from findings.amounts import partial_sum
from findings.bases import flow_basis
from findings.caveats import flow_caveats
from findings.confidence import badge
from findings.context import LOADS, Context
from findings.electrical import Meter, Rated
from findings.feeds import FeedLoss
from findings.finding import Finding
from findings.term import Basis, Each, Term, flag, greatest, number, root, summed, term
from findings.worst_survivor import WorstSurvivor

DEMOTION = "rated-feed-demotion"
UNVERIFIED = "electrically-unverified"
OVERCOMMITTED = "overcommitted"
STRANDED = "stranded-capacity"
METER = "meter-mismatch"
SURVIVOR = "worst-survivor"


def electrical_findings(ctx: Context) -> Iterator[Finding]:
    """Yield every finding about ratings, at allocated and at installed load."""
    for load in LOADS:
        yield _demotion(ctx, load)
        yield _unverified(ctx, load)
        yield _overcommitted(ctx, load)
        yield _stranded(ctx, load)
        yield _meters(ctx, load)
        yield _worst_survivor(ctx, load)


def _demotion(ctx: Context, load: Load) -> Finding:
    losses = ctx.beyond(load).feed_losses
    title = "Domains that the loss of one feed demotes: redundant on paper, too weak in fact"
    flags = {name: _any(loss.demoted for loss in each) for name, each in losses.items()}
    demoted = partial(_demoted, ctx)
    return _count(DEMOTION, load, title, flags, lambda name: Each(demoted, losses[name]), flow_basis(ctx))


def _without(loss: FeedLoss) -> str:
    taken = f", which takes {' and '.join(loss.taken)} along" if loss.taken else ""
    return f"without {loss.lost_feed}{taken}"


def _demoted(ctx: Context, loss: FeedLoss) -> Term:
    return term(
        _without(loss),
        flag(loss.demoted),
        "",
        "declared",
        f"{number(loss.draw_kw)} > {number(loss.rated_kw)}",
        term("load", loss.draw_kw, "kW", flow_basis(ctx)),
        term(f"rating of what is left: {' + '.join(loss.survivors)}", loss.rated_kw, "kW", "declared"),
    )


def _unverified(ctx: Context, load: Load) -> Finding:
    losses = ctx.beyond(load).feed_losses
    title = "Domains that survive the loss of a feed with nothing to vouch for it electrically"
    flags = {name: any(loss.demoted is None for loss in each) for name, each in losses.items()}
    return _count(UNVERIFIED, load, title, flags, lambda name: Each(_unjudged, losses[name]))


def _unjudged(loss: FeedLoss) -> Term:
    unrated = len(loss.unrated)
    unknown_draw = int(loss.draw_kw is None)
    return term(
        _without(loss),
        flag(loss.demoted is None),
        "",
        "declared",
        f"{unrated} + {unknown_draw} > 0",
        term("survivors without a rating", unrated, "feeds", "declared"),
        term("unknown draw", unknown_draw, "", "declared"),
    )


def _overcommitted(ctx: Context, load: Load) -> Finding:
    rows = {row.domain: row for row in ctx.beyond(load).rated}
    title = "Rated domains whose flow exceeds their rating with nothing failed"
    flags = {name: row.overcommitted for name, row in rows.items()}
    return _count(OVERCOMMITTED, load, title, flags, lambda name: [_over(ctx, rows[name])], flow_basis(ctx))


def _over(ctx: Context, row: Rated) -> Term:
    flow = number(None) if row.overcommitted is None else number(row.flow_kw)
    return term("flow over rating", flag(row.overcommitted), "", flow_basis(ctx), f"{flow} > {row.rated_kw}")


def _stranded(ctx: Context, load: Load) -> Finding:
    racks = [row for row in ctx.beyond(load).rated if row.kind == "rack"]
    total = partial_sum(row.stranded_kw for row in racks)
    stranded = summed(
        "stranded rating by rack",
        total.value,
        "kW",
        lambda: Each(partial(_stranded_rack, ctx), racks),
        "declared",
        weakest_part=flow_basis(ctx) if racks else "declared",
    )
    return Finding(
        STRANDED,
        "Rack rating that nothing draws",
        root("stranded capacity", stranded, term("rated racks", len(racks), "racks", "declared")),
        badge([stranded], unknown=total.unknown),
        load=load,
        unknown=total.unknown,
        caveats=tuple(flow_caveats(total.unknown)),
    )


def _stranded_rack(ctx: Context, row: Rated) -> Term:
    flow = number(None) if row.stranded_kw is None else number(row.flow_kw)
    how = f"max(0, {row.rated_kw} − {flow})"
    return term(row.domain, row.stranded_kw, "kW", flow_basis(ctx), how)


def _meters(ctx: Context, load: Load) -> Finding:
    rows = {row.domain: row for row in ctx.beyond(load).meters}
    title = "Meters that differ from the model by more than a fifth of it"
    flags = {name: row.mismatch for name, row in rows.items()}
    return _count(METER, load, title, flags, lambda name: [_meter(ctx, rows[name])], flow_basis(ctx))


def _meter(ctx: Context, row: Meter) -> Term:
    model = number(row.model_kw)
    how = f"abs({row.measured_kw} − {model}) > {constants.METER_TOLERANCE} × {model}"
    return term("difference over tolerance", flag(row.mismatch), "", flow_basis(ctx), how)


def _worst_survivor(ctx: Context, load: Load) -> Finding:
    rows = ctx.beyond(load).worst_survivors
    share = max((row.share for row in rows), default=None)
    worst = greatest(
        "highest share of a rating",
        share,
        "share",
        lambda: Each(partial(_survivor, ctx), rows),
        weakest_part=flow_basis(ctx),
    )
    inexact = int(not ctx.survey(load).facility.kw_known)
    return Finding(
        SURVIVOR,
        "How close to its rating the worst survivor of any single failure comes (strict check)",
        root("worst survivor", worst),
        badge([worst], unknown=inexact),
        load=load,
        unknown=inexact,
        caveats=tuple(flow_caveats(inexact)),
    )


def _survivor(ctx: Context, row: WorstSurvivor) -> Term:
    how = f"{number(row.after_kw)} ÷ {number(row.rated_kw)}"
    return term(f"{row.survivor} after {row.failed}", row.share, "share", flow_basis(ctx), how)


def _any(flags: Iterator[bool | None]) -> bool | None:
    found = list(flags)
    return True if True in found else None if None in found else False


def _count(
    formula: str,
    load: Load,
    title: str,
    flags: Mapping[str, bool | None],
    behind: Callable[[str], Iterable[Term]],
    basis: Basis = "declared",
) -> Finding:
    """Return how many domains are flagged, out of those that can be judged, each judged on `basis`."""
    unknown = sum(each is None for each in flags.values())
    value = None if unknown and unknown == len(flags) else sum(each is True for each in flags.values())

    def judged_by(name: str) -> Term:
        return greatest(name, flag(flags[name]), "domain", lambda: behind(name), weakest_part=basis)

    domains = summed(
        "domains",
        value,
        "domains",
        lambda: Each(judged_by, sorted(flags)),
        "declared",
        weakest_part=basis if len(flags) > unknown else "declared",
    )
    judged = term("domains judged", len(flags) - unknown, "domains", "declared")
    return Finding(
        formula,
        title,
        root("domains", domains, judged),
        badge([domains], unknown=unknown),
        load=load,
        unknown=unknown,
        caveats=tuple(flow_caveats(unknown)),
    )
