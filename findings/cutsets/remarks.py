"""What has to be said beside cut sets and their probabilities."""

from collections.abc import Iterator
from typing import Final

from findings.caveats import distinct, estate_caveats, lower_bound_caveats
from findings.cutsets.analysis import ASSESSED, CutSets
from findings.index import EstateIndex
from topology.notes import CRITICALITY_CAVEAT, SELF_REPORTED_NOTE

DOMAINS_ONLY: Final = (
    "Only domains fail here: the failures of single machines are in no set and in no probability."
)
OF_THE_CLOSURE: Final = (
    "Cut sets are those of the closure. The strict check was run for every failure of one domain, and for "
    f"the first {ASSESSED:,} sets of each size and their parts. `down`: there, the target is down too; "
    "`fewer`: there, a part of the set is enough; `holds`: there, the target stays up. Other "
    "sets that it alone calls fatal are not listed."
)
INDEPENDENCE: Final = (
    "Probabilities: independent failures assumed, each repaired on its own. What shares a cause (weather, "
    "one maintenance, one batch of parts) fails together more often than they say."
)
ANY_DOLLARS: Final = (
    "Expected dollars are modelled: how often the target goes down, times the progress at risk of a cut set "
    "as if all of it failed at once, everything in its blast included."
)


def cut_set_caveats(index: EstateIndex, result: CutSets, *, kw_known: bool) -> tuple[str, ...]:
    """Return every remark, in one order."""
    return distinct(_caveats(index, result, kw_known=kw_known))


def _caveats(index: EstateIndex, result: CutSets, *, kw_known: bool) -> Iterator[str]:
    yield from result.target.remarks
    yield from estate_caveats(index)
    if not index.estate.bare:
        yield CRITICALITY_CAVEAT
    yield from lower_bound_caveats(index.estate, lower_bound=not kw_known)
    if result.out:
        yield (
            f"Already out of service: {len(result.out):,} domains. They are down throughout, "
            "in every set and every probability; `baseline` lists them."
        )
    if result.already_down:
        return
    yield DOMAINS_ONLY
    yield OF_THE_CLOSURE
    yield from _probabilities(result)


def _probabilities(result: CutSets) -> Iterator[str]:
    top = result.top
    if top.unknown:
        yield (
            f"Cut sets with a domain of unknown failuresPerYear or repairHours: {top.unknown:,} of "
            f"{top.unknown + top.known:,}. Their probability is unknown, and missing from every figure."
        )
    if top.probability is None:
        return
    yield INDEPENDENCE
    if top.method == "exact":
        yield (
            f"The probability is a lower bound: sets of more than {result.order:,} domains are left out. How "
            "often the target goes down is that of the sets that were found."
        )
    else:
        yield (
            "The probability is the upper bound of the sets that were found, 1 − Π (1 − P(set)); sets of "
            f"more than {result.order:,} domains are left out, so for the target it bounds neither way."
        )
    if result.expected.usd is not None:
        yield ANY_DOLLARS
        yield SELF_REPORTED_NOTE
    if result.expected.unpriced and not result.estate.bare:
        yield (
            "Cut sets whose dollars are unknown, wholly or in part (no checkpoint interval, no price, nobody "
            f"says what runs there, or not among the first {ASSESSED:,} of a size): "
            f"{result.expected.unpriced:,}. What is unknown of them is missing from the mean, so expected "
            "dollars are at least what is printed."
        )
