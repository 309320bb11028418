"""jsonschema and the native check accept and refuse the same files (spec 1: one language, two layers)."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import event, given

from tests.topology.near_misses import estate_files, topology_files
from topology import yaml_events
from topology.judge import judge_estate, judge_topology
from topology.reading import Kind
from topology.schema_check import schema_verdict
from topology.unreadable import Unreadable


def _native_accepts(raw: Any, kind: Kind) -> bool:
    judge = judge_topology if kind == "topology" else judge_estate
    return not any(fault.severity == "error" for fault in judge(raw)[1])


def _agree(raw: Any, kind: Kind) -> None:
    accepted = _native_accepts(raw, kind)
    event("accepted" if accepted else "refused")
    verdict = schema_verdict(raw, kind)
    assert verdict.valid is accepted, verdict.errors
    assert schema_verdict(raw, kind, 1).errors == verdict.errors[:1]


class TestBothJudgesAgree:
    """Spec 1: "hypothesis proves that both accept and reject the same files"."""

    @given(topology_files())
    def test_on_topologies(self, raw: Any) -> None:
        _agree(raw, "topology")

    @given(estate_files())
    def test_on_estates(self, raw: Any) -> None:
        _agree(raw, "estate")

    @given(topology_files())
    def test_on_topologies_written_as_yaml(self, raw: Any) -> None:
        try:
            text = yaml.safe_dump(raw, allow_unicode=True)
            parsed = yaml_events.parse(text).value
        except (yaml.YAMLError, Unreadable, UnicodeError):
            return
        _agree(parsed, "topology")
