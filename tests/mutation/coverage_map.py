"""Which test runs which line: measured once, kept below .cache until a source or a test changes."""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "mutation"
PACKAGES = ("closure", "findings")
TESTS = ("tests/closure", "tests/conformance", "tests/examples", "tests/findings")
PROFILE = "mutation"
OPTIONS = (
    *("-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--hypothesis-profile={PROFILE}"),
    *("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"),
)
"""Of every run of pytest here; hypothesis is imported before it."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Each test with its seconds of processor time; each module's lines with the tests that run them."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, tuple[str, ...]]]

    def tests_of(self, path: str, lines: Iterable[int]) -> list[str]:
        """Return the tests that run any of these lines, the quickest first."""
        by_line = self.lines.get(path, {})
        found = {test for line in lines for test in by_line.get(line, ())}
        return sorted(found, key=lambda test: (self.seconds.get(test, 0.0), test))

    def tests_of_module(self, path: str) -> list[str]:
        """Return the tests that run anything of a module, the quickest first."""
        return self.tests_of(path, self.lines.get(path, {}))


def register_profile() -> None:
    """Few examples, always the same ones, and no search for a smaller one: a mutant is killed or not."""
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        PROFILE,
        max_examples=10,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )


def fingerprint() -> str:
    """Change with every source and test that the measurement rests on."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in ("topology", *PACKAGES, *TESTS):
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def measured() -> Coverage:
    """Return the map, from the cache or by running the tests once in a process of their own."""
    kept = FOLDER / "coverage.json"
    if not kept.exists() or json.loads(kept.read_text(encoding="utf-8"))["fingerprint"] != fingerprint():
        FOLDER.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "tests.mutation.coverage_map"], cwd=ROOT, check=True)
    document = json.loads(kept.read_text(encoding="utf-8"))
    names = document["tests"]
    lines = {
        path: {int(line): tuple(names[test] for test in tests) for line, tests in by_line.items()}
        for path, by_line in document["lines"].items()
    }
    return Coverage(dict(zip(names, document["seconds"], strict=True)), lines)


class Recorder:
    """A plugin that tells coverage which test is running, and keeps how long each takes and which fail."""

    def __init__(self, coverage: Any) -> None:
        self.coverage = coverage
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        started = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - started
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)


def measure() -> None:
    """Run the tests once under coverage and write the map."""
    from coverage import Coverage as Measurement

    register_profile()
    data_file = FOLDER / "coverage.data"
    data_file.unlink(missing_ok=True)
    include = [f"{ROOT / package}/*" for package in PACKAGES]
    measurement = Measurement(data_file=str(data_file), config_file=False, include=include)
    recorder = Recorder(measurement)
    measurement.start()
    pytest.main([*OPTIONS, *TESTS], plugins=[recorder])
    measurement.stop()
    data = measurement.get_data()
    names = sorted(set(recorder.seconds) - recorder.failed)
    numbers = {name: number for number, name in enumerate(names)}
    lines = {
        Path(path).relative_to(ROOT).as_posix(): {
            str(line): sorted(numbers[test] for test in tests if test in numbers)
            for line, tests in sorted(data.contexts_by_lineno(path).items())
        }
        for path in sorted(data.measured_files())
    }
    document = {
        "fingerprint": fingerprint(),
        "tests": names,
        "seconds": [round(recorder.seconds[name], 4) for name in names],
        "lines": lines,
    }
    (FOLDER / "coverage.json").write_text(json.dumps(document), encoding="utf-8")


if __name__ == "__main__":
    measure()
