"""A failure has one size on every page: the worse engine leads, and what is partly known says "at least"."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.topo.command import ROOT, topo
from tests.topo.test_documents import ESTATE

NOW = ("--now", "2026-12-01T12:00:00Z")
AUTHORED = ("examples/authoring/estate.json", "--topology", "examples/authoring/topology.yaml")


def flat(page: str) -> str:
    """Return a page without its line ends."""
    return re.sub(r"\s+", " ", page)


@pytest.fixture(scope="module")
def unsaid(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sample estate, where `some` or `all` of the workloads do not say whether they are critical."""
    made = {}
    for name, silent in (("some", ("research", "serve")), ("all", ("",))):
        document = json.loads((ROOT / ESTATE).read_text(encoding="utf-8"))
        for workload in document["workloads"]:
            if workload["id"].startswith(silent):
                workload.pop("critical", None)
        made[name] = tmp_path_factory.mktemp("unsaid") / f"{name}.json"
        made[name].write_text(json.dumps(document), encoding="utf-8")
    return made


class TestWorseEngine:
    """concepts: the worse of the two engines leads, and the page says which it is."""

    def test_the_sweep_ranks_by_it_and_its_document_by_the_closure(self) -> None:
        page = topo("sweep", *NOW, ESTATE).out
        row = next(line for line in page.splitlines() if line.startswith("  h1-ups-a"))
        assert row.split() == "h1-ups-a UPS !*71 504 480 34.1 % >= $1,586 strict +224".split()
        assert page.index("  h1-ups-a") < page.index("  h2-air")
        document = json.loads(topo("sweep", *NOW, "--format", "json", ESTATE).out)
        failed = [row["failed"][0] for row in document["scenarios"]]
        assert failed.index("h2-air") < failed.index("h1-ups-a")

    def test_the_harmless_ones_of_the_headline_are_those_of_the_table(self) -> None:
        page = topo("sweep", "--rows", "0", *NOW, ESTATE).out
        said = re.search(r"(\d+) lose no node", page)
        table = page[page.index("EVERY SINGLE") : page.index("WORSE THAN")]
        none = re.findall(r" \??0  +0  +0  +0 %", table)
        assert said is not None
        assert len(none) == int(said.group(1))

    def test_findings_begin_with_the_verdict_and_show_both(self) -> None:
        page = topo("findings", *NOW, ESTATE).out
        assert page.startswith("Worst single failure: h1-fabric (network) takes down 167 nodes")
        assert "Idle allocation: at least $69,408.00 a month. Lemon nodes: at least 6." in flat(page)
        assert "by the closure" in page
        assert re.search(r"h1-ups-a +UPS +256 +18.2 % +280 +1,198 +480 = 34.1 %", page)
        assert re.search(r"h1-ups-a +>= \$793.33 +>= \$1,586.67 +1 +>= \$1,586.67", page)

    @pytest.mark.parametrize(
        ("finding", "said"),
        [
            ("critical-share/h1-ups-a", "by the closure; strict check: 480 critical = 34.1 %"),
            ("progress-at-risk/h1-ups-a", "by the closure; strict check: at least $1,586.67"),
            ("critical-share/h2-air", "by the closure; the strict check says the same"),
        ],
    )
    def test_explain_says_whose_figure_it_is(self, finding: str, said: str) -> None:
        assert said in flat(topo("explain", finding, *NOW, ESTATE).out)

    def test_what_the_strict_check_alone_sees_does_not_sink(self) -> None:
        sweep, found = (topo(command, *NOW, *AUTHORED).out for command in ("sweep", "findings"))
        assert re.search(r"  ups-a +UPS +6 +44 +44 +100 % +\$46.67 +strict \+44", sweep)
        assert sweep.index("  ups-a") < sweep.index("  rack-1")
        assert "0 lose no node by either engine" in flat(sweep)
        assert re.search(r"  ups-a +UPS +0 +0 % +0 +\d+ +44 = 100 %", found)


class TestCriticality:
    """Where some do not say: at least. Where none says: unknown."""

    def test_some_do_not_say(self, unsaid: dict[str, Path]) -> None:
        sweep = flat(topo("sweep", *NOW, unsaid["some"]).out)
        assert "at least 896 critical" in sweep
        assert ">= 896" in sweep
        assert "Workloads that do not say whether they are critical: 6." in sweep
        words = ("--fail", "h1-ups-a", *NOW, unsaid["some"])
        assert "at least 448 of them critical (38.9 % of all known to be critical)" in flat(
            topo("whatif", *words).out
        )
        calls = topo("whatif", *words).out.partition("\nCALL")[2]
        assert re.search(r"^  research +research +#research-oncall +24 +(>= 0|unknown)$", calls, re.MULTILINE)
        second = topo("ok-to-take-out", "h1-pdu-1a", *NOW, unsaid["some"]).out
        assert re.search(r"^  h1-ats-a +ATS +167 +96 +1,198 +>= \d+  strict check$", second, re.MULTILINE)
        assert "at least 448 of them critical" in flat(topo("diagram", *words, "--format", "svg").out)
        assert ">= 448 = 38.9 %" in topo("findings", *NOW, unsaid["some"]).out
        assert "at least 1,152 critical" in flat(topo("sweep", "--order", "2", *NOW, unsaid["some"]).out)

    def test_none_says(self, unsaid: dict[str, Path]) -> None:
        words = ("--fail", "h1-ups-a", *NOW, unsaid["all"])
        assert "at least" not in topo("sweep", *NOW, unsaid["all"]).out.split("READ WITH CARE")[0]
        assert "of which critical: unknown" in flat(topo("whatif", *words).out)
        drawn = flat(topo("diagram", *words, "--format", "svg").out)
        assert "of which critical: unknown" in drawn
        assert "at least 0" not in drawn


def test_one_thing_trips_under_what_shifts_onto_it_several_under_what_shifts_onto_them() -> None:
    one = topo("whatif", "--fail", "ups-a", *NOW, *AUTHORED).out
    assert "pdu-b trips under what shifts onto it." in flat(one)
    several = topo("whatif", "--fail", "h1-ups-a", *NOW, ESTATE).out
    assert "h1-pdu-4b, h1-ups-m trip under what shifts onto them." in flat(several)
