"""One file, whole or not at all; exit codes; what is fixed word for word."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import topology.notes as notes
from tests.collector.build import node
from tests.collector.direct import estate_of
from tests.collector.stub_server import Cluster
from topo import collect
from topo.cli import main

FILE = Path(collect.__file__)


class TestFixedTexts:
    """The analyser says the same words."""

    @pytest.mark.parametrize(
        "name", ["CRITICALITY_CAVEAT", "SELF_REPORTED_NOTE", "NO_MAP_CAVEAT", "CPU_UNIT_CAVEAT"]
    )
    def test_byte_for_byte(self, name: str) -> None:
        assert getattr(collect, name) == getattr(notes, name)

    def test_every_estate_carries_the_criticality_caveat_first(self) -> None:
        assert estate_of(Cluster().add(node("n1")))["provenance"]["caveats"][0] == collect.CRITICALITY_CAVEAT
        assert "Review and re-label" in collect.CRITICALITY_CAVEAT

    def test_a_cpu_estate_labels_itself(self) -> None:
        estate = estate_of(Cluster().add(node("n1")), "--unit", "cpu")
        assert (estate["unit"], estate["nodes"][0]["installed"]) == ("cpu", 64)
        assert collect.CPU_UNIT_CAVEAT in estate["provenance"]["caveats"]


class TestFile:
    """Mode 0600, atomically whole or not at all; - is stdout."""

    def test_mode_and_no_leftovers(self, tmp_path: Path) -> None:
        place = tmp_path / "estate.json"
        place.write_text("old")
        place.chmod(0o644)
        collect.write_whole(str(place), "new\n")
        assert place.read_text() == "new\n"
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        assert [path.name for path in tmp_path.iterdir()] == ["estate.json"]

    def test_a_failure_leaves_what_stood_there(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        place = tmp_path / "estate.json"
        place.write_text("old")
        monkeypatch.setattr(os, "fsync", _full_disk)
        with pytest.raises(collect.Refusal, match="No space left"):
            collect.write_whole(str(place), "new")
        assert place.read_text() == "old"
        assert [path.name for path in tmp_path.iterdir()] == ["estate.json"]

    def test_stdout(self, capsys: pytest.CaptureFixture[str]) -> None:
        collect.write_whole("-", "whole\n")
        assert capsys.readouterr().out == "whole\n"

    def test_a_device_is_written_not_replaced(self) -> None:
        collect.write_whole(os.devnull, "x")
        assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)

    @pytest.mark.parametrize("output", ["absent/estate.json", "."])
    def test_what_cannot_be_written_is_refused_before_anything_is_asked(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert collect.main(["-o", output, "--kubectl", sys.executable]) == 2


class TestInputsAreSpared:
    """The map, the secret key, the kubeconfig and kubectl are never replaced, by whatever name."""

    @pytest.fixture(params=["itself", "another spelling", "a symbolic link", "a hard link"])
    def output(self, request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
        """An input, and a name of it to write to."""
        place, other = tmp_path / "input", tmp_path / "other"
        place.write_text("precious", encoding="utf-8")
        place.chmod(0o755)
        if request.param == "a symbolic link":
            other.symlink_to(place)
        elif request.param == "a hard link":
            other.hardlink_to(place)
        names = {"itself": str(place), "another spelling": f"{tmp_path}/./input"}
        return place, names.get(request.param, str(other))

    @pytest.mark.parametrize("option", ["--redact-key-file", "--kubeconfig", "--kubectl", "--topology"])
    @pytest.mark.parametrize("alone", [True, False])
    def test_given(
        self, output: tuple[Path, str], option: str, alone: bool, capsys: pytest.CaptureFixture[str]
    ) -> None:
        place, name = output
        words = ["--redact", option, str(place), "-o", name]
        assert (collect.main(words) if alone else main(["collect", *words])) == 2
        assert "is an input: the result would replace it" in capsys.readouterr().err
        assert place.read_text(encoding="utf-8") == "precious"

    @pytest.mark.parametrize("where", ["KUBECONFIG", "HOME"])
    def test_not_given(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
        place = tmp_path / ".kube" / "config"
        place.parent.mkdir()
        place.write_text("precious", encoding="utf-8")
        monkeypatch.delenv("KUBECONFIG", raising=False)
        monkeypatch.setenv(where, f"/nowhere:{place}" if where == "KUBECONFIG" else str(tmp_path))
        assert collect.main(["-o", str(place)]) == 2
        assert place.read_text(encoding="utf-8") == "precious"


def _full_disk(_: int) -> None:
    raise OSError(28, "No space left on device")


class TestUsage:
    """Wrong usage and unreadable files are 2, before the cluster is asked."""

    @pytest.mark.parametrize(
        "flags",
        [
            ["--topology", "absent.yaml"],
            ["--kubeconfig", "absent"],
            ["--redact", "--redact-key-file", "absent"],
            ["--redact-key-file", "key"],
            ["--redact", "--redact-key-file", "empty"],
            ["--redact", "--redact-key-file", "blank"],
            ["--redact", "--redact-key-file", os.devnull],
            ["--redact", "--redact-key-file", "nul\0"],
            ["--cluster", "a" * 5000],
            ["--unit", "cpu", "--prometheus", "a/b:1"],
            ["--unit", "cpu", "--dcgm", "a/b:1"],
        ],
    )
    def test_refused(
        self,
        flags: list[str],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.chdir(tmp_path)
        texts = {"key": "k", "empty": "", "blank": " \n"}
        for name, text in texts.items():
            Path(name).write_text(text, encoding="utf-8")
        assert collect.main(["--kubectl", sys.executable, *flags]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert {path.name for path in tmp_path.iterdir()} == set(texts)

    @pytest.mark.parametrize(
        "flags",
        [
            ["--unit", "tpu"],
            ["--dcgm", "x"],
            ["--label-map", "rick=a"],
            ["--label-map", "rack="],
            ["--kw-per-unit", "-1"],
            ["--price-per-unit-hour", "nan"],
            ["--request-timeout", "0"],
        ],
    )
    def test_argparse_refuses(self, flags: list[str]) -> None:
        with pytest.raises(SystemExit) as ended:
            collect.main(flags)
        assert ended.value.code == 2

    def test_no_kubectl_is_an_unreachable_cluster(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert collect.main(["--kubectl", "no-such-kubectl"]) == 4
        assert "install kubectl" in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == []

    def test_a_map_that_is_embedded_cannot_be_redacted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("t.yaml").write_text("nodes: {}")
        assert collect.main(["--topology", "t.yaml", "--redact", "--kubectl", sys.executable]) == 2
        assert "topo collect" in capsys.readouterr().err


def test_messages_hold_nothing_unseen() -> None:
    assert collect.clean("a\u00ad\u3164\ufe0f\U000e0041\u202e\nb") == "a      b"


class TestStandardOutput:
    """The file alone says in one line that nothing could be written; a reader that is gone is no fault."""

    @pytest.mark.parametrize(("ending", "code", "lines"), [(">/dev/full", 2, 1), ("| true", 141, 0)])
    def test_requests(self, ending: str, code: int, lines: int) -> None:
        line = f'"{sys.executable}" "{FILE}" --print-requests {ending}; exit ${{PIPESTATUS[0]}}'
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
        assert done.stderr.count("\n") == lines
        assert done.returncode in ({code, 0} if code == 141 else {code})


class TestTerms:
    """Prices and powers are the operator's; what was not given is not there."""

    def test_given(self) -> None:
        estate = estate_of(
            Cluster().add(node("n1")),
            "--price-per-unit-hour",
            "2.5",
            "--kw-per-unit",
            "1",
            "--default-restart-minutes",
            "45",
        )
        assert (estate["pricePerUnitHour"], estate["wattsPerUnitKw"], estate["defaultRestartMinutes"]) == (
            2.5,
            1,
            45,
        )

    def test_absent(self) -> None:
        assert (
            not {"pricePerUnitHour", "wattsPerUnitKw", "defaultRestartMinutes"}
            & estate_of(Cluster().add(node("n1"))).keys()
        )


class TestOnItsOwn:
    """The file alone: Python 3.9, no site packages, no environment."""

    def pythons(self) -> list[str]:
        found = [Path.home() / f".pyenv/versions/{version}/bin/python" for version in ("3.9.18", "3.13.0")]
        return [sys.executable, *(str(path) for path in found if path.exists())]

    def test_isolated(self, tmp_path: Path) -> None:
        alone = tmp_path / "collect.py"
        alone.write_bytes(FILE.read_bytes())
        answers = set()
        for python in self.pythons():
            done = subprocess.run(
                [python, "-I", "-S", str(alone), "--print-requests"],
                capture_output=True,
                text=True,
                cwd=tmp_path,
            )
            assert done.returncode == 0, done.stderr
            answers.add(done.stdout)
        assert len(answers) == 1

    def test_kubectl_that_hangs_is_killed_with_its_children(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow = tmp_path / "kubectl"
        slow.write_text("#!/bin/sh\nsleep 60 & sleep 60\n")
        slow.chmod(0o755)
        monkeypatch.setattr(collect, "GUARD_SECONDS", 0.1)
        with pytest.raises(collect.Failure) as failure:
            collect.Kubectl([str(slow)], 0.2).get("/version")
        assert failure.value.kind == "timeout"

    def test_stdout_of_a_failure_is_not_read(self, tmp_path: Path) -> None:
        liar = tmp_path / "kubectl"
        body, words = '{"kind":"List","items":[]}', "Error from server (Forbidden): no"
        liar.write_text(f"#!/bin/sh\necho '{body}'\necho '{words}' >&2\nexit 1\n")
        liar.chmod(0o755)
        with pytest.raises(collect.Failure) as failure:
            collect.Kubectl([str(liar)], 5).get_json("/api/v1/pods")
        assert failure.value.kind == "forbidden"

    def test_words_on_stderr_of_a_success_are_no_failure(self, tmp_path: Path) -> None:
        noisy = tmp_path / "kubectl"
        noisy.write_text(
            "#!/bin/sh\necho '{\"items\":[]}'\necho 'E1201 memcache.go could not get resource list' >&2\n"
        )
        noisy.chmod(0o755)
        assert collect.Kubectl([str(noisy)], 5).get_json("/api/v1/pods") == {"items": []}
