"""Every link of the documentation leads somewhere, and every release is told."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import topo
from tests.repo.tree import ROOT, files, relative

_FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\[[^\]\n]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_REFERENCE = re.compile(r"^\s{0,3}\[[^\]^]+\]:\s+<?([^\s>]+)", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def pages() -> list[Path]:
    return [path for path in files() if path.suffix == ".md"]


def prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The fragments of a page, as code hosts make them from its headings."""
    text = prose(page)
    found = set(_ANCHOR.findall(text))
    seen: Counter[str] = Counter()
    for heading in _HEADING.findall(text):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def links(page: Path) -> Iterator[str]:
    text = _CODE.sub("", prose(page))
    yield from _LINK.findall(text)
    yield from _REFERENCE.findall(text)


def broken(page: Path, link: str) -> bool:
    if _REMOTE.match(link):
        return not link.startswith(("https://", "mailto:"))
    path, _, fragment = unquote(link).partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists() or not target.is_relative_to(ROOT):
        return True
    return bool(fragment) and target.suffix == ".md" and fragment not in anchors(target)


def test_every_link_leads_somewhere() -> None:
    assert [
        f"{relative(page)}: {link}" for page in pages() for link in links(page) if broken(page, link)
    ] == []


def test_the_pages_that_a_reader_looks_for() -> None:
    missing = [
        name for name in ("README.md", "CHANGELOG.md", "LICENSE", "docs") if not (ROOT / name).exists()
    ]
    assert missing == []
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_every_page_of_the_documentation_can_be_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        targets = {(page.parent / link.partition("#")[0]).resolve() for link in links(page)}
        waiting += [target for target in targets - reached if target.suffix == ".md" and target.is_file()]
    documentation = {page for page in pages() if page.is_relative_to(ROOT / "docs")}
    assert sorted(map(relative, documentation - reached)) == []


def test_the_version_is_said_once_and_told_in_the_changelog() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    version = document["project"]["version"]
    assert topo.__version__ == version
    headings = _HEADING.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert any(version in heading for heading in headings)
