"""Where scenarios are computed: in this process, in processes of this machine, or on a Dask cluster."""

import copyreg
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from closure.blocks import Executor, Lent, Pending, Workers
from topo.output import ClusterError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.connection import Connection

    from distributed import Client, Future

DISTRIBUTION: Final = "topo-failure-domains"

_CONNECT_SECONDS: Final = 10.0


def _view(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


# The model's mappings are read-only views, which the standard library does not send anywhere by itself.
copyreg.pickle(MappingProxyType, lambda view: (_view, (dict(view),)))

_given: object = None
"""What this worker process shares with all others; given to it once, when it starts."""


@contextmanager
def workers_for(*, processes: int, scheduler: str | None) -> Iterator[Workers | None]:
    """Yield the workers that were asked for; None when everything is computed here.

    Raises:
        UsageError: a Dask cluster without the optional packages.
        ClusterError: a Dask cluster that cannot be reached, or whose workers run another version.
    """
    if scheduler is not None:
        with _connected(scheduler) as client:
            yield DaskWorkers(client)
    else:
        yield Processes(processes) if processes > 1 else None


class _Workers:
    """What all kinds of workers have in common."""

    def lost(self, error: BaseException) -> None:
        sys.stderr.write(
            f"note: a worker was lost ({type(error).__name__}); what it was to deliver is computed here\n"
        )


class ExecutorWorkers(_Workers):
    """Any executor of the kind of `concurrent.futures` whose tasks see the files of this machine."""

    def __init__(self, executor: Executor, *, in_flight: int = 8) -> None:
        self._executor = executor
        self._in_flight = in_flight

    @contextmanager
    def lend(self, shared: object) -> Iterator[Lent]:
        """Write the value to a file that every process reads once."""
        with TemporaryDirectory(prefix="topo-") as folder:
            path = Path(folder, "shared.pickle")
            path.write_bytes(pickle.dumps(shared, pickle.HIGHEST_PROTOCOL))
            yield Lent(self._executor, partial(_read, str(path)), self._in_flight)


@lru_cache(maxsize=1)
def _read(path: str) -> object:
    # Written by this program, for this program, in a folder that only its user may enter.
    return pickle.loads(Path(path).read_bytes())


class Processes(_Workers):
    """Processes of this machine; they share what they are forked with."""

    def __init__(self, count: int) -> None:
        self._count = count

    @contextmanager
    def lend(self, shared: object) -> Iterator[Lent]:
        pool = _Pool(self._count, shared)
        try:
            yield Lent(pool, given, in_flight=2 * self._count)
        except BaseException:  # nobody waits for what is under way
            pool.abandon()
            raise
        pool.close()


def given() -> object:
    """Return what this worker process was started with."""
    return _given


def _give(shared: object, leash: "Connection", held: "Connection | None") -> None:
    """Begin a worker: keep what is shared, and end when the other end of the `leash` is let go.

    `held`: that other end, where this process was forked with it, and would hold it for its siblings.
    """
    global _given  # noqa: PLW0603  one per worker process, set once
    _given = shared
    # An interrupt is for the process that the user sees; it ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if held is not None:
        held.close()
    threading.Thread(target=_end_with, args=(leash,), daemon=True).start()


def _end_with(leash: "Connection") -> None:
    """Wait until whoever holds the other end closes it or dies, in whatever way, and end this process."""
    with suppress(EOFError, OSError):
        leash.recv_bytes()
    os._exit(1)


class _Pool:
    """A pool of processes that is replaced when one of them is killed."""

    def __init__(self, count: int, shared: object) -> None:
        self._count = count
        self._shared = shared
        self._pool = self._started()

    def _started(self) -> "ProcessPoolExecutor":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        leash, self._held = multiprocessing.Pipe(duplex=False)
        # A forked process shares the memory of this one; with other threads about, forking is not safe.
        forks = threading.active_count() == 1 and sys.platform == "linux"
        context = multiprocessing.get_context("fork" if forks else "spawn")
        given = (self._shared, leash, self._held if forks else None)
        return ProcessPoolExecutor(self._count, context, _give, given)

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Pending:
        try:
            return self._pool.submit(fn, *args)
        except BrokenExecutor:
            self.close()
            self._pool = self._started()
            return self._pool.submit(fn, *args)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._held.close()

    def abandon(self) -> None:
        """End the workers in the middle of their work."""
        self._held.close()
        self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _connected(address: str) -> "Iterator[Client]":
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
        yield client


class DaskWorkers(_Workers):
    """The workers of a Dask cluster, all of this version of the product."""

    def __init__(self, client: "Client") -> None:
        """Ask every worker for its version.

        Raises:
            ClusterError: there are no workers, or one has another version: its answers could differ.
        """
        self._client = client
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
        self._count = len(found)

    @contextmanager
    def lend(self, shared: object) -> Iterator[Lent]:
        """Send the value to the cluster, whose workers hand it on to each other."""
        # A key of its own each time: one made of the content may still be in the middle of its release.
        [held] = self._client.scatter([shared], hash=False)
        yield Lent(_Dask(self._client), held, in_flight=4 * self._count)


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
        from distributed import CancelledError, KilledWorker

        try:
            return self._future.result()
        except (KilledWorker, CancelledError) as error:
            raise BrokenExecutor(str(error)) from error
