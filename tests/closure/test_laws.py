"""Metamorphic laws: how an answer must change, or not, when the question does."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.flow import onward, power_targets
from closure.results import Closure, LostDomain, LostNode
from closure.strict import Round, simulate, strict_check
from tests import strategies
from tests.strategies import renamed
from topology.kinds import POWER
from topology.model import Domain, Estate

Scenario = tuple[Estate, tuple[str, ...]]


def lost(estate: Estate, failed: tuple[str, ...]) -> set[str]:
    return lost_in(close(compile_facility(estate), failed))


def lost_in(closure: Closure) -> set[str]:
    return {loss.id for loss in closure.domains} | {loss.id for loss in closure.nodes}


def with_domain(estate: Estate, domain: Domain) -> Estate:
    return dataclasses.replace(estate, domains={**estate.domains, domain.id: domain})


class TestClosure:
    @given(scenario=strategies.scenarios(max_workloads=0), data=st.data())
    def test_raising_a_rating_never_enlarges_it(self, scenario: Scenario, data: st.DataObject) -> None:
        """Raising the rating of an already rated domain never enlarges the closure."""
        estate, failed = scenario
        rated = [domain for domain in estate.domains.values() if domain.rated_kw is not None]
        if rated:
            domain = data.draw(st.sampled_from(rated))
            higher = dataclasses.replace(domain, rated_kw=(domain.rated_kw or 0) * 2)
            assert lost(with_domain(estate, higher), failed) <= lost(estate, failed)

    @given(scenario=strategies.scenarios(max_workloads=0, rated=0), data=st.data())
    def test_adding_a_feed_never_enlarges_it(self, scenario: Scenario, data: st.DataObject) -> None:
        """Another feed where there are some, minFeeds unchanged, never enlarges it without ratings."""
        estate, failed = scenario
        fed = [domain for domain in estate.domains.values() if domain.feeds]
        if fed:
            domain = data.draw(st.sampled_from(fed))
            spare = Domain("spare", estate.domains[domain.feeds[0]].kind)
            more = dataclasses.replace(domain, feeds=(*domain.feeds, spare.id), min_feeds=domain.feeds_needed)
            assert lost(with_domain(with_domain(estate, spare), more), failed) <= lost(estate, failed)

    @given(scenario=strategies.scenarios(max_workloads=0, max_failed=4), data=st.data())
    def test_more_failures_never_lose_less(self, scenario: Scenario, data: st.DataObject) -> None:
        """A superset of failures never loses less in the closure."""
        estate, failed = scenario
        fewer = tuple(name for name in failed if data.draw(st.booleans()))
        assert lost(estate, fewer) <= lost(estate, failed)

    @given(scenario=strategies.scenarios(max_workloads=0))
    def test_the_baseline_is_part_of_every_closure(self, scenario: Scenario) -> None:
        """What is lost with nothing failed is part of every closure."""
        estate, failed = scenario
        closure = close(compile_facility(estate), failed)
        assert {*closure.baseline_domains, *closure.baseline_nodes} == lost(estate, ())
        assert lost(estate, ()) <= lost_in(closure)

    @given(scenario=strategies.scenarios(max_workloads=0, max_failed=3))
    def test_every_lost_thing_names_its_sources(self, scenario: Scenario) -> None:
        """Every lost thing names the failed source that took it (spec 6: sources)."""
        estate, failed = scenario
        out = {domain.id for domain in estate.domains.values() if domain.out}
        closure = close(compile_facility(estate), failed)
        losses: list[LostDomain | LostNode] = [*closure.domains, *closure.nodes]
        for loss in losses:
            assert loss.sources
            assert set(loss.sources) <= {*failed, *out}
            assert set(loss.by) <= {domain.id for domain in closure.domains}
            assert loss.id in lost(estate, loss.sources)


class TestBoth:
    @given(scenario=strategies.scenarios(max_workloads=0))
    def test_renaming_changes_nothing(self, scenario: Scenario) -> None:
        """Renaming ids changes nothing."""
        estate, failed = scenario
        names = [*estate.domains, *(node.id for node in estate.nodes)]
        new = {name: f"{position * 7 % 11}-{position}" for position, name in enumerate(names)}
        facility, other = compile_facility(estate), compile_facility(renamed(estate, new.__getitem__))
        again = tuple(new[name] for name in failed)
        closure, twin = close(facility, failed), close(other, again)
        assert {new[name] for name in lost_in(closure)} == lost_in(twin)
        assert closure.basis == twin.basis
        strict, strict_twin = strict_check(facility, failed, closure), strict_check(other, again, twin)
        tripped, tripped_twin = (
            {trip.id: (trip.round, trip.after_kw) for trip in check.tripped}
            for check in (strict, strict_twin)
        )
        assert {new[name]: trip for name, trip in tripped.items()} == tripped_twin
        assert {new[name] for name in strict.nodes} == set(strict_twin.nodes)
        assert strict.agrees == strict_twin.agrees

    @given(one=strategies.scenarios(max_workloads=0), two=strategies.scenarios(max_workloads=0))
    def test_estates_that_share_nothing_add_up(self, one: Scenario, two: Scenario) -> None:
        """Merging estates that share no domain gives the union of their blasts."""
        estate, failed = one
        other = renamed(two[0], "other-{}".format)
        other = dataclasses.replace(other, watts_per_unit_kw=estate.watts_per_unit_kw)
        also = tuple(map("other-{}".format, two[1]))
        both = dataclasses.replace(
            estate, nodes=(*estate.nodes, *other.nodes), domains={**estate.domains, **other.domains}
        )
        assert lost(both, (*failed, *also)) == lost(estate, failed) | lost(other, also)
        facility = compile_facility(both)
        strict = strict_check(facility, (*failed, *also), close(facility, (*failed, *also)))
        apart = [
            strict_check(compile_facility(e), ids, close(compile_facility(e), ids))
            for e, ids in (one, (other, also))
        ]
        assert set(strict.nodes) == {*apart[0].nodes, *apart[1].nodes}
        assert set(strict.tripped) == {*apart[0].tripped, *apart[1].tripped}


class TestStrict:
    @given(scenario=strategies.scenarios(max_workloads=0, max_failed=3))
    def test_power_delivered_and_power_dark_are_all_there_is(self, scenario: Scenario) -> None:
        """In every strict round, power delivered + power dark = total."""
        estate, failed = scenario
        facility = compile_facility(estate)
        domains = [facility.domain_index[name] for name in failed if name in facility.domain_index]
        total = math.fsum(_drawn(facility).values())
        for now in simulate(facility, domains):
            delivered = math.fsum(
                kw
                for d, kw in enumerate(now.flows_kw)
                if facility.commodity[d] == POWER and not onward(facility, d, now.unpowered)
            )
            dark = math.fsum(kw for source, kw in _drawn(facility).items() if _is_dark(source, now))
            assert delivered + dark == pytest.approx(total)


def _drawn(facility: Facility) -> Mapping[tuple[str, int], float]:
    """Everything that draws power through the domains [kW]: groups of nodes, and equipment."""
    drawn = {
        ("group", g): group.kw for g, group in enumerate(facility.groups) if group.power_entry is not None
    }
    for d, kw in enumerate(facility.own_load_kw):
        if kw and (facility.commodity[d] == POWER or power_targets(facility, d, ())):
            drawn["domain", d] = float(kw)
    return drawn


def _is_dark(source: tuple[str, int], now: Round) -> bool:
    what, index = source
    return index in now.unpowered if what == "domain" else now.group_kw[index] == 0
