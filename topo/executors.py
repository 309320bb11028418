"""Where scenarios are computed: in this process, in processes of this machine, or on a Dask cluster."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from closure.blocks import Pending, Workers
from closure.compiled import Facility
from topo.output import ClusterError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from distributed import Client, Future

DISTRIBUTION: Final = "topo-failure-domains"

_CONNECT_SECONDS: Final = 10.0

_taken: Facility | None = None
"""The facility of this worker process; given to it once, when it starts."""


@contextmanager
def workers_for(facility: Facility, *, processes: int, scheduler: str | None) -> Iterator[Workers | None]:
    """Yield the workers that were asked for; None when everything is computed here.

    Raises:
        UsageError: a Dask cluster without the optional packages.
        ClusterError: a Dask cluster that cannot be reached, or whose workers run another version.
    """
    if scheduler is not None:
        with _dask(facility, scheduler) as workers:
            yield workers
    elif processes > 1:
        pool = _Processes(facility, processes)
        try:
            yield Workers(pool, taken, in_flight=2 * processes, on_lost=_tell)
        finally:
            pool.close()
    else:
        yield None


def taken() -> Facility:
    """Return the facility that this worker process was started with."""
    if _taken is None:
        raise LookupError("this process was not started as a worker")
    return _taken


def _take(facility: Facility) -> None:
    global _taken  # noqa: PLW0603  one per worker process, set once
    _taken = facility
    # An interrupt is for the process that the user sees; it ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Processes:
    """Processes of this machine that share the facility; a new set takes over when one of them is killed."""

    def __init__(self, facility: Facility, count: int) -> None:
        self._facility = facility
        self._count = count
        self._pool = self._started()

    def _started(self) -> "ProcessPoolExecutor":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # A forked process shares the memory of this one; with other threads about, forking is not safe.
        alone = threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if alone and sys.platform == "linux" else "spawn")
        return ProcessPoolExecutor(self._count, context, _take, (self._facility,))

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Pending:
        from concurrent.futures import BrokenExecutor

        try:
            return self._pool.submit(fn, *args)
        except BrokenExecutor:
            self._pool.shutdown(wait=False)
            self._pool = self._started()
            return self._pool.submit(fn, *args)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def _tell(error: BaseException) -> None:
    sys.stderr.write(
        f"note: a worker was lost ({type(error).__name__}); what it was to deliver is computed here\n"
    )


@contextmanager
def _dask(facility: Facility, address: str) -> Iterator[Workers]:
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "--scheduler needs the package `distributed`, which is not installed",
            f"Install the extra: pip install '{DISTRIBUTION}[dask]', or say --workers N.",
        ) from None
    try:
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address}: {error}", "Check the address: tcp://host:8786."
        ) from None
    with client:
        count = _same_version(client)
        [shared] = client.scatter([facility], broadcast=True)
        yield Workers(_Dask(client), shared, in_flight=4 * count, on_lost=_tell)


def _same_version(client: "Client") -> int:
    """Return how many workers there are; all of them must run this version, or the answers could differ."""
    ours = version(DISTRIBUTION)
    hint = f"Install {DISTRIBUTION}=={ours} where the workers run."
    found = client.run(version, DISTRIBUTION, on_error="return")
    if not found:
        raise ClusterError("the Dask cluster has no workers", "Start some: dask worker tcp://host:8786.")
    for address, theirs in sorted(found.items()):
        if isinstance(theirs, BaseException):
            raise ClusterError(f"the Dask worker {address} does not have {DISTRIBUTION}", hint)
        if theirs != ours:
            raise ClusterError(f"the Dask worker {address} has {DISTRIBUTION} {theirs}, not {ours}", hint)
    return len(found)


class _Dask:
    """A Dask client that fails like an executor of the standard library."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Pending:
        return _DaskResult(self._client.submit(fn, *args, pure=False))


class _DaskResult:
    def __init__(self, future: "Future") -> None:
        self._future = future

    def result(self) -> Any:
        from concurrent.futures import BrokenExecutor

        from distributed import CancelledError, KilledWorker

        try:
            return self._future.result()
        except (KilledWorker, CancelledError) as error:
            raise BrokenExecutor(str(error)) from error
