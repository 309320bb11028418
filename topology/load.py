"""Files into the model, or every reason why not, each at its place (spec 1 and 2)."""

from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from topology.diagnostics import Diagnostic
from topology.judge import diagnostics_of, has_error, judge_estate, judge_topology
from topology.model import Estate, Topology
from topology.pause import collector_paused
from topology.reading import Content, Kind, Refused, read
from topology.source import Source

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class LoadResult(Generic[T_co]):
    """What a file gave: `value` is None when any diagnostic is an error."""

    kind: Kind
    value: T_co | None
    diagnostics: tuple[Diagnostic, ...]
    source: Source

    @property
    def topology(self) -> Topology | None:
        """The topology; None where the file is none, or invalid."""
        return value if isinstance(value := self.value, Topology) else None

    @property
    def estate(self) -> Estate | None:
        """The estate; None where the file is none, or invalid."""
        return value if isinstance(value := self.value, Estate) else None


def load_topology_text(data: Content, path: str, *, max_bytes: int | None = None) -> LoadResult[Topology]:
    """Load a topology file (YAML, or JSON). `max_bytes` raises the limit on its size [B]."""
    return cast(LoadResult[Topology], _load(data, path, "topology", max_bytes))


def load_estate_text(data: Content, path: str, *, max_bytes: int | None = None) -> LoadResult[Estate]:
    """Load an estate file (JSON). `max_bytes` raises the limit on its size [B]."""
    return cast(LoadResult[Estate], _load(data, path, "estate", max_bytes))


def load_text(data: Content, path: str, *, max_bytes: int | None = None) -> LoadResult[Topology | Estate]:
    """Load whichever of the two it is: a JSON object with an estate's keys is an estate."""
    return _load(data, path, None, max_bytes)


def _load(
    data: Content, path: str, expected: Kind | None, max_bytes: int | None
) -> LoadResult[Topology | Estate]:
    with collector_paused():
        try:
            reading = read(data, path, expected, max_bytes)
        except Refused as refusal:
            return LoadResult(refusal.kind, None, (refusal.diagnostic,), refusal.source)
        judge = judge_estate if reading.kind == "estate" else judge_topology
        value, faults = judge(reading.parsed.value)
        diagnostics = diagnostics_of(reading, faults)
        usable = None if has_error(diagnostics) else value
        return LoadResult(reading.kind, usable, diagnostics, reading.source)
