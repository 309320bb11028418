"""The report in a real browser, opened from disk: alive, silent, sealed, without barriers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.scenario import whatif, whatif_to_json
from tests.browser.browser import Seen, drive
from tests.topo.diagram.drawing import example
from tests.topo.report.pages import NOW, hostile, page_of
from topo.report import render_report
from topo.text.clean import clean

pytestmark = pytest.mark.extra

FAILURES = ("h1-fabric", "h1-ups-a", "h1-loop-34", "ups-r", "h2-r5-01", "gen-4", "utility-a", "h1-leaf-5")

FIGURES = """[...document.querySelectorAll('#figures tbody tr')].map((row) =>
  [...row.cells].slice(1).map((cell) => {
  const figure = cell.querySelector("data");
  return figure ? Number(figure.value) : cell.textContent; }))"""
SAID = "document.getElementById('said').textContent"
NODES = """[...document.querySelectorAll('[data-nodes=lost] li')].map((each) => each.textContent)"""
STATES = """Object.fromEntries([...document.querySelectorAll('[data-state]')].map((list) =>
  [list.dataset.state, [...list.querySelectorAll('button')].map((each) => each.textContent)]))"""
NAMES_OF = "((of) => [...document.querySelectorAll(of)].map((box) => box.querySelector('text').textContent))"
DRAWN = """[...document.querySelectorAll('#overview .box')].map((box) => box.getAttribute('class'))"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "two-halls.html"
    path.write_text(page_of("two-halls"), encoding="utf-8")
    return path


def column(document: dict[str, Any], domains: int) -> list[Any]:
    """What `topo whatif` says of one engine, in the order of the page's table."""
    exposure, progress = document["exposure"], document["progressAtRisk"]
    stalled, amplification = document["unitsStalled"], document.get("amplification")
    if stalled is not None and amplification is None:
        amplification = "nothing stands"
    lost = [exposure[key] for key in ("nodes", "units", "criticalUnits", "criticalShare")]
    dollars = [progress[key] for key in ("usd", "gangUsd", "unpricedWorkloads")]
    return [domains, *lost, stalled, amplification, *dollars]


@pytest.fixture(scope="module")
def alive(page: Path, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Every failure clicked in the table of domains, then the keyboard alone."""
    named = f"{NAMES_OF}('#overview .box.chosen')"
    reads = (
        ("named", named),
        ("figures", FIGURES),
        ("said", SAID),
        ("nodes", NODES),
        ("states", STATES),
        ("drawn", DRAWN),
    )
    index = compile_facility(example("two-halls")).domain_index
    steps: list[dict[str, Any]] = []
    for name in FAILURES:
        steps.append({"fill": "#domains-search", "text": name})
        steps.append({"click": f'#domains tr[data-domain="{index[name]}"] button'})
        steps += [{"read": code, "as": f"{what} {name}"} for what, code in reads]
    steps += [
        {"click": "#controls button:has-text('Reset')"},
        {"read": DRAWN, "as": "drawn at rest"},
        {"read": f"{NAMES_OF}('#overview .box')", "as": "names at rest"},
        {"focus": "#overview .box"},
        {"press": "ArrowRight"},
        {"press": "Enter"},
        {"read": SAID, "as": "said by keyboard"},
        {"press": "Escape"},
        {"read": SAID, "as": "said at rest"},
    ]
    return drive(tmp_path_factory.mktemp("alive"), page, *steps)


class TestAlive:
    def test_nothing_is_requested_and_nothing_goes_wrong(self, alive: Seen) -> None:
        alive.assert_quiet()

    @pytest.mark.parametrize("name", FAILURES)
    def test_a_click_shows_what_whatif_says(self, alive: Seen, name: str) -> None:
        said = whatif_to_json(whatif(compile_facility(example("two-halls")), [name]))
        shown = alive.values[f"figures {name}"]
        assert [row[0] for row in shown] == column(said, len(said["lost"]["domains"]))
        strict = column(said["strict"], len(said["strict"]["lost"]["domains"]))
        assert [row[1] for i, row in enumerate(shown) if i != 6] == [
            v for i, v in enumerate(strict) if i != 6
        ]
        assert alive.values[f"nodes {name}"] == [
            node_id
            for node_id in (node.id for node in example("two-halls").nodes)
            if node_id in {node["id"] for node in said["lost"]["nodes"]}
        ]
        assert name in alive.values[f"said {name}"]

    @pytest.mark.parametrize("name", FAILURES)
    def test_lost_domains_are_listed_by_state(self, alive: Seen, name: str) -> None:
        said = whatif_to_json(whatif(compile_facility(example("two-halls")), [name]))
        states = alive.values[f"states {name}"]
        assert states["failed"] == [name]
        for state, causes in (("lost", {"parent-lost", "feeds-lost"}), ("demoted", {"demoted"})):
            found = {domain["id"] for domain in said["lost"]["domains"] if domain["cause"] in causes}
            assert set(states.get(state, [])) == found

    def test_the_drawing_follows(self, alive: Seen) -> None:
        rest = alive.values["drawn at rest"]
        assert {css.split()[1] for css in rest} == {"s-safe"}
        assert "box s-failed chosen" in alive.values["drawn gen-4"]
        assert any(css.startswith("box s-degraded") for css in alive.values["drawn gen-4"])

    def test_what_failed_is_named_in_a_box_of_several(self, alive: Seen) -> None:
        """A group says which of its members failed, and is called as before when nothing does."""
        assert alive.values["named ups-r"] == ["ups-r of 4 UPSs"]
        assert alive.values["named gen-4"] == ["gen-4"]
        assert "4 UPSs" in alive.values["names at rest"]

    def test_the_keyboard_is_enough(self, alive: Seen) -> None:
        assert " fails: " in alive.values["said by keyboard"]
        assert alive.values["said at rest"].startswith("Nothing fails")


def cells(table: str, column: int) -> str:
    """Return the code that reads a column of the rows that are shown."""
    rows = f"[...document.querySelectorAll('#{table} tbody tr')].filter((row) => !row.hidden)"
    return f"{rows}.map((row) => row.cells[{column}].textContent)"


@pytest.fixture(scope="module")
def tables(page: Path, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Tables sorted and searched."""
    sort = {"click": "#domains thead th:nth-child(10) button"}
    return drive(
        tmp_path_factory.mktemp("tables"),
        page,
        {"click": "#domains-more button"},
        {"click": "#domains-more button"},
        {"read": cells("domains", 0), "as": "all"},
        sort,
        {"read": cells("domains", 9), "as": "down"},
        {"read": "document.querySelector('#domains thead th:nth-child(10)').ariaSort", "as": "aria"},
        sort,
        {"read": cells("domains", 9), "as": "up"},
        {"fill": "#domains-search", "text": "H2-UPS"},
        {"read": cells("domains", 0), "as": "found"},
        {"click": "#drain-table thead th:nth-child(5) button"},
        {"read": cells("drain-table", 4), "as": "drains"},
        {"fill": "#drain-table-search", "text": "training"},
        {"read": cells("drain-table", 1), "as": "training"},
    )


class TestTables:
    def test_every_domain_is_there(self, tables: Seen) -> None:
        assert sorted(tables.values["all"]) == sorted(example("two-halls").domains)

    def test_it_sorts_both_ways(self, tables: Seen) -> None:
        down, up = ([int(text.replace(",", "")) for text in tables.values[key]] for key in ("down", "up"))
        assert down == sorted(down, reverse=True)
        assert up == sorted(up)
        assert tables.values["aria"] == "descending"

    def test_it_finds(self, tables: Seen) -> None:
        assert tables.values["found"]
        assert all("h2-ups" in text for text in tables.values["found"])

    def test_unknown_sorts_last(self, tables: Seen) -> None:
        known = [text != "unknown" for text in tables.values["drains"]]
        assert known == sorted(known, reverse=True)
        assert False in known

    def test_other_tables_search_too(self, tables: Seen) -> None:
        assert set(tables.values["training"]) == {"training"}


def test_no_barriers_light_and_dark(page: Path, tmp_path: Path) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    seen = drive(
        tmp_path,
        page,
        {"read": colour, "as": "light"},
        {"axe": "light"},
        {"click": "#theme"},
        {"read": colour, "as": "dark"},
        {"axe": "dark"},
        timeout=180,
    )
    seen.assert_quiet()
    assert seen.values["light"] != seen.values["dark"]


def test_the_system_decides_about_dark(page: Path, tmp_path: Path) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = drive(tmp_path, page, {"read": colour, "as": "colour"}, scheme="dark")
    light = drive(tmp_path, page, {"read": colour, "as": "colour"}, scheme="light")
    assert dark.values["colour"] != light.values["colour"]


def test_it_prints(page: Path, tmp_path: Path) -> None:
    rows = "[...document.querySelectorAll('#domains tbody tr')].filter((row) => row.offsetHeight).length"
    out = tmp_path / "report.pdf"
    steps = ({"pdf": str(out)}, {"media": {"media": "print"}}, {"read": rows, "as": "rows"})
    seen = drive(tmp_path, page, *steps)
    pages = out.read_bytes().count(b"/Type /Page\n")
    assert 5 <= pages <= 60
    assert seen.values["rows"] == 40


WIDE = """[...document.querySelectorAll('*')].filter((each) => !each.closest('.scroll, .stage, nav, .skip')
  && each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("bypass", [False, True])
def test_hostile_ids_are_inert(tmp_path: Path, bypass: bool) -> None:
    """With the policy, and with it switched off: nothing relies on it alone."""
    path = tmp_path / "hostile.html"
    path.write_text(render_report(hostile(), now=NOW), encoding="utf-8")
    buttons = "[...document.querySelectorAll('#domains tbody button')]"
    seen = drive(
        tmp_path,
        path,
        {"read": f"{buttons}.map((button) => button.textContent)", "as": "ids"},
        {"read": f"{buttons}.forEach((_, i) => {buttons}[i].click())", "as": "clicked"},
        {"read": SAID, "as": "said"},
        {"read": "window.hurt === undefined", "as": "unhurt"},
        {"read": WIDE, "as": "wide"},
        bypassCsp=bypass,
    )
    seen.assert_quiet()
    assert seen.values["unhurt"]
    assert seen.values["wide"] == []
    assert sorted(seen.values["ids"]) == sorted(map(clean, hostile().domains))
