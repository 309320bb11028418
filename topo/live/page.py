"""The live page: one HTML file with Python, this program and a place to drop files."""

import gzip
import json
from base64 import b64encode
from importlib.resources import files
from typing import Final

from topo.live.bundle import bundle, yaml_license
from topo.live.runtime import VERSION, Runtime
from topo.report.html import Element, Verbatim, data_island, el, fingerprint, render, script, style
from topo.report.policy import asset, script_hash
from topo.report.styles import dark, light

_RUNTIME_URL: Final = "file:///runtime/"
"""Where the runtime believes to be; everything that it asks for there is answered from within the page."""
_ID_HINT: Final = "One id per line: domains or nodes."


def render_live_page(runtime: Runtime, memory: bytes | None = None) -> str:
    """Return the live page, one self-contained HTML file: same arguments and program, same bytes.

    `memory` is what `topo.live.snapshot` returns; without it, the page imports everything when it is opened.
    """
    main_script, sheet = _live("page.js"), _live("page.css")
    sheets = (light() + asset("report.css"), dark(), sheet)
    head = el(
        "head",
        {},
        el("meta", {"charset": "utf-8"}),
        el("meta", {"http-equiv": "Content-Security-Policy", "content": _policy(main_script, sheets)}),
        el("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        el("meta", {"name": "color-scheme", "content": "light dark"}),
        el("meta", {"name": "referrer", "content": "no-referrer"}),
        el("title", {}, "Live exposure report"),
        style(sheets[0]),
        style(sheets[1], media="screen and (prefers-color-scheme: dark)"),
        style(sheets[2]),
    )
    body = el(
        "body", {"data-state": "busy"}, _masthead(), _main(), *_parts(runtime, memory), script(main_script)
    )
    return f"<!doctype html>\n{render(el('html', {'lang': 'en'}, head, body))}\n"


def worker_source(runtime: Runtime) -> str:
    """Return the script of the worker: the runtime's own two, and ours.

    Raises ValueError where the runtime is not written as the pinned one is.
    """
    module = runtime.module.replace("import.meta.url", json.dumps(_RUNTIME_URL))
    body, ending, rest = module.rpartition("export default _createPyodideModule")
    if not ending or rest.strip(" ;\n") or "import.meta" in body:
        raise ValueError("the runtime's module does not end as expected")
    # The loader tells a module worker from a classic one, which it refuses, by whether this fails.
    no_imports = 'self.importScripts = () => { throw new TypeError("nothing to import"); };'
    ours = _live("worker.js").replace("RUNTIME_URL", json.dumps(_RUNTIME_URL))
    return "\n".join((no_imports, runtime.loader, body, ours))


def _live(name: str) -> str:
    return (files("topo") / "assets/live" / name).read_text("utf-8")


def _policy(main_script: str, sheets: tuple[str, ...]) -> str:
    """Return the content security policy. The report in the frame inherits it: its script and
    styles are named.

    There is no connect-src and nothing stands in for it: neither page nor worker can send anything anywhere.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {fingerprint(main_script)} {script_hash()} 'wasm-unsafe-eval'",
            f"style-src {' '.join(map(fingerprint, sheets))}",
            "worker-src blob:",
            "frame-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types topo-live",
        )
    )


def _parts(runtime: Runtime, memory: bytes | None) -> tuple[Verbatim, ...]:
    return (
        _part("script", gzip.compress(worker_source(runtime).encode(), mtime=0)),
        _part("wasm", gzip.compress(runtime.wasm, mtime=0)),
        _part("stdlib", runtime.stdlib),
        _part("code", bundle()),
        _part("memory", memory or b""),
        data_island("part-lock", json.dumps(runtime.lock, sort_keys=True)),
    )


def _part(name: str, data: bytes) -> Verbatim:
    text = b64encode(data).decode("ascii")
    return Verbatim(f'<script type="application/octet-stream" id="part-{name}">{text}</script>\n')


def _masthead() -> Element:
    return el(
        "header",
        {"class": "mast"},
        el("p", {"class": "kicker"}, "Failure domains"),
        el("h1", {}, "Live exposure report"),
        el(
            "p",
            {"class": "sub"},
            "Drop an estate.json here. It is parsed, validated and scored by the program inside this page; "
            "the page is not allowed to send anything anywhere. Several estates are merged over the facility "
            "that they share, and a topology.yaml is laid over them.",
        ),
    )


def _main() -> Element:
    return el(
        "main",
        {"id": "main"},
        _drop(),
        _list("faults"),
        _list("notes"),
        _result(),
        _answers(),
        _licences(),
    )


def _list(name: str) -> Element:
    inside = (el("summary"), el("ul", {"class": "plain"}), el("p", {"class": "count more"}))
    return el("section", {"id": name, "hidden": True}, el("details", {}, *inside))


def _drop() -> Element:
    picked: dict[str, str | bool] = {
        "type": "file",
        "id": "files",
        "multiple": True,
        "accept": ".json,.yaml,.yml",
    }
    return el(
        "section",
        {"aria-label": "Files"},
        el(
            "label",
            {"id": "zone", "for": "files"},
            el("strong", {}, "Drop estate.json here, with others or a topology.yaml, or choose files"),
            el("input", picked),
        ),
        el(
            "p",
            {"class": "fields"},
            el("label", {"for": "load"}, "Units that draw power "),
            el(
                "select",
                {"id": "load"},
                el("option", {"value": "allocated"}, "allocated"),
                el("option", {"value": "installed"}, "installed"),
            ),
            el("label", {"for": "now"}, "Ages measured at "),
            el("input", {"id": "now", "placeholder": "now", "autocomplete": "off", "spellcheck": "false"}),
        ),
        el("p", {"id": "status", "role": "status"}, "Starting"),
        el("progress", {"id": "progress", "aria-label": "Working"}),
    )


def _answers() -> Element:
    kinds = {
        "findings": "Findings",
        "validate": "Validation",
        "estate": "Estate",
        "whatif": "What if these fail",
    }
    return el(
        "section",
        {"id": "answers", "hidden": True},
        el("h2", {}, "As documents"),
        el("p", {"class": "lead"}, "The same JSON that the command prints, for what was dropped."),
        el("p", {}, el("label", {"for": "fail"}, "What fails together. ", _ID_HINT)),
        el("textarea", {"id": "fail", "rows": "3", "spellcheck": "false"}),
        el(
            "p",
            {"class": "fields"},
            *(el("button", {"type": "button", "data-kind": kind}, word) for kind, word in kinds.items()),
        ),
        el(
            "div",
            {"id": "shown", "hidden": True},
            el("h3", {"id": "name"}),
            el("p", {}, el("a", {"id": "save-document", "href": "#answers"}, "Save it")),
            el("pre", {"id": "document", "tabindex": "0", "aria-labelledby": "name"}),
        ),
    )


def _result() -> Element:
    return el(
        "section",
        {"id": "result", "hidden": True},
        el("h2", {}, "Report"),
        el(
            "p",
            {"class": "fields"},
            el("a", {"id": "save", "href": "#result", "download": "report.html"}, "Save report.html"),
            el(
                "a", {"id": "open", "href": "#result", "target": "_blank", "rel": "noopener"}, "Open it alone"
            ),
        ),
        el("div", {"id": "frame"}),
    )


def _licences() -> Element:
    return el(
        "details",
        {"class": "licences"},
        el("summary", {}, "What this page is made of"),
        el("p", {}, f"topo (Apache-2.0), Pyodide {VERSION} (MPL-2.0) with CPython (PSF-2.0), PyYAML (MIT)."),
        el("pre", {"tabindex": "0"}, yaml_license()),
    )
