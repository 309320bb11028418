"""A picture as one HTML page: the SVG, the same in a table, light and dark; no script, nothing fetched."""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from topo.diagram.boxtext import box_text
from topo.diagram.css import picture_css
from topo.diagram.model import Box, Picture
from topo.diagram.palette import DARK, LIGHT
from topo.diagram.states import LOOKS
from topo.diagram.svg import render_svg
from topo.diagram.xml import escaped
from topo.kind_words import kind_word

_COLUMNS: Final = ("What", "Kind", "State", "Nodes", "Units", "Flow and load", "Of its rating", "Hangs from")


def render_html(picture: Picture) -> str:
    """Return a self-contained page around a picture."""
    style = _style()
    policy = f"default-src 'none'; style-src 'sha256-{_hash(style)}'; base-uri 'none'; form-action 'none'"
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark">\n',
            f"<title>{escaped(picture.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n",
            f"<h1>{escaped(picture.title)}</h1>\n",
            '<div class="scroll" tabindex="0" role="region" aria-label="Diagram">\n',
            render_svg(picture, LIGHT, standalone=False),
            "</div>\n<h2>The boxes of the diagram</h2>\n",
            '<div class="scroll" tabindex="0" role="region" aria-label="Boxes">\n',
            *_table(picture),
            "</div>\n</main>\n</body>\n</html>\n",
        )
    )


def _table(picture: Picture) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{name}</th>' for name in _COLUMNS)
    yield f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n"
    names = {box.key: box_text(box, picture.unit).name[0] for box in picture.boxes}
    ups: dict[str, list[str]] = {}
    for edge in picture.edges:
        ups.setdefault(edge.target, []).append(names[edge.source])
    for box in picture.boxes:
        yield _row(box, picture.unit, ups.get(box.key, []))
    yield "</tbody>\n</table>\n"


def _row(box: Box, unit: str, ups: list[str]) -> str:
    words = box_text(box, unit)
    state = words.state[0] if words.state else f"{LOOKS['safe'].glyph} {LOOKS['safe'].word}"
    units, load = " ".join(words.units[:1]), " ".join(words.load[:1])
    cells = (kind_word(box.kind), state, words.place[0], units, load, words.gauge, ", ".join(ups))
    name = (
        words.name[0]
        if box.single
        else f"{words.name[0]}: {', '.join(box.members[:12])}"
        + (f" and {len(box.members) - 12:,} more" if len(box.members) > 12 else "")
    )
    return (
        f'<tr><th scope="row">{escaped(name)}</th>'
        + "".join(f"<td>{escaped(cell)}</td>" for cell in cells)
        + "</tr>\n"
    )


def _style() -> str:
    return (
        ":root{color-scheme:light dark}\n"
        f"body{{margin:0;background:{LIGHT.page};color:{LIGHT.text};"
        "font:14px/1.45 'DejaVu Sans',Verdana,sans-serif}\n"
        "main{padding:12px 16px}"
        "h1{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\n"
        "h2{font-size:15px}.scroll{overflow:auto;max-width:100%}\n"
        "table{border-collapse:collapse;font-size:12px}th,td{text-align:left;vertical-align:top;"
        f"padding:3px 10px 3px 0;border-bottom:1px solid {LIGHT.other};overflow-wrap:anywhere;min-width:5em;"
        "max-width:26em}\n"
        "@media (prefers-color-scheme:dark){"
        f"body{{background:{DARK.page};color:{DARK.text}}}th,td{{border-color:{DARK.other}}}\n"
        f"{picture_css(DARK)}}}\n"
        "@media print{svg{max-width:100%;max-height:260mm;height:auto}.scroll{overflow:visible}}\n"
    )


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode("ascii")
