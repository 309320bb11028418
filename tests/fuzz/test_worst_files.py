"""The worst files there are: one clear refusal each, in bounded time and memory, by the command itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.topology.loading.files import ESTATE

ROOT = Path(__file__).resolve().parents[2]
DEEP = 10**6
LONG = 10**7
SECONDS = 20
MEMORY_MIB = 1024

Make = Callable[[], bytes]


def _bomb(levels: int, width: int) -> bytes:
    return "\n".join(
        [
            "nodes:",
            "  n0: &a0 {rack: r}",
            *(f"  n{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)),
        ]
    ).encode()


def _estate(old: str, new: str) -> Make:
    return lambda: json.dumps(ESTATE).replace(old, new).encode("utf-8", "surrogatepass")


FILES: dict[str, tuple[str, Make, str]] = {
    "alias-bomb": ("t.yaml", lambda: _bomb(12, 10), "yaml-syntax"),
    "many-aliases": (
        "t.yaml",
        lambda: b"nodes:\n  a: &a {rack: r}\n  b: [" + b"*a, " * 10**6 + b"]\n",
        "yaml-syntax",
    ),
    "deep-flow-lists": ("t.yaml", lambda: b"nodes: " + b"[" * DEEP, "yaml-syntax"),
    "deep-flow-maps": ("t.yaml", lambda: b"{a: " * DEEP, "yaml-syntax"),
    "deep-block-lists": ("t.yaml", lambda: b"- " * DEEP, "yaml-syntax"),
    "deep-json": ("e.json", lambda: b'{"a": ' + b"[" * DEEP, "json-syntax"),
    "long-id": ("t.yaml", lambda: b"nodes:\n  n: {rack: " + b"x" * LONG + b"}\n", "schema"),
    "long-key": ("t.yaml", lambda: b"nodes:\n  " + b"k" * LONG + b": {rack: r}\n", "yaml-syntax"),
    "long-json-id": ("e.json", _estate('"r1"', '"' + "x" * LONG + '"'), "schema"),
    "long-number": ("e.json", _estate('"allocated": 2', '"allocated": ' + "9" * LONG), "schema"),
    "long-line-of-text": ("t.yaml", lambda: b"#" + b" " * LONG + b"\nnodes: 5\n", "schema"),
    "nan": ("e.json", _estate('"allocated": 2', '"allocated": NaN'), "schema"),
    "infinity": ("e.json", _estate('"allocated": 2', '"allocated": -Infinity'), "schema"),
    "duplicate-keys": ("t.yaml", lambda: b"nodes:\n" + b"  n: {rack: r}\n" * 10**5, "duplicate-key"),
    "duplicate-json-keys": (
        "e.json",
        lambda: b"{" + b'"cluster": "c",' * 10**5 + b'"unit": "gpu"}',
        "duplicate-key",
    ),
    "surrogate": ("e.json", _estate('"r1"', '"\\ud800"'), "schema"),
    "surrogate-bytes": ("t.yaml", lambda: b"nodes: {n: {rack: \xed\xa0\x80}}\n", "yaml-syntax"),
    "nul": ("t.yaml", lambda: b"nodes:\n" + b"\x00" * 10**6, "yaml-syntax"),
    "nul-in-json": ("e.json", lambda: b'{"a": "\x00"}', "json-syntax"),
    "mark-alone": ("t.yaml", lambda: b"\xef\xbb\xbf", "yaml-syntax"),
    "utf-16": ("t.yaml", lambda: "nodes: {}\n".encode("utf-16"), "yaml-syntax"),
    "utf-16-without-mark": ("e.json", lambda: json.dumps(ESTATE).encode("utf-16-le"), "json-syntax"),
    "over-the-limit": ("t.yaml", lambda: b"# " + b"x" * 300 * 1024**2, "yaml-syntax"),
    "every-node-wrong": (
        "t.yaml",
        lambda: b"nodes:\n" + b"".join(b"  n%d: {rak: r}\n" % n for n in range(20_000)),
        "schema",
    ),
    "a-long-cycle": (
        "t.yaml",
        lambda: (
            b"nodes: {}\ndomains:\n"
            + b"".join(b"  d%d: {kind: power, parent: d%d}\n" % (n, (n + 1) % 20_000) for n in range(20_000))
        ),
        "cycle",
    ),
}
"""What -> the file's name, its bytes, the rule that refuses it."""


SLOW = ("duplicate-keys", "over-the-limit", "every-node-wrong", "a-long-cycle")


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[pytest.mark.extra] * (what in SLOW)) for what in FILES]
)
def test_is_refused_soon_and_in_little_memory(what: str, tmp_path: Path) -> None:
    name, make, rule = FILES[what]
    (tmp_path / name).write_bytes(make())
    code, out, seconds, memory_mib = _validate(tmp_path, name)
    assert code == 1, out[-2000:]
    assert f"error[{rule}]" in out
    assert f"{name}:" in out
    assert len(out) < 100_000
    assert seconds < SECONDS, f"{seconds:.1f} s"
    assert memory_mib < MEMORY_MIB, f"{memory_mib:.0f} MiB"


# A process is asked itself: what its parent is told counts what it was before, this very test, too.
VALIDATE = """\
import sys
from topo.cli import main

try:
    code = main(["validate", sys.argv[1]])
except SystemExit as ending:
    code = ending.code
with open("/proc/self/status") as status, open(sys.argv[2], "w") as peak:
    peak.write(next(line.split()[1] for line in status if line.startswith("VmHWM:")))
sys.exit(code)
"""


def _validate(folder: Path, name: str) -> tuple[int, str, float, float]:
    """Return exit code, output, processor time [s] and peak memory [MiB] of `topo validate`."""
    with (folder / "out").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", VALIDATE, name, "peak-kib"],
            cwd=folder,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    text = (folder / "out").read_text(encoding="utf-8")
    peak_mib = int((folder / "peak-kib").read_text(encoding="utf-8")) / 1024
    return process.returncode, text, usage.ru_utime + usage.ru_stime, peak_mib
