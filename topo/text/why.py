"""The page of `topo why`: the chain of causes, each hop with its rule, its numbers and its line."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from closure.proof import Carried, Hold, Hop, Proof, Shift
from closure.unplaced import Unplaced
from findings.staleness import Staleness
from topo.places import Place
from topo.text.page import PageOptions, fails, heading, next_section, sentence, short
from topo.text.staleness import stale_lines
from topo.text.unplaced import SUPPLY_WORDS, do_words
from topo.text.words import count, number, some
from topology.model import Estate

Placed = tuple[Hop, Place | None]

_UNDER = " " * 5


@dataclass(frozen=True, slots=True)
class Explained:
    """A proof in its scenario, each hop with its line in a file.

    `strict_lost` are the ids that the strict check loses; `other_axes` those on which a node is lost beside
    the one that the chain follows. `doubt` says why survivors are not proven safe; empty: they are.
    """

    proof: Proof
    hops: Sequence[Placed]
    strict_hops: Sequence[Placed]
    failed: tuple[str, ...]
    strict_lost: Collection[str]
    other_axes: Sequence[str]
    estate: Estate
    ages: Staleness
    doubt: str
    unplaced: Sequence[Unplaced] = ()


def why_page(one: Explained, options: PageOptions) -> str:
    """Return the whole page."""
    proof, style = one.proof, options.style
    lines = [*_verdict(one), *_unplaced(one), *stale_lines(one.estate, one.ages, style)]
    if one.hops:
        lines += [*heading("Chain of causes", "from the source down", style), *_chain(one.hops)]
    if one.other_axes:
        lines += sentence(
            f"Lost on {some(one.other_axes, 4)} too: mending this chain alone does not bring it back."
        )
    if proof.strict_lost and not proof.lost:
        lines += [*heading("In the strict check", "lost all the same", style), *_chain(one.strict_hops)]
    if not proof.lost:
        title = "By the closure alone" if proof.strict_lost else "Alive"
        lines += heading(title, "what keeps it alive, upstream first", style)
        lines += _holds(proof.holds, one)
        if not proof.holds:
            lines += sentence("It hangs from nothing that could be lost; it goes only when it fails itself.")
    return "\n".join([*lines, *next_section(_next(one), options)]) + "\n"


def _next(one: Explained) -> Iterator[tuple[str, ...]]:
    failed = fails(one.failed or (one.proof.id,))
    yield ("whatif", *failed)
    hops = [hop for hop, _ in (*one.hops, *one.strict_hops)]
    if any(hop.rule in ("demoted", "tripped") for hop in hops) and not one.estate.bare:
        yield ("rescue", *failed)
    elif not hops and not one.estate.bare:
        yield ("headroom",)
    yield ("diagram", *fails(one.failed), "--focus", one.proof.id, "-o", "why.svg")


def _verdict(one: Explained) -> list[str]:
    proof = one.proof
    strict_lost = proof.lost if proof.strict_lost is None else proof.strict_lost
    words = {
        (True, True): "by the closure and by the strict check",
        (True, False): "by the closure; the strict check keeps it",
        (False, True): "by the strict check, which is worse; the closure keeps it",
        (False, False): "by the closure and by the strict check",
    }
    state = "LOST" if proof.lost or strict_lost else "ALIVE"
    said = f"{state}  {proof.type} {short(proof.id)}, {words[proof.lost, strict_lost]}."
    lines = sentence(said, first="", then="      ")
    if proof.carried is not None:
        lines += sentence(f"In the strict check it {_load(proof.carried)}.", first=" " * 6, then=" " * 6)
    if one.doubt and state == "ALIVE":
        lines += sentence(one.doubt, first=" " * 6, then=" " * 6)
    return lines


def _unplaced(one: Explained) -> Iterator[str]:
    """Yield why a survivor may be lost all the same: nobody says what it hangs from."""
    for each in one.unplaced:
        unsaid = f"where its {SUPPLY_WORDS[each.commodity]} comes from is not in the map"
        yield from sentence(f"Not proven: {unsaid} ({do_words(each)}).", first=" " * 6, then=" " * 6)


def _chain(hops: Sequence[Placed]) -> list[str]:
    lines: list[str] = []
    for position, (hop, place) in enumerate(hops, 1):
        lines += sentence(f"{short(hop.id)}: {_hop(hop)}", first=f"{position:>3}. ", then=_UNDER)
        for shift in hop.shifts:
            lines += sentence(_shift(hop, shift), first=_UNDER, then=_UNDER)
        if place is not None:
            lines.append(f"{_UNDER}at {place}")
    return lines


def _hop(hop: Hop) -> str:
    by = _ids(hop.by)
    match hop.rule:
        case "failed":
            return "failed, in this scenario"
        case "out":
            return "already out of service (status: out)"
        case "parent-lost":
            return f"lost with its parent {by}"
        case "feeds-lost":
            left = (hop.feeds or 0) - len(hop.by)
            survive = f"{number(left)} of {count(hop.feeds, 'feed')} survive"
            return f"{survive}, {number(hop.needed)} needed; lost: {by}"
        case "demoted":
            return (
                f"demoted: {number(hop.load_kw)} kW is more than the {number(hop.limit_kw)} kW "
                f"that {_ids(hop.survivors)} can carry without {by}"
            )
        case "tripped":
            return (
                f"trips in round {number(hop.round)}: {number(hop.load_kw)} kW ({number(hop.before_kw)} kW "
                f"before) on a rating of {number(hop.limit_kw)} kW"
            )
        case "standing-lost":
            return f"stands on {by} ({hop.axis}), which is lost"


def _shift(hop: Hop, shift: Shift) -> str:
    more = number(shift.after_kw - shift.before_kw)
    where = "it" if shift.onto == hop.id else f"{short(shift.onto)}, which hangs from it"
    things = "it" if shift.things == (hop.id,) else _ids(shift.things)
    return f"{things} lost {_ids(shift.lost)}, which puts {more} kW more on {where}"


def _holds(holds: Sequence[Hold], one: Explained) -> Iterator[str]:
    """Yield each hold, and under it what its feeds carry: once, for several things hang from the same one."""
    said: set[str] = set()
    for hold in holds:
        yield from sentence(_hold(hold, one), first="  - ", then="    ")
        for each in hold.carried:
            if each.id not in said and (each.rated_kw is not None or each.after_kw > each.before_kw):
                said.add(each.id)
                load = f"In the strict check {short(each.id)} {_load(each)}."
                yield from sentence(load, first="    ", then="    ")


def _hold(hold: Hold, one: Explained) -> str:
    alive = _ids(hold.alive)
    if hold.through == "parent":
        text = f"{short(hold.id)}: its parent {alive} is alive"
    else:
        where = f"on axis {hold.axis}" if hold.axis else "of its feeds"
        of = len(hold.alive) + len(hold.lost)
        text = (
            f"{short(hold.id)}: {number(len(hold.alive))} of {number(of)} {where} alive ({alive}), "
            f"{number(hold.needed)} needed"
        )
    if hold.lost:
        text += f"; lost {_ids(hold.lost)}"
    trips = {each.id for each in hold.carried if each.tripped}
    gone = [each for each in hold.alive if each in one.strict_lost and each not in trips]
    strict = f"; the strict check loses {_ids(gone)} too" if gone else ""
    return text + _margin(hold, one.failed) + strict


def _load(each: Carried) -> str:
    least, most = ("", "") if each.exact else ("at least ", "at most ")
    said = [f"{number(each.before_kw)} kW before"] if each.after_kw != each.before_kw else []
    if each.peak_kw > each.after_kw:
        said.append(f"{number(each.peak_kw)} kW at worst on the way")
    load = f"{least}{number(each.after_kw)} kW" + (f" ({', '.join(said)})" if said else "")
    if each.tripped:
        return f"trips in round {number(each.tripped)}: {load} on a rating of {number(each.rated_kw)} kW"
    if each.rated_kw is None:
        return f"carries {load}; it has no rating, so nobody knows what is left"
    return f"carries {load} of {number(each.rated_kw)} kW: {most}{number(each.left_kw)} kW left"


def _margin(hold: Hold, failed: Sequence[str]) -> str:
    """Return what a thing draws of its feeds; what is left of those is said of each that is rated."""
    if hold.through != "feeds":
        return ""
    draws = "its draw is unknown" if hold.draw_kw is None else f"it draws {number(hold.draw_kw)} kW"
    if failed and hold.draw_kw is not None:
        draws += " with nothing failed"
    return f"; {draws}" + (f"; margin unknown: {_ids(hold.unrated)} unrated" if hold.unrated else "")


def _ids(ids: Sequence[str]) -> str:
    return some([short(each) for each in ids], 4)
