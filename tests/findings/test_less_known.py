"""Whoever knows less never gets a better answer: no gate that fails, or cannot be decided, passes then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from closure.compiled import Facility, compile_facility
from findings.index import EstateIndex
from findings.maintenance.safety import Safety, Scene, judge
from findings.rescue.case import GOOD
from findings.rescue.plan import plan_rescue
from findings.scenario import whatif
from tests.estates import estate_of, on
from tests.findings.less_known import less_known
from tests.findings.test_rescue import NOW
from topology.assume import assume
from topology.model import Estate


def scenes(seed: int) -> tuple[Estate, Estate]:
    """An estate and the same less known; in two of three cases something more is out."""
    more, less = less_known(seed)
    names = sorted(more.domains)
    out = names[seed % len(names) :][:1] if seed % 3 else ()
    return assume(more, out=out), assume(less, out=out)


def asked(estate: Estate, seed: int) -> Iterator[tuple[str, ...]]:
    """Every domain, a node, and two domains together."""
    names = sorted(estate.domains)
    yield from ((name,) for name in names)
    yield (estate.nodes[0].id,)
    yield (names[seed % len(names)], names[-1])


def ask(estate: Estate, *ids: str) -> Safety:
    return judge(Scene(compile_facility(estate), EstateIndex(estate)), ids)


class TestGates:
    """docs/maintenance.md and curtailment.md: what nobody knows is never taken for something that holds."""

    @pytest.mark.parametrize("seeds", range(0, 3000, 500))
    def test_what_may_not_be_taken_out_may_not_with_less_known(self, seeds: int) -> None:
        for seed in range(seeds, seeds + 500):
            more, less = (Scene(compile_facility(each), EstateIndex(each)) for each in scenes(seed))
            for ids in asked(more.facility.estate, seed):
                if judge(less, ids).safe:
                    assert judge(more, ids).safe, (seed, ids)

    @pytest.mark.parametrize("seeds", range(0, 600, 100))
    def test_what_is_not_rescued_is_not_with_less_known(self, seeds: int) -> None:
        for seed in range(seeds, seeds + 100):
            more, less = map(compile_facility, scenes(seed))
            for ids in asked(more.estate, seed):
                if rescued(less, ids):
                    assert rescued(more, ids), (seed, ids)

    @pytest.mark.parametrize("seed", range(200))
    def test_a_rescue_is_as_unsure_as_a_failure(self, seed: int) -> None:
        facility = compile_facility(scenes(seed)[1])
        for ids in asked(facility.estate, seed):
            if whatif(facility, ids).verdict == "unknown":
                assert not rescued(facility, ids)


def rescued(facility: Facility, ids: tuple[str, ...]) -> bool:
    return plan_rescue(facility, ids, now=NOW).verdict in GOOD


class TestOutAlready:
    """docs/curtailment.md: what is out already counts; a survivor of it may be one nobody vouches for."""

    @pytest.mark.parametrize(
        ("s1", "kw", "verdict"),
        [({}, 1, "unknown"), ({"ratedKw": 1}, None, "unknown"), ({"ratedKw": 1}, 1, "not-sheddable")],
    )
    def test_an_unrelated_failure(self, s1: Mapping[str, Any], kw: float | None, verdict: str) -> None:
        domains = {
            "s0": {"kind": "ups", "status": "out"},
            "s1": {"kind": "ups", **s1},
            "p": {"kind": "power", "feeds": ["s0", "s1"]},
            "k": {"kind": "rack"},
        }
        estate = estate_of(domains, {"n": on("p", 8)}, wattsPerUnitKw=kw)
        assert plan_rescue(compile_facility(estate), ["k"], now=NOW).verdict == verdict


class TestScene:
    """docs/maintenance.md, the scene: the work is blamed for what it adds to it, by either engine."""

    def estate(self, **keys: Any) -> Estate:
        """p trips with s out: by the strict check the rack is lost, by the closure it is not."""
        domains = {
            "s": {"kind": "ups", "status": "out"},
            "p": {"kind": "power", "ratedKw": 2},
            "rack": {"kind": "rack", "feeds": ["p", "s"]},
            "cdu": {"kind": "cooling", "parent": "p", "loadKw": 2},
            "idle": {"kind": "rack"},
        }
        return estate_of(domains, {"n": {"allocated": 1, "domains": {"rack": "rack"}}}, **keys)

    @pytest.mark.parametrize("kw", [0.5, None])
    @pytest.mark.parametrize("work", ["idle", "s"])
    def test_what_adds_nothing(self, work: str, kw: float | None) -> None:
        found = ask(self.estate(wattsPerUnitKw=kw), work)
        assert (found.safe, found.losses, found.doubts) == (True, (), ())

    def test_what_only_the_closure_keeps_is_taken_by_the_work(self) -> None:
        found = ask(self.estate(wattsPerUnitKw=0.5), "p")
        assert [(each.node, each.closure, each.strict) for each in found.losses] == [("n", True, False)]

    def test_a_loop_that_nothing_hangs_from(self) -> None:
        domains = {
            "s0": {"kind": "ups", "ratedKw": 2},
            "s1": {"kind": "ups", "status": "out"},
            "p": {"kind": "power", "feeds": ["s0", "s1"]},
            "c": {"kind": "cooling"},
        }
        found = ask(estate_of(domains, {"n": on("p", 3)}), "c")
        assert (found.safe, found.doubts) == (True, ())

    @pytest.mark.parametrize(("rated", "safe"), [(None, None), (5, False), (20, True)])
    def test_an_answer_that_hangs_on_what_is_in_doubt_already(self, rated: float | None, safe: Any) -> None:
        """Nobody knows whether `a` carries what `b` left to it; without it, `z` is the spine's last feed."""
        domains = {
            "a": {"kind": "ups", "ratedKw": rated},
            "b": {"kind": "ups", "status": "out"},
            "p": {"kind": "power", "feeds": ["a", "b"], "ratedKw": 20},
            "z": {"kind": "power", "ratedKw": 20},
            "spine": {"kind": "network", "feeds": ["p", "z"], "loadKw": 0},
            "own": {"kind": "power"},
        }
        nodes = {
            "n": on("p", 9),
            "m": {"allocated": 1, "kwPerUnit": 0.1, "domains": {"network": "spine", "pdu": "own"}},
        }
        found = ask(estate_of(domains, nodes), "z")
        assert found.safe is safe
        expected = [("a", "scene-unknown"), ("p", "scene-unknown")] if safe is None else []
        assert [(each.id, each.why) for each in found.doubts] == expected

    def test_what_is_lost_may_lose_its_power_too(self) -> None:
        """q hangs from a dead loop, and carries power until it is taken out: then all of it comes by p."""
        domains = {
            "p": {"kind": "power"},
            "loop": {"kind": "cooling", "status": "out"},
            "q": {"kind": "power", "feeds": ["loop"], "ratedKw": 6},
        }
        found = ask(estate_of(domains, {"n": on(["p", "q"], 6)}, wattsPerUnitKw=None), "q")
        assert ("p", "unrated") in [(each.id, each.why) for each in found.doubts]

    def test_work_that_sheds_load_brings_nothing_back(self) -> None:
        """With `x` out `y` trips, and the pump's 8 kW would spare it; `z` is then the spine's last feed."""
        domains = {
            "x": {"kind": "ups", "status": "out"},
            "y": {"kind": "ups", "ratedKw": 10},
            "z": {"kind": "ups", "ratedKw": 10},
            "r": {"kind": "rack", "feeds": ["x", "y"], "ratedKw": 9},
            "pump": {"kind": "cooling", "parent": "y", "loadKw": 8},
            "spine": {"kind": "network", "feeds": ["y", "z"], "loadKw": 0},
            "own": {"kind": "power"},
        }
        nodes = {
            "n": {"allocated": 4, "domains": {"rack": "r"}},
            "m": {"allocated": 1, "kwPerUnit": 0.1, "domains": {"network": "spine", "pdu": "own"}},
        }
        estate = estate_of(domains, nodes)
        assert (ask(estate, "pump").safe, ask(estate, "z").safe) == (True, False)
        found = ask(estate, "pump", "z")
        assert [(each.id, each.why) for each in found.doubts] == [("y", "scene-unknown")]

    def test_what_the_scene_loses_by_load_alone_may_hold(self) -> None:
        """With pump-1 out the loop is demoted, and yet its machines run: pump-2 is what keeps them up."""
        domains = {
            "pump-1": {"kind": "cooling", "ratedKw": 8, "status": "out"},
            "pump-2": {"kind": "cooling", "ratedKw": 8},
            "loop": {"kind": "cooling", "feeds": ["pump-1", "pump-2"]},
            "other": {"kind": "cooling"},
        }
        estate = estate_of(domains, {"n": {"allocated": 9, "domains": {"cooling": "loop"}}})
        found = ask(estate, "pump-2")
        assert (found.safe, found.losses) == (None, ())
        assert [(each.id, each.why) for each in found.doubts] == [
            ("loop", "scene-unknown"),
            ("pump-2", "scene-unknown"),
        ]
        assert ask(estate, "other").safe is True

    def test_who_hangs_from_nowhere_may_hang_from_what_only_one_engine_has_lost(self) -> None:
        """With `a` out `u` trips, and `v` with it; the closure keeps both, until `v` is taken out."""
        domains = {
            "a": {"kind": "ups", "status": "out"},
            "u": {"kind": "ups", "ratedKw": 5},
            "v": {"kind": "power", "parent": "u"},
            "r": {"kind": "rack", "feeds": ["a", "u"]},
        }
        nodes = {
            "n": {"allocated": 8, "domains": {"rack": "r"}},
            "m": {"allocated": 1, "domains": {"zone": "z"}},
        }
        found = ask(estate_of(domains, nodes, wattsPerUnitKw=1), "v")
        assert [(each.id, each.why) for each in found.doubts] == [("m", "power-unnamed")]
