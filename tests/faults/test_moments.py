"""Ends at the wrong moment: killed, interrupted, the reader gone, two runs at once."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from tests.faults.writers import ESTATE, READERS, ROOT, WRITERS, Ending, command, environment, topo

WRITE_LOOP = """
import sys
from topo.output import write_output
old, new = sys.argv[2] * 400_000, sys.argv[3] * 700_000
print("ready", flush=True)
while True:
    write_output(sys.argv[1], old)
    write_output(sys.argv[1], new)
"""


def _python(code: str, *words: str) -> list[str]:
    return [command()[0], "-c", code, *words]


def _killed_while_writing(target: Path, seed: int) -> None:
    """Kill a process that writes one text, then another, then the first again, at a random moment."""
    with subprocess.Popen(
        _python(WRITE_LOOP, str(target), "a", "b"), stdout=subprocess.PIPE, env=environment(), text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(Random(seed).uniform(0, 0.1))
        process.kill()
    if target.exists():
        assert target.read_bytes() in (b"a" * 400_000, b"b" * 700_000)


class TestKilled:
    """The output is the old file or the new one, whole (spec 6)."""

    @pytest.mark.parametrize("seed", range(8))
    def test_at_a_random_moment(self, seed: int, tmp_path: Path) -> None:
        _killed_while_writing(tmp_path / "out", seed)

    @pytest.mark.extra
    def test_at_many_moments(self, tmp_path: Path) -> None:
        for seed in range(400):
            _killed_while_writing(tmp_path / "out", 1000 + seed)

    @pytest.mark.parametrize(
        "times", [pytest.param(6, id="few"), pytest.param(150, id="many", marks=pytest.mark.extra)]
    )
    def test_a_command_at_a_random_moment(self, times: int, tmp_path: Path) -> None:
        target = tmp_path / "report.html"
        words = (*WRITERS["report"], str(target), "--now", "2026-12-01T00:00:00Z")
        started = time.monotonic()
        assert topo(*words).code == 0
        usual = time.monotonic() - started
        whole = target.read_bytes()
        dice = Random(times)
        for _ in range(times):
            target.write_bytes(b"old")
            with subprocess.Popen(command(*words), stdout=subprocess.DEVNULL, env=environment()) as process:
                time.sleep(dice.uniform(0, usual * 1.2))
                process.kill()
            assert target.read_bytes() in (b"old", whole)


def test_two_runs_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "out"
    writers = [
        subprocess.Popen(
            _python(WRITE_LOOP, str(target), *letters), stdout=subprocess.DEVNULL, env=environment()
        )
        for letters in ("ab", "cd")
    ]
    try:
        wholes = {letter.encode() * size for letter, size in zip("abcd", (400_000, 700_000) * 2, strict=True)}
        seen: set[bytes] = set()
        deadline = time.monotonic() + 20
        while (len(seen) < 3 or len(seen & {b"a", b"b"}) == 0) and time.monotonic() < deadline:
            if target.exists():
                content = target.read_bytes()
                assert content in wholes
                seen.add(content[:1])
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    assert len(seen) >= 2


def _listen() -> None:
    """Let Control-C through: who runs tests in the background ignores it, and so would what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


READY = """
import sys
from topo.cli import entry
print("ready", file=sys.stderr, flush=True)
entry()
"""


def _interrupted(words: tuple[str, ...], seconds: float) -> Ending:
    """Interrupt a command so long after Python itself has started."""
    with subprocess.Popen(
        _python(READY, *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
        preexec_fn=_listen,  # noqa: PLW1509 - no threads here
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return Ending(process.returncode, out, err)


class TestInterrupted:
    """Control-C ends a command with 130 and without a word."""

    def test_while_it_waits_for_input(self) -> None:
        with subprocess.Popen(
            command("sweep", "-"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            preexec_fn=_listen,  # noqa: PLW1509 - no threads here
        ) as process:
            assert process.stdin is not None
            process.stdin.write(b" " * 400_000)  # more than a pipe holds: by then it reads
            process.stdin.flush()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (130, b"", b"")

    @pytest.mark.extra
    @pytest.mark.parametrize("seed", range(60))
    def test_at_a_random_moment(self, seed: int) -> None:
        """Finished, or 130, in silence; a signal while Python shuts down ends it, which a shell calls 130."""
        ending = _interrupted(READERS["findings"], Random(seed).uniform(0.005, 0.6))
        assert ending.code in (0, 130, -signal.SIGINT), ending
        assert ending.err == ""


@pytest.mark.parametrize("name", READERS)
def test_a_reader_that_leaves_is_no_error(name: str) -> None:
    """`topo ... | head -1` is quiet, for every command."""
    line = " ".join(f"'{word}'" for word in command(*READERS[name]))
    done = subprocess.run(
        ["bash", "-c", f"{line} | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(),
        timeout=120,
    )
    assert done.stderr == "" or (name == "merge" and done.stderr.startswith("merged: "))
    # What fits into the pipe is written before its reader leaves.
    assert done.stdout.strip() in ("0", "3", "141")


def test_a_pipe_that_is_closed_from_the_start() -> None:
    line = " ".join(f"'{word}'" for word in command("findings", str(ESTATE), "--format", "json"))
    done = subprocess.run(
        ["bash", "-c", f"{line} | true; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=120,
    )
    assert (done.stdout.strip(), done.stderr) in (("141", ""), ("0", ""))


@pytest.mark.parametrize("words", [("sweep", "/dev/zero"), ("sweep", "-")])
def test_a_stream_that_never_ends(words: tuple[str, ...]) -> None:
    """What has no end is read up to the size of the largest file, here 1,000 bytes."""
    with Path("/dev/zero").open("rb") as zeros:
        done = subprocess.run(
            _python(SMALL_STREAMS, *words),
            stdin=zeros,
            capture_output=True,
            text=True,
            env=environment(),
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(f"topo: error: cannot read {words[1]}: a stream of more than")


SMALL_STREAMS = """
import sys
import topology.limits
topology.limits.MAX_JSON_BYTES = 1000
from topo.cli import main
sys.exit(main(sys.argv[1:]))
"""
