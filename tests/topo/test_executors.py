"""Workers: the answer is the same bytes wherever it is computed, and a killed worker loses nothing."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import pytest

from benchmarks.generate import generate
from closure.compiled import Facility, compile_facility
from closure.sweep import Row, sweep
from tests.topo.command import topo as run
from topo.executors import ExecutorWorkers, workers_for

ESTATE = str(Path(__file__).parents[2] / "examples" / "two-halls" / "estate.json")
QUESTIONS = [
    ("sweep",),
    ("sweep", "--order", "2"),
    ("cutsets", "--target", "critical:25%"),
    ("cutsets", "--target", "units:1000", "--order", "2"),
]
NODES = 6000
"""Some 2,500 failures: three blocks."""

MANY_BLOCKS = 27_000
"""Some 11,000 failures: twelve blocks, of which five have been asked for when the first is there."""


@cache
def facility() -> Facility:
    return compile_facility(generate(NODES, workloads=False))


@cache
def rows() -> list[Row]:
    return list(sweep(facility()))


class TestProcesses:
    @pytest.mark.parametrize(
        "question", [QUESTIONS[0], *(pytest.param(more, marks=pytest.mark.extra) for more in QUESTIONS[1:])]
    )
    def test_same_bytes(self, question: tuple[str, ...]) -> None:
        command = (*question, ESTATE, "--format", "json")
        assert run(*command, "--workers", "2").out == run(*command).out

    @pytest.mark.extra
    def test_a_killed_worker_loses_nothing(self, capsys: pytest.CaptureFixture[str]) -> None:
        """More blocks than can be under way: some are still to be asked for when the workers die."""
        large = compile_facility(generate(MANY_BLOCKS, workloads=False))
        with workers_for(processes=2, scheduler=None) as workers:
            results = sweep(large, workers=workers)
            found = [next(results)]
            for child in active_children():
                os.kill(child.pid or 0, signal.SIGKILL)
            found += results
        assert found == list(sweep(large))
        assert "a worker was lost" in capsys.readouterr().err

    @pytest.mark.extra
    def test_any_executor(self) -> None:
        """What it shares is written once, and read once in every process."""
        with ProcessPoolExecutor(2, get_context("spawn")) as executor:
            assert list(sweep(facility(), workers=ExecutorWorkers(executor))) == rows()

    def test_one_process_is_this_one(self) -> None:
        with workers_for(processes=1, scheduler=None) as workers:
            assert workers is None


class TestRefusals:
    @pytest.mark.extra
    def test_no_scheduler_there(self) -> None:
        pytest.importorskip("distributed")
        done = run("sweep", ESTATE, "--scheduler", "tcp://127.0.0.1:1")
        assert done.code == 4
        assert "no Dask scheduler answers at tcp://127.0.0.1:1" in done.err

    def test_more_processes_than_a_machine_can_hold(self) -> None:
        done = run("sweep", ESTATE, "--workers", "100000")
        assert done.code == 2
        assert "one for each core of the machine is best" in done.err

    def test_one_place_only(self) -> None:
        done = run("sweep", ESTATE, "--scheduler", "tcp://127.0.0.1:1", "--workers", "2")
        assert done.code == 2
        assert "not allowed with" in done.err


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as started:
        yield started


@pytest.mark.extra
class TestDask:
    """A real cluster of two workers on this machine."""

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_same_bytes(self, cluster: Any, question: tuple[str, ...]) -> None:
        command = (*question, ESTATE, "--format", "json")
        done = run(*command, "--scheduler", cluster.scheduler_address)
        assert done.out == run(*command).out
        assert done.err == ""

    def test_a_killed_worker_loses_nothing(self, cluster: Any) -> None:
        with workers_for(processes=1, scheduler=cluster.scheduler_address) as workers:
            results = sweep(facility(), workers=workers)
            found = [next(results)]
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            found += results
        assert found == rows()
