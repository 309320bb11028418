"""Unknown: what may carry more during the work, where nobody knows what it can carry, or how much it does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from closure.cascade import close
from closure.compiled import compile_facility
from findings.index import EstateIndex
from findings.maintenance.safety import Safety, Scene, judge
from tests.estates import estate_of, on
from tests.generator import seeded_scenario
from tests.naive_engine import node_kw, over
from tests.naive_strict import dead_set, flow, strict, unpowered
from topology.assume import assume
from topology.model import Estate

TOLERANCE = 1e-12


def ask(estate: Estate, *ids: str) -> Safety:
    return judge(Scene(compile_facility(estate), EstateIndex(estate)), ids)


def doubts(estate: Estate, *ids: str) -> list[tuple[str, str]]:
    return [(each.id, each.why) for each in ask(estate, *ids).doubts]


class TestUnrated:
    """docs/maintenance.md: a domain that carries more in some round of the strict check than before the work
    (with what is out already out), or may, and has no rating."""

    def test_more_than_before_the_work_though_less_than_with_nothing_out(self) -> None:
        """`a` carries 2 kW while `p2` is out, and 4 when all of the second rack's power comes by it."""
        domains = {
            "a": {"kind": "ats"},
            "p": {"kind": "power", "parent": "a", "ratedKw": 20},
            "q": {"kind": "power", "ratedKw": 20},
            "p2": {"kind": "power", "parent": "a", "ratedKw": 20, "status": "out"},
            "r1": {"kind": "rack", "parent": "p2"},
            "r2": {"kind": "rack", "feeds": ["p", "q"]},
        }
        nodes = {
            "n1": {"allocated": 8, "domains": {"rack": "r1"}},
            "n2": {"allocated": 4, "domains": {"rack": "r2"}},
        }
        estate = estate_of(domains, nodes)
        assert ask(estate, "q").safe is None
        assert doubts(estate, "q") == [("a", "unrated")]

    def test_unknown_kw_that_shift_further_up(self) -> None:
        """Nobody knows how much shifts from `b` to `a`; `a` has no rating, and what is between has one."""
        domains = {
            "a": {"kind": "ats"},
            "p": {"kind": "power", "parent": "a", "ratedKw": 20},
            "q": {"kind": "power", "ratedKw": 20},
        }
        estate = estate_of(domains, {"n": on(["p", "q"], 4)}, wattsPerUnitKw=None)
        assert doubts(estate, "q") == [("a", "load-unknown"), ("a", "unrated"), ("p", "load-unknown")]

    def test_unknown_kw_that_keep_their_way_do_not_count(self) -> None:
        domains = {
            "a": {"kind": "ats"},
            "p": {"kind": "power", "parent": "a", "ratedKw": 20},
            "q": {"kind": "power", "parent": "a", "ratedKw": 20},
        }
        estate = estate_of(domains, {"n": on(["p", "q"], 4)}, wattsPerUnitKw=None)
        assert doubts(estate, "q") == [("p", "load-unknown")]

    def test_a_round_that_passes_counts(self) -> None:
        """`a` carries more until `p` trips; had it a small rating, it would trip with it."""
        domains = {
            "a": {"kind": "ats"},
            "p": {"kind": "power", "parent": "a", "ratedKw": 5},
            "q": {"kind": "power", "ratedKw": 20},
            "r": {"kind": "power", "ratedKw": 20},
        }
        estate = estate_of(domains, {"n": on(["p", "q", "r"], 12)})
        assert doubts(estate, "q") == [("a", "unrated")]


class TestUndeclared:
    """docs/maintenance.md: "a node with units that names only what is undeclared, while others of its kind
    are declared: it may hang from what the work takes out"."""

    @pytest.mark.parametrize(
        ("out", "places", "why"),
        [
            ("ups", {"pdu": "p9", "cooling": "loop"}, "power-undeclared"),
            ("pump", {"pdu": "pdu", "cooling": "l9"}, "cooling-undeclared"),
        ],
    )
    def test_of_which_commodity(self, out: str, places: dict[str, str], why: str) -> None:
        domains = {
            "ups": {"kind": "ups", "ratedKw": 20},
            "ups-2": {"kind": "ups", "ratedKw": 20},
            "pdu": {"kind": "power", "feeds": ["ups", "ups-2"], "ratedKw": 20},
            "pump": {"kind": "cooling", "ratedKw": 20},
            "pump-2": {"kind": "cooling", "ratedKw": 20},
            "loop": {"kind": "cooling", "feeds": ["pump", "pump-2"], "ratedKw": 20},
        }
        nodes = {
            "a": {"allocated": 1, "domains": places},
            "b": {"allocated": 1, "domains": {"pdu": "pdu", "cooling": "loop"}},
        }
        assert doubts(estate_of(domains, nodes), out) == [("a", why)]


def with_out(seed: int) -> tuple[Estate, tuple[str, ...]]:
    """An estate with something out, and other things to take out; in every third one unknown kW."""
    estate, ids = seeded_scenario(seed)
    if seed % 3 == 0:
        told = tuple(replace(n, kw_per_unit=(None, 2)[i % 4 == 3]) for i, n in enumerate(estate.nodes))
        estate = replace(estate, watts_per_unit_kw=None, nodes=told)
    names = sorted(estate.domains)
    return (assume(estate, out=names[seed % len(names) :][:1]), ids) if names else (estate, ids)


def naive_rounds(estate: Estate, failed: tuple[str, ...]) -> list[tuple[set[str], set[str]]]:
    """What is without power, and what is lost, round by round."""
    check = strict(estate, failed)
    out = {name for name, domain in estate.domains.items() if domain.out}
    rounds = []
    for number in range(check.rounds + 1):
        tripped = {name for name, (at, _) in check.tripped.items() if at <= number}
        dead = out | set(failed) | tripped
        rounds.append((unpowered(estate, dead), dead_set(estate, dead)))
    return rounds


def carried(estate: Estate, dark: set[str], lost: set[str]) -> dict[str, float]:
    return {
        **flow(estate, "power", dark, dark, "allocated"),
        **flow(estate, "heat", lost, dark, "allocated"),
    }


def alone(estate: Estate, node_id: str) -> Estate:
    """The estate in which one node draws 1 kW, and nothing else draws anything."""
    nodes = tuple(
        replace(node, installed=1, allocated=1 if node.id == node_id else 0, kw_per_unit=1)
        for node in estate.nodes
    )
    domains = {name: replace(domain, own_load_kw=None) for name, domain in estate.domains.items()}
    return replace(estate, nodes=nodes, domains=domains, workloads=())


def naive(estate: Estate, ids: tuple[str, ...]) -> set[tuple[str, str]]:
    """The two reasons as the page states them: flows of known kW, and of every unknown one by itself."""
    unknown = [node.id for node in estate.nodes if node_kw(estate, node, "allocated") is None]
    parts = [estate, *(alone(estate, node_id) for node_id in unknown)]
    scene = [[carried(part, *each) for each in naive_rounds(estate, ())] for part in parts]
    tripped = strict(estate, ids).tripped
    found = set()
    for dark, lost in naive_rounds(estate, ids):
        now = [carried(part, dark, lost) for part in parts]
        for name in now[0]:
            if any(
                all(over(kw[name], was.get(name, 0.0)) for was in before)
                for kw, before in zip(now, scene, strict=True)
            ):
                if estate.domains[name].rated_kw is None:
                    found.add((name, "unrated"))
                if name not in tripped and any(kw[name] > TOLERANCE for kw in now[1:]):
                    found.add((name, "load-unknown"))
    return found


@pytest.mark.parametrize("seed", range(300))
def test_the_doubts_are_those_of_the_page(seed: int) -> None:
    estate, ids = with_out(seed)
    found = {each for each in doubts(estate, *ids) if each[1] in {"unrated", "load-unknown"}}
    assert found == naive(estate, ids)


def losses(estate: Estate, ids: tuple[str, ...]) -> set[str]:
    closure = close(compile_facility(estate), ids)
    return {node.id for node in closure.nodes} | strict(estate, ids).nodes


@pytest.mark.parametrize("seed", range(300))
def test_what_is_safe_stays_safe_whatever_the_unknown_kw_are_while_the_scene_holds(seed: int) -> None:
    estate, ids = with_out(seed)
    if ask(estate, *ids).safe is not True:
        return
    scene = losses(estate, ())
    known = losses(estate, ids)
    for kw in (0.1, 1.0, 7.0, 60.0):
        told = replace(
            estate,
            watts_per_unit_kw=estate.watts_per_unit_kw or kw,
            nodes=tuple(
                replace(node, kw_per_unit=kw) if node_kw(estate, node, "allocated") is None else node
                for node in estate.nodes
            ),
        )
        if losses(told, ()) == scene:
            assert losses(told, ids) == known


@pytest.mark.parametrize("seed", range(300))
def test_what_is_safe_stays_safe_whatever_rating_holds_before_the_work(seed: int) -> None:
    estate, ids = with_out(seed)
    if ask(estate, *ids).safe is not True:
        return
    carries = carried(estate, *naive_rounds(estate, ())[-1])
    scene, known = losses(estate, ()), losses(estate, ids)
    told = replace(
        estate,
        domains={
            name: replace(domain, rated_kw=carries.get(name) or 1e-3)
            if domain.rated_kw is None and name in carries
            else domain
            for name, domain in estate.domains.items()
        },
    )
    if losses(told, ()) == scene:
        assert losses(told, ids) == known
