"""What runs inside the page: dropped files in, the report and the documents of the command out.

Everything that leaves it for the page is ASCII or bytes, and nothing in it looks at a clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, Literal

from closure.compiled import Load, compile_facility
from findings.assumptions import COMMAND_LINE
from findings.term import Basis
from topo.formats.diagnostics_json import validate_document
from topo.text.clean import clean
from topo.validation import check_file, conflicts
from topology.bare import estate_of
from topology.diagnostics import Diagnostic, InvalidInput
from topology.load import LoadResult, load_text
from topology.merge import MergeRefused, merge_estates
from topology.model import Estate, Topology
from topology.timestamps import parse_timestamp

Document = Literal["findings", "whatif", "validate", "estate"]


@dataclass(frozen=True, slots=True)
class File:
    """A dropped file: `modified` is when it was last written (RFC 3339, UTC), where the browser knows."""

    name: str
    data: bytes
    modified: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the files are together: an estate to report on, or every reason why there is none."""

    estate: Estate | None
    diagnostics: tuple[Diagnostic, ...] = ()
    refusals: tuple[tuple[str, str, str], ...] = ()
    """Rule, message and hint of what is wrong with the files together."""


def named(names: Sequence[str]) -> list[str]:
    """Return names that tell the files apart; the second `estate.json` becomes `estate (2).json`.

    >>> named(["estate.json", "estate.json"])
    ['estate.json', 'estate (2).json']
    """
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        path = PurePosixPath(name)
        again = f"{name.removesuffix(path.suffix)} ({seen[name]}){path.suffix}"
        result.append(name if seen[name] == 1 else again)
    return result


def read_files(files: Sequence[File]) -> Outcome:
    """Return what dropped files say together: estates merged, a topology laid over them.

    A topology alone is the estate that it describes, without workloads.
    """
    results = [
        load_text(each.data, name) for each, name in zip(files, named([f.name for f in files]), strict=True)
    ]
    maps = [(each, file) for each, file in zip(results, files, strict=True) if each.kind == "topology"]
    estates = [each for each in results if each.kind == "estate"]
    if len(maps) > 1:
        names = " and ".join(result.source.path for result, _ in maps)
        reason = (
            "two-maps",
            f"{names} are both topologies, and one facility has one map",
            "Drop one of them.",
        )
        return Outcome(None, _said(results, None), (reason,))
    facility_map = maps[0][0] if maps else None
    diagnostics = _said(estates or results, facility_map if estates else None)
    if not results or any(each.value is None for each in results):
        return Outcome(None, diagnostics)
    try:
        estate = _together(estates, facility_map, maps[0][1].modified if maps else None)
    except MergeRefused as refused:
        reasons = tuple((each.rule, each.message, each.hint) for each in refused.refusals)
        return Outcome(None, diagnostics, reasons)
    except InvalidInput as refused:
        return Outcome(None, tuple(dict.fromkeys((*diagnostics, *refused.diagnostics))))
    return Outcome(estate, diagnostics)


def _said(results: Sequence[LoadResult[Any]], facility_map: LoadResult[Any] | None) -> tuple[Diagnostic, ...]:
    """Return what `topo validate FILE... [--topology MAP]` says."""
    groups = [check_file(each, facility_map).diagnostics for each in results]
    groups.append(facility_map.diagnostics if facility_map else ())
    return tuple(dict.fromkeys(each for group in groups for each in group))


def _together(
    results: Sequence[LoadResult[Any]], map_result: LoadResult[Any] | None, modified: str | None
) -> Estate:
    facility_map = map_result.topology if map_result else None
    if not results:
        assert facility_map is not None
        return estate_of(facility_map)
    estates = [(each.source.path, each.estate) for each in results if each.estate is not None]
    if len(estates) > 1:
        mapped = (map_result.source.path, facility_map) if map_result and facility_map else None
        return _dated(merge_estates(estates, topology=mapped), modified if mapped else None)
    estate = estates[0][1]
    if map_result is None or facility_map is None:
        return estate
    return _dated(_mapped(estate, results[0], map_result), modified)


def _mapped(estate: Estate, result: LoadResult[Any], map_result: LoadResult[Topology]) -> Estate:
    """Return the estate with the map laid over it. Raises InvalidInput, each fault at its place in a file."""
    from topology.apply import apply_topology

    assert map_result.topology is not None
    try:
        return apply_topology(estate, map_result.topology)
    except InvalidInput:
        raise InvalidInput(conflicts(estate, result, map_result)) from None


def _dated(estate: Estate, modified: str | None) -> Estate:
    if modified is None:
        return estate
    return replace(estate, provenance=replace(estate.provenance, topology_file_modified_at=modified))


class Session:
    """The files on the page and what was made of them."""

    def __init__(self) -> None:
        self._outcome = Outcome(None)
        self._now = ""
        self._now_basis: Basis = "measured"
        self._load: Load = "allocated"

    def take(
        self, files: Sequence[tuple[str, bytes, float]], now: str, load: Load, *, now_given: bool = True
    ) -> dict[str, Any]:
        """Read files (name, bytes, last modified [ms]) and return what to show of them before the report.

        `now_given`: a person typed the time, as with --now; else it is the browser's clock.
        """
        self._now, self._load = now, load
        self._now_basis = COMMAND_LINE if now_given else "measured"
        if parse_timestamp(now) is None:
            reason = (
                "time",
                f"{now!r} is no RFC 3339 time with offset",
                "Write it like 2026-12-01T00:00:00Z.",
            )
            self._outcome = Outcome(None, (), (reason,))
        else:
            self._outcome = read_files([File(name, data, _moment(at)) for name, data, at in files])
        estate = self._outcome.estate
        return {
            "readable": estate is not None,
            "title": clean(estate.cluster) if estate else "",
            "diagnostics": [_shown(each) for each in self._outcome.diagnostics],
            "refusals": [[rule, clean(text), clean(hint)] for rule, text, hint in self._outcome.refusals],
            "notes": [clean(note) for note in estate.notes] if estate else [],
        }

    def report(self) -> bytes:
        """Return the report, byte for byte what `topo report` writes."""
        from topo.report import render_report

        page = render_report(self._estate(), now=self._now, load=self._load, now_basis=self._now_basis)
        return page.encode("utf-8", "backslashreplace")

    def document(self, kind: Document, failed: Sequence[str] = ()) -> dict[str, Any]:
        """Return a document of the command: `topo findings`, `whatif`, `validate` as JSON, or `merge`.

        Raises:
            UnknownId: of a failed id that is neither domain nor node.
        """
        if kind == "validate":
            valid = not any(each.severity == "error" for each in self._outcome.diagnostics)
            return validate_document(self._outcome.diagnostics, valid=valid)
        if kind == "findings":
            from findings.context import Context
            from findings.document import document_of

            return document_of(Context(self._estate(), self._now, self._load, self._now_basis))
        if kind == "whatif":
            from findings.scenario import whatif, whatif_to_json

            return whatif_to_json(whatif(compile_facility(self._estate(), self._load), failed))
        from topology.dump import estate_to_json

        return estate_to_json(self._estate())

    def _estate(self) -> Estate:
        assert self._outcome.estate is not None
        return self._outcome.estate


def _shown(each: Diagnostic) -> dict[str, str]:
    return {
        "where": f"{clean(each.file)}:{each.line}:{each.column}",
        "severity": each.severity,
        "rule": each.rule,
        "message": clean(each.message),
        "hint": clean(each.hint),
    }


def _moment(milliseconds: float) -> str | None:
    if not milliseconds:
        return None
    moment = datetime.fromtimestamp(int(milliseconds // 1000), tz=UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
