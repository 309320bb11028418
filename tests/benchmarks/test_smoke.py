"""Every benchmark runs at a tiny size, and all methods give the same answers."""

import operator
from functools import partial
from pathlib import Path

import pytest

from benchmarks import load_whatif, pairs, startup, sweep
from benchmarks.generate import generate
from benchmarks.measure import STATUS, peak_mb, table
from benchmarks.rivals import Problem
from closure.cascade import close
from closure.compiled import compile_facility


@pytest.mark.parametrize("chain", [False, True])
def test_the_sweep_and_its_rivals_agree(chain: bool) -> None:
    rows = sweep.compare(300, chain=chain, memory=False)

    assert {row.equal for row in rows} == {True, None}
    assert "networkx worklist" in {row.method for row in rows}
    assert len(sweep.report(rows).splitlines()) == len(rows) + 2


def test_a_rival_that_disagrees_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Problem, "outcome", lambda _problem, _lost: (0, 0, 0.0, 0.0))

    with pytest.raises(sweep.Different):
        sweep.compare(20, memory=False)


def test_the_pairs_and_their_rivals_agree() -> None:
    rows = pairs.compare(200, sample=200, memory=False)

    assert len(rows) == 5
    assert len(pairs.report(rows).splitlines()) == len(rows) + 2


def test_the_sweep_agrees_with_the_closure() -> None:
    estate = generate(200)
    facility = compile_facility(estate)

    for domain_id, (domains, nodes, _, _) in sweep.solve(facility, strict=False).items():
        closure = close(facility, [domain_id])
        assert (len(closure.domains), len(closure.nodes)) == (domains, nodes)


def test_every_way_to_load_gives_the_same_what_if(tmp_path: Path) -> None:
    rows = load_whatif.compare(tmp_path, 300, memory=False)

    assert {row.file for row in rows} == {"topology.yaml", "estate.json"}
    assert all(row.lost for row in rows)
    assert len(load_whatif.report(rows).splitlines()) == len(rows) + 2


def test_start_up_is_measured_in_whole_processes() -> None:
    assert startup.process_seconds(["-c", "pass"], repeat=1) > 0


@pytest.mark.skipif(not STATUS.exists(), reason="memory is read from /proc")
def test_memory_is_what_the_work_adds() -> None:
    grown = peak_mb(partial(int, "50000000"), partial(operator.mul, b"x"))

    assert grown is not None
    assert 40 < grown < 60


def test_tables_are_aligned() -> None:
    assert table(["a", "bb"], [["ccc", "d"]]) == "| a   | bb |\n| --- | -- |\n| ccc | d  |"
