"""The runtime of the page: exactly the pinned one, or a message that says what to do."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
import tarfile
from base64 import b64decode, b64encode
from pathlib import Path

import pytest

from tests.topo.command import topo
from topo import live_runtime
from topo.live import runtime
from topo.live.page import render_live_page, worker_source
from topo.live.runtime import INTEGRITY, TARBALL, VERSION, Runtime, integrity, load_runtime, unpack
from topo.live.snapshot import snapshot
from topo.output import UsageError
from topo.report.html import fingerprint
from topo.report.policy import script_hash

MODULE = "async function _createPyodideModule(){return import.meta.url}export default _createPyodideModule;\n"
FILES = {
    "pyodide.js": b"var loadPyodide = 1;",
    "pyodide.mjs": b"export const loadPyodide = 1;",
    "pyodide.asm.mjs": MODULE.encode(),
    "pyodide.asm.wasm": b"\0asm",
    "python_stdlib.zip": b"PK",
    "pyodide-lock.json": b'{"info": {"version": "1"}, "packages": {"numpy": {}}}',
}


def tarball() -> bytes:
    """A package with the members of the real one."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in FILES.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> bytes:
    """A small package, pinned in place of the real one, and an empty cache."""
    data = tarball()
    for module in (runtime, live_runtime):
        monkeypatch.setattr(module, "INTEGRITY", integrity(data))
    monkeypatch.setenv("TOPO_CACHE", str(tmp_path / "cache"))
    return data


class TestCommand:
    def test_without_a_runtime_it_says_what_to_do(self, tmp_path: Path) -> None:
        done = topo("report", "--live", "-o", tmp_path / "live.html", TOPO_CACHE=str(tmp_path))
        assert (done.code, done.out) == (2, "")
        assert f"{tmp_path / TARBALL} does not exist" in done.err
        assert f"npm pack pyodide@{VERSION}" in done.err
        assert f"--runtime {TARBALL}" in done.err
        assert "python3 dev.py live" in done.err
        assert not (tmp_path / "live.html").exists()

    def test_another_tarball_is_refused(self, tmp_path: Path) -> None:
        other = tmp_path / "other.tgz"
        other.write_bytes(tarball())
        done = topo("report", "--live", "--runtime", other, "-o", tmp_path / "live.html")
        assert done.code == 2
        assert "its hash differs" in done.err

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--live", "estate.json"], "dropped on the page"),
            (["--runtime", "x.tgz", "estate.json"], "--runtime is for --live"),
            (["--live", "--load", "installed"], "--load"),
            ([], "which estate"),
        ],
    )
    def test_what_does_not_go_together_is_refused(self, arguments: list[str], said: str) -> None:
        done = topo("report", *arguments)
        assert done.code == 2
        assert said in done.err


class TestRuntime:
    def test_the_pin_is_a_hash_of_npms_kind(self) -> None:
        assert len(b64decode(INTEGRITY.removeprefix("sha512-"))) == 64

    def test_the_cached_one_is_found(self, pinned: bytes, tmp_path: Path) -> None:
        (tmp_path / "cache").mkdir()
        (tmp_path / "cache" / TARBALL).write_bytes(pinned)
        assert load_runtime() == unpack(pinned)
        assert load_runtime().lock == {"info": {"version": "1"}, "packages": {}}

    def test_a_folder_is_no_tarball(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="cannot read"):
            load_runtime(str(tmp_path))

    def test_the_cache_is_the_users(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.delenv("TOPO_CACHE", raising=False)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
        assert runtime.cache_folder() == tmp_path / "topo"


class TestFetching:
    """`python3 dev.py live`."""

    def npm(self, monkeypatch: pytest.MonkeyPatch, data: bytes, code: int = 0) -> list[list[str]]:
        """Have npm answer with `data`; return what it is asked."""
        asked = []

        def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
            asked.append(command)
            if code == 0:
                Path(command[command.index("--pack-destination") + 1], TARBALL).write_bytes(data)
            return subprocess.CompletedProcess(command, code, "", "npm error offline")

        monkeypatch.setattr(shutil, "which", lambda _: "npm")
        monkeypatch.setattr(subprocess, "run", run)
        return asked

    def test_it_is_fetched_once(
        self, pinned: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked = self.npm(monkeypatch, pinned)
        assert live_runtime.main([]) == live_runtime.main([]) == 0
        assert [command[:3] for command in asked] == [["npm", "pack", f"pyodide@{VERSION}"]]
        assert load_runtime() == unpack(pinned)
        assert capsys.readouterr().out.split()[0].endswith(TARBALL)

    def test_what_is_not_pinned_is_not_kept(
        self, pinned: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.npm(monkeypatch, pinned + b"\0")
        assert live_runtime.main([]) == 2
        assert "not the pinned one" in capsys.readouterr().err
        assert not (runtime.cache_folder() / TARBALL).exists()

    def test_npms_failure_is_told(
        self, pinned: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.npm(monkeypatch, pinned, code=1)
        assert live_runtime.main([]) == 2
        assert "npm error offline" in capsys.readouterr().err

    @pytest.mark.usefixtures("pinned")
    def test_a_machine_without_npm_is_told(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(shutil, "which", lambda _: None)
        assert live_runtime.main([]) == 2
        assert "npm is needed" in capsys.readouterr().err


class TestPage:
    @pytest.fixture(scope="class")
    @classmethod
    def page(cls) -> str:
        return render_live_page(unpack(tarball()))

    def test_it_is_not_allowed_to_send_anything(self, page: str) -> None:
        found = re.search('Content-Security-Policy" content="([^"]*)"', page)
        assert found is not None
        rules = dict(rule.strip().split(" ", 1) for rule in found[1].replace("&#39;", "'").split(";"))
        assert rules["default-src"] == "'none'"
        assert "connect-src" not in rules
        assert rules["worker-src"] == rules["frame-src"] == "blob:"
        assert script_hash() in rules["script-src"]
        assert "'unsafe-eval'" not in rules["script-src"]
        assert "'unsafe-inline'" not in found[1]

    def test_every_script_that_runs_is_allowed_by_its_hash(self, page: str) -> None:
        scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        assert [fingerprint(text) in page.replace("&#39;", "'") for text in scripts] == [True]

    def test_no_address_stands_in_it(self, page: str) -> None:
        visible = re.sub(r'<script type="application/octet-stream".*?</script>', "", page, flags=re.DOTALL)
        assert re.findall(r"(?:https?|wss?)://[^\s\"'<]*", visible) == []

    def test_the_parts_come_back_as_they_were(self, page: str) -> None:
        parts = {
            name: b64decode(text) for name, text in re.findall('id="part-([a-z]+)">([A-Za-z0-9+/=]*)<', page)
        }
        assert gzip.decompress(parts["wasm"]) == FILES["pyodide.asm.wasm"]
        assert parts["stdlib"] == FILES["python_stdlib.zip"]
        assert gzip.decompress(parts["script"]).decode() == worker_source(unpack(tarball()))

    def test_the_memory_of_a_started_python_travels_along(self, page: str) -> None:
        assert '<script type="application/octet-stream" id="part-memory"></script>' in page
        started = render_live_page(unpack(tarball()), b"memory")
        assert f'id="part-memory">{b64encode(b"memory").decode()}<' in started

    def test_the_same_runtime_gives_the_same_bytes(self, page: str) -> None:
        assert render_live_page(unpack(tarball())) == page

    def test_the_module_becomes_part_of_the_worker(self) -> None:
        source = worker_source(unpack(tarball()))
        assert "import.meta" not in source
        assert "export default" not in source

    @pytest.mark.parametrize("module", ["", MODULE + "more()", MODULE.replace("export default", "export")])
    def test_a_module_of_another_form_is_refused(self, module: str) -> None:
        with pytest.raises(ValueError, match="does not end as expected"):
            worker_source(Runtime("", "", module, b"", b"", json.loads("{}")))


class TestSnapshot:
    """The memory of a Python that has imported everything."""

    def test_without_nodejs_there_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shutil, "which", lambda _: None)
        assert snapshot(unpack(tarball())) is None

    def test_a_runtime_that_does_not_start_says_why_in_one_line(self) -> None:
        if shutil.which("node") is None:
            pytest.skip("no Node.js")
        with pytest.raises(UsageError, match="Python: loadPyodide is not a function"):
            snapshot(unpack(tarball()))
