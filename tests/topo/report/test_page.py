"""The page itself: well-formed, sealed, complete, the same every time, following every constant."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from findings import constants
from findings.document import findings_document
from findings.formulas import formulas
from tests.findings.test_documentation import MUTATIONS as DOCUMENT_MUTATIONS
from tests.topo.command import LAB, ROOT, golden, topo
from tests.topo.diagram.drawing import example, node, small
from tests.topo.report.pages import HOSTILE, NOW, Tree, hostile, island, page_of, telling
from topo.report import render_report
from topo.report.html import data_island, el, fingerprint, render, script, style
from topo.report.policy import asset
from topo.text.clean import clean
from topology.bare import estate_of
from topology.load import load_topology_text
from topology.model import Domain, Workload
from topology.notes import CRITICALITY_CAVEAT, SELF_REPORTED_NOTE

# Where a page shows a figure only on one side of a threshold, the change must stay on that side.
MUTATIONS = {
    **DOCUMENT_MUTATIONS,
    "IDLE_WINDOW_MED_HOURS": 50,
    "IDLE_WINDOW_HIGH_HOURS": 100,
    "STALE_HOURS": 1,
}


class TestElements:
    def test_text_and_attributes_are_escaped(self) -> None:
        assert render(el("p", {"title": '"<&'}, "<b>&")) == '<p title="&quot;&lt;&amp;">&lt;b&gt;&amp;</p>'

    def test_an_absent_attribute_is_left_out(self) -> None:
        assert render(el("p", {"hidden": True, "class": None, "id": False})) == "<p hidden></p>"

    def test_data_cannot_end_its_element(self) -> None:
        assert "</script><" not in data_island("x", '"</script><!--"').text.removesuffix("</script>\n")

    @pytest.mark.parametrize("make", [script, style])
    def test_code_that_ends_its_element_is_refused(self, make: object) -> None:
        with pytest.raises(ValueError, match="own end"):
            make("x </SCRIPT> </style>")  # type: ignore[operator]


@pytest.fixture(scope="module", params=["lab", "two-halls", "hostile", "bare"])
def page(request: pytest.FixtureRequest) -> str:
    if request.param == "hostile":
        return render_report(hostile(), now=NOW)
    if request.param == "bare":
        text = (ROOT / "examples" / "methodology" / "topology.yaml").read_bytes()
        topology = load_topology_text(text, "topology.yaml").topology
        assert topology is not None
        return render_report(estate_of(topology), now=NOW)
    return page_of(request.param)


class TestSealed:
    def test_it_is_well_formed(self, page: str) -> None:
        tree = Tree(page)
        assert tree.faults == []
        assert len(set(tree.ids)) == len(tree.ids)

    def test_it_names_nothing_outside_itself(self, page: str) -> None:
        tree = Tree(page)
        for tag, name, value in tree.attributes:
            assert not name.startswith("on"), (tag, name)
            assert name not in {"style", "src", "srcset", "action", "srcdoc"}, (tag, name)
            if name in {"href", "xlink:href"}:
                assert value.startswith("#"), value
                assert value[1:] in tree.ids

    def test_the_policy_allows_this_script_and_these_styles_and_nothing_else(self, page: str) -> None:
        (policy,) = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', page)
        rules = dict(rule.split(" ", 1) for rule in policy.replace("&#x27;", "'").split("; "))
        scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        styles = re.findall(r"<style[^>]*>(.*?)</style>", page, re.DOTALL)
        assert [asset("report.js")] == scripts
        assert rules["script-src"] == fingerprint(scripts[0])
        assert rules["style-src"].split() == [fingerprint(sheet) for sheet in styles]
        assert (rules["default-src"], rules["base-uri"], rules["form-action"]) == ("'none'",) * 3
        assert (rules["require-trusted-types-for"], rules["trusted-types"]) == ("'script'", "'none'")

    def test_the_script_writes_text_only(self) -> None:
        source = asset("report.js")
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "Function(",
            ".style",
        ):
            assert word not in source
        assert not re.search(r"\b(fetch|XMLHttpRequest|import|localStorage)\b", source)


class TestComplete:
    def test_every_caveat_is_there_word_for_word(self) -> None:
        estate = example("two-halls")
        text = Tree(page_of("two-halls")).text
        document = findings_document(estate, now=NOW)
        caveats = [*document["caveats"], *(c for finding in document["findings"] for c in finding["caveats"])]
        for caveat in {*caveats, *estate.provenance.caveats, CRITICALITY_CAVEAT, SELF_REPORTED_NOTE}:
            assert " ".join(caveat.split()) in text

    def test_every_definition_is_there_with_its_prose(self) -> None:
        tree = Tree(page_of("lab"))
        assert {f"f-{name}" for name in formulas()} <= set(tree.ids)
        for formula in formulas().values():
            assert " ".join(formula.text.split()) in tree.text
        assert "Job deaths" not in tree.text
        assert "a job that died is the best sign that the next one will" in tree.text

    def test_the_prose_is_the_page_of_definitions(self) -> None:
        """The wheel has no docs, so the page travels as a copy; TOPO_REGENERATE=1 makes it anew."""
        copy = ROOT / "topo" / "assets" / "report" / "methodology.txt"
        golden(copy, (ROOT / "docs" / "methodology.md").read_text("utf-8"))

    def test_every_finding_is_redone(self) -> None:
        text = Tree(page_of("lab")).text
        for finding in findings_document(example("lab"), now=NOW)["findings"]:
            assert finding["id"] in text

    @pytest.mark.parametrize("name", ["lab", "two-halls"])
    def test_no_figure_shows_the_noise_of_floats(self, name: str) -> None:
        assert not re.search(r"[0-9]\.[0-9]{10}", Tree(page_of(name)).text)

    def test_sample_data_wears_a_badge_and_a_snapshot_does_not(self) -> None:
        estate = replace(telling(), sample=True)
        assert "SAMPLE DATA" in render_report(estate, now=NOW)
        assert "SAMPLE DATA" not in render_report(telling(), now=NOW)

    def test_a_stale_snapshot_is_said_loudly(self) -> None:
        assert "STALE. " not in render_report(telling(), now="2026-11-30T13:00:00Z")
        assert "STALE. " in render_report(telling(), now="2026-12-05T00:00:00Z")

    def test_a_lower_bound_is_marked_wherever_it_stands(self) -> None:
        page = render_report(telling(), now=NOW)
        text = Tree(page).text
        assert "at least 4 critical ( 100 % of all known to be critical )" in text
        assert ">= 4" in text
        assert island(page)["allCritical"] == "all known to be critical"
        assert "least(failure.c[UNSAID])" in asset("report.js")

    def test_a_map_alone_has_no_units_and_no_dollars(self) -> None:
        topology = load_topology_text((LAB / "topology.yaml").read_bytes(), "topology.yaml").topology
        assert topology is not None
        text = Tree(render_report(estate_of(topology), now=NOW)).text
        assert "how many units that is, is unknown" in text
        assert "$0.00" not in text

    def test_an_estate_without_domains_has_a_report(self) -> None:
        assert "nothing to fail" in render_report(small(nodes=[node("n1")]), now=NOW)


class TestHostile:
    def test_ids_are_text(self) -> None:
        page = render_report(hostile(), now=NOW)
        text = Tree(page).text
        for identifier in HOSTILE:
            assert " ".join(clean(identifier).split()) in text
        assert "<img" not in page
        page.encode("utf-8")


class TestConstants:
    @staticmethod
    def figures() -> str:
        """The page without the definitions, whose texts name every constant anyway."""
        page = render_report(telling(), now=NOW)
        data = page[page.index('id="topo-data"') :]
        return page[: page.index('id="formulas"')] + data[: data.index("</script>")]

    @pytest.mark.parametrize("name", MUTATIONS)
    def test_the_figures_follow(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        before = self.figures()
        monkeypatch.setattr(constants, name, MUTATIONS[name])
        assert self.figures() != before

    def test_the_prose_follows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(constants, "LEMON_THRESHOLD", 4711)
        text = Tree(render_report(telling(), now=NOW)).text
        assert "a lemon when lemon_score ≥ 4711" in text
        assert "LEMON_THRESHOLD (4711)" in text


class TestSizeAndBytes:
    def test_two_thousand_gpus_stay_below_three_megabytes(self) -> None:
        estate = example("two-halls")
        assert sum(node.installed or 0 for node in estate.nodes) > 2000
        assert len(page_of("two-halls").encode()) < 3_000_000

    def test_the_same_estate_gives_the_same_bytes(self, tmp_path: Path) -> None:
        pages = []
        for seed in ("1", "2"):
            path = tmp_path / f"{seed}.html"
            done = topo("report", LAB / "estate.json", "--now", NOW, "-o", path, PYTHONHASHSEED=seed)
            assert (done.code, done.err) == (0, "")
            pages.append(path.read_bytes())
        assert pages[0] == pages[1]
        assert pages[0].startswith(b"<!doctype html>")


class TestCommand:
    def test_a_file_that_cannot_be_written_is_one_sentence(self) -> None:
        done = topo("report", LAB / "estate.json", "-o", "no/such/folder/report.html")
        assert done.code == 2
        assert "cannot write" in done.err

    def test_invalid_input_writes_nothing(self, tmp_path: Path) -> None:
        bad, out = tmp_path / "bad.json", tmp_path / "report.html"
        bad.write_text("{", encoding="utf-8")
        assert topo("report", bad, "-o", out).code == 1
        assert not out.exists()

    def test_assumptions_of_the_command_line_are_named(self, tmp_path: Path) -> None:
        out = tmp_path / "report.html"
        assert topo("report", LAB / "estate.json", "--price-per-unit-hour", "7", "-o", out).code == 0
        assert "$7.00 per GPU-hour basis: command line" in Tree(out.read_text("utf-8")).text


def test_the_standard_library_is_enough() -> None:
    """The same code makes the report inside a page, where nothing else can be installed."""
    program = (
        "import sys\n"
        "for name in ('jinja2', 'networkx', 'yaml', 'jsonschema', 'resvg_py', 'highspy'):\n"
        "    sys.modules[name] = None\n"
        "from tests.topo.report.pages import telling, NOW\n"
        "from topo.report import render_report\n"
        "assert render_report(telling(), now=NOW)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


class TestVerdict:
    """What units do not say stands in the verdict, as on the page of what-if."""

    def test_quorums_and_services(self) -> None:
        text = " ".join(re.sub(r"<[^>]*>", "", page_of("two-halls").split('id="verdict"')[1][:3000]).split())
        assert "With it, etcd loses its quorum; 1 service below minAvailable." in text

    def test_every_failure_carries_what_its_sentence_says(self) -> None:
        data = island(page_of("two-halls"))
        ids = [each[0] for each in data["domains"]]
        said = dict(zip(ids, data["failures"], strict=True))
        assert said["h1-fabric"]["q"] == "etcd loses its quorum; 1 service below minAvailable."
        assert said["h2-pdu-1a"]["u"] == 1
        assert not {"q", "u"} & said["gen-1"].keys()


def test_no_key_of_a_file_stands_where_people_read_a_stamp() -> None:
    stamps = page_of("two-halls").split('class="stamps"')[1].split("</dl>")[0]
    assert "provenance." not in stamps
    assert "collected 2026-11-30T12:00:41Z" in stamps


def test_nothing_drains_where_nothing_races() -> None:
    table = page_of("two-halls").split('id="race-table"')[1].split("</table>")[0]
    rows = [row for row in table.split("<tr>") if "no-training" in row]
    assert rows
    assert all(row.count(">–</td>") == 2 for row in rows)


def test_one_figure_says_how_many_workloads_cannot_be_timed() -> None:
    """What holds no units (a static pod of the control plane) draws nothing: no section counts it."""
    estate = small(
        Domain("rack", "rack"),
        nodes=[node("n", 4, rack="rack")],
        workloads=[Workload("etcd", "system", {}), Workload("notebook", "unknown", {"n": 4})],
    )
    page = render_report(estate, now=NOW)
    assert "1 workload cannot be timed" in page
    assert set(re.findall(r"Workloads that cannot be timed: (\d+)", page)) == {"1"}
