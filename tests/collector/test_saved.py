"""--from: an estate of answers that were saved, the same as of the cluster itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.collector.build import budget, event, node, owner, parent, pod
from tests.collector.direct import NOW, estate_of
from tests.collector.stub_server import Cluster
from topo import collect
from topo.cli import main
from topology.load import load_estate_text

DOCS = Path(__file__).resolve().parents[2] / "docs" / "collector.md"


def cluster() -> Cluster:
    """A service over two nodes, with a budget, and an event."""
    return Cluster().add(
        node("n1", labels={"topology.kubernetes.io/zone": "z1"}),
        node("n2"),
        *(pod(f"p{i}", f"n{i}", owner=owner("ReplicaSet", "r"), labels={"app": "x"}) for i in (1, 2)),
        pod("done", phase="Succeeded"),
        parent("ReplicaSet", "r", owner=owner("Deployment", "d")),
        parent("Deployment", "d"),
        budget("b", {"matchLabels": {"app": "x"}}, minAvailable=1),
        event("SuccessfulRescale", "horizontal-pod-autoscaler", last="2026-12-01T12:10:00Z"),
    )


def save(folder: Path, *, as_kubectl: bool = False, only: tuple[str, ...] = ()) -> Path:
    """Save what a cluster answers, as `--raw` does or as `kubectl get -o json`."""
    folder.mkdir(exist_ok=True)
    stub = cluster()
    for path, name in collect.SAVED_NAMES.items():
        code, body = stub.answer(path)
        if code == 200 and (not only or name in only):
            content = json.loads(body)
            if as_kubectl and "items" in content:
                content.update(kind="List", apiVersion="v1")
            (folder / name).write_text(json.dumps(content), encoding="utf-8")
    (folder / collect.SAVED_AT).write_text("2026-12-01T12:30:00Z\n", encoding="utf-8")
    return folder


def from_files(folder: Path, *flags: str) -> dict[str, Any]:
    """Return the estate that the command writes; it must be valid."""
    target = folder.parent / "estate.json"
    assert main(["collect", "--from", str(folder), "--cluster", "lab", "-q", "-o", str(target), *flags]) == 0
    text = target.read_text(encoding="utf-8")
    assert load_estate_text(text, "estate.json").estate is not None
    estate: dict[str, Any] = json.loads(text)
    return estate


def refused(folder: Path, *flags: str) -> int:
    """Return the exit code of a run that must write nothing."""
    target = folder.parent / "estate.json"
    code = main(["collect", "--from", str(folder), "-o", str(target), *flags])
    assert not target.exists()
    return code


class TestTheSame:
    def test_as_of_the_cluster(self, tmp_path: Path) -> None:
        found = from_files(save(tmp_path / "saved"))
        asked = estate_of(cluster(), "--dcgm", "off")
        del found["provenance"], asked["provenance"]
        assert found == asked

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_what_kubectl_and_shells_make_of_it(self, tmp_path: Path, encoding: str) -> None:
        plain = from_files(save(tmp_path / "a"))
        folder = save(tmp_path / "b", as_kubectl=True)
        for path in folder.glob("*.json"):
            path.write_text(path.read_text(encoding="utf-8"), encoding=encoding)
        found = from_files(folder)
        assert {key: found[key] for key in ("nodes", "workloads", "loops")} == {
            key: plain[key] for key in ("nodes", "workloads", "loops")
        }

    def test_no_kubectl_is_run(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(collect, "run_guarded", lambda *_: pytest.fail("a process was started"))
        folder = save(tmp_path / "saved")
        assert main(["collect", "--from", str(folder), "--kubectl", "no-such", "-o", os.devnull]) == 0

    def test_the_file_alone(self, tmp_path: Path) -> None:
        command = [
            sys.executable,
            "-I",
            "-S",
            collect.__file__,
            "--from",
            str(save(tmp_path / "saved")),
            "-o",
            "-",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env={"PATH": ""})
        assert json.loads(done.stdout)["nodes"][0]["id"] == "n1"

    def test_hidden(self, tmp_path: Path) -> None:
        text = json.dumps(from_files(save(tmp_path / "saved", only=("nodes.json", "pods.json")), "--redact"))
        assert '"n1"' not in text
        assert str(tmp_path) not in text


class TestTime:
    """The snapshot is of the moment when the answers were saved."""

    def test_said(self, tmp_path: Path) -> None:
        found = from_files(save(tmp_path / "saved"))
        assert found["snapshotAt"] == found["provenance"]["collectedAt"] == collect.stamp(NOW)

    @pytest.mark.parametrize("said", [None, "yesterday", "\udcff", "0001-01-01T00:00:00Z"])
    def test_not_said(self, tmp_path: Path, said: str | None) -> None:
        folder = save(tmp_path / "saved")
        (folder / collect.SAVED_AT).unlink()
        if said is not None:
            (folder / collect.SAVED_AT).write_bytes(said.encode("utf-8", "surrogateescape"))
        os.utime(folder / "nodes.json", (NOW.timestamp() - 3600.5,) * 2)
        found = from_files(folder)
        assert found["snapshotAt"] == found["provenance"]["collectedAt"] == "2026-12-01T11:29:59Z"
        assert "do not say when they were saved (saved-at.txt)" in str(found["provenance"]["caveats"])

    def test_a_clock_that_was_never_set(self, tmp_path: Path) -> None:
        folder = save(tmp_path / "saved")
        (folder / collect.SAVED_AT).unlink()
        os.utime(folder / "nodes.json", (-1e9, -1e9))
        assert refused(folder) == 2


class TestWhatIsNotThere:
    def test_absent_is_unknown(self, tmp_path: Path) -> None:
        found = from_files(save(tmp_path / "saved", only=("nodes.json", "pods.json")))
        signals = found["provenance"]["signals"]
        assert {name for name, one in signals.items() if one["reachable"]} == {"nodes", "pods"}
        assert signals["poddisruptionbudgets"]["detail"] == "there is no file poddisruptionbudgets.json"
        assert "critical" not in found["workloads"][0]
        assert found["loops"] == []
        said = str(found["provenance"]["caveats"])
        assert "PodDisruptionBudgets could not be read: criticality is unknown" in said
        assert "DCGM is not read from files: utilization is estimated from requests" in said

    @pytest.mark.parametrize(
        ("body", "detail"),
        [
            (
                {"kind": "List", "items": []},
                "`kubectl get -o json` writes an empty list where it may not read",
            ),
            ({"kind": "EventList", "items": []}, "the file does not hold poddisruptionbudgets, but: Event"),
            ({"kind": "List", "items": [{"kind": "Pod"}]}, "does not hold poddisruptionbudgets, but: Pod"),
            ({"items": []}, "does not hold poddisruptionbudgets"),
            (
                {"kind": "PodDisruptionBudgetList", "items": [], "metadata": {"continue": "x"}},
                "holds the first part of a list",
            ),
            ([], "the answer is not a JSON object"),
            ({"kind": "Status", "status": "Failure", "message": "forbidden"}, "forbidden"),
        ],
    )
    def test_what_cannot_be_trusted_is_unknown(self, tmp_path: Path, body: object, detail: str) -> None:
        folder = save(tmp_path / "saved")
        (folder / "poddisruptionbudgets.json").write_text(json.dumps(body), encoding="utf-8")
        found = from_files(folder)
        signal = found["provenance"]["signals"]["poddisruptionbudgets"]
        assert signal["reachable"] is False
        assert detail in signal["detail"]
        assert "critical" not in found["workloads"][0]

    def test_an_empty_list_of_the_server_is_known(self, tmp_path: Path) -> None:
        folder = save(tmp_path / "saved")
        text = json.dumps({"kind": "PodDisruptionBudgetList", "items": []})
        (folder / "poddisruptionbudgets.json").write_text(text, encoding="utf-8")
        assert from_files(folder)["workloads"][0]["critical"] is False

    @pytest.mark.parametrize("name", ["nodes.json", "pods.json"])
    @pytest.mark.parametrize("text", [None, "", "{", '{"kind": "List", "items": []}'])
    def test_nodes_and_pods_are_needed(
        self, tmp_path: Path, name: str, text: str | None, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = save(tmp_path / "saved")
        (folder / name).unlink()
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
        assert refused(folder) == 2
        assert capsys.readouterr().err.count("\n") == 1


class TestUsage:
    @pytest.mark.parametrize(
        "flags",
        [
            ("--context", "a"),
            ("--kubeconfig", "a"),
            ("--as", "a"),
            ("--prometheus", "a/b:1"),
            ("--dcgm", "a/b:1"),
        ],
    )
    def test_nobody_is_asked(
        self, tmp_path: Path, flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert refused(save(tmp_path / "saved"), *flags) == 2
        assert f"leave out {flags[0]}" in capsys.readouterr().err

    def test_no_folder(self, tmp_path: Path) -> None:
        assert refused(tmp_path / "absent") == 2
        (tmp_path / "file").write_text("", encoding="utf-8")
        assert refused(tmp_path / "file") == 2

    def test_an_answer_is_never_replaced(self, tmp_path: Path) -> None:
        folder = save(tmp_path / "saved")
        before = (folder / "nodes.json").read_bytes()
        assert main(["collect", "--from", str(folder), "-o", str(folder / "nodes.json")]) == 2
        assert (folder / "nodes.json").read_bytes() == before

    @pytest.mark.parametrize("unit", ["gpu", "cpu"])
    def test_its_files_are_listed_and_documented(
        self, tmp_path: Path, unit: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["collect", "--from", str(tmp_path), "--unit", unit, "--print-requests"]) == 0
        listed = capsys.readouterr().out.split()
        commands = DOCS.read_text(encoding="utf-8").partition("## Without a way to the cluster")[2]
        for name in listed:
            assert re.search(rf"\b{name.removesuffix('.json')}\b", commands), name
