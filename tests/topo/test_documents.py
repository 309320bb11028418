"""Every JSON document that a command prints is valid under the schema that ships for it (spec 6)."""

import json
from typing import Any

import jsonschema
import pytest

from tests.topo.command import ROOT, topo

ESTATE = "examples/two-halls/estate.json"
MAP = "examples/methodology/topology.yaml"
DOCUMENTS: dict[str, list[tuple[str, ...]]] = {
    "whatif": [("whatif", "--fail", "h1-ups-a", ESTATE), ("whatif", "--fail", "ups-a", MAP)],
    "sweep": [("sweep", ESTATE), ("sweep", MAP)],
    "why": [
        ("why", "gpu-h1-130", "--fail", "h1-ups-a", ESTATE),
        ("why", "h1-leaf-4", "--fail", "h1-ups-a", ESTATE),
        ("why", "ups-a", MAP),
    ],
    "findings": [("findings", ESTATE)],
    "explain": [("explain", "capacity-ledger", ESTATE), ("explain", "critical-share/h1-ups-a", ESTATE)],
    "validate": [("validate", ESTATE), ("validate", MAP)],
    "headroom": [("headroom", ESTATE)],
}


def schema(name: str) -> Any:
    document = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name, lines in DOCUMENTS.items() for line in lines]
)
def test_the_document_is_valid(name: str, line: tuple[str, ...]) -> None:
    done = topo(*line, "--format", "json")
    assert (done.code, done.err) == (0, "")
    schema(name).validate(json.loads(done.out))


@pytest.mark.parametrize("name", ["whatif", "why"])
def test_the_schema_refuses_what_it_does_not_know(name: str) -> None:
    document = json.loads(topo(*DOCUMENTS[name][0], "--format", "json").out)
    del document["lost"]
    assert not schema(name).is_valid(document)
