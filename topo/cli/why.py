"""`topo why ID --fail ID [--fail ID ...] FILE`: the chain of causes, or what keeps it alive."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from topo.cli import common, options, values

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from closure.proof import Carried, Hold, Hop, Proof
    from closure.results import Closure
    from closure.unplaced import Unplaced
    from topo.places import Place


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "why",
        help="the chain of causes from a failure to one thing",
        description="Why is this domain or node lost? Every hop with its rule, its numbers and its line. "
        "For a survivor: what keeps it alive, and by what margin.",
    )
    parser.add_argument("id", metavar="ID", type=values.identifier, help="domain or node")
    options.add_input(parser)
    options.add_fail(parser, required=False)
    options.add_format(parser, "table", "json")
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the proof."""
    from closure.cascade import close
    from closure.compiled import compile_facility
    from closure.strict import strict_check
    from closure.why import why
    from findings.unproven import overloadable_by_id, unplaced_by_id
    from topo.places import Files

    loaded = common.load(args)
    facility = compile_facility(loaded.estate, args.load)
    closure = close(facility, args.fail)
    strict = strict_check(facility, closure.failed, closure)
    proof = why(facility, closure, args.id, strict)
    overloadable = overloadable_by_id(facility, closure, strict)
    overlay = None if loaded.map_result is None else loaded.map_result.source
    places = Files(loaded.estate, loaded.result.source, overlay).places([*proof.hops, *proof.strict_hops])
    hops = list(zip(proof.hops, places, strict=False))
    strict_hops = list(zip(proof.strict_hops, places[len(hops) :], strict=True))
    silent = unplaced_by_id(facility, closure, strict)
    unplaced = [each for each in silent if each.id == args.id]
    if args.format == "json":
        unproven = overloadable or bool(silent)
        sys.stdout.write(
            common.to_json(_document(closure.failed, proof, hops, strict_hops, unplaced, unproven=unproven))
        )
        return common.OK
    from topo.text.verdict import unproven_words
    from topo.text.why import Explained, why_page

    explained = Explained(
        proof, hops, strict_hops, closure.failed, frozenset(strict.domains), _other_axes(closure, args.id),
        loaded.estate, common.ages(loaded.estate, args),
        unproven_words(closure, overloadable=overloadable), unplaced,
    )  # fmt: skip
    sys.stdout.write(why_page(explained, common.page_options(args)))
    return common.OK


def _other_axes(closure: "Closure", identifier: str) -> tuple[str, ...]:
    """Return the axes, beside the one that the chain follows, on which a node is lost too."""
    axes = [
        axis for node in closure.nodes if node.id == identifier for axis in node.axes if axis != node.axis
    ]
    return tuple(axes)


def _document(
    failed: Sequence[str],
    proof: "Proof",
    hops: "list[tuple[Hop, Place | None]]",
    strict_hops: "list[tuple[Hop, Place | None]]",
    unplaced: "Sequence[Unplaced]",
    *,
    unproven: bool,
) -> dict[str, Any]:
    from findings.scenario_json import unplaced_to_json

    return {
        "schemaVersion": 1,
        "id": proof.id,
        "type": proof.type,
        "failed": list(failed),
        "lost": proof.lost,
        "hops": [_hop(hop, place) for hop, place in hops],
        "holds": [_hold(hold) for hold in proof.holds],
        "strictLost": proof.strict_lost,
        "unproven": unproven,
        "strictHops": [_hop(hop, place) for hop, place in strict_hops],
        "carried": None if proof.carried is None else _carried(proof.carried),
        "unplaced": [unplaced_to_json(each) for each in unplaced],
    }


def _hop(hop: "Hop", place: "Place | None") -> dict[str, Any]:
    return {
        "id": hop.id,
        "type": hop.type,
        "rule": hop.rule,
        "by": list(hop.by),
        "axis": hop.axis,
        "feeds": hop.feeds,
        "needed": hop.needed,
        "loadKw": hop.load_kw,
        "limitKw": hop.limit_kw,
        "survivors": list(hop.survivors),
        "round": hop.round,
        "beforeKw": hop.before_kw,
        "shifts": [
            {
                "type": shift.type,
                "ids": list(shift.things),
                "lost": list(shift.lost),
                "onto": shift.onto,
                "beforeKw": shift.before_kw,
                "afterKw": shift.after_kw,
            }
            for shift in hop.shifts
        ],
        "place": None if place is None else {"file": place.file, "line": place.line, "column": place.column},
    }


def _hold(hold: "Hold") -> dict[str, Any]:
    return {
        "id": hold.id,
        "type": hold.type,
        "through": hold.through,
        "axis": hold.axis,
        "mode": hold.mode,
        "alive": list(hold.alive),
        "lost": list(hold.lost),
        "needed": hold.needed,
        "spare": hold.spare,
        "drawKw": hold.draw_kw,
        "ratedKw": hold.rated_kw,
        "marginKw": hold.margin_kw,
        "unrated": list(hold.unrated),
        "carried": [_carried(each) for each in hold.carried],
    }


def _carried(each: "Carried") -> dict[str, Any]:
    return {
        "id": each.id,
        "beforeKw": each.before_kw,
        "afterKw": each.after_kw,
        "peakKw": each.peak_kw,
        "ratedKw": each.rated_kw,
        "leftKw": each.left_kw,
        "exact": each.exact,
        "trippedInRound": each.tripped,
    }
