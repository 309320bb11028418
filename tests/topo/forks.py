"""Runs of the command in processes of their own that need not import it again: a server that forks per run.

A run here is a real process with its own exit code, streams and memory; what it shares with the next is the
interpreter's start and what that had imported, which is most of the time of a small command. Runs with an
environment or an input of their own, and those that look at how a process starts or dies, are started anew.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]

Ending = tuple[int, bytes, bytes]
"""Exit code, standard output, standard error."""

LONGEST = 300
"""[s] What one run may take before it is stopped by a signal."""


class Server:
    """The parent's end: asks for one run at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.topo.forks"],
            cwd=ROOT,
            env={**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        atexit.register(self._process.kill)

    def run(self, arguments: tuple[str, ...]) -> Ending:
        """Run `topo` with these arguments from the repository's root."""
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answered is not None
        pickle.dump(arguments, asked)
        asked.flush()
        ending: Ending = pickle.load(answered)
        return ending


@cache
def server() -> Server:
    """Return the one server of this process."""
    return Server()


def _serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    while True:
        try:
            arguments = pickle.load(asked)
        except EOFError:
            return
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if not child:
                _become(arguments, out, err)
            _, status = os.waitpid(child, 0)
            ending = os.waitstatus_to_exitcode(status), _read(out), _read(err)
        pickle.dump(ending, answers)
        answers.flush()


def _become(arguments: tuple[str, ...], out: IO[bytes], err: IO[bytes]) -> None:
    """Run the command in this process and leave; what a traceback would say is said on standard error."""
    import signal
    import traceback

    signal.alarm(LONGEST)
    for file, descriptor in ((out, 1), (err, 2)):
        os.dup2(file.fileno(), descriptor)
    sys.argv = ["topo", *arguments]
    code: object = 1
    try:
        from topo.cli import entry

        entry()
    except SystemExit as leaving:
        code = leaving.code
    except Exception:  # noqa: BLE001 - whatever it is, the run has failed and says so
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def _read(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def _import_the_command() -> None:
    """Import what most commands need; a run imports the rest itself."""
    from importlib import import_module

    from tests import clock
    from topo.cli import COMMANDS

    clock.set_ahead()
    for module, _ in COMMANDS.values():
        import_module(f"topo.cli.{module}")


if __name__ == "__main__":
    _import_the_command()
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    _serve(asked, answers)
