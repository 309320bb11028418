"""Results out of the program: deterministic JSON, and files that are written whole or not at all."""

import errno
import json
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

STDIN: Final = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
"""The paths that mean standard input."""

STDOUT: Final = frozenset({"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
"""The paths that mean standard output."""


class UsageError(Exception):
    """Wrong usage or an unreadable file: one sentence, and what to do about it (exit 2)."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ClusterError(Exception):
    """A cluster that cannot be reached or used: one sentence, and what to do about it (exit 4)."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def to_json(document: Mapping[str, Any]) -> str:
    """Return a document as text: deterministic, ASCII, one trailing newline."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def write_output(path: str, data: str | bytes, *, mode: int | None = None, option: str = "-o") -> None:
    """Write a result whole or not at all; `-` is stdout. A symbolic link is followed.

    `option` is what the path was given to.

    Raises:
        UsageError: it cannot be written; what stood there before is untouched.
    """
    payload = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    if is_stdout(path):
        sys.stdout.flush()
        sys.stdout.buffer.write(payload)
        return
    try:
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            target.write_bytes(payload)  # a device or a pipe cannot be replaced
            return
        _replace_file(target, payload, mode)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(
            f"cannot write {path}: {reason}", f"Nothing was written; choose another {option}."
        ) from None


def is_stdin(path: str | None) -> bool:
    """Return whether a path is a name of standard input."""
    return path is not None and os.path.normpath(path) in STDIN


def is_stdout(path: str) -> bool:
    """Return whether a path is a name of standard output."""
    return os.path.normpath(path) in STDOUT


def mixes_with_stdout(path: str) -> bool:
    """Return whether what is written there stands among what is printed: standard output, or its file."""
    if is_stdout(path):
        return True
    try:
        printed = os.fstat(1)
        return stat.S_ISREG(printed.st_mode) and os.path.samestat(Path(path).stat(), printed)
    except (OSError, ValueError):  # one of them is not there, or is no path
        return False


def is_stream(path: str) -> bool:
    """Return whether what is written there goes on to somebody else: stdout, a pipe, a device."""
    target = Path(path)
    return is_stdout(path) or target.is_fifo() or target.is_char_device()


def _replace_file(target: Path, payload: bytes, mode: int | None) -> None:
    import tempfile

    if target.exists() and not os.access(
        target, os.W_OK, effective_ids=os.access in os.supports_effective_ids
    ):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    handle, name = tempfile.mkstemp(prefix=".topo-", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(payload)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(mode if mode is not None else _usual_mode(target))
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _usual_mode(target: Path) -> int:
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def check_paths(given: Mapping[str, Any]) -> None:
    """Refuse two inputs on standard input, and a result or a picture over a file that was read.

    Raises:
        UsageError: the arguments `given` to a command say so.
    """
    single = ("file", "old", "new", "under", "topology", "runtime")
    inputs = [*(given.get(name) for name in single), *(given.get("files") or ())]
    one_standard_input(inputs)
    for output, option in (("output", "-o"), ("picture", "--picture")):
        spare_inputs(given.get(output), inputs, option)


def spare_inputs(output: str | None, inputs: Iterable[str | None], option: str = "-o") -> None:
    """Refuse to write a result over one of its own inputs.

    Raises:
        UsageError: the output is one of them.
    """
    if not output or is_stdout(output):
        return
    for path in inputs:
        if path and _same_file("/dev/stdin" if path == "-" else path, output):
            raise UsageError(
                f"{output} is an input: the result would replace it", f"Choose another {option}."
            )


def one_standard_input(inputs: Iterable[str | None]) -> None:
    """Refuse standard input for two inputs, by whatever name: what is read second would be empty.

    Raises:
        UsageError: more than one of them is standard input.
    """
    if sum(map(is_stdin, inputs)) > 1:
        raise UsageError("only one of them can be standard input", "Give the others as files.")


def _same_file(one: str, other: str) -> bool:
    """Return whether two paths lead to one file, which writing would replace: a device is not."""
    try:
        return Path(one).samefile(other) and Path(one).is_file()
    except (OSError, ValueError):  # one of them is not there, or is no path: not the same
        return False
