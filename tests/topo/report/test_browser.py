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

FIGURES = """[...document.querySelectorAll("#figures tbody tr")].map((row) => [...row.cells].slice(1).map((cell) => {
  const figure = cell.querySelector("data");
  return figure ? Number(figure.value) : cell.textContent;
}))"""
SAID = "document.getElementById('said').textContent"
NODES = """(() => { const list = document.querySelector('[data-nodes=lost]');
  return list ? [...list.children].map((each) => each.textContent) : []; })()"""
STATES = """Object.fromEntries([...document.querySelectorAll('[data-state]')].map((list) =>
  [list.dataset.state, [...list.querySelectorAll('button')].map((each) => each.textContent)]))"""
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
    return [domains, exposure["nodes"], exposure["units"], exposure["criticalUnits"], exposure["criticalShare"],
            stalled, amplification, progress["usd"], progress["gangUsd"], progress["unpricedWorkloads"]]  # fmt: skip


class TestAlive:
    @pytest.fixture(scope="class")
    def seen(self, page: Path, tmp_path_factory: pytest.TempPathFactory) -> Seen:
        steps: list[dict[str, Any]] = []
        index = compile_facility(example("two-halls")).domain_index
        for name in FAILURES:
            steps += [
                {"fill": "#domains-search", "text": name},
                {"click": f'#domains tr[data-domain="{index[name]}"] button'},
                *({"read": code, "as": f"{what} {name}"} for what, code in
                  (("figures", FIGURES), ("said", SAID), ("nodes", NODES), ("states", STATES), ("drawn", DRAWN))),
            ]  # fmt: skip
        steps += [
            {"click": "#controls button:has-text('Reset')"},
            {"read": DRAWN, "as": "drawn at rest"},
            {"focus": "#overview .box"},
            {"press": "ArrowRight"},
            {"press": "Enter"},
            {"read": SAID, "as": "said by keyboard"},
            {"press": "Escape"},
            {"read": SAID, "as": "said at rest"},
        ]
        return drive(tmp_path_factory.mktemp("alive"), page, *steps)

    def test_nothing_is_requested_and_nothing_goes_wrong(self, seen: Seen) -> None:
        seen.assert_quiet()

    @pytest.mark.parametrize("name", FAILURES)
    def test_a_click_shows_what_whatif_says(self, seen: Seen, name: str) -> None:
        said = whatif_to_json(whatif(compile_facility(example("two-halls")), [name]))
        shown = seen.values[f"figures {name}"]
        assert [row[0] for row in shown] == column(said, len(said["lost"]["domains"]))
        strict = column(said["strict"], len(said["strict"]["lost"]["domains"]))
        assert [row[1] for i, row in enumerate(shown) if i != 6] == [
            v for i, v in enumerate(strict) if i != 6
        ]
        assert seen.values[f"nodes {name}"] == [
            node_id
            for node_id in (node.id for node in example("two-halls").nodes)
            if node_id in {node["id"] for node in said["lost"]["nodes"]}
        ]
        assert name in seen.values[f"said {name}"]

    @pytest.mark.parametrize("name", FAILURES)
    def test_lost_domains_are_listed_by_state(self, seen: Seen, name: str) -> None:
        said = whatif_to_json(whatif(compile_facility(example("two-halls")), [name]))
        states = seen.values[f"states {name}"]
        assert states["failed"] == [name]
        for state, causes in (("lost", {"parent-lost", "feeds-lost"}), ("demoted", {"demoted"})):
            found = {domain["id"] for domain in said["lost"]["domains"] if domain["cause"] in causes}
            assert set(states.get(state, [])) == found

    def test_the_drawing_follows(self, seen: Seen) -> None:
        rest = seen.values["drawn at rest"]
        assert {css.split()[1] for css in rest} == {"s-safe"}
        assert "box s-failed chosen" in seen.values["drawn gen-4"]
        assert any(css.startswith("box s-degraded") for css in seen.values["drawn gen-4"])

    def test_the_keyboard_is_enough(self, seen: Seen) -> None:
        assert " fails: " in seen.values["said by keyboard"]
        assert seen.values["said at rest"].startswith("Nothing fails")


class TestTables:
    CELLS = "[...document.querySelectorAll('#{id} tbody tr')].filter((row) => !row.hidden).map((row) => row.cells[{i}].textContent)"

    def cells(self, table: str, column: int) -> str:
        return self.CELLS.replace("{id}", table).replace("{i}", str(column))

    @pytest.fixture(scope="class")
    def seen(self, page: Path, tmp_path_factory: pytest.TempPathFactory) -> Seen:
        sort = {"click": "#domains thead th:nth-child(10) button"}
        return drive(
            tmp_path_factory.mktemp("tables"),
            page,
            {"click": "#domains-more button"},
            {"click": "#domains-more button"},
            {"read": self.cells("domains", 0), "as": "all"},
            sort,
            {"read": self.cells("domains", 9), "as": "down"},
            {"read": "document.querySelector('#domains thead th:nth-child(10)').ariaSort", "as": "aria"},
            sort,
            {"read": self.cells("domains", 9), "as": "up"},
            {"fill": "#domains-search", "text": "H2-UPS"},
            {"read": self.cells("domains", 0), "as": "found"},
            {"click": "#drain-table thead th:nth-child(5) button"},
            {"read": self.cells("drain-table", 4), "as": "drains"},
            {"fill": "#drain-table-search", "text": "training"},
            {"read": self.cells("drain-table", 1), "as": "training"},
        )

    def test_every_domain_is_there(self, seen: Seen) -> None:
        assert sorted(seen.values["all"]) == sorted(example("two-halls").domains)

    def test_it_sorts_both_ways(self, seen: Seen) -> None:
        down, up = ([int(text.replace(",", "")) for text in seen.values[key]] for key in ("down", "up"))
        assert down == sorted(down, reverse=True)
        assert up == sorted(up)
        assert seen.values["aria"] == "descending"

    def test_it_finds(self, seen: Seen) -> None:
        assert seen.values["found"]
        assert all("h2-ups" in text for text in seen.values["found"])

    def test_unknown_sorts_last(self, seen: Seen) -> None:
        known = [text != "unknown" for text in seen.values["drains"]]
        assert known == sorted(known, reverse=True)
        assert False in known

    def test_other_tables_search_too(self, seen: Seen) -> None:
        assert set(seen.values["training"]) == {"training"}


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


@pytest.mark.parametrize("bypass", [False, True])
def test_hostile_ids_are_inert(tmp_path: Path, bypass: bool) -> None:
    """With the policy, and with it switched off: nothing relies on it alone."""
    path = tmp_path / "hostile.html"
    path.write_text(render_report(hostile(), now=NOW), encoding="utf-8")
    choose_all = "".join(
        "[...document.querySelectorAll('#domains tbody button')].forEach((button) => button.click());"
    )
    seen = drive(
        tmp_path,
        path,
        {"read": f"(() => {{ {choose_all} return null; }})()", "as": "clicked"},
        {"read": "window.hurt === undefined", "as": "unhurt"},
        {"read": "document.querySelectorAll('#domains tbody tr').length", "as": "rows"},
        {
            "read": "[...document.querySelectorAll('#domains tbody th')].map((cell) => cell.textContent)",
            "as": "ids",
        },
        {"read": "document.documentElement.scrollWidth <= innerWidth", "as": "fits"},
        bypassCsp=bypass,
    )
    seen.assert_quiet()
    assert seen.values["unhurt"]
    assert seen.values["fits"]
    assert sorted(seen.values["ids"]) == sorted(map(clean, hostile().domains))
