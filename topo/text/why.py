"""The page of `topo why`: the chain of causes, each hop with its rule, its numbers and its line."""

from collections.abc import Collection, Sequence

from closure.why import Hold, Hop, Proof
from topo.places import Place
from topo.text.page import PageOptions, heading, sentence, short
from topo.text.words import count, number, some

Placed = tuple[Hop, Place | None]


def why_page(
    proof: Proof,
    hops: Sequence[Placed],
    strict_hops: Sequence[Placed],
    strict_lost: Collection[str],
    other_axes: Sequence[str],
    options: PageOptions,
) -> str:
    """Return the whole page.

    `strict_lost` are the ids that the strict check loses; `other_axes` those on which a node is lost beside
    the one that the chain follows.
    """
    lines = _verdict(proof)
    if hops:
        lines += [*heading("Chain of causes", "from the source down", options.style), *_chain(hops)]
    if other_axes:
        lines += sentence(
            f"Lost on {some(other_axes, 4)} too: mending this chain alone does not bring it back."
        )
    if proof.strict_lost and not proof.lost:
        lines += [
            *heading("In the strict check", "lost all the same", options.style),
            *_chain(strict_hops),
        ]
    if proof.holds:
        title = "By the closure alone" if proof.strict_lost else "Alive"
        lines += heading(title, "what keeps it alive, upstream first", options.style)
        lines += [
            line
            for hold in proof.holds
            for line in sentence(_hold(hold, strict_lost), first="  - ", then="    ")
        ]
    return "\n".join(lines) + "\n"


def _verdict(proof: Proof) -> list[str]:
    strict_lost = proof.lost if proof.strict_lost is None else proof.strict_lost
    words = {
        (True, True): "by the closure and by the strict check",
        (True, False): "by the closure; the strict check keeps it",
        (False, True): "by the strict check, which is worse; the closure keeps it",
        (False, False): "by the closure and by the strict check",
    }
    state = "LOST" if proof.lost or strict_lost else "ALIVE"
    said = f"{state}  {proof.type} {short(proof.id)}, {words[proof.lost, strict_lost]}."
    return sentence(said, first="", then="      ")


def _chain(hops: Sequence[Placed]) -> list[str]:
    lines: list[str] = []
    for position, (hop, place) in enumerate(hops, 1):
        mark = f"{position:>3}. "
        lines += sentence(f"{short(hop.id)}: {_hop(hop)}", first=mark, then="     ")
        if place is not None:
            lines.append(f"     at {place}")
    return lines


def _hop(hop: Hop) -> str:
    by = some([short(each) for each in hop.by], 4)
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
            survivors = some([short(each) for each in hop.survivors], 4)
            return (
                f"demoted: {number(hop.load_kw)} kW is more than the {number(hop.limit_kw)} kW "
                f"that {survivors} can carry without {by}"
            )
        case "tripped":
            load, rating = number(hop.load_kw), number(hop.limit_kw)
            return f"trips in round {number(hop.round)}: {load} kW on a rating of {rating} kW"
        case "standing-lost":
            return f"stands on {by} ({hop.axis}), which is lost"


def _hold(hold: Hold, strict_lost: Collection[str]) -> str:
    alive = some([short(each) for each in hold.alive], 4)
    if hold.through == "parent":
        return f"{short(hold.id)}: its parent {alive} is alive"
    where = f"on axis {hold.axis}" if hold.axis else "of its feeds"
    of = len(hold.alive) + len(hold.lost)
    text = (
        f"{short(hold.id)}: {number(len(hold.alive))} of {number(of)} {where} alive ({alive}), "
        f"{number(hold.needed)} needed"
    )
    if hold.lost:
        text += f"; lost {some([short(each) for each in hold.lost], 4)}"
    gone = [short(each) for each in hold.alive if each in strict_lost]
    strict = f"; the strict check loses {some(gone, 4)} too" if gone else ""
    return text + _margin(hold) + strict


def _margin(hold: Hold) -> str:
    if hold.through != "feeds":
        return ""
    if hold.margin_kw is not None:
        return (
            f"; it draws {number(hold.draw_kw)} kW of the {number(hold.rated_kw)} kW they are rated for: "
            f"margin {number(hold.margin_kw)} kW"
        )
    if hold.unrated:
        return f"; margin unknown: {some([short(each) for each in hold.unrated], 4)} unrated"
    return "" if hold.draw_kw is not None else "; margin unknown: its draw is unknown"
