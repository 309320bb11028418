"""What every command shares: arguments, reading and writing files, exit codes."""

import argparse
import os
import sys
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

from topo.cli import values
from topo.output import ClusterError, UsageError, check_paths, is_stdin, is_stream, to_json, write_output
from topology.diagnostics import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from findings.staleness import Staleness
    from findings.term import Basis
    from topo.text.page import PageOptions
    from topology.load import LoadResult
    from topology.model import Estate
    from topology.reading import Beginning

__all__ = ["UsageError", "to_json", "write_output"]

OK: Final = 0
INVALID: Final = 1
USAGE: Final = 2
GATE: Final = 3
CLUSTER: Final = 4
INTERRUPTED: Final = 130


T = TypeVar("T")


class WrongKind(UsageError):
    """A valid file of the other kind: a map for an estate, or an estate for a map (exit 1)."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """An input ready for analysis: the estate under the command line's assumptions, and its files."""

    estate: "Estate"
    result: "LoadResult[Any]"
    map_result: "LoadResult[Any] | None"


def run_command(args: argparse.Namespace) -> int:
    """Run `args.func` and turn refusals into one clear message and an exit code."""
    from topology.unknown_id import UnknownId

    try:
        check_paths(vars(args))
        return int(args.func(args))
    except InvalidInput as refusal:
        _print_diagnostics(refusal)
        return INVALID
    except UnknownId as refusal:
        from topo.cli.suggest import unknown_hint

        complain(str(refusal), unknown_hint(refusal, args))
        return USAGE
    except UsageError as refusal:
        complain(refusal.message, refusal.hint)
        return INVALID if isinstance(refusal, WrongKind) else USAGE
    except ClusterError as refusal:
        complain(refusal.message, refusal.hint)
        return CLUSTER


def complain(message: str, hint: str) -> None:
    """Print one message and what to do about it on stderr."""
    from topo.text.clean import clean

    sys.stderr.write(f"topo: error: {clean(message)}\n")
    if hint:
        sys.stderr.write(f"  help: {clean(hint)}\n")


def _print_diagnostics(refusal: InvalidInput) -> None:
    from topo.text.diagnostics import render_refusal

    sys.stderr.write(render_refusal(refusal.diagnostics))


# --- reading -------------------------------------------------------------------------------------


def read_bytes(path: str, max_bytes: int | None = None) -> "bytes | Beginning":
    """Return a file's bytes; `-` is stdin. What is larger than any limit [B] on it is not read to its end.

    Raises:
        UsageError: the file cannot be read.
    """
    if path == "-":
        if sys.stdin is None:
            raise UsageError("standard input is closed", "Name a file instead of `-`.")
        return _all_of(sys.stdin.buffer, path)
    try:
        with Path(path).open("rb") as stream:
            return _all_of(stream, path) if is_stream(path) else _within_limit(stream, path, max_bytes)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(
            f"cannot read {path}: {reason}", "Check the path; `-` reads standard input."
        ) from None


def _all_of(stream: BinaryIO, path: str) -> bytes:
    from topology.limits import MAX_JSON_BYTES

    data = stream.read(MAX_JSON_BYTES + 1)
    if len(data) > MAX_JSON_BYTES:  # it may never end
        raise UsageError(
            f"cannot read {path}: a stream of more than 2 GiB", "Write it into a file, and name that."
        )
    return data


def _within_limit(stream: BinaryIO, path: str, max_bytes: int | None) -> "bytes | Beginning":
    from topology.limits import MAX_YAML_BYTES
    from topology.reading import LOOKED_AT, beginning

    size = os.fstat(stream.fileno()).st_size
    if size > (max_bytes or MAX_YAML_BYTES):
        too_large = beginning(path, stream.read(LOOKED_AT), size, max_bytes)
        if too_large is not None:
            return too_large
        stream.seek(0)
    return stream.read()


def display_name(path: str) -> str:
    """Return what diagnostics call the file."""
    return "<stdin>" if path == "-" else values.identifier(path)


def load(args: argparse.Namespace) -> Loaded:
    """Load FILE (and --topology) and apply the command line's assumptions.

    Raises:
        UsageError: unreadable file.
        InvalidInput: the estate or the map is invalid; nothing is analysed.
    """
    from topology.assume import assume
    from topology.bare import estate_of
    from topology.load import load_text
    from topology.model import Topology

    try:
        data = read_bytes(args.file, args.max_size)
    except UsageError as refusal:
        from topo.cli.suggest import file_elsewhere

        raise UsageError(refusal.message, file_elsewhere(args) or refusal.hint) from None
    result = load_text(data, display_name(args.file), max_bytes=args.max_size)
    value = valid(result)
    estate = estate_of(value) if isinstance(value, Topology) else value
    map_result = None
    if args.topology:
        estate, map_result = _apply_map(estate, result, args)
    outside = sorted({node.id for node in estate.nodes}.intersection(args.out))
    if outside:
        from topo.cli.suggest import node_out_hint

        raise UsageError(f"--out takes domains, and {outside[0]} is a node", node_out_hint(args, outside))
    estate = assume(
        estate,
        price_per_unit_hour=args.price_per_unit_hour,
        kw_per_unit=args.kw_per_unit,
        default_restart_minutes=args.default_restart_minutes,
        out=tuple(args.out),
    )
    return Loaded(estate, result, map_result)


def load_snapshot(args: argparse.Namespace) -> "Estate":
    """Load FILE as `load` does, for a command that is about workloads.

    Raises:
        UsageError: a topology alone, which has none.
    """
    estate = load(args).estate
    if estate.bare:
        raise UsageError(
            f"{display_name(args.file)} is a topology, without workloads",
            "This command needs a snapshot: give estate.json, with --topology for the map.",
        )
    return estate


def _apply_map(
    estate: "Estate", file: "LoadResult[Any]", args: argparse.Namespace
) -> "tuple[Estate, LoadResult[Any]]":
    from topology.apply import apply_topology
    from topology.load import load_text, load_topology_text

    data, name = read_bytes(args.topology, args.max_size), display_name(args.topology)
    result = load_topology_text(data, name, max_bytes=args.max_size)
    if result.value is None and load_text(data, name, max_bytes=args.max_size).estate is not None:
        raise WrongKind(
            f"--topology takes a facility map, and {name} is an estate", "Give the estate as FILE alone."
        )
    facility_map = valid(result)
    try:
        applied = apply_topology(estate, facility_map)
    except InvalidInput:
        from topo.validation import conflicts

        raise InvalidInput(conflicts(estate, file, result)) from None
    modified = modified_at(args.topology)
    provenance = replace(applied.provenance, topology_file_modified_at=modified)
    return (replace(applied, provenance=provenance) if modified else applied), result


def modified_at(path: str) -> str | None:
    """Return when a file was last modified (RFC 3339, UTC); None for stdin."""
    if is_stdin(path):
        return None
    from datetime import UTC

    return (
        datetime.fromtimestamp(Path(path).stat().st_mtime, tz=UTC)
        .isoformat(timespec="seconds")
        .replace("+00:00", "Z")
    )


def valid(result: "LoadResult[T]") -> T:
    """Return what a file gave.

    Raises:
        InvalidInput: it gave nothing but diagnostics.
    """
    if result.value is None:
        raise InvalidInput(result.diagnostics)
    return result.value


def now_basis(args: argparse.Namespace) -> "Basis":
    """Return where `clock_now` comes from: the command line, or the clock."""
    return "command line" if args.now else "measured"


def assumption_words(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the assumptions as they were given, for the commands that a page proposes next."""
    words: list[str] = []
    for flag in ("topology", "price_per_unit_hour", "kw_per_unit", "default_restart_minutes", "now"):
        value = getattr(args, flag)
        if value is not None:
            words += [f"--{flag.replace('_', '-')}", values.identifier(str(value))]
    for identifier in args.out:
        words += ["--out", identifier]
    return (*words, "--load", "installed") if args.load == "installed" else tuple(words)


def page_options(args: argparse.Namespace) -> "PageOptions":
    """Return how a page about FILE is drawn, with all its rows where the command does not limit them."""
    from topo.text.page import PageOptions
    from topo.text.style import style_for

    rows = getattr(args, "rows", sys.maxsize)
    return PageOptions(style_for(sys.stdout), rows, values.identifier(args.file), assumption_words(args))


def dated_json(document: "Mapping[str, Any]", args: argparse.Namespace) -> str:
    """Return a document as JSON, with --now where it was given: the clock would make every run differ."""
    return to_json({**document, "now": args.now} if args.now else document)


def ages(estate: "Estate", args: argparse.Namespace) -> "Staleness":
    """Return how old the snapshot and the map are."""
    from findings.staleness import staleness

    return staleness(estate, clock_now(args))


def clock_now(args: argparse.Namespace) -> str:
    """Return --now, else the clock's UTC time (RFC 3339). The only clock in the product."""
    if args.now:
        return str(args.now)
    from datetime import UTC

    return datetime.now(tz=UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
