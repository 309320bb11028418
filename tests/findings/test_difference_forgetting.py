"""Forgetting makes nothing better, and what is known again makes nothing worse."""

from __future__ import annotations

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from closure.compiled import compile_facility
from findings.difference.compare import Difference, compare
from findings.difference.standings import said_only_now
from tests import strategies
from topology.model import Estate


def diff(old: Estate, new: Estate) -> Difference:
    return compare(compile_facility(old), compile_facility(new))


FORGOTTEN = ("kw", "ratings", "criticality", "standings")


def forgetting(estate: Estate, what: set[str]) -> Estate:
    if "kw" in what:
        nodes = tuple(dataclasses.replace(n, kw_per_unit=None, idle_kw_per_unit=None) for n in estate.nodes)
        estate = dataclasses.replace(estate, nodes=nodes, watts_per_unit_kw=None, idle_kw_per_unit=None)
    if "ratings" in what:
        domains = {name: dataclasses.replace(d, rated_kw=None) for name, d in estate.domains.items()}
        estate = dataclasses.replace(estate, domains=domains)
    if "standings" in what:
        nodes = tuple(dataclasses.replace(n, standings=n.standings[1:]) for n in estate.nodes)
        estate = dataclasses.replace(estate, nodes=nodes)
    if "criticality" in what:
        workloads = tuple(dataclasses.replace(w, critical=None) for w in estate.workloads)
        estate = dataclasses.replace(estate, workloads=workloads)
    return estate


@settings(max_examples=100, deadline=None)
@given(
    estate=strategies.estates(rated=4, kw_known=True),
    what=st.sets(st.sampled_from(FORGOTTEN), min_size=1),
)
def test_forgetting_makes_nothing_better(estate: Estate, what: set[str]) -> None:
    """No figure is better for what is known no more, and none is worse when it is known again."""
    forgotten = forgetting(estate, what)
    found = diff(estate, forgotten)
    assert found.count("better") == 0
    assert found.worse is not False or not found.standings
    # Where power was said to come some other way, a standing that is new is rewired.
    if "standings" in what and len(said_only_now(forgotten, estate)) < len(estate.nodes):
        return
    # A node behind something else that is dead goes on drawing, and what is out may trip more with nothing
    # failed: `unproven` looks at neither yet.
    axes = {standing.axis for node in estate.nodes for standing in node.standings}
    if any(domain.out for domain in estate.domains.values()) or not axes <= {"pdu", "ups", "rack"}:
        return
    again = diff(forgotten, estate)
    assert (again.count("worse"), again.count("unknown")) == (0, 0)


@settings(deadline=None)
@given(estate=strategies.estates(rated=4), dropped=st.sets(st.integers(0, 2), min_size=1))
def test_labels_alone_make_nothing_better_or_worse(estate: Estate, dropped: set[int]) -> None:
    """Some workloads no longer say whether they are critical, or say it again: nothing else is another."""
    workloads = tuple(
        dataclasses.replace(each, critical=None) if position in dropped else each
        for position, each in enumerate(estate.workloads)
    )
    silent = dataclasses.replace(estate, workloads=workloads)
    for result in (diff(estate, silent), diff(silent, estate)):
        assert (result.count("worse"), result.count("better")) == (0, 0)
