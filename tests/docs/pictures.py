"""Pictures of the documentation, drawn by the product: name of the file -> the command that draws it."""

from tests.docs.console import ROOT, run

FOLDER = ROOT / "docs" / "images"

_NOW = "--now 2026-12-01T12:00:00Z"
_ROW = "--topology examples/authoring/topology.yaml examples/authoring/estate.json"

PICTURES = {
    "lab.svg": "examples/lab/estate.json",
    "lab-feed-weak.svg": "examples/lab/estate.json --fail feed-weak",
    "lab-feed-strong.svg": "examples/lab/estate.json --fail feed-strong",
    "row-pdu-a.svg": "examples/authoring/drafts/3-walked.yaml --fail pdu-a",
    "row-ups-a.svg": f"{_ROW} --fail ups-a",
}


def draw(name: str) -> str:
    """Return a picture as it is drawn now."""
    return run(f"topo diagram {PICTURES[name]} {_NOW} --format svg")
