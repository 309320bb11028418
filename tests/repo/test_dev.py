"""The developer commands say what is wrong in one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

import dev
from tests.repo.tree import ROOT


def ask(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "dev.py", *arguments], cwd=ROOT, capture_output=True, text=True)


def test_help_names_every_command() -> None:
    done = ask("--help")
    assert done.returncode == 0
    assert [name for name in dev.COMMANDS if f"dev.py {name}" not in done.stdout] == []


def test_no_command_is_wrong_usage() -> None:
    assert ask().returncode == 2


def test_an_unknown_command_lists_the_known_ones() -> None:
    done = ask("tets")
    assert done.returncode == 2
    assert "'tets'" in done.stderr
    assert "test" in done.stderr


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("ERROR: No matching distribution found for networkx", "offline"),
        ("NewConnectionError('Failed to establish a new connection')", "offline"),
        ("error: the disk is full", "the disk is full"),
        ("", "no reason given"),
    ],
)
def test_a_failed_installation_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, said: str, sentence: str
) -> None:
    monkeypatch.setattr(dev, "logged", lambda _: said)
    with pytest.raises(dev.SetupError, match=sentence):
        dev.install(["networkx"])


def test_a_missing_venv_module_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev, "logged", lambda _: "usage\nNo module named venv\n")
    with pytest.raises(dev.SetupError, match=r"No module named venv .*python3-venv"):
        dev.create_venv()


def test_without_ensurepip_this_interpreters_pip_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dev.find_spec", lambda name: object() if name == "pip" else None)
    assert dev.pip_for_venv()[:4] == [sys.executable, "-m", "pip", "--python"]


def test_without_any_pip_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dev.find_spec", lambda _: None)
    with pytest.raises(dev.SetupError, match=r"neither ensurepip nor pip: .*python3-venv"):
        dev.pip_for_venv()


def test_an_environment_of_another_fingerprint_is_not_reused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "python").touch()
    monkeypatch.setattr(dev, "PYTHON", tmp_path / "python")
    stamp = tmp_path / "stamp"
    assert not dev.made(stamp, "new")
    stamp.write_text("old", encoding="utf-8")
    assert not dev.made(stamp, "new")
    stamp.write_text("new", encoding="utf-8")
    assert dev.made(stamp, "new")


def test_a_command_whose_module_is_absent_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    assert dev.module("bench")([]) == 2
    assert "no module benchmarks" in capsys.readouterr().err
