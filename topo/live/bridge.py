"""The worker's side of the engine: JSON text and buffers, so that no Python object lives in the page."""

import json
from collections.abc import Sequence
from typing import Any, Protocol

from topo.live.engine import Session
from topo.output import to_json
from topo.text.clean import clean
from topology.unknown_id import UnknownId

_session = Session()


class Buffer(Protocol):
    """A typed array of the page."""

    def to_bytes(self) -> bytes:
        """Return a copy of it."""


def take(request: str, buffers: Sequence[Buffer]) -> str:
    """Read files, return what to show of them.

    `request` is {"files": [[name, modified]], "now", "nowGiven", "load"}.
    """
    asked = json.loads(request)
    pairs = zip(asked["files"], buffers, strict=True)
    files = [(name, buffer.to_bytes(), modified) for (name, modified), buffer in pairs]
    given = asked.get("nowGiven", True)
    return json.dumps(_session.take(files, asked["now"], asked["load"], now_given=given))


def report() -> bytes:
    """Return the report of the files that were taken."""
    return _session.report()


def document(request: str) -> str:
    """Return a document, or in `problem` why there is none: `request` is {"kind", "fail": [...]}."""
    asked: dict[str, Any] = json.loads(request)
    try:
        return json.dumps({"text": to_json(_session.document(asked["kind"], asked["fail"]))})
    except UnknownId as refusal:
        return json.dumps({"problem": clean(str(refusal))})
