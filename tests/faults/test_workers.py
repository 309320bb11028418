"""Worker processes end with the command that started them, in the middle of their work."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.faults.writers import environment

SCRIPT = """
import os, sys, threading, time
from topo.executors import workers_for
if sys.argv[1] == "spawned":  # another thread: forking is not safe
    threading.Thread(target=threading.Event().wait, daemon=True).start()
try:
    with workers_for(processes=2, scheduler=None) as workers, workers.lend("shared") as lent:
        first = [lent.executor.submit(os.write, 1, b"working\\n") for _ in "ab"]
        under_way = [lent.executor.submit(time.sleep, 300) for _ in "ab"]
        under_way[0].result()
except KeyboardInterrupt:
    sys.exit(130)
"""


def _listen() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("how", ["forked", pytest.param("spawned", marks=pytest.mark.extra)])
@pytest.mark.parametrize(
    ("sent", "code"),
    [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, -signal.SIGTERM)],
)
def test_nobody_is_left(how: str, sent: signal.Signals, code: int, tmp_path: Path) -> None:
    """Standard output ends when the last process that holds it has gone."""
    script = tmp_path / "script.py"
    script.write_text(
        SCRIPT if how == "forked" else f"if __name__ == '__main__':{_indented(SCRIPT)}", "utf-8"
    )
    with subprocess.Popen(
        [sys.executable, str(script), how],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=_listen,  # noqa: PLW1509 - no threads here
    ) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in "ab"] == [b"working\n"] * 2
        time.sleep(0.2)
        began = time.monotonic()
        process.send_signal(sent)
        _, err = process.communicate(timeout=60)
        assert time.monotonic() - began < 10  # a second, on a machine that has nothing else to do
    assert process.returncode == code
    assert err == b"" or how == "spawned"


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")
