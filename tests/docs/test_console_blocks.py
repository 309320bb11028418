"""What the documentation shows is what the product prints."""

from pathlib import Path

import pytest

from tests.docs.console import ROOT, Command, blocks, commands, pages, run

SHOWN = [
    pytest.param(page, command, id=f"{page.relative_to(ROOT)}: {command.line}")
    for page in pages()
    if page.exists()
    for block in blocks(page)
    for command in commands(block)
]


@pytest.mark.parametrize(("page", "command"), SHOWN)
def test_pasted_output_is_current(page: Path, command: Command) -> None:
    """Run `python -m tests.docs.console` to write the blocks anew."""
    assert run(command.line) == command.shown, page
