"""The commands that a page proposes next can be pasted into a shell, whatever the names in them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.writers import environment, topo
from tests.hostile.estates import Name, estate_text
from topo.cli import main
from topo.text.clean import clean
from topo.text.shell import shell_line

NAMES = ("$(touch hurt)", "-2")
MORE_NAMES = ("`touch hurt`", "; touch hurt", "a b", "it's", '"', "--help", "#", "~", "*", "\\", "!")
COMMANDS = (
    ("whatif", "--fail={ups}"),
    ("why", "--fail={ups}", "--", "{node}"),
    ("sweep",),
    ("cutsets", "--target=node:{node}"),
    ("findings",),
    ("ok-to-take-out", "--", "{ups}"),
    ("headroom",),
    ("rescue", "--fail={ups}"),
    ("curtail", "--shed-kw=1", "--under={ups}"),
)


def _named(attack: str) -> Name:
    return lambda role: f"{attack}{role}"


@pytest.mark.parametrize(
    "attack", [*NAMES, *(pytest.param(name, marks=pytest.mark.extra) for name in MORE_NAMES)]
)
def test_they_are_words_and_understood(
    attack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Split as a shell splits them, each is accepted by its command: nothing else comes out of a name."""
    monkeypatch.chdir(tmp_path)
    name = _named(attack)
    Path("estate.json").write_text(estate_text(name), encoding="utf-8")
    proposed: set[str] = set()
    for command in COMMANDS:
        words = [word.format(ups=name("ups-a"), node=name("node-1")) for word in command]
        main([words[0], "--now=2026-12-01T00:00:00Z", *words[1:], "estate.json"])
        proposed |= set(re.findall(r"^ +(topo .*estate\.json)$", capsys.readouterr().out, re.MULTILINE))
    assert len(proposed) > 5
    for line in sorted(proposed):
        assert main(shlex.split(line)[1:]) in (0, 3), line
        capsys.readouterr()


UNSEEN = ("a\x1b[31m", "a\u202eb", "a\nb", "it's \x07\\", "ä\u200b1", os.fsdecode(b"bad\xff.json"))
"""Names that are not shown as they are: controls, overrides, bytes that are no UTF-8."""


def test_a_shell_reads_what_cannot_be_shown() -> None:
    line = shell_line(["printf", r"%s\0", *UNSEEN])
    assert line == clean(line)
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=True)
    assert done.stdout.split(b"\0")[:-1] == [os.fsencode(each) for each in UNSEEN]


def test_a_file_whose_name_is_no_utf8(tmp_path: Path) -> None:
    name = os.fsdecode(b"bad\xff.json")
    (tmp_path / name).write_text(estate_text(_named("")), encoding="utf-8")
    page = topo("whatif", "--fail", "ups-a", name, folder=tmp_path).out
    proposed = re.findall(r"^  topo (.*)$", page, re.MULTILINE)
    assert proposed
    for words in proposed:
        run = ["bash", "-c", f'"$0" -m topo {words}', sys.executable]
        done = subprocess.run(run, cwd=tmp_path, env=environment(), capture_output=True, timeout=120)
        assert done.returncode in (0, 3), (words, done.stderr)


def test_a_shell_reads_them_so_too() -> None:
    quoted = " ".join(shlex.quote(f"{attack}x") for attack in (*NAMES, *MORE_NAMES))
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {quoted}"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [f"{attack}x" for attack in (*NAMES, *MORE_NAMES)]
