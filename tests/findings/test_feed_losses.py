"""The loss of one feed is the closure of its failure: what hangs from the feed goes with it."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from closure.compiled import Load, compile_facility
from findings.context import LOADS, Context
from findings.feeds import feed_losses
from findings.finding import Finding
from findings.registry import find
from tests import naive_engine, strategies
from tests.findings.small import NOW, estate_of_json, node
from topology.model import Domain, Estate

CHAINED: dict[str, Any] = {
    "u": {"kind": "ups", "ratedKw": 20},
    "s": {"kind": "ups", "parent": "u", "ratedKw": 10},
    "t": {"kind": "ups", "ratedKw": 5},
    "p": {"kind": "power", "feeds": ["u", "s", "t"]},
}


def context(**changed: dict[str, Any]) -> Context:
    """Domain p draws 8 kW; its feed s hangs from its feed u, unless `changed` domains say otherwise."""
    domains = {name: {**fields, **changed.get(name, {})} for name, fields in CHAINED.items()}
    nodes = [node("n", allocated=8, domains={"pdu": "p"})]
    return Context(estate_of_json(nodes, domains, wattsPerUnitKw=1), NOW)


def finding(ctx: Context, formula: str) -> Finding:
    found = find(ctx, f"{formula}@allocated")
    assert found is not None
    return found


def rows(ctx: Context) -> dict[str, tuple[tuple[str, ...], bool | None]]:
    return {row.lost_feed: (row.survivors, row.demoted) for row in feed_losses(ctx.survey().facility)}


def test_what_hangs_from_the_lost_feed_carries_nothing() -> None:
    ctx = context()
    assert rows(ctx) == {"s": (("t", "u"), False), "t": (("s", "u"), False), "u": (("t",), True)}
    assert finding(ctx, "rated-feed-demotion").value == 1


def test_a_domain_whose_feeds_all_go_is_lost_and_not_demoted() -> None:
    """Feeds u and s alone, u too weak for what s leaves: without u nothing is left to be too weak."""
    ctx = context(p={"feeds": ["u", "s"]}, s={"ratedKw": 5})
    assert rows(ctx) == {"s": (("u",), False)}
    assert finding(ctx, "rated-feed-demotion").value == 0


def test_a_domain_that_the_loss_takes_is_not_unverified() -> None:
    """Nobody rated s, which is left alone nowhere: without s u carries p, without u there is no p."""
    ctx = context(p={"feeds": ["u", "s"]}, s={"ratedKw": None})
    assert finding(ctx, "electrically-unverified").value == 0


def test_a_domain_that_loses_its_parent_is_not_demoted() -> None:
    ctx = context(p={"parent": "u"})
    assert rows(ctx) == {"s": (("t", "u"), False), "t": (("s", "u"), False)}


def test_explain_says_what_goes_along_and_what_is_left() -> None:
    (judged,) = finding(context(), "rated-feed-demotion").root.parts()[0].parts()
    lost = judged.parts()[-1]
    assert (lost.name, lost.how, lost.value) == ("without u, which takes s along", "8.0 > 5.0", 1)
    assert [part.name for part in lost.parts()] == ["load", "rating of what is left: t"]


def stand(estate: Estate, load: str) -> Iterator[tuple[Domain, list[naive_engine.NaiveClosure]]]:
    """Every domain that stands with nothing failed, and the closures of its feeds that stand, one by one."""
    before = naive_engine.close(estate, (), load).domains
    for domain in estate.domains.values():
        if domain.id not in before:
            yield domain, [naive_engine.close(estate, [f], load) for f in domain.feeds if f not in before]


@pytest.mark.parametrize("load", LOADS)
@given(estate=strategies.estates())
def test_exactly_what_a_feeds_failure_demotes_or_leaves_unverified_is_counted(
    load: Load, estate: Estate
) -> None:
    found = list(feed_losses(compile_facility(estate, load)))
    every = list(stand(estate, load))
    assert {row.domain for row in found if row.demoted} == {
        domain.id for domain, each in every if any(c.causes.get(domain.id) == "demoted" for c in each)
    }
    assert {row.domain for row in found if row.demoted is None} == {
        domain.id for domain, each in every if any(domain.id in c.unverified for c in each)
    }


@given(estate=strategies.estates())
def test_what_is_taken_and_what_is_left_is_what_the_closure_says(estate: Estate) -> None:
    before = naive_engine.close(estate, ()).domains
    for row in feed_losses(compile_facility(estate)):
        lost = naive_engine.close(estate, [row.lost_feed]).domains
        feeds = set(estate.domains[row.domain].feeds)
        assert set(row.survivors) == feeds - lost
        assert {row.lost_feed, *row.taken} == (feeds & lost) - before
