"""Pages and pictures that the product writes are those that it writes now.

Run `python -m tests.docs.console` to write all of them anew.
"""

import re

import pytest

from tests.docs import cli, pictures
from tests.docs.console import ROOT
from topo.cli import COMMANDS


class TestCommandLine:
    """docs/cli.md is written from the parsers."""

    def test_is_current(self) -> None:
        assert cli.PAGE.read_text(encoding="utf-8") == cli.page()

    def test_has_every_option_of_every_command(self) -> None:
        text = cli.PAGE.read_text(encoding="utf-8")
        missing = [
            f"{name} {option}"
            for name, parser in cli.parsers().items()
            for action in cli.arguments(parser)
            for option in action.option_strings[-1:]
            if f"`{option}" not in text
        ]
        assert missing == []
        assert [name for name in COMMANDS if f"## topo {name}\n" not in text] == []

    def test_points_to_pages_that_exist(self) -> None:
        assert [page for page in cli.MORE.values() if not cli.PAGE.with_name(page).exists()] == []
        assert set(cli.MORE) <= set(COMMANDS)


class TestPictures:
    @pytest.mark.parametrize("name", pictures.PICTURES)
    def test_is_current(self, name: str) -> None:
        assert (pictures.FOLDER / name).read_text(encoding="utf-8") == pictures.draw(name)

    def test_every_picture_of_the_documentation_is_drawn_by_a_test(self) -> None:
        shown = {
            name
            for page in ROOT.glob("docs/*.md")
            for name in re.findall(r"\]\(images/([^)]+)\)", page.read_text(encoding="utf-8"))
        }
        assert shown - set(pictures.PICTURES) == {"two-halls.svg"}  # drawn by the tests of diagrams
