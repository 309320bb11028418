"""What a tired operator needs from every page: how old the figures are, which things, and what to do next."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.topo.command import LAB, TWO_HALLS, topo, widest
from topo.text.arithmetic import legible
from topo.text.table import PAGE_WIDTH, display_width

ESTATE = "examples/two-halls/estate.json"
NOW = ("--now", "2026-12-01T12:00:00Z")
LATER = ("--now", "2026-12-10T12:00:00Z")
PAGES = {
    "whatif": ("whatif", "--fail", "h1-ups-a", ESTATE),
    "why": ("why", "h1-pdu-4b", "--fail", "h1-ups-a", ESTATE),
    "sweep": ("sweep", ESTATE),
    "findings": ("findings", ESTATE),
    "explain": ("explain", "lemon-score", ESTATE),
    "curtail": ("curtail", ESTATE, "--shed-kw", "400", "--within", "30"),
    "rescue": ("rescue", "--fail", "h1-pdu-4a", ESTATE),
    "headroom": ("headroom", ESTATE),
    "ok-to-take-out": ("ok-to-take-out", "h1-pdu-1a", ESTATE),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_how_old_it_is_and_what_to_do_next(name: str) -> None:
    """Staleness is loud on every page of figures, in the same words; every page ends in commands."""
    fresh, old = topo(*PAGES[name], *NOW).out, topo(*PAGES[name], *LATER).out
    assert "STALE" not in fresh
    warning = "STALE: this snapshot is 10 days old, more than 24 h. Every figure here is of that estate"
    assert warning in " ".join(old.split())
    head, _, commands = fresh.rpartition("\nNEXT\n")
    assert head
    for line in commands.splitlines():
        words = shlex.split(line)
        assert words[0] == "topo"
        assert ESTATE in words
        assert list(NOW) == words[words.index("--now") : words.index("--now") + 2]
    assert widest(fresh) <= PAGE_WIDTH


def test_what_is_next_can_be_run(tmp_path: Path) -> None:
    page = topo(*PAGES["why"], *NOW).out
    for line in page.rpartition("\nNEXT\n")[2].splitlines():
        words = [str(tmp_path / word) if word.endswith(".svg") else word for word in shlex.split(line)[1:]]
        assert topo(*words).code in {0, 3}


def test_a_tree_is_as_old_as_its_snapshot() -> None:
    assert "STALE" in topo("diagram", ESTATE, *LATER).out
    assert "STALE" not in topo("diagram", ESTATE, *NOW).out


@pytest.mark.parametrize("form", ["svg", "html", "dot", "mmd", "txt"])
def test_every_kind_of_picture_in_a_file_is_loud(form: str, tmp_path: Path) -> None:
    pictures = []
    for name, when in (("old", LATER), ("fresh", NOW)):
        topo("diagram", LAB / "estate.json", *when, "-o", tmp_path / f"{name}.{form}")
        pictures.append((tmp_path / f"{name}.{form}").read_text("utf-8"))
    assert "STALE" in pictures[0]
    assert "STALE" not in pictures[1]


@pytest.mark.parametrize("name", ["curtail", "rescue"])
def test_the_picture_of_a_shed_is_loud(name: str, tmp_path: Path) -> None:
    for when, said in ((LATER, True), (NOW, False)):
        topo(*PAGES[name], *when, "--picture", tmp_path / "shed.svg")
        drawn = (tmp_path / "shed.svg").read_text("utf-8")
        assert ("STALE: this snapshot is 10 days old, more than 24 h.</text>" in drawn) is said


class TestExplain:
    """The terms are limited like every table, the largest first, and their numbers are fit to be read."""

    def test_long_lists_are_shortened(self) -> None:
        page = topo("explain", "lemon-score", ESTATE, *NOW).out
        terms = page.partition("\nTERMS")[2].partition("\nCONFIDENCE")[0]
        nodes = re.findall(r"^    (\S+): ", terms, re.MULTILINE)
        assert len(nodes) == 20
        assert {"gpu-h1-019", "nvl-2-07"} <= set(nodes[:6])
        assert "and 344 more (--rows 0 or --format json shows all)" in terms

    def test_all_of_them(self) -> None:
        page = topo("explain", "lemon-score", ESTATE, "--rows", "0", *NOW).out
        assert len(page.splitlines()) > 1500
        assert " more (--rows" not in page

    def test_no_noise_of_floats(self) -> None:
        page = topo("explain", "stranded-capacity@allocated", ESTATE, *NOW).out
        assert not re.search(r"[0-9]\.[0-9]{7}", page)
        assert "589.12 " in page

    @pytest.mark.parametrize(
        ("raw", "shown"),
        [
            ("0.1 + 0.2 = 0.30000000000000004", "0.1 + 0.2 = 0.3"),
            ("8 × 2.5 × 720 = 14400.0", "8 × 2.5 × 720 = 14400"),
            ("1e-07", "1e-07"),
            ("0.000123456789012", "0.000123457"),
            ("278.66666666666669 ÷ 2 = 139.33333333333334", "278.667 ÷ 2 = 139.333"),
            ("12345678.123", "12345678.12"),
            ("1796126400.0", "1796126400"),
            ("2026-12-01T00:00:00.250Z", "2026-12-01T00:00:00.250Z"),
            ("v1.30000000000000004", "v1.30000000000000004"),
        ],
    )
    def test_six_digits(self, raw: str, shown: str) -> None:
        assert legible(raw) == shown

    def test_a_share_says_its_percentage(self) -> None:
        page = topo("explain", "critical-share/h1-ups-a", ESTATE, *NOW).out
        assert "critical share = 256 ÷ max(1, 1408) = 0.181818 (18.2 %)\n" in page


class TestFindings:
    """A count alone sends nobody anywhere: the page names what it counts."""

    def test_counts_are_named(self) -> None:
        page = topo("findings", ESTATE, *NOW).out
        which = page.partition("\nWHICH")[2].partition("\n\n")[0]
        assert "single-point@allocated             serve/deployment/chat-large," in which
        assert "lemon-score                        gpu-h1-019, gpu-h1-063, gpu-h1-112," in which
        assert "topo explain FINDING FILE lists them" in which

    def test_markdown_is_loud_too(self) -> None:
        assert (
            "- STALE: this snapshot is 10 days old"
            in topo("findings", ESTATE, "--format", "markdown", *LATER).out
        )


def test_one_vocabulary_for_kinds() -> None:
    """Tables say what the pictures say: a PDU is a PDU, whatever the file calls its kind."""
    page = topo("whatif", "--fail", "h1-ups-a", ESTATE, *NOW).out
    kinds = {line.split()[0] for line in page.partition("\nLOST")[2].partition("\n\n")[0].splitlines()[2:]}
    assert kinds == {"rack", "PDU", "UPS", "cooling", "nodes"}
    assert "(UPS)" in topo("sweep", LAB / "estate.json", *NOW).out
    assert "PDUs" in topo("validate", TWO_HALLS / "topology.yaml").out


class TestValidate:
    """Whatever is said is wrapped to the page; only what a file says itself is as wide as it is."""

    def test_faults_fit(self) -> None:
        page = topo("validate", "tests/fixtures/invalid/many-faults.yaml").out
        said = [line for line in page.splitlines() if not re.match(r" *[0-9]* *\||  next: ", line)]
        assert max(map(display_width, said)) <= PAGE_WIDTH

    def test_sums_have_no_noise(self, tmp_path: Path) -> None:
        estate = {
            "schemaVersion": 1, "cluster": "c", "unit": "cpu", "snapshotAt": "2026-11-30T12:00:00Z",
            "nodes": [{"id": "n", "allocated": 0.2}],
            "workloads": [{"id": name, "kind": "batch", "placements": {"n": 0.1}} for name in "abc"],
        }  # fmt: skip
        path = tmp_path / "estate.json"
        path.write_text(json.dumps(estate), encoding="utf-8")
        assert "placements sum to 0.3 units, 0.2 are allocated" in " ".join(
            topo("validate", path).out.split()
        )

    def test_a_refused_merge_fits(self) -> None:
        done = topo("merge", "examples/two-clusters/train.json", "examples/two-clusters/train.json")
        assert done.code == 1
        assert widest(done.err) <= PAGE_WIDTH


def test_a_page_says_what_is_missing_and_how_to_give_it(tmp_path: Path) -> None:
    """Nothing is priced at "unknown", and a missing kW comes before a question about more load."""
    estate = {
        "schemaVersion": 1,
        "cluster": "lab",
        "unit": "gpu",
        "snapshotAt": "2026-12-01T11:00:00Z",
        "nodes": [{"id": "n", "allocated": 8, "domains": {"rack": "r"}}],
        "workloads": [{"id": "w", "kind": "training", "checkpointMinutes": 30, "placements": {"n": 8}}],
    }
    path = tmp_path / "estate.json"
    path.write_text(json.dumps(estate), encoding="utf-8")
    page = topo("whatif", "--fail", "r", path).out
    assert "no price per GPU-hour is said (--price-per-unit-hour); a node's own price" in page
    commands = page.rpartition("\nNEXT\n")[2].splitlines()
    asked = [" ".join(line.split()[4:6]) for line in commands if " whatif " in line]
    assert asked == ["--kw-per-unit KW", "--load installed"]
    assert "--kw-per-unit KW" not in topo("whatif", "--fail", "r", "--kw-per-unit", "1", path).out
