"""docs/security.md: no command opens a connection, starts a program, or writes but where it was told to."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.tree import ROOT
from topo.cli import COMMANDS

HOOK = """\
import json, os, sys

seen = []

def watch(event, arguments):
    if event.split(".")[0] in ("socket", "subprocess", "ftplib", "smtplib", "urllib", "http"):
        seen.append(event)
    elif event in ("os.system", "os.exec", "os.posix_spawn", "os.fork", "os.remove", "shutil.rmtree"):
        seen.append(event)
    elif event == "open" and isinstance(arguments[0], (str, bytes)):
        if arguments[2] & (os.O_WRONLY | os.O_RDWR):
            seen.append("write " + os.path.dirname(os.path.abspath(os.fsdecode(arguments[0]))))

sys.dont_write_bytecode = True
sys.addaudithook(watch)
from topo.cli import main

try:
    code = main(sys.argv[1:])
except SystemExit as ending:
    code = ending.code
sys.stderr.write("\\n" + json.dumps([code, sorted(set(seen))]))
"""

LAB = "examples/lab/estate.json"
RUNS: dict[str, tuple[str, ...]] = {
    "validate": (LAB, "--jsonschema"),
    "whatif": ("--fail", "feed-strong", LAB),
    "why": ("lab-node-01", "--fail", "feed-strong", LAB),
    "sweep": (LAB,),
    "cutsets": ("--target", "critical:50%", LAB),
    "findings": (LAB,),
    "explain": ("critical-share/feed-strong", LAB),
    "report": (LAB, "-o", "OUT/report.html"),
    "diagram": (LAB, "--fail", "feed-strong", "-o", "OUT/x.png"),
    "curtail": ("--shed-kw", "1", LAB),
    "rescue": ("--fail", "feed-strong", LAB),
    "headroom": (LAB,),
    "ok-to-take-out": ("feed-weak", LAB),
    "diff": ("examples/lab/topology.yaml", LAB),
    "merge": (LAB, "-o", "OUT/merged.json"),
    "explain-rule": ("cycle",),
}
"""Command -> arguments of a run that ends well or at a gate. Collecting is the one that asks a cluster."""


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "collect"])
def test_nothing_but_the_named_file(command: str, tmp_path: Path) -> None:
    arguments = [word.replace("OUT", str(tmp_path)) for word in RUNS[command]]
    done = subprocess.run(
        [sys.executable, "-c", HOOK, command, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    code, seen = json.loads(done.stderr.splitlines()[-1])
    assert code in (0, 3), done.stderr
    assert [event for event in seen if event != f"write {tmp_path}"] == []


def test_the_watch_would_see_it(tmp_path: Path) -> None:
    told = "import socket, subprocess\nsocket.socket().close()\nopen(sys.argv[1], 'w').close()\n"
    script = HOOK.replace("from topo.cli import main\n", told).replace("main(sys.argv[1:])", "0")
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "x")], capture_output=True, text=True)
    assert json.loads(done.stderr.splitlines()[-1])[1] == ["socket.__new__", f"write {tmp_path}"]
