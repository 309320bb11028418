"""Collect one Kubernetes cluster into estate.json: read-only, one file, standard library only.

    python3 collect.py -o estate.json              # or: topo collect -o estate.json
    python3 collect.py --print-requests            # every request it would make, and nothing else

It shells out to kubectl with `get --raw`, so the requests it makes are the ones listed in RESOURCES below,
no others: verbs get and list, no Secrets, no ConfigMaps, no exec, no writes. Nothing leaves the machine but
the file. What could not be read is said in `provenance`: unknown is unknown, never 0.

Runs with Python 3.9 or newer, also as `python3 -I -S collect.py`. It imports nothing of the analyser.

To audit it: "What is asked of the API server" and "kubectl" hold every way out of this process, "Command
line" the one file it writes; the sections between are functions from objects to figures.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, NamedTuple, Set, TextIO, Tuple
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

VERSION = "1.0.0"
SCHEMA_VERSION = 1

OK, USAGE, CLUSTER, INTERRUPTED, READER_GONE = 0, 2, 4, 130, 141  # exit codes


def words(text: str) -> frozenset[str]:
    """Return the words of a text: how the tables below are written."""
    return frozenset(text.split())


PAGE_SIZE = 500  # objects per list request: bounds the memory of kubectl and of this process
REQUEST_TIMEOUT_SECONDS = 30.0
GUARD_SECONDS = 10.0  # wall clock granted to kubectl beyond the timeout that it enforces itself
MAX_COUNT = 2**31 - 1  # counts are int32 in the API; no container asks for more devices or cores
MAX_NAME = 1000  # characters of a name, of which Kubernetes allows 253
MAX_VALUE = 4096  # characters of a label or annotation that can be an id or name a person
MAX_NAMED = 5  # ids named in one caveat before "and N more"
HOURS = 24
HISTORY_DAYS = 90
HISTORY_SLACK_DAYS = 2  # the reach of a history is sampled once a day
MAX_HISTORY = 10**9  # 128 a second for 90 days; DCGM's sentinels (from 2^31 - 16 on) lie above
UTILIZATION_WINDOW_HOURS = 1
DCGM_PORT = 9400
DCGM_MAX_SCRAPES = 120
DCGM_MAX_FRUITLESS = 8  # scrapes in a row that show no new node before giving up
MEASURE_TOLERANCE = 1.01  # a meter may read 1 % over its full scale; more is not a reading
CPU_TOLERANCE = 1.10  # usage is averaged over other seconds than capacity is read

CRITICALITY_CAVEAT = (
    "Criticality is a heuristic: a workload counts as critical when its pod label "
    'iverson.gpu/critical is "true", when a PodDisruptionBudget selects it, or when its priority class '
    "contains system-cluster-critical. Review and re-label: a wrong criticality flag skews every "
    "critical-share figure downstream of it."
)
SELF_REPORTED_NOTE = (
    "Checkpoint and restart annotations are self-reported: owner-annotated, not observed by the "
    "collector. They drive shed order and priced dollars; validate them against actual checkpoint I/O "
    "before acting on a shed or failover plan priced from them."
)
NO_MAP_CAVEAT = (
    "No facility map: no node stands on a power or cooling domain, so physical findings degrade to zone "
    "and host level. Supply --topology topology.yaml or label the nodes."
)
CPU_UNIT_CAVEAT = "Units are CPU cores, not GPUs: this estate was collected with --unit cpu."

PREFIX = "iverson.gpu/"
LABEL_CRITICAL = PREFIX + "critical"
LABEL_KIND = PREFIX + "kind"
ANNOTATION_CHECKPOINT = PREFIX + "checkpoint-minutes"
ANNOTATION_RESTART = PREFIX + "restart-minutes"
ANNOTATION_GANG = PREFIX + "gang"
OWNER_KEYS = (PREFIX + "owner", "owner", "team")
CONTACT_KEYS = (PREFIX + "contact", "contact")
CRITICAL_PRIORITY = "system-cluster-critical"

Requests = Dict[str, Fraction]


# ---------------------------------------------------------------------------------------------
# What is asked of the API server


class Resource(NamedTuple):
    """One list: the rights it needs (`group`, `name`, verb list) and its path."""

    name: str
    group: str
    path: str
    query: str = ""


UNFINISHED = "fieldSelector=" + quote("status.phase!=Succeeded,status.phase!=Failed")

RESOURCES = {
    resource.name: resource
    for resource in (
        Resource("nodes", "", "/api/v1/nodes"),
        Resource("pods", "", "/api/v1/pods", UNFINISHED),
        Resource("replicasets", "apps", "/apis/apps/v1/replicasets"),
        Resource("deployments", "apps", "/apis/apps/v1/deployments"),
        Resource("statefulsets", "apps", "/apis/apps/v1/statefulsets"),
        Resource("daemonsets", "apps", "/apis/apps/v1/daemonsets"),
        Resource("jobs", "batch", "/apis/batch/v1/jobs"),
        Resource("cronjobs", "batch", "/apis/batch/v1/cronjobs"),
        Resource("poddisruptionbudgets", "policy", "/apis/policy/v1/poddisruptionbudgets"),
        Resource("events", "", "/api/v1/events"),
        Resource("services", "", "/api/v1/services"),
        Resource("resourceslices", "resource.k8s.io", "/apis/resource.k8s.io/v1/resourceslices"),
        Resource("resourceclaims", "resource.k8s.io", "/apis/resource.k8s.io/v1/resourceclaims"),
    )
}
PARENT_KINDS = {
    "replicasets": "ReplicaSet",
    "deployments": "Deployment",
    "statefulsets": "StatefulSet",
    "daemonsets": "DaemonSet",
    "jobs": "Job",
    "cronjobs": "CronJob",
}
METRICS = Resource("nodes", "metrics.k8s.io", "/apis/metrics.k8s.io/v1beta1/nodes")
VERSION_PATH = "/version"


class Target(NamedTuple):
    """A service behind the API server's proxy."""

    namespace: str
    service: str
    port: str
    scheme: str = ""

    @property
    def name(self) -> str:
        """The name of the services/proxy resource, as RBAC's resourceNames must spell it."""
        prefix = f"{self.scheme}:" if self.scheme else ""
        return f"{prefix}{self.service}:{self.port}"

    def path(self, tail: str) -> str:
        """Return the path of `tail` behind the proxy."""
        return f"/api/v1/namespaces/{self.namespace}/services/{self.name}/proxy/{tail}"


class Request(NamedTuple):
    """One line of --print-requests."""

    verb: str
    group: str
    resource: str
    path: str
    remark: str = ""

    def __str__(self) -> str:
        name = f"{self.resource}.{self.group}" if self.group else self.resource
        remark = f"   # {self.remark}" if self.remark else ""
        return f"{self.verb:<5}{name:<38}{self.path}{remark}"


def planned_requests(options: Options) -> list[Request]:
    """Return every request that a run with `options` may make, in order."""
    names = ["nodes", "pods", *PARENT_KINDS, "poddisruptionbudgets", "events"]
    planned = [Request("get", "", VERSION_PATH, VERSION_PATH)]
    planned += [_list_request(RESOURCES[name]) for name in names]
    if options.unit == "cpu":
        return [*planned, _list_request(METRICS)]
    if options.dra != "off":
        remark = "only when a pod or node shows DRA" if options.dra == "auto" else ""
        planned += [_list_request(RESOURCES[name], remark) for name in ("resourceslices", "resourceclaims")]
    if options.prometheus is not None:
        path = options.prometheus.path("api/v1/query?query=")
        planned += [
            Request("get", "", "services/proxy", path + quote(query, safe=""), f"{name}: {query}")
            for name, query in QUERIES.items()
        ]
    if options.dcgm == "auto":
        planned.append(_list_request(RESOURCES["services"], "to find services whose name has dcgm"))
        found = Target("<namespace>", "<name with dcgm>", "<port>")
        planned.append(Request("get", "", "services/proxy", found.path("metrics")))
    elif isinstance(options.dcgm, Target):
        planned.append(Request("get", "", "services/proxy", options.dcgm.path("metrics")))
    return planned


def _list_request(resource: Resource, remark: str = "") -> Request:
    return Request(
        "list", resource.group, resource.name, page_path(resource.path, resource.query, PAGE_SIZE), remark
    )


def page_path(path: str, query: str, limit: int, token: str = "") -> str:
    """Return the path of one page of a list; `limit` 0 asks for everything at once."""
    parts = [f"limit={limit}"] if limit else []
    parts += [query] if query else []
    parts += [f"continue={quote(token, safe='')}"] if token else []
    return f"{path}?{'&'.join(parts)}" if parts else path


# ---------------------------------------------------------------------------------------------
# kubectl


class Failure(Exception):
    """A request that was not answered in full: what `kind` of failure, and one line for a person."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail

    def __str__(self) -> str:
        return self.detail


class Refusal(Exception):
    """The run ends here, without a file: exit `code`, one sentence, and what to do about it."""

    def __init__(self, code: int, message: str, hint: str = "") -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message


_FAILURES = (
    ("forbidden", r"\(Forbidden\)"),
    ("unauthorized", r"\(Unauthorized\)|You must be logged in to the server|provide credentials"),
    ("expired", r"\(Expired\)|\(Gone\)|too old to display a consistent list"),
    ("not-found", r"\(NotFound\)|could not find the requested resource"),
    ("timeout", r"\((Gateway)?Timeout\)|Client\.Timeout|deadline exceeded|[tT]imed out|i/o timeout"),
    ("unavailable", r"\(ServiceUnavailable\)|unable to handle the request|\(TooManyRequests\)"),
    ("failed", r"Error from server"),
    ("unreachable", r"refused|no such host|Unable to connect|no route to host|dial tcp|x509|EOF"),
)


def classify(stderr: str) -> Failure:
    """Return what kubectl's words mean: its exit status is 1 for every failure."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    said = [line for line in lines if re.match(r"(?i)error|unable", line)]
    detail = clean((said or lines or ["kubectl failed without a word"])[-1])
    for kind, pattern in _FAILURES:
        if re.search(pattern, stderr):
            return Failure(kind, detail)
    return Failure("failed", detail)


_BLANK = re.compile(  # what Python calls printable and nobody sees
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def clean(text: str, limit: int = 300) -> str:
    """Return `text` on one line, without control and invisible characters, cut to `limit` characters."""
    text = _BLANK.sub(" ", text)
    line = "".join(character if character.isprintable() else " " for character in text).strip()
    return line if len(line) <= limit else line[: limit - 1] + "…"


def run_guarded(argv: Sequence[str], seconds: float) -> tuple[int, bytes, str]:
    """Run a command and return (status, stdout, stderr); Failure when it is missing or outlives `seconds`."""
    environment = {**os.environ, "KUBERC": "off", "LC_ALL": "C"}
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise Failure("no-kubectl", f"cannot run {argv[0]}: {error.strerror}") from error
    try:
        stdout, stderr = process.communicate(timeout=seconds)
    except BaseException as error:
        _kill(process)
        if isinstance(error, subprocess.TimeoutExpired):
            raise Failure("timeout", f"kubectl did not answer within {seconds:g} s") from error
        raise
    return process.returncode, stdout, stderr.decode("utf-8", "replace")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole process group: a credential plugin must not outlive kubectl."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
    process.communicate()


class Kubectl:
    """Read-only access to one cluster: `get --raw` and nothing else."""

    def __init__(self, argv: Sequence[str], timeout_seconds: float) -> None:
        self._argv = [*argv, f"--request-timeout={timeout_seconds:g}s", "get", "--raw"]
        self._guard_seconds = timeout_seconds + GUARD_SECONDS

    def get(self, path: str) -> bytes:
        """Return the body of one GET; stdout counts only when kubectl says that all went well."""
        status, stdout, stderr = run_guarded([*self._argv, path], self._guard_seconds)
        if status != 0:
            raise classify(stderr)
        return stdout

    def get_json(self, path: str) -> dict[str, Any]:
        """Return the body of one GET as an object; Failure when it is not one."""
        try:
            text = self.get(path).decode("utf-8", "replace")
            body = json.loads(text)
            if re.search(r"\\u[dD][89a-fA-F]", text):  # half of a surrogate pair is no character
                body = json.loads(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
        except (ValueError, RecursionError) as error:
            raise Failure("malformed", f"the answer is not JSON: {clean(str(error))}") from error
        if not isinstance(body, dict):
            raise Failure("malformed", "the answer is not a JSON object")
        if body.get("kind") == "Status" and body.get("status") == "Failure":
            raise Failure("failed", clean(str(body.get("message"))))
        return body

    def pages(self, resource: Resource, limit: int) -> Iterator[dict[str, Any]]:
        """Yield the pages of one list."""
        token = ""
        while True:
            body = self.get_json(page_path(resource.path, resource.query, limit, token))
            yield body
            following = str(mapping(body.get("metadata")).get("continue") or "")
            if not following:
                return
            if following == token:
                raise Failure("malformed", "the server repeats its continue token")
            token = following


SAVED_NAMES = {
    VERSION_PATH: "version.json",
    METRICS.path: "nodemetrics.json",
    **{resource.path: f"{resource.name}.json" for resource in RESOURCES.values()},
}
"""Path of a request -> the file that holds its answer where answers were saved (--from)."""
SAVED_AT = "saved-at.txt"
_YEARS = range(1970, 9000)  # of which days can be reckoned back and forth


class Saved(Kubectl):
    """The answers that were saved in a folder, instead of kubectl: no process, no network."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    def get(self, path: str) -> bytes:
        """Return the saved answer; Failure where there is none, or none that can be trusted."""
        name = SAVED_NAMES[path.partition("?")[0]]
        place = self.folder / name
        try:
            if not place.is_file():
                raise Failure("not-found", f"there is no file {name}")
            raw = place.read_bytes()
        except OSError as error:
            raise Failure("failed", f"cannot read {name}: {error.strerror}") from error
        wide = raw.startswith((b"\xff\xfe", b"\xfe\xff"))  # as PowerShell writes
        return raw.decode("utf-16", "replace").encode() if wide else raw.removeprefix(b"\xef\xbb\xbf")

    def pages(self, resource: Resource, limit: int) -> Iterator[dict[str, Any]]:  # noqa: ARG002
        """Yield the one page: a part of a list is none, nor is what kubectl writes where it may not read."""
        body = self.get_json(resource.path)
        kind = str(body.get("kind") or "")
        kinds = (
            {str(one.get("kind")) for one in mappings(body.get("items"))}
            if kind == "List"
            else {kind.removesuffix("List")}
        )
        wanted = "nodemetrics" if resource is METRICS else resource.name[:-1]
        if {one.lower() for one in kinds} - {wanted}:
            raise Failure(
                "malformed", f"the file does not hold {resource.name}, but: {', '.join(sorted(kinds))}"
            )
        if mapping(body.get("metadata")).get("continue"):
            raise Failure("malformed", "the file holds the first part of a list: save it without a limit")
        if body.get("kind") == "List" and not body.get("items"):
            raise Failure(
                "malformed", "`kubectl get -o json` writes an empty list where it may not read: use --raw"
            )
        yield body

    def moment(self) -> tuple[datetime, bool]:
        """Return when the answers were saved, and whether they say so themselves."""
        with suppress(OSError, ValueError):
            said = instant((self.folder / SAVED_AT).read_text(encoding="utf-8-sig").strip())
            if said is not None and said.year in _YEARS:
                return said, True
        try:
            modified = (self.folder / SAVED_NAMES[RESOURCES["nodes"].path]).stat().st_mtime
            found = datetime.fromtimestamp(modified, timezone.utc)
        except (OSError, ValueError, OverflowError) as error:
            raise Refusal(USAGE, f"cannot read {self.folder}/nodes.json: {error}") from error
        if found.year not in _YEARS:
            raise Refusal(
                USAGE, f"nodes.json is of the year {found.year}: say when it was saved, in {SAVED_AT}"
            )
        return found, False


class Listing(NamedTuple):
    """A whole list: what was kept of each object, and how often it had to be begun anew."""

    items: list[Any]
    restarts: int = 0


Trim = Callable[[Dict[str, Any], str], Any]  # an object and its list's apiVersion -> what is kept of it


def list_all(kubectl: Kubectl, resource: Resource, trim: Trim, tick: Callable[[int], None]) -> Listing:
    """Return the whole list or raise Failure: never a part of it.

    An expired continue token begins the list anew, once in pages, then in one piece.
    """
    restarts = 0
    for limit in (PAGE_SIZE, PAGE_SIZE, 0):
        kept: list[Any] = []
        try:
            for body in kubectl.pages(resource, limit):
                version = str(body.get("apiVersion") or "")
                kept += [one for one in (trim(item, version) for item in items_of(body)) if one is not None]
                tick(len(kept))
            return Listing(kept, restarts)
        except Failure as failure:
            if failure.kind != "expired":
                raise
            restarts += 1
    raise Failure("expired", "the list changed faster than it could be read")


def items_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the objects of a list body; a bare object counts as a list of one."""
    if "items" in body:
        items = body["items"]
        if items is None:
            return []
        if not isinstance(items, list):
            raise Failure("malformed", "`items` is not a list")
        return [item for item in items if isinstance(item, dict)]
    if mapping(body.get("metadata")).get("name"):
        return [dict(body)]
    raise Failure("malformed", "the answer is neither a list nor an object")


def mapping(value: Any) -> dict[str, Any]:
    """Return `value` if it is a mapping, else an empty one: optional parts of objects may be null."""
    return value if isinstance(value, dict) else {}


def mappings(value: Any) -> list[dict[str, Any]]:
    """Return the mappings of a list, which may be null."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(value: Any, keep: Callable[[str], bool] = lambda _: True) -> dict[str, str]:
    """Return the labels or annotations to keep: text to text, without what is too long to be a name."""
    return {
        sys.intern(str(key)): sys.intern(str(text))
        for key, text in mapping(value).items()
        if keep(key) and len(str(text)) <= MAX_VALUE
    }


def name_of(value: Any) -> str:
    """Return a name; Failure when it is longer than any name can be."""
    name = str(value or "")
    if len(name) > MAX_NAME:
        raise Failure("malformed", f"a name has {len(name):,} characters")
    return sys.intern(name)


# ---------------------------------------------------------------------------------------------
# What could not be seen


class Caveats:
    """The caveats of one run in order; the ids they are about are kept apart, so that they can be hashed."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, str], list[str]] = {}

    def say(self, sentence: str) -> None:
        """Add a sentence, once."""
        self._ids.setdefault((sentence, ""), [])

    def about(self, sentence: str, noun: str, ids: Iterable[str]) -> None:
        """Add ids to what a sentence is about; without ids there is nothing to say."""
        named = list(ids)
        if named:
            self._ids.setdefault((sentence, noun), []).extend(named)

    def sentences(self, name: Callable[[str], str]) -> list[str]:
        """Return the sentences, each with how many things it is about; `name` says the first few."""
        return [
            f"{sentence} ({_counted(noun, sorted(set(ids)), name)})." if noun else sentence
            for (sentence, noun), ids in self._ids.items()
        ]


def _counted(noun: str, ids: list[str], name: Callable[[str], str]) -> str:
    said = ", ".join(clean(name(one), 80) for one in ids[:MAX_NAMED])
    more = f" and {len(ids) - MAX_NAMED:,} more" if len(ids) > MAX_NAMED else ""
    return f"{plural(len(ids), noun)}: {said}{more}"


def plural(count: int, noun: str) -> str:
    """Return "1 node", "2 nodes"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


class Signal(NamedTuple):
    """Whether a source answered, in what words, and what of them may stand in a redacted file."""

    reachable: bool
    detail: str
    public: str


class Signals(Dict[str, Signal]):
    """What could be read and what could not, by name."""

    def reached(self, name: str, detail: str = "") -> None:
        """Record that a source answered."""
        self[name] = Signal(reachable=True, detail=detail, public=detail)

    def missed(self, name: str, reason: str | Failure) -> None:
        """Record that a source did not answer; a failure's own words may hold names."""
        public = reason.kind if isinstance(reason, Failure) else reason
        self[name] = Signal(reachable=False, detail=str(reason), public=public)

    def unreachable(self) -> list[str]:
        """Return the names of the sources that did not answer."""
        return sorted(name for name, signal in self.items() if not signal.reachable)

    def as_json(self, *, redacted: bool) -> dict[str, Any]:
        """Return the `signals` of the provenance block."""
        said = {name: one.public if redacted else one.detail for name, one in self.items()}
        return {
            name: {"reachable": self[name].reachable, **({"detail": said[name]} if said[name] else {})}
            for name in sorted(self)
        }


# ---------------------------------------------------------------------------------------------
# Quantities, times


_QUANTITY = re.compile(
    r"([+-]?(?:\d+\.?\d*|\.\d+))(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d{1,3})?\Z", re.ASCII
)
_LARGEST = 2**63 - 1  # what the API server can hold; more is not a quantity
_DIGITS = 64
_NUMBER_LIMIT = 10**15  # the largest number that an estate may hold
_SUFFIXES = {
    **{
        suffix: Fraction(1024) ** power
        for power, suffix in enumerate(("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))
    },
    **{
        suffix: Fraction(1000) ** power
        for power, suffix in enumerate(("n", "u", "m", "", "k", "M", "G", "T", "P", "E"), -3)
    },
}


def quantity(value: Any) -> Fraction | None:
    """Return a Kubernetes quantity exactly, or None when it is none (a JSON number is one too)."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    text = str(value)
    match = _QUANTITY.match(text) if len(text) <= _DIGITS else None
    if match is None:
        return None
    suffix = match.group(2) or ""
    scale = _SUFFIXES[suffix] if suffix in _SUFFIXES else Fraction(10) ** int(suffix[1:])
    amount = Fraction(match.group(1)) * scale
    return amount if abs(amount) <= _LARGEST else None


def whole(value: Any) -> int | None:
    """Return a whole number >= 0, as JSON or a label has it, or None."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < _DIGITS:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def int32(value: Any) -> int | None:
    """Return a whole number >= 0 that fits where the API counts, or None."""
    read = whole(value)
    return read if read is not None and read <= MAX_COUNT else None


def number(value: Fraction) -> int | float:
    """Return an exact number as JSON writes it: whole where it is whole."""
    return int(value) if value.denominator == 1 else float(value)


def positive(text: str) -> int | float | None:
    """Return the number > 0 that a person wrote, as large as an estate may hold, or None."""
    if not re.fullmatch(r"\s*\+?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", text, re.ASCII):
        return None
    value = float(text)
    if not 0 < value <= _NUMBER_LIMIT:
        return None
    return int(value) if value.is_integer() else value


_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)\Z", re.ASCII)


def instant(value: Any) -> datetime | None:
    """Return an RFC 3339 time, or None."""
    match = _TIME.match(value) if isinstance(value, str) else None
    if match is None:
        return None
    day, clock, fraction, zone = match.groups()
    zone = "+00:00" if zone in "Zz" else zone
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{(fraction or '.0')[:7]:0<7}{zone}")
        return moment.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        return None


def stamp(moment: datetime) -> str:
    """Return a time as RFC 3339 in UTC, to the second."""
    return moment.astimezone(timezone.utc).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


# ---------------------------------------------------------------------------------------------
# Which resources are units


_MIG = r"(?:([1-9]\d?)c\.)?([1-9]\d?)g\."  # compute slices, of an instance or a part of one
MIG_NAME = re.compile(rf"nvidia\.com/mig-{_MIG}\d+gb[a-z0-9.+]*\Z", re.ASCII)
MIG_PROFILE = re.compile(_MIG, re.ASCII)
MIG_PRODUCT = re.compile(f"-MIG-{_MIG}", re.ASCII)
WHOLE_GPUS = ("nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe")
SHARED_GPU = "nvidia.com/gpu.shared"
OTHER_ACCELERATORS = re.compile(
    r"(habana\.ai/gaudi|google\.com/tpu|aws\.amazon\.com/neuron(device)?|huawei\.com/Ascend[^-]*"
    r"|k8s\.amazonaws\.com/vgpu|volcano\.sh/(vgpu-number|gpu-number)|mthreads\.com/vgpu|hygon\.com/dcunum"
    r"|enflame\.com/gcu[a-z-]*|birentech\.com/gpu|iluvatar\.ai/[a-z-]*gpu|cambricon\.com/mlu[a-z0-9.-]*)\Z"
)
MIG_SLICES = 7  # compute slices of an A100, H100, H200 or B200
MIG_SLICES_OF = (("A30", 4), ("RTX-PRO-6000", 4))  # GPUs with fewer


def unit_names(unit: str, chosen: Sequence[str]) -> Callable[[str], bool]:
    """Return which resource names count towards units: cores, GPUs and their slices, or the `chosen` ones."""
    if unit == "cpu":
        return lambda name: name == "cpu"
    if chosen:
        return lambda name: name in chosen
    return lambda name: name in WHOLE_GPUS or name == SHARED_GPU or MIG_NAME.match(name) is not None


def mig_share(match: re.Match[str], product: str) -> Fraction:
    """Return the share of a GPU that one MIG instance holds, by compute slices."""
    slices = next((count for name, count in MIG_SLICES_OF if name in product), MIG_SLICES)
    return Fraction(int(match.group(1) or match.group(2)), slices)


def container_requests(
    container: Mapping[str, Any], wanted: Callable[[str], bool], bad: list[str]
) -> Requests:
    """Return a container's requests of the wanted resources; limits stand in for missing requests."""
    resources = mapping(container.get("resources"))
    asked = {**mapping(resources.get("limits")), **mapping(resources.get("requests"))}
    return read_quantities(asked, wanted, bad)


def read_quantities(values: Mapping[str, Any], wanted: Callable[[str], bool], bad: list[str]) -> Requests:
    """Return the wanted quantities; names of unreadable ones (devices come in whole numbers) go to `bad`."""
    read: Requests = {}
    for name, value in values.items():
        if not wanted(name):
            continue
        amount = quantity(value)
        if amount is None or not 0 <= amount <= MAX_COUNT or (name != "cpu" and amount.denominator != 1):
            bad.append(name)
        else:
            read[sys.intern(name)] = amount
    return read


def plus(a: Requests, b: Requests) -> Requests:
    """Return the sum, per resource."""
    return {name: a.get(name, Fraction(0)) + b.get(name, Fraction(0)) for name in (*a, *b)}


def maximum(a: Requests, b: Requests) -> Requests:
    """Return the larger, per resource."""
    return {name: max(a.get(name, Fraction(0)), b.get(name, Fraction(0))) for name in (*a, *b)}


def effective_requests(
    spec: Mapping[str, Any], status: Mapping[str, Any], wanted: Callable[[str], bool], bad: list[str]
) -> Requests:
    """Return what the scheduler holds for a pod.

    The larger of (a) containers plus restartable init containers and (b) the largest init step with the
    restartable ones declared before it; pod-level cpu overrides; overhead is added.
    """
    resized = resized_requests(status, wanted)
    infeasible = any(
        condition.get("type") == "PodResizePending" and condition.get("reason") == "Infeasible"
        for condition in mappings(status.get("conditions"))
    )

    def asks(container: Mapping[str, Any]) -> Requests:
        spec_asks = container_requests(container, wanted, bad)
        actual = resized.get(str(container.get("name")), {})
        return actual if infeasible and actual else maximum(spec_asks, actual)

    total: Requests = {}
    for container in mappings(spec.get("containers")):
        total = plus(total, asks(container))
    sidecars: Requests = {}
    largest_step: Requests = {}
    for container in mappings(spec.get("initContainers")):
        step = asks(container)
        if container.get("restartPolicy") == "Always":
            total, sidecars = plus(total, step), plus(sidecars, step)
            step = sidecars
        else:
            step = plus(step, sidecars)
        largest_step = maximum(largest_step, step)
    total = maximum(total, largest_step)
    pod_level = read_quantities(mapping(mapping(spec.get("resources")).get("requests")), wanted, bad)
    total.update({name: amount for name, amount in pod_level.items() if name == "cpu"})
    return plus(total, read_quantities(mapping(spec.get("overhead")), wanted, bad))


def resized_requests(status: Mapping[str, Any], wanted: Callable[[str], bool]) -> dict[str, Requests]:
    """Return what the kubelet holds per container where cores were resized in place."""
    held: dict[str, Requests] = {}
    if not wanted("cpu"):
        return held
    for container in mappings(status.get("containerStatuses")):
        allocated = read_quantities(mapping(container.get("allocatedResources")), wanted, [])
        actual = read_quantities(mapping(mapping(container.get("resources")).get("requests")), wanted, [])
        held[str(container.get("name"))] = maximum(allocated, actual)
    return held


# ---------------------------------------------------------------------------------------------
# What is kept of each object


class Ref(NamedTuple):
    """An owner: API group, kind, name."""

    group: str
    kind: str
    name: str


class Node(NamedTuple):
    """What is kept of a node; `ready` None where it says nothing."""

    name: str
    labels: dict[str, str]
    annotations: dict[str, str]
    capacity: Requests
    allocatable: Requests | None
    unreadable: bool
    others: tuple[str, ...]
    schedulable: bool
    ready: bool | None
    provider_id: str
    system_uuid: str
    hostnames: tuple[str, ...]
    created: datetime | None


class Pod(NamedTuple):
    """What is kept of a pod that holds something: bound and not finished."""

    namespace: str
    name: str
    node: str
    running: bool
    owner: Ref | None
    labels: dict[str, str]
    annotations: dict[str, str]
    priority: str
    requests: Requests
    unreadable: bool
    claims: bool
    extended_claim: str


class Parent(NamedTuple):
    """What is kept of a controller: its own owner, labels and annotations that name people."""

    namespace: str
    ref: Ref
    owner: Ref | None
    people: dict[str, str]


class Budget(NamedTuple):
    """What is kept of a PodDisruptionBudget."""

    namespace: str
    name: str
    selector: dict[str, Any] | None
    empty_selects_all: bool
    minimum: Any
    unavailable: Any
    desired: int | None


class Event(NamedTuple):
    """What is kept of an event: the loop whose action it is (or none), first, last, how many."""

    loop: str
    first: datetime
    last: datetime
    times: int


LIFECYCLE_TAINTS = words(
    "node.kubernetes.io/not-ready node.kubernetes.io/unreachable node.kubernetes.io/unschedulable "
    "node.kubernetes.io/network-unavailable node.kubernetes.io/out-of-service "
    "node.kubernetes.io/memory-pressure node.kubernetes.io/disk-pressure node.kubernetes.io/pid-pressure "
    "node.cloudprovider.kubernetes.io/uninitialized karpenter.sh/disrupted karpenter.sh/disruption "
    "ToBeDeletedByClusterAutoscaler"
)
NOISY_LABELS = "feature.node.kubernetes.io/"  # hundreds per node, none of them read


def trim_node(item: dict[str, Any], wanted: Callable[[str], bool], kept: frozenset[str]) -> Node | None:
    """Return what is kept of a node."""
    meta, spec, status = (mapping(item.get(key)) for key in ("metadata", "spec", "status"))
    if not meta.get("name"):
        return None
    capacity = mapping(status.get("capacity"))
    allocatable = mapping(status.get("allocatable"))
    ready = next(
        (
            one.get("status") == "True"
            for one in mappings(status.get("conditions"))
            if one.get("type") == "Ready"
        ),
        None,
    )
    unreadable: list[str] = []
    closed = any(
        str(taint.get("key")) in LIFECYCLE_TAINTS and taint.get("effect") in ("NoSchedule", "NoExecute")
        for taint in mappings(spec.get("taints"))
    )
    return Node(
        name=name_of(meta["name"]),
        labels=texts(meta.get("labels"), lambda key: key in kept or not key.startswith(NOISY_LABELS)),
        annotations=texts(meta.get("annotations"), lambda key: key in kept or key.startswith(PREFIX)),
        capacity=read_quantities(capacity, wanted, unreadable),
        allocatable=read_quantities(allocatable, wanted, []) if allocatable else None,
        unreadable=bool(unreadable),
        others=tuple(
            name for name in capacity if OTHER_ACCELERATORS.match(name) and quantity(capacity[name])
        ),
        schedulable=not (spec.get("unschedulable") or closed or ready is False),
        ready=ready,
        provider_id=name_of(spec.get("providerID")),
        system_uuid=name_of(mapping(status.get("nodeInfo")).get("systemUUID")),
        hostnames=tuple(
            str(one.get("address"))
            for one in mappings(status.get("addresses"))
            if one.get("type") in ("Hostname", "InternalDNS") and one.get("address")
        ),
        created=instant(meta.get("creationTimestamp")),
    )


def trim_pod(item: dict[str, Any], wanted: Callable[[str], bool]) -> Pod | None:
    """Return what is kept of a pod, or None when it holds nothing: finished, or not bound to a node.

    A terminating pod holds its devices until it is gone.
    """
    meta, spec, status = (mapping(item.get(key)) for key in ("metadata", "spec", "status"))
    phase = status.get("phase")
    if phase in ("Succeeded", "Failed") or not spec.get("nodeName") or not meta.get("name"):
        return None
    unreadable: list[str] = []
    extended = mapping(status.get("extendedResourceClaimStatus"))
    return Pod(
        namespace=name_of(meta.get("namespace") or "default"),
        name=name_of(meta["name"]),
        node=name_of(spec["nodeName"]),
        running=phase == "Running",
        owner=controller_of(meta),
        labels=texts(meta.get("labels")),
        annotations=texts(meta.get("annotations"), SAID_KEYS.__contains__),
        priority=name_of(spec.get("priorityClassName")),
        requests=effective_requests(spec, status, wanted, unreadable),
        unreadable=bool(unreadable),
        claims=bool(mappings(spec.get("resourceClaims"))),
        extended_claim=str(extended.get("resourceClaimName") or ""),
    )


def controller_of(meta: Mapping[str, Any]) -> Ref | None:
    """Return the owner that controls an object."""
    for owner in mappings(meta.get("ownerReferences")):
        if owner.get("controller") is True and owner.get("kind") and owner.get("name"):
            group, _, _ = name_of(owner.get("apiVersion")).rpartition("/")
            return Ref(sys.intern(group), name_of(owner["kind"]), name_of(owner["name"]))
    return None


def parent_trimmer(group: str, kind: str) -> Trim:
    """Return what keeps of a controller of this kind what is needed."""

    def trim(item: dict[str, Any], _: str) -> Parent | None:
        meta = mapping(item.get("metadata"))
        if not meta.get("name"):
            return None
        named = (*OWNER_KEYS, *CONTACT_KEYS).__contains__
        people = {**texts(meta.get("labels"), named), **texts(meta.get("annotations"), named)}
        ref = Ref(group, kind, name_of(meta["name"]))
        return Parent(name_of(meta.get("namespace") or "default"), ref, controller_of(meta), people)

    return trim


def trim_budget(item: dict[str, Any], list_version: str) -> Budget | None:
    """Return what is kept of a budget: an empty selector selects all in policy/v1, nothing in v1beta1."""
    meta, spec, status = (mapping(item.get(key)) for key in ("metadata", "spec", "status"))
    if not meta.get("name"):
        return None
    selector = spec.get("selector")
    desired = int32(status.get("desiredHealthy")) if status.get("expectedPods") else None
    return Budget(
        namespace=name_of(meta.get("namespace") or "default"),
        name=name_of(meta["name"]),
        selector=selector if isinstance(selector, dict) else None,
        empty_selects_all="beta" not in str(item.get("apiVersion") or list_version),
        minimum=spec.get("minAvailable"),
        unavailable=spec.get("maxUnavailable"),
        desired=desired,
    )


# ---------------------------------------------------------------------------------------------
# Control loops


ACTIONS = (  # loop, component that reports, reasons that are actions
    ("hpa", r"horizontal-pod-autoscaler", r"SuccessfulRescale"),
    ("cluster-autoscaler", r"cluster-autoscaler", r"TriggeredScaleUp|ScaledUpGroup|ScaleDown|ScaleDownEmpty"),
    (
        "karpenter",
        r"karpenter",
        r"Disrupted|Evicted|Nominated|Disruption(Launching|WaitingReadiness|Terminating)",
    ),
    ("descheduler", r"(sigs\.k8s\.io\.)?descheduler", r".*"),
    ("vpa", r"vpa-updater", r"EvictedByVPA|EvictedPod|InPlaceResizedByVPA"),
    ("kueue", r"kueue(-.*)?", r"Preempted|Evicted.*|Stopped|QuotaReserved|Admitted"),
    ("eviction", r"kubelet", r"Evicted|Preempting"),
    ("eviction", r"taint-eviction-controller|node-controller|nodecontroller", r"TaintManagerEviction"),
    ("scheduler", r".*", r"Scheduled|Preempted"),
)
_ACTIONS = tuple((loop, re.compile(who), re.compile(what)) for loop, who, what in ACTIONS)


def trim_event(item: dict[str, Any]) -> Event | None:
    """Return what is kept of an event, or None when it bears no time at all."""
    meta, series = mapping(item.get("metadata")), mapping(item.get("series"))
    created = instant(meta.get("creationTimestamp"))
    once = instant(item.get("eventTime")) or created
    last = instant(series.get("lastObservedTime")) or instant(item.get("lastTimestamp")) or once
    first = instant(item.get("firstTimestamp")) or once or last
    if last is None or first is None:
        return None
    times = int32(series.get("count")) or int32(item.get("count")) or 1
    return Event(loop_of(item), min(first, last), last, times)


def loop_of(item: Mapping[str, Any]) -> str:
    """Return the control loop whose action an event reports, by who reports it and then why; else ""."""
    source = mapping(item.get("source")).get("component")
    component = str(item.get("reportingComponent") or item.get("reportingController") or source or "")
    reason = str(item.get("reason") or "")
    for loop, who, what in _ACTIONS:
        if who.fullmatch(component) and what.fullmatch(reason):
            return loop
    return ""


class Churn(NamedTuple):
    """Actions per clock hour of each loop, and what of them could be observed."""

    loops: dict[str, list[int | None]]
    observed_from: datetime | None
    unplaced: int


def last_hour(snapshot: datetime) -> datetime:
    """Return the start of the clock hour that ends at or holds the snapshot."""
    hour = snapshot.replace(minute=0, second=0, microsecond=0)
    return hour if snapshot > hour else hour - timedelta(hours=1)


def churn(events: Sequence[Event], snapshot: datetime) -> Churn:
    """Return each loop's actions per hour; None where an hour was not observed, or only in part and empty.

    The oldest *last* occurrence bounds what is observed: an event object lives for one retention after its
    last occurrence, so everything that happened since is still there. Of an object that spans several hours
    only the first and the last occurrence can be placed.
    """
    if not events:
        return Churn({}, None, 0)
    since = min(snapshot, *(event.last for event in events))
    newest = last_hour(snapshot)
    starts = [newest - timedelta(hours=HOURS - 1 - index) for index in range(HOURS)]
    counts: dict[str, list[int]] = {event.loop: [0] * HOURS for event in events if event.loop}
    unplaced = 0
    for event in events:
        if event.loop:
            unplaced += _place(event, counts[event.loop], starts[0], snapshot, since)
    loops = {
        loop: [_observed(count, start, since) for count, start in zip(hours, starts)]
        for loop, hours in sorted(counts.items())
    }
    return Churn(loops, since, unplaced)


def _place(event: Event, hours: list[int], start: datetime, snapshot: datetime, since: datetime) -> int:
    """Add an event to its hours and return how many of its occurrences could not be placed."""
    first, last = (_hour_index(min(moment, snapshot), start) for moment in (event.first, event.last))
    if last < 0:
        return 0
    if first == last:
        parts = [(last, event.times)]
    else:
        parts = [(first, 1), (last, 1)] if event.times > 1 else [(last, 1)]
    placed = 0
    for index, count in parts:
        if 0 <= index < HOURS and start + timedelta(hours=index + 1) > since:
            hours[index] += count
            placed += count
    return event.times - placed


def _hour_index(moment: datetime, start: datetime) -> int:
    index = (moment - start) // timedelta(hours=1)
    on_the_end = moment == start + timedelta(hours=HOURS)
    return HOURS - 1 if on_the_end else index


def _observed(count: int, start: datetime, since: datetime) -> int | None:
    if count > _NUMBER_LIMIT:
        return None
    if since <= start:
        return count
    return count or None


# ---------------------------------------------------------------------------------------------
# Owners and kinds


TRAINING_KINDS = words(
    "PyTorchJob TFJob MPIJob XGBoostJob JAXJob PaddleJob MXJob TrainJob Training.run.ai "
    "TrainingWorkload.run.ai Distributed.run.ai DistributedWorkload.run.ai"
)
SERVING_KINDS = words(
    "InferenceService LLMInferenceService InferenceGraph SeldonDeployment RayService NIMService "
    "DynamoGraphDeployment DynamoComponentDeployment PodClique PodCliqueSet PodCliqueScalingGroup "
    "Revision.serving.knative.dev Service.serving.knative.dev Configuration.serving.knative.dev "
    "Inference.run.ai InferenceWorkload.run.ai"
)
REPLICATED_KINDS = words("Deployment ReplicaSet ReplicationController LeaderWorkerSet Rollout CloneSet")
BATCH_KINDS = words(
    "Job CronJob JobSet Workflow CronWorkflow SparkApplication ScheduledSparkApplication RayJob AppWrapper "
    "TaskRun PipelineRun AmlJob ScaledJob"
)
INTERACTIVE_KINDS = words(
    "Notebook DevWorkspace Interactive.run.ai InteractiveWorkload.run.ai Workspace.kubeflow.org"
)
SYSTEM_KINDS = words("DaemonSet StaticPod")
SYSTEM_NAMESPACES = words("kube-system")
WORKLOAD_KINDS = ("training", "inference", "batch", "interactive", "system", "unknown")

ROOT_LABELS = (  # pod label that names the root object, its group and kind
    ("serving.kserve.io/inferenceservice", "serving.kserve.io", "InferenceService"),
    ("serving.knative.dev/service", "serving.knative.dev", "Service"),
    ("nvidia.com/dynamo-graph-deployment-name", "nvidia.com", "DynamoGraphDeployment"),
    ("leaderworkerset.sigs.k8s.io/name", "leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
    ("sparkoperator.k8s.io/app-name", "sparkoperator.k8s.io", "SparkApplication"),
    ("workflows.argoproj.io/workflow", "argoproj.io", "Workflow"),
    ("jobset.sigs.k8s.io/jobset-name", "jobset.x-k8s.io", "JobSet"),
)
LABEL_TRAINJOB = "trainer.kubeflow.org/trainjob-ancestor-step"
LABEL_SLURM = "slinky.slurm.net/"
BUILT_IN_GROUPS = ("", "apps", "batch")
GANG_KEYS = words(
    "scheduling.k8s.io/group-name scheduling.volcano.sh/group-name scheduling.x-k8s.io/pod-group "
    "kueue.x-k8s.io/pod-group-name pod-group-name"
)

Parents = Dict[Tuple[str, Ref], Parent]


class Root(NamedTuple):
    """The workload a pod belongs to, the controller below it, and whether only names led there."""

    ref: Ref
    below: Ref
    inferred: bool = False


def root_of(pod: Pod, parents: Parents) -> Root:
    """Return the workload a pod belongs to: its topmost owner, or what its labels name beyond that."""
    labelled = labelled_root(pod.labels)
    if pod.owner is None or pod.owner.kind == "Node":
        ref = _standalone(pod) if pod.owner is not None else labelled or Ref("", "Pod", pod.name)
        return Root(ref, ref)
    root = climb(pod.namespace, pod.owner, parents)
    suffix = "-" + pod.labels.get("pod-template-hash", "\n")
    if (
        root.ref.kind == "ReplicaSet"
        and root.ref.name.endswith(suffix)
        and (pod.namespace, root.ref) not in parents
    ):
        deployment = Ref("apps", "Deployment", root.ref.name[: -len(suffix)])
        root = climb(pod.namespace, deployment, parents)._replace(inferred=True)
    if labelled is not None and labelled.kind != root.ref.kind and root.ref.kind not in TRAINING_KINDS:
        return root._replace(ref=labelled)
    return root


def _standalone(pod: Pod) -> Ref:
    """Return the workload of a static pod: the same on every node."""
    return Ref("", "StaticPod", pod.name.removesuffix(f"-{pod.node}"))


def climb(namespace: str, ref: Ref, parents: Parents) -> Root:
    """Return the topmost controller that references reach."""
    below, seen = ref, {ref}
    while True:
        parent = parents.get((namespace, ref))
        if parent is None or parent.owner is None or parent.owner in seen:
            return Root(ref, ref if parent is not None else below)
        below, ref = ref, parent.owner
        seen.add(ref)


def labelled_root(labels: Mapping[str, str]) -> Ref | None:
    """Return the root object that a pod's labels name, where no reference leads to it."""
    labels = {key: value for key, value in labels.items() if len(value) <= MAX_NAME}
    crd, name = labels.get("ray.io/originated-from-crd"), labels.get("ray.io/originated-from-cr-name")
    if crd and name:
        return Ref("ray.io", crd, name)
    for label, group, kind in ROOT_LABELS:
        if labels.get(label):
            if kind == "JobSet" and LABEL_TRAINJOB in labels:
                return Ref("trainer.kubeflow.org", "TrainJob", labels[label])
            return Ref(group, kind, labels[label])
    return None


def kind_of(ref: Ref, below: Ref, namespace: str, *, checkpointed: bool) -> str:
    """Return what kind of workload an owner is; training only where the owner or its annotation says so.

    An owner that the tables do not know is what the controller below it is.
    """
    names = {ref.kind, f"{ref.kind}.{ref.group}"}
    if names & TRAINING_KINDS:
        return "training"
    if names & SERVING_KINDS:
        return "inference"
    if names & SYSTEM_KINDS or namespace in SYSTEM_NAMESPACES:
        return "system"
    if checkpointed:
        return "training"
    for known, kind in (
        (REPLICATED_KINDS, "inference"),
        (BATCH_KINDS, "batch"),
        (INTERACTIVE_KINDS, "interactive"),
    ):
        if names & known:
            return kind
    return kind_of(below, below, namespace, checkpointed=False) if below != ref else "unknown"


# ---------------------------------------------------------------------------------------------
# Criticality


def selects(budget: Budget, labels: Mapping[str, str]) -> bool:
    """Return whether a budget's selector matches a pod's labels."""
    selector = budget.selector
    if selector is None:
        return False
    wanted, expressions = mapping(selector.get("matchLabels")), mappings(selector.get("matchExpressions"))
    if not wanted and not expressions:
        return budget.empty_selects_all
    if any(labels.get(key) != value for key, value in wanted.items()):
        return False
    return all(_satisfies(expression, labels) for expression in expressions)


def _satisfies(expression: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    value = labels.get(str(expression.get("key")))
    values, operator = expression.get("values"), expression.get("operator")
    if operator in ("In", "NotIn"):
        if not isinstance(values, list) or not values:
            return False  # an invalid selector matches nothing
        return bool((value in values) == (operator == "In"))
    if operator == "Exists":
        return value is not None
    return operator == "DoesNotExist" and value is None


class Verdict(NamedTuple):
    """On what basis one pod is critical, or not (None: cannot be known)."""

    basis: str
    critical: bool | None


def verdict(pod: Pod, budgets: Sequence[Budget] | None) -> Verdict:
    """Return whether a pod is critical: its label, else a budget, else its priority class.

    `budgets` are those of its namespace that select it; None when budgets could not be read.
    """
    label = pod.labels.get(LABEL_CRITICAL, "").strip().lower()
    if label in ("true", "false"):
        return Verdict("label", label == "true")
    if budgets:
        return Verdict(f"pdb:{budgets[0].name}", critical=True)
    if CRITICAL_PRIORITY in pod.priority:
        return Verdict(f"priority:{pod.priority}", critical=True)
    return Verdict("", None) if budgets is None else Verdict("none", critical=False)


_BASIS_ORDER = ("label", "pdb", "priority", "none", "")


def combine(verdicts: Iterable[Verdict]) -> tuple[Verdict, bool]:
    """Return the workload's verdict and whether its pods disagree; any critical pod makes it critical."""
    distinct = sorted(set(verdicts), key=lambda one: (_BASIS_ORDER.index(one.basis.split(":")[0]), one.basis))
    said = {one.critical for one in distinct}
    for wanted in (True, None, False):
        if wanted in said:
            found = next(one for one in distinct if one.critical is wanted)
            return found, {True, False} <= said
    return Verdict("", None), False


def budget_minimum(budget: Budget, pods: int) -> int | None:
    """Return how many of `pods` pods a budget wants running, or None when it does not say readably."""
    if budget.minimum is not None:
        return (
            budget.desired if _is_percent(budget.minimum) and budget.desired else scaled(budget.minimum, pods)
        )
    if budget.desired is not None:
        return budget.desired
    unavailable = scaled(budget.unavailable, pods)
    return None if unavailable is None else max(0, pods - unavailable)


def _is_percent(value: Any) -> bool:
    return isinstance(value, str) and value.endswith("%")


def scaled(value: Any, pods: int) -> int | None:
    """Return a count or percentage of `pods`, percentages rounded up as the controller does."""
    if not _is_percent(value):
        return int32(value)
    percent = int32(value[:-1])
    return None if percent is None else -(-pods * percent // 100)


# ---------------------------------------------------------------------------------------------
# Where nodes stand


AXES = {
    "rack": "rack",
    "pdu": "power",
    "ups": "ups",
    "cooling": "cooling",
    "network": "network",
    "nvlink": "nvlink",
    "row": "row",
    "room": "room",
    "building": "building",
    "zone": "zone",
    "region": "region",
}
LIST_AXES = ("pdu", "ups")
FACILITY_AXES = ("pdu", "ups", "cooling")
FACILITY_KINDS = words("power ups transformer ats switchgear generator utility cooling")

AXIS_LABELS = (  # where a node has several of one axis, the first wins
    ("zone", "topology.kubernetes.io/zone"),
    ("zone", "failure-domain.beta.kubernetes.io/zone"),
    ("region", "topology.kubernetes.io/region"),
    ("region", "failure-domain.beta.kubernetes.io/region"),
    ("nvlink", "nvidia.com/gpu.clique"),
    ("nvlink", "accelerator.topograph.run/domain"),
    ("nvlink", "network.topology.nvidia.com/accelerator"),
    ("nvlink", "topology.k8s.aws/ultraserver-id"),
    ("nvlink", "oci.oraclecloud.com/host.gpu_memory_fabric_id"),
    ("rack", "oci.oraclecloud.com/host.rack_id"),
    ("rack", "topology.gke.io/rack"),
    ("rack", "cloud.provider.com/topology-rack"),
    ("network", "kubernetes.azure.com/ppg"),
    ("network", "volcano.sh/hypernode"),
)
NETWORK_TIERS = (  # families of network labels, closest tier first; the first family that a node has wins
    tuple(f"fabric.topograph.run/tier-{tier}" for tier in range(8)),
    tuple(f"network.topology.nvidia.com/{tier}" for tier in ("leaf", "spine", "core")),
    tuple(f"topology.k8s.aws/network-node-layer-{layer}" for layer in (4, 3, 2, 1)),
    tuple(f"cloud.google.com/gce-topology-{part}" for part in ("subblock", "block")),
    tuple(f"oci.oraclecloud.com/rdma.{part}_id" for part in ("local_block", "network_block", "hpc_island")),
    ("oci.oraclecloud.com/host.network_block_id",),
    ("cloud.provider.com/topology-block",),
)
_CLIQUE = re.compile(r"([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\.\d+\Z")

Standing = Dict[str, Any]


def label_standing(node: Node, label_map: Sequence[tuple[str, str]], caveats: Caveats) -> Standing:
    """Return where a node's labels and annotations say it stands: axis -> one id, or a list on pdu and ups.

    iverson.gpu/<axis> wins over --label-map, that over the built-in tables; of one key, the annotation wins.
    """
    found: Standing = {}
    for axis in AXES:
        listed = [part.strip() for part in node.annotations.get(PREFIX + axis, "").split(",") if part.strip()]
        label = node.labels.get(PREFIX + axis, "").strip()
        value = _stand_on_list(node.name, axis, listed, caveats) or label
        if value:
            found[axis] = value
    tiers = [("network", name) for name in network_tiers(node)[:1]]
    labelled = [(axis, label_of(node, label)) for axis, label in label_map]
    built_in = [(axis, label_of(node, label)) for axis, label in AXIS_LABELS]
    for axis, one in (*labelled, *tiers, *built_in):
        if one:
            clique = _CLIQUE.match(one) if axis == "nvlink" else None
            found.setdefault(axis, clique.group(1) if clique else one)
    endless = {axis for axis, value in found.items() if any(len(one) > MAX_NAME for one in ids_of(value))}
    if endless:
        caveats.about(
            f"Labels name domains of more than {MAX_NAME:,} characters: left out", "node", [node.name]
        )
    return {axis: value for axis, value in found.items() if axis not in endless}


def label_of(node: Node, key: str) -> str:
    """Return a key's value, annotation before label; "" where it has none."""
    return node.annotations.get(key, "").strip() or node.labels.get(key, "").strip()


def _stand_on_list(node: str, axis: str, listed: list[str], caveats: Caveats) -> Any:
    """Return what an annotation's ids mean; a list is redundancy only on pdu and ups, and of distinct ids."""
    distinct = list(dict.fromkeys(listed))
    if len(distinct) < len(listed):
        caveats.about("Annotations name one domain twice, which is no redundancy", "node", [node])
    if len(distinct) > 1 and axis not in LIST_AXES:
        caveats.about(
            f"Annotations list several domains on {axis}, where a list has no meaning", "node", [node]
        )
        return None
    return distinct[0] if len(distinct) == 1 else distinct


def network_tiers(node: Node) -> list[str]:
    """Return the network domains a node's labels name, closest first."""
    for family in NETWORK_TIERS:
        values = [value for value in (label_of(node, label) for label in family) if value]
        if values and max(map(len, values)) <= MAX_NAME:
            return list(dict.fromkeys(values))
    return []


def network_domains(
    nodes: Iterable[Node], standings: Mapping[str, Standing], caveats: Caveats
) -> dict[str, dict[str, str]]:
    """Return the network tiers above the nodes as domains with parents, where all nodes agree on them."""
    tier_of: dict[str, set[int]] = {}
    parents: dict[str, set[str]] = {}
    for node in nodes:
        tiers = network_tiers(node)
        if standings[node.name].get("network") not in tiers:
            continue
        for tier, name in enumerate(tiers):
            tier_of.setdefault(name, set()).add(tier)
            parents.setdefault(name, set()).update(tiers[tier + 1 : tier + 2])
    odd = {name for name in parents if len(parents[name]) > 1 or len(tier_of[name]) > 1}
    caveats.about("Network labels disagree on what these hang from, so they stand alone", "domain", odd)
    domains: dict[str, dict[str, str]] = {}
    for name, above in sorted(parents.items()):
        if name not in odd and above and not above & odd:
            domains[name] = {"kind": "network", "parent": min(above)}
            domains.setdefault(min(above), {"kind": "network"})
    return domains


def ids_of(value: Any) -> list[str]:
    """Return the ids that an axis value names."""
    if isinstance(value, dict):
        return [one for members in value.values() for one in members]
    return list(value) if isinstance(value, list) else [value]


def id_namer(
    uses: Iterable[tuple[str, str]], reserved: Mapping[str, str], nodes: frozenset[str], caveats: Caveats
) -> Callable[[str, str], str]:
    """Return how to write the id of a domain of a kind, so that one id means one thing.

    `uses` are (kind, id); `reserved` are ids whose kind the map gives; node names are taken too. An id with
    two meanings keeps one; the others are qualified by their kind.
    """
    order = list(AXES.values())
    keeper = dict(reserved)
    wanted = sorted({*uses}, key=lambda use: (order.index(use[0]) if use[0] in order else -1, use))
    ousted = [(kind, one) for kind, one in wanted if one in nodes or keeper.setdefault(one, kind) != kind]
    caveats.about(
        "These ids mean several things; all but one are written as kind:id", "id", [one for _, one in ousted]
    )
    taken = {*nodes, *keeper}
    written: dict[tuple[str, str], str] = {}
    for kind, one in ousted:
        new = f"{kind}:{one}"
        while new in taken:
            new = f"{kind}:{new}"
        taken.add(new)
        written[kind, one] = new
    return lambda kind, one: written.get((kind, one), one)


def renamed(standing: Standing, name: Callable[[str, str], str]) -> Standing:
    """Return a standing with every id as `name` writes it, axes in their order."""

    def rename(kind: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {mode: rename(kind, members) for mode, members in value.items()}
        return [name(kind, one) for one in value] if isinstance(value, list) else name(kind, value)

    return {axis: rename(kind, standing[axis]) for axis, kind in AXES.items() if axis in standing}


def renamed_domains(
    domains: Mapping[str, Any], kinds: Mapping[str, str], name: Callable[[str, str], str]
) -> dict[str, Any]:
    """Return domains with every id as `name` writes it."""
    found: dict[str, Any] = {}
    for one, body in domains.items():
        above = {"parent": name(kinds[body["parent"]], body["parent"])} if body.get("parent") else {}
        feeds = {"feeds": [name(kinds[feed], feed) for feed in body["feeds"]]} if body.get("feeds") else {}
        found[name(kinds[one], one)] = {**body, **above, **feeds}
    return found


# ---------------------------------------------------------------------------------------------
# The operator's map


class ParsedMap(NamedTuple):
    """A topology file as the analyser's validator read it, in the estate's form."""

    nodes: Mapping[str, Standing]
    domains: Mapping[str, Any]
    kinds: Mapping[str, str]
    verified_at: str | None


class MapFile(NamedTuple):
    """The operator's file: its hash, age and text, and what it says where it could be parsed."""

    sha256: str
    modified_at: str
    text: str
    parsed: ParsedMap | None


MapParser = Callable[[bytes, str], ParsedMap]


def read_map(path: str, parse: MapParser | None) -> MapFile:
    """Return the operator's map; Refusal when it cannot be read, or what `parse` raises."""
    try:
        raw = Path(path).read_bytes()
        modified = datetime.fromtimestamp(Path(path).stat().st_mtime, timezone.utc)
        text = raw.decode("utf-8-sig")
    except (OSError, ValueError, OverflowError) as error:
        raise Refusal(USAGE, f"cannot read {path}: {error}") from error
    parsed = parse(raw, path) if parse is not None else None
    return MapFile(hashlib.sha256(raw).hexdigest(), stamp(modified), text, parsed)


def apply_map(standings: Mapping[str, Standing], parsed: ParsedMap, caveats: Caveats) -> dict[str, Standing]:
    """Return the standings with the file's on top, axis by axis; what does not match is said, both ways."""
    differing = [
        node
        for node, standing in standings.items()
        for axis, value in parsed.nodes.get(node, {}).items()
        if axis in standing and standing[axis] != value
    ]
    times = plural(len(differing), "time")
    caveats.about(f"The map and the node labels disagree {times}; the map wins", "node", differing)
    strangers, unmapped = set(parsed.nodes) - set(standings), set(standings) - set(parsed.nodes)
    caveats.about("The map names nodes that are not in the cluster", "node", strangers)
    caveats.about("The cluster has nodes that the map does not name", "node", unmapped)
    short = {name.split(".")[0] for name in strangers} & {name.split(".")[0] for name in unmapped}
    caveats.about("One of map and cluster writes short names and the other full ones", "node", short)
    return {node: {**standing, **parsed.nodes.get(node, {})} for node, standing in standings.items()}


# ---------------------------------------------------------------------------------------------
# GPUs of a node


class Devices(NamedTuple):
    """The GPUs of a node: how many (None unknown), how many unhealthy, and units per requested device."""

    installed: Fraction | None
    unhealthy: Fraction | None
    weights: dict[str, Fraction]
    mig: bool = False
    note: str = ""


def devices_of(node: Node, chosen: Sequence[str]) -> Devices:
    """Return a node's GPUs: physical ones, whatever the node advertises (slices, time slices)."""
    capacity = node.capacity
    if node.unreadable:
        return Devices(None, None, {}, note="unreadable")
    if chosen:
        return _with_health(node, sum(capacity.values(), Fraction(0)), {name: Fraction(1) for name in chosen})
    count = int32(node.labels.get("nvidia.com/gpu.count"))
    product = node.labels.get("nvidia.com/gpu.product", "")
    mig_names = {
        name: match for name in capacity for match in [MIG_NAME.match(name)] if match and capacity[name]
    }
    profile = MIG_PRODUCT.search(product)
    if profile or "-MIG-INVALID" in product:
        weight = mig_share(profile, product) if profile else Fraction(1)
        weights = {"nvidia.com/gpu": weight / _replicas(node, "nvidia.com/gpu")}
        return _with_health(node, None, weights, mig=True, note="mig")
    if mig_names:
        weights = {
            name: mig_share(match, product) / _replicas(node, name) for name, match in mig_names.items()
        }
        weights["nvidia.com/gpu"] = Fraction(1, _replicas(node, "nvidia.com/gpu"))
        installed = Fraction(count) if count else None
        return _with_health(node, installed, weights, mig=True, note="" if installed else "mig")
    return _shared_or_whole(node, count)


def _replicas(node: Node, resource: str) -> int:
    """Return into how many slices the device plugin says it cuts each device of a resource."""
    base = resource.removesuffix(".shared")
    return max(1, int32(node.labels.get(f"{base}.replicas")) or 1)


def _shared_or_whole(node: Node, count: int | None) -> Devices:
    capacity = node.capacity
    nvidia = capacity.get("nvidia.com/gpu", Fraction(0)) + capacity.get(SHARED_GPU, Fraction(0))
    others = sum((amount for name, amount in capacity.items() if name in WHOLE_GPUS[1:]), Fraction(0))
    replicas = Fraction(_replicas(node, "nvidia.com/gpu"))
    if nvidia % replicas or (replicas == 1 and count and nvidia > count):
        replicas = max(Fraction(1), nvidia / count) if count else Fraction(1)
    if not nvidia + others and (count or node.labels.get("nvidia.com/gpu.present") == "true"):
        labelled = Fraction(count) if count else None
        return Devices(labelled, labelled, {}, note="no-plugin")
    if replicas > 1:
        physical = Fraction(count) if count else nvidia / replicas
        installed = physical + others if physical.denominator == 1 else None
        weights = {"nvidia.com/gpu": 1 / replicas, SHARED_GPU: 1 / replicas}
        return _with_health(node, installed, weights, note="shared")
    if capacity.get(SHARED_GPU):
        return _with_health(node, Fraction(count) + others if count else None, {}, note="slices")
    return _with_health(node, nvidia + others, {})


def _with_health(
    node: Node, installed: Fraction | None, weights: dict[str, Fraction], *, mig: bool = False, note: str = ""
) -> Devices:
    """Add the unhealthy devices: capacity that the kubelet does not offer."""
    unhealthy = None
    if node.allocatable is not None and node.capacity:
        missing = [
            (amount - node.allocatable[name]) * weights.get(name, Fraction(1))
            for name, amount in node.capacity.items()
            if name in node.allocatable
        ]
        unhealthy = max(Fraction(0), sum(missing, Fraction(0)))
    return Devices(installed, unhealthy, weights, mig, note)


def units_of(requests: Requests, weights: Mapping[str, Fraction]) -> Fraction:
    """Return the units that a pod's requests hold on a node."""
    total = Fraction(0)
    for name, amount in requests.items():
        match = MIG_NAME.match(name)
        weight = weights.get(name)
        if weight is None:
            weight = mig_share(match, "") if match else Fraction(1)
        total += amount * weight
    return total


# ---------------------------------------------------------------------------------------------
# Dynamic resource allocation


class Slice(NamedTuple):
    """What is kept of a ResourceSlice."""

    driver: str
    pool: str
    generation: int
    expected: int
    node: str
    gpus: tuple[str, ...]


class Claim(NamedTuple):
    """What is kept of a ResourceClaim: allocated (driver, pool, device) and the pods that use them."""

    namespace: str
    name: str
    devices: tuple[tuple[str, str, str], ...]
    users: tuple[str, ...]


def trim_slice(item: dict[str, Any]) -> Slice:
    """Return what is kept of a ResourceSlice: the GPUs among its devices."""
    spec = mapping(item.get("spec"))
    pool = mapping(spec.get("pool"))
    driver = str(spec.get("driver") or "")
    gpus = [
        str(device.get("name"))
        for device in mappings(spec.get("devices"))
        if driver.startswith("gpu.") and _device_type(device) in ("", "gpu")
    ]
    return Slice(
        driver,
        str(pool.get("name") or ""),
        whole(pool.get("generation")) or 0,
        whole(pool.get("resourceSliceCount")) or 1,
        str(spec.get("nodeName") or ""),
        tuple(gpus),
    )


def _device_type(device: Mapping[str, Any]) -> str:
    attributes = mapping(device.get("attributes") or mapping(device.get("basic")).get("attributes"))
    return str(mapping(attributes.get("type")).get("string") or "")


def trim_claim(item: dict[str, Any]) -> Claim | None:
    """Return what is kept of a ResourceClaim that holds devices; monitoring access holds none."""
    meta, status = mapping(item.get("metadata")), mapping(item.get("status"))
    results = mappings(mapping(mapping(status.get("allocation")).get("devices")).get("results"))
    devices = {
        (str(one.get("driver")), str(one.get("pool")), str(one.get("device")))
        for one in results
        if one.get("adminAccess") is not True
    }
    users = [
        str(one.get("name")) for one in mappings(status.get("reservedFor")) if one.get("resource") == "pods"
    ]
    if not devices:
        return None
    namespace = str(meta.get("namespace") or "default")
    return Claim(namespace, str(meta.get("name")), tuple(sorted(devices)), tuple(sorted(users)))


class Pools(NamedTuple):
    """The GPUs that ResourceSlices show: how many per node (None: pool incomplete), each device's node."""

    installed: dict[str, int | None]
    node_of: dict[tuple[str, str, str], str]


def pools(slices: Iterable[Slice]) -> Pools:
    """Return the GPUs of the newest generation of every pool."""
    groups: dict[tuple[str, str], list[Slice]] = {}
    for one in slices:
        groups.setdefault((one.driver, one.pool), []).append(one)
    installed: dict[str, int | None] = {}
    node_of: dict[tuple[str, str, str], str] = {}
    for (driver, pool), members in sorted(groups.items()):
        newest = max(one.generation for one in members)
        current = [one for one in members if one.generation == newest]
        complete = len(current) >= max(one.expected for one in current)
        for one in current:
            node_of.update({(driver, pool, gpu): one.node for gpu in one.gpus})
            if one.node and one.gpus:
                so_far = installed.get(one.node, 0)
                installed[one.node] = so_far + len(one.gpus) if complete and so_far is not None else None
    return Pools(installed, node_of)


def claimed_units(
    claims: Iterable[Claim], found: Pools, pods: Sequence[Pod]
) -> tuple[dict[tuple[str, str], Fraction], set[tuple[str, str]]]:
    """Return (namespace, pod) -> GPUs it holds through claims, each device once; and the pods that hold
    devices of GPUs that are no whole GPU (MIG).

    The claim behind an extended resource describes what the pod's own request already counts.
    """
    counted_by_request = {(pod.namespace, pod.extended_claim) for pod in pods if pod.extended_claim}
    alive = {(pod.namespace, pod.name) for pod in pods}
    seen: set[tuple[str, str, str]] = set()
    units: dict[tuple[str, str], Fraction] = {}
    partial: set[tuple[str, str]] = set()
    for claim in sorted(claims):
        users = [(claim.namespace, user) for user in claim.users if (claim.namespace, user) in alive]
        if (claim.namespace, claim.name) in counted_by_request or not users:
            continue
        held = [device for device in claim.devices if device in found.node_of and device not in seen]
        seen.update(held)
        units[users[0]] = units.get(users[0], Fraction(0)) + len(held)
        if any(device[0].startswith("gpu.") and device not in found.node_of for device in claim.devices):
            partial.update(users)
    return units, partial


# ---------------------------------------------------------------------------------------------
# Utilization: DCGM and Prometheus


GPU_UTIL = "DCGM_FI_DEV_GPU_UTIL"
UTILIZATION_METRICS = {  # in order of preference, with the reading that means fully busy
    "DCGM_FI_PROF_SM_ACTIVE": 1.0,
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE": 1.0,
    GPU_UTIL: 100.0,
}
HOST_LABELS = ("Hostname", "hostname", "node", "exported_node", "kubernetes_node")
_BY = "by (Hostname, hostname, node, exported_node, kubernetes_node, pod)"
_ECC = "DCGM_FI_DEV_ECC_{}_VOL_TOTAL"
_XID = "DCGM_FI_DEV_XID_ERRORS"
_DAYS = f"[{HISTORY_DAYS}d]"


def _since(metric: str, grouping: str) -> str:
    return f"min {grouping} (min_over_time(timestamp({metric})[{HISTORY_DAYS}d:1d]))"


QUERIES = {
    **{
        f"utilization {metric}": f"avg_over_time({metric}[{UTILIZATION_WINDOW_HOURS}h])"
        for metric in UTILIZATION_METRICS
    },
    "ecc single-bit": f"sum {_BY} (increase({_ECC.format('SBE')}{_DAYS}))",
    "ecc double-bit": f"sum {_BY} (increase({_ECC.format('DBE')}{_DAYS}))",
    "ecc since": _since(_ECC.format("SBE"), _BY),
    "xid": f"sum {_BY} (changes({_XID}{_DAYS}))",
    "xid since": _since(_XID, _BY),
    "job failures": (
        "sum by (node) (max by (namespace, pod, uid) (max_over_time("
        f'kube_pod_status_phase{{phase="Failed"}}{_DAYS}))'
        " * on (namespace, pod, uid) group_left (node) max by (namespace, pod, uid, node) (max_over_time("
        'kube_pod_info{node!="",created_by_kind!~"ReplicaSet|StatefulSet|DaemonSet|Node|<none>"}'
        + _DAYS
        + ")))"
    ),
    "job failures since": _since("kube_node_info", "by (node)"),
}
HISTORY = {  # estate key -> the queries whose sum it is, and the one that says how far back they reach
    "eccErrors90d": (("ecc single-bit", "ecc double-bit"), "ecc since"),
    "jobFailures90d": (("job failures",), "job failures since"),
    "xidEvents90d": (("xid",), "xid since"),
}

Sample = Tuple[str, Dict[str, str], float]

_SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?[ \t]+(\S+)(?:[ \t]+-?\d+)?\s*\Z", re.ASCII)
_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan)\Z", re.ASCII | re.IGNORECASE)
_LABEL = re.compile(r'\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|\Z)')


def exposition(text: str, names: Iterable[str]) -> tuple[list[Sample], int]:
    """Return the named metrics' samples in a Prometheus exposition, and how many lines were malformed."""
    wanted = tuple(names)
    samples: list[Sample] = []
    malformed = 0
    for line in text.split("\n"):
        if not line.startswith(wanted):
            continue
        match = _SAMPLE.match(line)
        labels = _labels(match.group(2) or "") if match else None
        value = _float(match.group(3)) if match else None
        if match is None or labels is None or value is None:
            malformed += 1
        elif match.group(1) in wanted:
            samples.append((match.group(1), labels, value))
    return samples, malformed


def _float(text: str) -> float | None:
    """Return the number that Prometheus wrote; Python would read more as one (1_0, digits of any script)."""
    return float(text) if _NUMBER.match(text) else None


def _labels(text: str) -> dict[str, str] | None:
    labels: dict[str, str] = {}
    position = 0
    while position < len(text):
        match = _LABEL.match(text, position)
        if match is None:
            return None
        labels[match.group(1)] = re.sub(
            r"\\(.)", lambda one: "\n" if one[1] == "n" else one[1], match.group(2)
        )
        position = match.end()
    return labels


class Reading(NamedTuple):
    """One utilization in [0, 1]: of a GPU, or of a MIG instance of it."""

    metric: str
    gpu: str
    instance: str
    profile: str
    held: bool
    value: float


class Readings:
    """The readings of every node, with what had to be dropped."""

    def __init__(self, hosts: Mapping[str, str | None]) -> None:
        self._hosts = hosts
        self.by_node: dict[str, list[Reading]] = {}
        self.sentinels = 0
        self.malformed = 0
        self._of_nobody = 0
        self.strangers: set[str] = set()

    def add_scrape(self, text: str) -> bool:
        """Add an exporter's answer; return whether it was of a node not seen before."""
        samples, malformed = exposition(text, UTILIZATION_METRICS)
        known = set(self.by_node)
        new = (
            self.add([one for one in samples if node_of_series(one[1], self._hosts) not in known], "pod")
            - known
        )
        if new:
            self.malformed += malformed
        elif not known and malformed > self._of_nobody:  # maybe the same exporter again and again
            self.malformed += malformed - self._of_nobody
            self._of_nobody = malformed
        return bool(new)

    def add(self, samples: Iterable[Sample], held_label: str) -> set[str]:
        """Add samples and return the nodes that they are of."""
        nodes: set[str] = set()
        for metric, labels, value in samples:
            node = node_of_series(labels, self._hosts)
            if node is None:
                self.strangers.add(next((labels[key] for key in HOST_LABELS if labels.get(key)), "(no name)"))
                continue
            nodes.add(node)
            readings = self.by_node.setdefault(node, [])
            full = UTILIZATION_METRICS[metric]
            if not 0 <= value <= full * MEASURE_TOLERANCE:
                self.sentinels += 1
                continue
            folded = {key.lower(): text for key, text in labels.items()}
            readings.append(
                Reading(
                    metric,
                    folded.get("uuid") or folded.get("gpu", ""),
                    folded.get("gpu_i_id", ""),
                    folded.get("gpu_i_profile", ""),
                    bool(folded.get(held_label)),
                    min(1.0, value / full),
                )
            )
        return nodes


def node_of_series(labels: Mapping[str, str], hosts: Mapping[str, str | None]) -> str | None:
    """Return the node that a series is of: by its host label, else by the exporter's own pod."""
    for key in (*HOST_LABELS, "pod"):
        node = hosts.get(labels.get(key, ""))
        if node is not None:
            return node
    return None


def host_names(nodes: Iterable[Node], pods: Iterable[Pod]) -> dict[str, str | None]:
    """Return every name that telemetry may use for a node; None for a name that could be two nodes.

    Old exporters say their pod's name, so the pods of exporters stand for their nodes.
    """
    names: dict[str, str | None] = {}
    exact = set()
    for node in nodes:
        exact.add(node.name)
        label = node.labels.get("kubernetes.io/hostname", "")
        for alias in {label, label.split(".")[0], node.name.split(".")[0], *node.hostnames} - {""}:
            names[alias] = node.name if names.get(alias, node.name) == node.name else None
    for pod in pods:
        if "dcgm" in pod.name and pod.name not in names and pod.node in exact:
            names[pod.name] = pod.node
    return {**names, **{name: name for name in exact}}


def node_utilization(readings: Sequence[Reading], *, mig: bool) -> tuple[float, str] | None:
    """Return a node's utilization and the metric it rests on, or None when nothing usable was read.

    The mean over the GPUs that a pod holds, where the exporter says so, else over all. GPU_UTIL says nothing
    under MIG. A GPU without a series is not a GPU at 0.
    """
    mig = mig or any(one.instance or one.profile for one in readings)
    for metric in UTILIZATION_METRICS:
        rows = {
            (one.gpu, one.instance): one
            for one in sorted(readings, key=lambda one: (one.held, one))
            if one.metric == metric and not (mig and metric == GPU_UTIL)
        }
        cut = {one.gpu for one in rows.values() if one.instance}
        chosen = [one for one in rows.values() if one.instance or one.gpu not in cut]
        chosen = [one for one in chosen if one.held] or chosen
        if chosen:
            weights = [compute_slices(one) for one in chosen]
            mean = math.fsum(w * one.value for w, one in zip(weights, chosen)) / math.fsum(weights)
            return round(mean, 6), metric
    return None


def compute_slices(reading: Reading) -> int:
    """Return the weight of a reading: the compute slices of a MIG instance, all of them for a whole GPU."""
    profile = MIG_PROFILE.match(reading.profile)
    return int(profile.group(1) or profile.group(2)) if profile else MIG_SLICES


def exporters(services: Iterable[tuple[str, str, list[dict[str, Any]]]]) -> list[Target]:
    """Return the DCGM exporters among the services: by name, on the port that serves metrics."""
    found: list[Target] = []
    for namespace, name, ports in sorted(services, key=lambda one: one[:2]):
        serving = [
            f"{namespace}/{name}:{port.get('port')}"
            for port in ports
            if port.get("port") == DCGM_PORT or "metrics" in str(port.get("name") or "")
        ]
        found += [target(text) for text in serving[:1] if _TARGET.match(text)]
    return found


def trim_service(item: dict[str, Any]) -> tuple[str, str, list[dict[str, Any]]] | None:
    """Return what is kept of a service."""
    meta = mapping(item.get("metadata"))
    if "dcgm" not in str(meta.get("name")):
        return None
    return str(meta.get("namespace")), str(meta["name"]), mappings(mapping(item.get("spec")).get("ports"))


def instant_query(kubectl: Kubectl, target: Target, query: str) -> list[tuple[dict[str, str], float]]:
    """Return a Prometheus instant vector; Failure when the answer is missing, an error or partial."""
    body = kubectl.get_json(target.path("api/v1/query?query=") + quote(query, safe=""))
    data = mapping(body.get("data"))
    if body.get("status") != "success" or data.get("resultType") != "vector":
        raise Failure("failed", clean(f"Prometheus: {body.get('error') or 'not a vector'}"))
    if body.get("warnings"):
        raise Failure("failed", clean(f"Prometheus answered in part: {body['warnings']}"))
    rows = []
    for row in mappings(data.get("result")):
        with suppress(KeyError, IndexError, TypeError):
            value = _float(str(row["value"][1]))
            rows += [] if value is None else [(texts(row.get("metric")), value)]
    return rows


def history_of(
    counts: Sequence[Mapping[str, float]], since: Mapping[str, float], node: Node, now: datetime
) -> int | None:
    """Return a node's 90-day count, or None when a term is missing or the record is too short.

    A node younger than 90 days is complete when the record reaches back to its creation.
    """
    if node.name not in since or any(node.name not in count for count in counts):
        return None
    start = now - timedelta(days=HISTORY_DAYS)
    born = min(max(node.created or start, start), now)
    if not since[node.name] <= (born + timedelta(days=HISTORY_SLACK_DAYS)).timestamp():
        return None
    counted = [count[node.name] for count in counts]
    return round(math.fsum(counted)) if all(map(is_history, counted)) else None


def is_history(value: float) -> bool:
    """Return whether a count of 90 days can be one: sentinels and what a broken query returns are none."""
    return 0 <= value <= MAX_HISTORY


# ---------------------------------------------------------------------------------------------
# One run


class Options(NamedTuple):
    """What was asked for."""

    output: str
    unit: str
    dcgm: str | Target
    prometheus: Target | None
    dra: str
    topology: str | None
    cluster: str | None
    price_per_unit_hour: float | None
    kw_per_unit: float | None
    default_restart_minutes: float | None
    label_map: tuple[tuple[str, str], ...]
    resources: tuple[str, ...]
    redact: bool
    redact_key: bytes
    kubectl: tuple[str, ...]
    saved: str | None
    context: str | None
    request_timeout_seconds: float
    print_requests: bool
    quiet: bool


class Progress:
    """Progress on a terminal, one line that is overwritten; silence elsewhere."""

    def __init__(self, stream: TextIO, *, quiet: bool) -> None:
        self._stream = stream if not quiet and stream.isatty() else None

    def say(self, text: str) -> None:
        """Overwrite the line."""
        if self._stream is not None:
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()


class Snapshot:
    """What one run has read so far, and what it could not read."""

    def __init__(self, options: Options, kubectl: Kubectl, progress: Progress, now: datetime) -> None:
        self.options = options
        self.kubectl = kubectl
        self.progress = progress
        self.now = now
        self.caveats = Caveats()
        self.signals = Signals()
        self.nodes: list[Node] = []
        self.pods: list[Pod] = []
        self.parents: Parents = {}
        self.budgets: list[Budget] | None = None
        self.churn = Churn({}, None, 0)
        self.pools = Pools({}, {})
        self.claimed: dict[tuple[str, str], Fraction] = {}
        self.unseen_claims: set[str] = set()
        self.utilization: dict[str, Utilization] = {}
        self.history: dict[str, dict[str, int | None]] = {}

    def read(self, resource: Resource, trim: Trim, name: str = "") -> list[Any] | None:
        """Return a whole list, or None when it could not be read: recorded as a signal either way."""
        try:
            return self._listed(resource, trim, name or resource.name)
        except Failure as failure:
            self.signals.missed(name or resource.name, failure)
            return None

    def require(self, resource: Resource, trim: Trim) -> list[Any]:
        """Return a whole list; Refusal when it could not be read, because no estate exists without it."""
        try:
            return self._listed(resource, trim, resource.name)
        except Failure as failure:
            code = CLUSTER if self.options.saved is None else USAGE
            raise Refusal(code, f"cannot list {resource.name}: {failure}") from failure

    def _listed(self, resource: Resource, trim: Trim, name: str) -> list[Any]:
        listing = list_all(
            self.kubectl, resource, trim, lambda count: self.progress.say(f"{name}: {count:,}")
        )
        self.signals.reached(
            name, f"restarted {plural(listing.restarts, 'time')}" if listing.restarts else ""
        )
        if listing.restarts:
            self.caveats.say(f"Reading {name} was begun anew because its continue token expired.")
        return listing.items


class Utilization(NamedTuple):
    """A node's utilization in [0, 1] (None: measured, but not usably), its basis and its window [h]."""

    value: float | None
    basis: str | None = None
    window_hours: int | None = None


_NO_CLUSTER = (
    "`kubectl get nodes` must answer first: see KUBECONFIG and its current context, or name them with "
    "--kubeconfig and --context. A facility map alone can be analysed without a cluster."
)
_HINTS = {
    "no-kubectl": "Install kubectl, or name it with --kubectl.",
    "unauthorized": "Log in to the cluster: `kubectl get nodes` must answer first.",
    "timeout": "Try again; --request-timeout allows more seconds.",
    "unreachable": _NO_CLUSTER,
    "failed": _NO_CLUSTER,
}
"""Kind of failure -> what to do about a cluster that does not answer at all."""


def check_version(run: Snapshot) -> None:
    """Ask for /version: a cluster that cannot be reached at all ends the run here."""
    try:
        body = run.kubectl.get_json(VERSION_PATH)
    except Failure as failure:
        if run.options.saved is None and failure.kind in _HINTS:
            raise Refusal(CLUSTER, f"cannot reach the cluster: {failure}", _HINTS[failure.kind]) from failure
        run.signals.missed("version", failure)
        run.caveats.say("The API server's version could not be read.")
        return
    run.signals.reached("version", clean(str(body.get("gitVersion") or ""), 40))


def read_objects(run: Snapshot) -> None:
    """Read nodes and pods (required) and the lists that explain them (optional)."""
    wanted = unit_names(run.options.unit, run.options.resources)
    kept = frozenset(
        [
            *(label for _, label in (*run.options.label_map, *AXIS_LABELS)),
            *(one for family in NETWORK_TIERS for one in family),
        ]
    )
    nodes = run.require(RESOURCES["nodes"], lambda item, _: trim_node(item, wanted, kept))
    run.nodes = _each_once(run, "node", {node.name: node for node in nodes}, [node.name for node in nodes])
    pods = run.require(RESOURCES["pods"], lambda item, _: trim_pod(item, wanted))
    names = [f"{pod.namespace}/{pod.name}" for pod in pods]
    run.pods = _each_once(run, "pod", {(pod.namespace, pod.name): pod for pod in pods}, names)
    for name, kind in PARENT_KINDS.items():
        parents = run.read(RESOURCES[name], parent_trimmer(RESOURCES[name].group, kind))
        run.parents.update({(one.namespace, one.ref): one for one in parents or []})
    missing = [name for name in PARENT_KINDS if not run.signals[name].reachable]
    if missing:
        run.caveats.say(
            f"Could not read {', '.join(missing)}: the workloads behind their pods are named after what the "
            "pods themselves say."
        )
    run.budgets = run.read(RESOURCES["poddisruptionbudgets"], trim_budget)
    if run.budgets is None:
        run.caveats.say(
            "PodDisruptionBudgets could not be read: criticality is unknown for every workload that neither "
            "its label nor its priority class decides."
        )


def _each_once(run: Snapshot, noun: str, found: Mapping[Any, Any], names: Sequence[str]) -> list[Any]:
    """Return what was found, by name; what a list holds twice is said."""
    if len(found) < len(names):
        seen: set[str] = set()
        again = [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
        run.caveats.about("Listed more than once; the last one counts", noun, again)
    return [found[key] for key in sorted(found)]


def read_events(run: Snapshot) -> None:
    """Read the events and say what of the last 24 hours they show."""
    events = run.read(RESOURCES["events"], lambda item, _: trim_event(item))
    if events is None:
        run.caveats.say("Events could not be read: control-loop churn is unknown.")
        return
    run.churn = churn(events, run.now)
    since = run.churn.observed_from
    if since is None:
        run.caveats.say("The cluster holds no events: control-loop churn of the last 24 hours is unobserved.")
        return
    minutes = max(0, round((run.now - since).total_seconds() / 60))
    run.caveats.say(
        f"Events cover {stamp(since)} to {stamp(run.now)} ({plural(minutes, 'minute')}; the API keeps them "
        "for one hour unless told otherwise). Hours before that are unobserved, not quiet; counts are lower "
        "bounds."
    )
    if run.churn.unplaced:
        run.caveats.say(
            f"In no hour of the histogram: {plural(run.churn.unplaced, 'repeated control-loop action')}, "
            "known only as a count over several hours."
        )


def read_dra(run: Snapshot) -> None:
    """Read ResourceSlices and ResourceClaims where asked, or where a pod or node shows that they matter."""
    claiming = {pod.node for pod in run.pods if pod.claims}
    evident = bool(claiming or overcommitted(run)) or any(pod.extended_claim for pod in run.pods)
    if run.options.dra == "on" or (run.options.dra == "auto" and evident):
        slices = run.read(RESOURCES["resourceslices"], lambda item, _: trim_slice(item))
        claims = run.read(RESOURCES["resourceclaims"], lambda item, _: trim_claim(item))
        run.pools = pools(slices or [])
        if slices is not None and claims is not None:
            run.claimed, partial = claimed_units(claims, run.pools, run.pods)
            names = [f"{namespace}/{name}" for namespace, name in partial]
            run.caveats.about("Hold parts of GPUs through ResourceClaims (DRA), not counted", "pod", names)
            run.unseen_claims = {pod.node for pod in run.pods if (pod.namespace, pod.name) in partial}
            return
        run.caveats.say(
            "ResourceSlices or ResourceClaims could not be read: GPUs that only DRA shows are unknown."
        )
    run.unseen_claims = claiming
    run.caveats.about(
        "GPUs held through ResourceClaims (DRA) are not counted: allocated is a lower bound. Allow list on "
        "resourceslices and resourceclaims, and leave out --dra off",
        "node",
        claiming,
    )


def overcommitted(run: Snapshot) -> list[str]:
    """Return the nodes whose pods ask for more devices than the node shows."""
    asked: dict[str, Fraction] = {}
    for pod in run.pods:
        asked[pod.node] = asked.get(pod.node, Fraction(0)) + sum(pod.requests.values())
    return [node.name for node in run.nodes if asked.get(node.name, 0) > sum(node.capacity.values())]


def read_cpu_metrics(run: Snapshot) -> None:
    """Read metrics.k8s.io: cores in use per node. It knows no GPUs, so only --unit cpu asks it."""
    rows = run.read(METRICS, lambda item, _: trim_metrics(item), "metrics")
    if rows is None:
        run.caveats.say("metrics.k8s.io was not reachable: utilization is estimated from requests.")
        return
    usage = dict(rows)
    for node in run.nodes:
        capacity, used = node.capacity.get("cpu"), usage.get(node.name)
        if used is None:
            run.caveats.about(
                "metrics.k8s.io does not have these: their utilization is estimated from requests",
                "node",
                [node.name],
            )
        elif not capacity or used > capacity * Fraction(CPU_TOLERANCE):
            run.caveats.about(
                "Use more cores than they have, say their metrics: unknown", "node", [node.name]
            )
            run.utilization[node.name] = Utilization(None)
        else:
            run.utilization[node.name] = Utilization(round(min(1.0, float(used / capacity)), 6), "metrics")


def trim_metrics(item: dict[str, Any]) -> tuple[str, Fraction] | None:
    """Return a node's name and the cores it uses."""
    used = quantity(mapping(item.get("usage")).get("cpu"))
    name = mapping(item.get("metadata")).get("name")
    return (str(name), used) if name and used is not None and used >= 0 else None


def read_gpu_metrics(run: Snapshot, devices: Mapping[str, Devices], gpu_nodes: set[str]) -> None:
    """Read utilization from Prometheus where given and able, else from a scrape of DCGM's exporters."""
    readings = Readings(host_names(run.nodes, run.pods))
    window = None
    if run.options.prometheus is not None and query_utilization(run, run.options.prometheus, readings):
        window = UTILIZATION_WINDOW_HOURS
    elif run.options.dcgm == "off":
        saved = run.options.saved is not None
        run.signals.missed("dcgm", "not read from files (--from)" if saved else "switched off (--dcgm off)")
    else:
        scrape_exporters(run, readings, gpu_nodes)
    say_what_was_dropped(run, readings)
    if not readings.by_node:
        reason = "was switched off" if run.options.dcgm == "off" else "was not reachable"
        reason = "is not read from files" if run.options.saved is not None else reason
        if gpu_nodes:
            run.caveats.say(f"DCGM {reason}: utilization is estimated from requests.")
        return
    for node, rows in sorted(readings.by_node.items()):
        found = node_utilization(rows, mig=devices[node].mig)
        if found is None:
            run.utilization[node] = Utilization(None)
            run.caveats.about(
                "DCGM answered without a usable reading (GPU_UTIL says nothing under MIG): utilization is "
                "unknown",
                "node",
                [node],
            )
            continue
        value, metric = found
        run.utilization[node] = Utilization(value, "dcgm", window)
        run.caveats.about(f"Utilization is {metric}", "node", [node])
        installed = devices[node].installed
        if installed is not None and len({one.gpu for one in rows}) < installed:
            run.caveats.about(
                "DCGM shows fewer GPUs than are installed; the others are left out", "node", [node]
            )
    say_coverage(run, readings, gpu_nodes)


def say_coverage(run: Snapshot, readings: Readings, gpu_nodes: set[str]) -> None:
    """Say how many of the GPU nodes DCGM was seen on."""
    covered = f"seen on {len(gpu_nodes & set(readings.by_node)):,} of {len(gpu_nodes):,} GPU nodes"
    run.signals.reached("dcgm", covered)
    if not gpu_nodes <= set(readings.by_node):
        run.caveats.say(
            f"DCGM was {covered}: utilization of the others is estimated from requests. A service reaches "
            "one exporter per call; --prometheus sees all."
        )


def say_what_was_dropped(run: Snapshot, readings: Readings) -> None:
    """Say what of DCGM's answers could not be used."""
    if readings.sentinels:
        said = plural(readings.sentinels, "utilization reading")
        run.caveats.say(f"Dropped as sentinels or out of range: {said}.")
    if readings.malformed:
        run.caveats.say(f"Dropped as malformed: {plural(readings.malformed, 'line')} of DCGM's answers.")
    run.caveats.about("DCGM names hosts that are no nodes here", "host", readings.strangers)


def query_utilization(run: Snapshot, target: Target, readings: Readings) -> bool:
    """Read the last hour's utilization from Prometheus; return whether it had any."""
    try:
        for metric in UTILIZATION_METRICS:
            rows = instant_query(run.kubectl, target, QUERIES[f"utilization {metric}"])
            readings.add([(metric, labels, value) for labels, value in rows], "exported_pod")
    except Failure as failure:
        run.signals.missed("prometheus", failure)
        run.caveats.say("Prometheus was not reachable: it contributed neither utilization nor history.")
        readings.by_node.clear()
        return False
    run.signals.reached("prometheus")
    if not readings.by_node:
        run.caveats.say("Prometheus holds no DCGM utilization of the last hour.")
    return bool(readings.by_node)


def scrape_exporters(run: Snapshot, readings: Readings, gpu_nodes: set[str]) -> None:
    """Scrape the exporters behind their services: each call reaches one of them, at random."""
    if not gpu_nodes:
        run.signals.missed("dcgm", "not asked: no node has GPUs")
        return
    targets = [run.options.dcgm] if isinstance(run.options.dcgm, Target) else find_exporters(run)
    for target in targets:
        scrapes = fruitless = 0
        allowed = min(DCGM_MAX_SCRAPES, 4 * len(gpu_nodes) + DCGM_MAX_FRUITLESS)
        while scrapes < allowed and fruitless < DCGM_MAX_FRUITLESS and not gpu_nodes <= set(readings.by_node):
            try:
                text = run.kubectl.get(target.path("metrics")).decode("utf-8", "replace")
            except Failure as failure:
                run.signals.missed("dcgm", failure)
                break
            fruitless = 0 if readings.add_scrape(text) else fruitless + 1
            scrapes += 1
            run.progress.say(f"dcgm: {len(readings.by_node):,} nodes")
    if targets and not readings.by_node and "dcgm" not in run.signals:
        run.signals.missed("dcgm", "the exporters answered without a reading that belongs to a node")


def find_exporters(run: Snapshot) -> list[Target]:
    """Return the exporters whose service's name has dcgm; none is a signal."""
    services = run.read(RESOURCES["services"], lambda item, _: trim_service(item))
    targets = exporters(services or [])
    if services is None:
        run.signals.missed("dcgm", "services could not be listed")
    elif not targets:
        run.signals.missed("dcgm", "no service matches dcgm")
    return targets


def read_history(run: Snapshot, gpu_nodes: set[str]) -> None:
    """Read 90 days of failures from Prometheus; nothing else knows them."""
    target = run.options.prometheus
    if target is None or not run.signals["prometheus"].reachable:
        run.signals.missed(
            "history", "90 days of failures are known to Prometheus alone (--prometheus ns/svc:port)"
        )
        run.caveats.say(
            "Failure history (ECC, job failures, XID) was not observed: lemon scores are unknown. DCGM's XID "
            "metric is the last code seen, not a count, and its ECC counters have no window."
        )
        return
    run.signals.reached("history", "Prometheus")
    hosts = host_names(run.nodes, run.pods)
    for key, (counted, since) in HISTORY.items():
        try:
            counts = [_per_node(run, target, QUERIES[name], hosts, sum) for name in counted]
            reach = _per_node(run, target, QUERIES[since], hosts, min)
        except Failure as failure:
            run.signals.missed(f"history {key}", failure)
            run.caveats.say(f"{key} could not be read from Prometheus and is unknown.")
            continue
        known = {
            node.name: history_of(counts, reach, node, run.now)
            for node in run.nodes
            if node.name in gpu_nodes
        }
        run.history[key] = known
        odd = {node for count in counts for node in known if not is_history(count.get(node, 0))}
        run.caveats.about(
            f"{key} is negative, not finite or above {MAX_HISTORY:,} in Prometheus: unknown", "node", odd
        )
        short = [node for node, value in known.items() if value is None and node not in odd]
        run.caveats.about(
            f"{key} is unknown where Prometheus has no series of {HISTORY_DAYS} days", "node", short
        )
    run.caveats.say(
        "xidEvents90d counts changes of DCGM's last-code gauge: a repeated code is invisible, an exporter's "
        "restart may add one."
    )


def _per_node(
    run: Snapshot,
    target: Target,
    query: str,
    hosts: Mapping[str, str | None],
    fold: Callable[[list[float]], float],
) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    for labels, value in instant_query(run.kubectl, target, query):
        node = node_of_series(labels, hosts)
        if node is not None:
            values.setdefault(node, []).append(value if 0 <= value <= _NUMBER_LIMIT else math.nan)
    return {node: math.nan if any(map(math.isnan, found)) else fold(found) for node, found in values.items()}


# ---------------------------------------------------------------------------------------------
# Workloads


CONTROL_PLANE_COMPONENTS = {"kube-apiserver": "control-plane", "etcd": "etcd"}
STORAGE_APPS = words(
    "rook-ceph-osd rook-ceph-mon rook-ceph-mds longhorn-manager portworx glusterfs linstor-satellite beegfs "
    "weka minio openebs-mayastor io-engine"
)
ROLE_LABELS = {
    "node-role.kubernetes.io/control-plane": "control-plane",
    "node-role.kubernetes.io/master": "control-plane",
    "node-role.kubernetes.io/controlplane": "control-plane",
    "node-role.kubernetes.io/etcd": "etcd",
    "node-role.kubernetes.io/storage": "storage",
    "cluster.ocs.openshift.io/openshift-storage": "storage",
}
SAID_KEYS = (
    *(LABEL_CRITICAL, LABEL_KIND, ANNOTATION_CHECKPOINT, ANNOTATION_RESTART, ANNOTATION_GANG),
    *OWNER_KEYS,
    *CONTACT_KEYS,
    *GANG_KEYS,
)

Said = Dict[str, Set[str]]


def role_of(pod: Pod) -> str:
    """Return the role that a pod gives its node: control-plane, etcd, storage, or ""."""
    if pod.owner is not None and pod.owner.kind == "Node":
        role = CONTROL_PLANE_COMPONENTS.get(pod.labels.get("component", ""))
        if role:
            return role
    names = {pod.labels.get("app", ""), pod.labels.get("app.kubernetes.io/name", "")}
    return "storage" if names & STORAGE_APPS else ""


class Work:
    """One workload while its pods are gathered: `said` holds what their labels and annotations say."""

    def __init__(self, namespace: str, root: Root) -> None:
        self.namespace = namespace
        self.ref = root.ref
        self.below = root.below
        self.units: dict[str, Fraction] = {}
        self.replicas: dict[str, int] = {}
        self.pods = 0
        self.inferred = False
        self.role = ""
        self.verdicts: set[Verdict] = set()
        self.said: Said = {}
        self.minimum: int | None = None

    def add(self, pod: Pod, units: Fraction, why: Verdict) -> None:
        """Take one pod's part."""
        if units:
            self.units[pod.node] = self.units.get(pod.node, Fraction(0)) + units
        if pod.running:
            self.replicas[pod.node] = self.replicas.get(pod.node, 0) + 1
        self.pods += 1
        self.role = self.role or role_of(pod)
        self.verdicts.add(why)
        for texts_of in (pod.labels, pod.annotations):
            for key in SAID_KEYS:
                if key in texts_of:
                    self.said.setdefault(key, set()).add(texts_of[key].strip())


Works = Dict[Tuple[str, Ref], Work]


def gather(run: Snapshot, devices: Mapping[str, Devices]) -> Works:
    """Return the workloads of all pods on known nodes, each with its units per node."""
    budgets: dict[str, list[Budget]] = {}
    for budget in sorted(run.budgets or [], key=lambda one: one.name):
        budgets.setdefault(budget.namespace, []).append(budget)
    works: Works = {}
    held: dict[str, Fraction] = {}
    selected: dict[tuple[str, str], list[Work]] = {}
    for pod in run.pods:
        name = f"{pod.namespace}/{pod.name}"
        if pod.node not in devices:
            run.caveats.about("Bound to nodes that the node list does not have, not counted", "pod", [name])
            continue
        if pod.unreadable:
            run.caveats.about("Ask for amounts that cannot be read, not counted", "pod", [name])
        selecting = [one for one in budgets.get(pod.namespace, []) if selects(one, pod.labels)]
        root = root_of(pod, run.parents)
        work = works.setdefault((pod.namespace, root.ref), Work(pod.namespace, root))
        units = units_of(pod.requests, devices[pod.node].weights)
        units += run.claimed.get((pod.namespace, pod.name), Fraction(0))
        held[pod.node] = held.get(pod.node, Fraction(0)) + units
        if held[pod.node] > _NUMBER_LIMIT:
            held[pod.node] -= units
            units = Fraction(0)
            run.caveats.about("Ask for more than any node can have, not counted", "pod", [name])
        work.add(pod, units, verdict(pod, None if run.budgets is None else selecting))
        work.inferred = work.inferred or root.inferred
        for budget in selecting:
            chosen = selected.setdefault((pod.namespace, budget.name), [])
            chosen += [] if work in chosen else [work]
    set_minimums(run, selected)
    return works


def set_minimums(run: Snapshot, selected: Mapping[tuple[str, str], Sequence[Work]]) -> None:
    """Give each workload the minimum of its budget; a budget over several workloads gives them none."""
    for budget in run.budgets or []:
        works = selected.get((budget.namespace, budget.name), [])
        minimum = budget_minimum(budget, sum(work.pods for work in works))
        name = f"{budget.namespace}/{budget.name}"
        if len(works) > 1:
            run.caveats.about(
                "Select several workloads: all are critical, none has a minimum", "budget", [name]
            )
        elif works and minimum is not None:
            works[0].minimum = max(minimum, works[0].minimum or 0)
        if works and minimum == 0:
            run.caveats.about("Allow any disruption and still make their workload critical", "budget", [name])


def workload_ids(works: Iterable[tuple[str, Ref]]) -> dict[tuple[str, Ref], str]:
    """Return namespace/kind/name per workload; where two would be one, the kind carries its API group."""
    short: dict[str, list[tuple[str, Ref]]] = {}
    for key in sorted(works):
        namespace, ref = key
        short.setdefault(f"{namespace}/{ref.kind.lower()[:MAX_NAME]}/{ref.name}", []).append(key)
    ids: dict[tuple[str, Ref], str] = {}
    taken = set(short)
    for one, keys in short.items():
        built_in = [key for key in keys if key[1].group in BUILT_IN_GROUPS]
        plain = keys[0] if len(keys) == 1 else max(built_in, default=None)
        for namespace, ref in keys:
            new = one
            if (namespace, ref) != plain:
                new = f"{namespace}/{ref.kind.lower()[:MAX_NAME]}.{ref.group}/{ref.name}"
                while new in taken:
                    new += "~"
                taken.add(new)
            ids[namespace, ref] = new
    return ids


def workload_json(one: str, work: Work, parents: Parents, caveats: Caveats) -> dict[str, Any]:
    """Return a workload as the estate writes it; what is unknown is left out."""
    why, disagree = combine(work.verdicts)
    parent = parents.get((work.namespace, work.ref))
    said: Said = {**{key: {text} for key, text in (parent.people if parent else {}).items()}, **work.said}
    if disagree:
        caveats.about("Pods disagree on being critical: they count as critical", "workload", [one])
    if work.inferred:
        caveats.about("Named after their pods' names, because the owner could not be read", "workload", [one])
    if lowered(said, LABEL_CRITICAL) - {"true", "false"}:
        caveats.about(f"{LABEL_CRITICAL} is neither true nor false: ignored", "workload", [one])
    optional = {
        "critical": why.critical,
        "criticalBasis": why.basis or None,
        "checkpointMinutes": largest_minutes(one, said.get(ANNOTATION_CHECKPOINT, ()), caveats),
        "restartMinutes": largest_minutes(one, said.get(ANNOTATION_RESTART, ()), caveats),
        "gang": gang_of(said),
        "namespace": work.namespace,
        "owner": first_said(OWNER_KEYS, said),
        "contact": first_said(CONTACT_KEYS, said),
        "minAvailable": work.minimum,
        "replicas": dict(sorted({**dict.fromkeys(work.units, 0), **work.replicas}.items())) or None,
    }
    return {
        "id": one,
        "kind": said_kind(one, said, caveats)
        or kind_of(work.ref, work.below, work.namespace, checkpointed=ANNOTATION_CHECKPOINT in said),
        **{key: value for key, value in optional.items() if value is not None},
        "placements": {node: number(units) for node, units in sorted(work.units.items())},
    }


def lowered(said: Said, key: str) -> set[str]:
    """Return what pods say under a key, in lower case."""
    return {text.lower() for text in said.get(key, ())}


def said_kind(one: str, said: Said, caveats: Caveats) -> str | None:
    """Return the kind that a workload's pods name themselves."""
    texts_said = lowered(said, LABEL_KIND)
    if texts_said - set(WORKLOAD_KINDS):
        caveats.about(f"{LABEL_KIND} is no kind of workload: ignored", "workload", [one])
    return next((kind for kind in WORKLOAD_KINDS if kind in texts_said), None)


def largest_minutes(one: str, values: Iterable[str], caveats: Caveats) -> int | float | None:
    """Return the largest valid value among the pods."""
    read = [positive(text) for text in values]
    valid = [value for value in read if value is not None]
    if len(valid) < len(read):
        caveats.about("Checkpoint or restart minutes are no number above 0: unknown", "workload", [one])
    if valid:
        caveats.say(SELF_REPORTED_NOTE)
    return max(valid, default=None)


def gang_of(said: Said) -> bool | None:
    """Return whether a workload stops whole: as its pods say, or because they were scheduled as a group."""
    explicit = lowered(said, ANNOTATION_GANG) & {"true", "false"}
    if explicit:
        return "true" in explicit
    return True if GANG_KEYS & said.keys() else None


def first_said(keys: Sequence[str], said: Said) -> str | None:
    """Return what the first key that is said says."""
    return next((min(said[key]) for key in keys if said.get(key)), None)


def workloads_json(run: Snapshot, works: Works) -> list[dict[str, Any]]:
    """Return the workloads that hold units, and those whose loss counts without: control plane, storage, and
    what a budget protects."""
    kept = {key: work for key, work in works.items() if work.units or work.role or work.minimum is not None}
    ids = workload_ids(kept)
    return [
        workload_json(ids[key], kept[key], run.parents, run.caveats)
        for key in sorted(kept, key=ids.__getitem__)
    ]


# ---------------------------------------------------------------------------------------------
# The estate


def estate_of(run: Snapshot, map_file: MapFile | None) -> dict[str, Any]:
    """Return estate.json as data, ids as they are, without its provenance."""
    options = run.options
    devices = {node.name: node_devices(node, run) for node in run.nodes}
    if options.unit == "gpu":
        gpu_nodes = {name for name, one in devices.items() if one.installed != 0}
        read_gpu_metrics(run, devices, gpu_nodes)
        read_history(run, gpu_nodes)
    works = gather(run, devices)
    allocated = {node.name: Fraction(0) for node in run.nodes}
    for work in works.values():
        for node, units in work.units.items():
            allocated[node] += units
    devices = {name: honest_devices(run, name, one, allocated[name]) for name, one in devices.items()}
    standings, domains = stand(run, map_file)
    roles = node_roles(run)
    say_about_nodes(run, devices)
    terms = {
        "pricePerUnitHour": options.price_per_unit_hour,
        "wattsPerUnitKw": options.kw_per_unit,
        "defaultRestartMinutes": options.default_restart_minutes,
    }
    return {
        "schemaVersion": SCHEMA_VERSION,
        "cluster": cluster_name(run),
        "unit": options.unit,
        "snapshotAt": stamp(run.now),
        **{key: value for key, value in terms.items() if value is not None},
        "nodes": [
            node_json(
                run, node, devices[node.name], allocated[node.name], standings[node.name], roles[node.name]
            )
            for node in run.nodes
        ],
        "domains": domains,
        "workloads": workloads_json(run, works),
        "loops": [{"id": loop, "hourlyActions": hours} for loop, hours in run.churn.loops.items()],
        **topology_json(map_file),
    }


def node_devices(node: Node, run: Snapshot) -> Devices:
    """Return a node's units: cores, or GPUs of its capacity and of its ResourceSlices (the same devices)."""
    if run.options.unit == "cpu":
        return Devices(node.capacity.get("cpu"), None, {}, note="unreadable" if node.unreadable else "")
    devices = devices_of(node, run.options.resources)
    if node.name in run.pools.installed and devices.note in ("", "no-plugin", "shared"):
        shown = run.pools.installed[node.name]
        most = None if shown is None else max(devices.installed or Fraction(0), Fraction(shown))
        if devices.note == "no-plugin":
            devices = devices._replace(unhealthy=None, note="")
        return devices._replace(installed=most)
    return devices


def honest_devices(run: Snapshot, name: str, devices: Devices, allocated: Fraction) -> Devices:
    """Return the devices with `installed` unknown where what the node shows cannot be all there is."""
    if devices.installed is None:
        return devices
    if allocated > devices.installed:
        run.caveats.about("Hold more units than they show: installed is unknown", "node", [name])
        return devices._replace(installed=None)
    return devices._replace(installed=None) if name in run.unseen_claims else devices


def node_roles(run: Snapshot) -> dict[str, set[str]]:
    """Return the roles of nodes, by their labels and by what runs on them."""
    roles = {
        node.name: {role for label, role in ROLE_LABELS.items() if label in node.labels} for node in run.nodes
    }
    for pod in run.pods:
        if pod.node in roles and role_of(pod):
            roles[pod.node].add(role_of(pod))
    return roles


def node_json(
    run: Snapshot, node: Node, devices: Devices, allocated: Fraction, standing: Standing, roles: set[str]
) -> dict[str, Any]:
    """Return a node as the estate writes it; what is unknown is null or left out."""
    installed = devices.installed
    measured = run.utilization.get(node.name, Utilization(None))
    if installed and node.name not in run.utilization:
        measured = Utilization(round(float(allocated / installed), 6), "requests")
    optional = {
        "installed": None if installed is None else number(installed),
        "utilization": measured.value,
        "utilizationBasis": measured.basis,
        "utilizationWindowHours": measured.window_hours,
        "ready": node.ready,
        "unhealthy": None if devices.unhealthy is None else number(devices.unhealthy),
        "model": next((node.labels[label] for label in MODEL_LABELS if node.labels.get(label)), None),
        "roles": sorted(roles) or None,
        "providerID": node.provider_id or None,
        "systemUUID": node.system_uuid or None,
    }
    history = HISTORY if run.options.unit == "gpu" and installed != 0 else {}
    return {
        "id": node.name,
        "allocated": number(allocated),
        **{key: value for key, value in optional.items() if value is not None},
        "schedulable": node.schedulable,
        "domains": standing,
        **{key: run.history.get(key, {}).get(node.name) for key in history},
    }


MODEL_LABELS = (
    "nvidia.com/gpu.product",
    "amd.com/gpu.product-name",
    "cloud.google.com/gke-accelerator",
    "k8s.amazonaws.com/accelerator",
)
DEVICE_NOTES = {
    "shared": "GPUs are shared by time slices or MPS; a slice counts as its share of a GPU",
    "slices": "Advertise slices without saying how many make a GPU; each counts as a GPU",
    "mig": "Cut into MIG instances, without saying of how many GPUs: installed is unknown, an instance "
    "counts as its compute share",
    "unreadable": "Advertise amounts that cannot be read: installed is unknown",
    "no-plugin": "Labelled as GPU nodes but advertise none: what nvidia.com/gpu.count says is unhealthy",
}


def say_about_nodes(run: Snapshot, devices: Mapping[str, Devices]) -> None:
    """Add the caveats on what nodes show."""
    makes: set[str] = set()
    providers: dict[str, list[str]] = {}
    for node in run.nodes:
        note = devices[node.name].note
        if note:
            run.caveats.about(DEVICE_NOTES[note], "node", [node.name])
        if node.others:
            run.caveats.about(
                "Other accelerators are not counted (--resource counts them)", "node", [node.name]
            )
        if node.provider_id:
            providers.setdefault(node.provider_id, []).append(node.name)
        makes.update(name for name in node.capacity if name in WHOLE_GPUS and node.capacity[name])
    if len(makes) > 1:
        run.caveats.say(f"GPUs of several makes are one unit here: {', '.join(sorted(makes))}.")
    for twins in providers.values():
        run.caveats.about(
            "Share a providerID with another node; both are counted", "node", twins if twins[1:] else []
        )
    slurm = {pod.node for pod in run.pods if any(key.startswith(LABEL_SLURM) for key in pod.labels)}
    run.caveats.about("Slurm runs in pods here: its jobs are not visible from Kubernetes", "node", slurm)


def stand(run: Snapshot, map_file: MapFile | None) -> tuple[dict[str, Standing], dict[str, Any]]:
    """Return where every node stands and the declared domains: labels, with the operator's map on top."""
    standings = {node.name: label_standing(node, run.options.label_map, run.caveats) for node in run.nodes}
    parsed = map_file.parsed if map_file is not None else None
    if parsed is not None:
        standings = apply_map(standings, parsed, run.caveats)
    network = network_domains(run.nodes, standings, run.caveats)
    uses = [(AXES[axis], one) for each in standings.values() for axis in each for one in ids_of(each[axis])]
    uses += [("network", one) for one in network]
    kinds = parsed.kinds if parsed is not None else {}
    name = id_namer(
        [*uses, *((kind, one) for one, kind in kinds.items())], kinds, frozenset(standings), run.caveats
    )
    declared = parsed.domains if parsed is not None else {}
    domains = renamed_domains(network, dict.fromkeys(network, "network"), name)
    domains.update(renamed_domains(declared, kinds, name))
    standings = {node: renamed(standing, name) for node, standing in standings.items()}
    if map_file is not None and parsed is None:
        run.caveats.say(
            "The topology file is embedded as it was, not parsed: it was not checked, and which nodes it "
            "names is for the analyser to find."
        )
    elif not any(axis in each for each in standings.values() for axis in FACILITY_AXES) and not any(
        body.get("kind") in FACILITY_KINDS for body in domains.values()
    ):
        run.caveats.say(NO_MAP_CAVEAT)
    return standings, domains


def topology_json(map_file: MapFile | None) -> dict[str, Any]:
    """Return what the estate says of the operator's file; the text only where it is yet to be parsed."""
    if map_file is None:
        return {}
    said: dict[str, Any] = {"sha256": map_file.sha256, "modifiedAt": map_file.modified_at}
    if map_file.parsed is None:
        said["text"] = map_file.text
    elif map_file.parsed.verified_at is not None:
        said["verifiedAt"] = map_file.parsed.verified_at
    return {"topology": said}


def cluster_name(run: Snapshot) -> str:
    """Return the cluster's name: as given, else its context's, else a stand-in."""
    options = run.options
    if options.cluster or options.context:
        return str(options.cluster or options.context)
    with suppress(Failure):
        if options.saved is not None:
            raise Failure("not-found", "files have no context")
        status, stdout, _ = run_guarded([*options.kubectl, "config", "current-context"], GUARD_SECONDS)
        name = clean(stdout.decode("utf-8", "replace"))
        if status == 0 and name:
            return name
    run.caveats.say("The cluster has no name here (--cluster): two such estates cannot be told apart.")
    return "cluster"


def with_provenance(
    run: Snapshot, estate: dict[str, Any], hide: Callable[[str], str] | None
) -> dict[str, Any]:
    """Return the estate with its provenance, ids hidden where asked."""
    fixed = [CRITICALITY_CAVEAT, *([CPU_UNIT_CAVEAT] if run.options.unit == "cpu" else [])]
    modified = estate.get("topology", {}).get("modifiedAt")
    provenance = {
        "collectedAt": stamp(datetime.now(timezone.utc) if run.options.saved is None else run.now),
        "collectorVersion": VERSION,
        **({"topologyFileModifiedAt": modified} if modified else {}),
        "signals": run.signals.as_json(redacted=hide is not None),
        "caveats": [*fixed, *run.caveats.sentences(hide or str)],
    }
    return {**(redacted(estate, hide) if hide else estate), "provenance": provenance}


# ---------------------------------------------------------------------------------------------
# Redaction


def hasher(key: bytes) -> Callable[[str], str]:
    """Return a function that turns an id into the same 16 hexadecimal digits every time, for one key."""
    return lambda one: (
        "x" + hmac.new(key, one.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:16]
    )


def redacted(estate: Mapping[str, Any], hide: Callable[[str], str]) -> dict[str, Any]:
    """Return the estate with every name hidden; figures, kinds and models stay."""
    return {
        **estate,
        "cluster": hide(estate["cluster"]),
        "nodes": [_redacted_node(node, hide) for node in estate["nodes"]],
        "domains": {hide(one): _redacted_domain(body, hide) for one, body in estate["domains"].items()},
        "workloads": sorted(
            (_redacted_workload(work, hide) for work in estate["workloads"]), key=lambda one: str(one["id"])
        ),
    }


def _redacted_node(node: Mapping[str, Any], hide: Callable[[str], str]) -> dict[str, Any]:
    named = {key: hide(node[key]) for key in ("id", "providerID", "systemUUID") if key in node}
    return {
        **node,
        **named,
        "domains": {axis: _hidden(value, hide) for axis, value in node["domains"].items()},
    }


def _hidden(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {mode: _hidden(members, hide) for mode, members in value.items()}
    return [hide(one) for one in value] if isinstance(value, list) else hide(value)


def _redacted_domain(body: Mapping[str, Any], hide: Callable[[str], str]) -> dict[str, Any]:
    kept = {key: value for key, value in body.items() if key not in ("description", "contact")}
    return {**kept, **{key: _hidden(body[key], hide) for key in ("parent", "feeds") if key in body}}


def _redacted_workload(work: Mapping[str, Any], hide: Callable[[str], str]) -> dict[str, Any]:
    namespace, kind, name = work["id"].split("/", 2)
    named = {key: hide(work[key]) for key in ("namespace", "owner", "contact") if key in work}
    basis, colon, source = work.get("criticalBasis", "").partition(":")
    named_basis = colon and source != CRITICAL_PRIORITY
    hidden_basis = {"criticalBasis": f"{basis}:{hide(source)}"} if named_basis else {}
    per_node = {
        key: {hide(node): value for node, value in work[key].items()}
        for key in ("placements", "replicas")
        if key in work
    }
    return {**work, **named, **hidden_basis, **per_node, "id": f"{hide(namespace)}/{kind}/{hide(name)}"}


# ---------------------------------------------------------------------------------------------
# Command line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the collector's arguments to a parser."""
    add = parser.add_argument
    add("-o", "--output", default="estate.json", metavar="FILE", help="default: estate.json; - is stdout")
    add("--topology", metavar="FILE", help="the facility map: topology.yaml")
    add("--unit", choices=("gpu", "cpu"), default="gpu", help="what a unit is (default: gpu)")
    add(
        "--resource",
        action="append",
        default=[],
        metavar="NAME",
        help="count this instead of GPUs; repeatable",
    )
    add("--label-map", action="append", default=[], type=label_pair, metavar="AXIS=LABEL", help="repeatable")
    add("--cluster", metavar="NAME", help="the cluster's name (default: the context's)")
    add("--price-per-unit-hour", type=amount, metavar="USD", help="what one unit costs per hour [USD]")
    add("--kw-per-unit", type=amount, metavar="KW", help="what one unit draws [kW]")
    add("--default-restart-minutes", type=amount, metavar="MIN", help="restart overhead, from your incidents")
    add("--redact", action="store_true", help="hash every name, the same way every time, for sharing")
    add("--redact-key-file", metavar="FILE", help="a secret that makes the hashes unguessable")
    add("--print-requests", action="store_true", help="print every request that would be made, and stop")
    add("-q", "--quiet", action="store_true", help="say nothing but errors")
    add_sources(parser.add_argument_group("where it is read from"))


def add_sources(group: argparse._ArgumentGroup) -> None:
    """Add the arguments about what is asked, and as whom."""
    add = group.add_argument
    add(
        "--dcgm",
        type=dcgm_choice,
        default="auto",
        metavar="off|auto|NS/SVC:PORT",
        help="scrape dcgm-exporter through the API server (default: auto, services whose name has dcgm)",
    )
    add("--prometheus", type=target, metavar="NS/SVC:PORT", help="utilization and 90 days of failures")
    add(
        "--dra",
        choices=("auto", "on", "off"),
        default="auto",
        help="read ResourceSlices and ResourceClaims (default: auto, where a pod or node shows them)",
    )
    add("--from", dest="saved", metavar="DIR", help="read saved answers instead: no kubectl, no network")
    add("--context", metavar="NAME", help="kubeconfig context")
    add("--kubeconfig", metavar="FILE", help="kubeconfig file")
    add("--as", dest="as_user", metavar="USER", help="user to impersonate")
    add("--kubectl", default="kubectl", metavar="PATH", help="the kubectl to run (default: kubectl)")
    add(
        "--request-timeout",
        type=seconds,
        default=REQUEST_TIMEOUT_SECONDS,
        metavar="SECONDS",
        help="default: 30",
    )


_TARGET = re.compile(r"([a-z0-9][a-z0-9-]*)/(?:(https?):)?([a-z0-9][a-z0-9.-]*):([a-z0-9][a-z0-9-]*)\Z")


def target(text: str) -> Target:
    """Read NS/SVC:PORT or NS/https:SVC:PORT."""
    match = _TARGET.match(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{clean(text, 60)!r} is not NAMESPACE/SERVICE:PORT")
    namespace, scheme, service, port = match.groups()
    return Target(namespace, service, port, scheme or "")


def dcgm_choice(text: str) -> str | Target:
    """Read off, auto or NS/SVC:PORT."""
    return text if text in ("off", "auto") else target(text)


def label_pair(text: str) -> tuple[str, str]:
    """Read AXIS=LABEL."""
    axis, _, label = text.partition("=")
    if axis not in AXES or not label:
        raise argparse.ArgumentTypeError(
            f"{clean(text, 60)!r} is not AXIS=LABEL with an axis of: {' '.join(AXES)}"
        )
    return axis, label


def amount(text: str) -> int | float:
    """Read a number >= 0."""
    value = positive(text) if text == text.strip() else None
    if value is None and not re.fullmatch(r"0+(\.0*)?", text):
        raise argparse.ArgumentTypeError(
            f"{clean(text, 60)!r} is not a number of 0 or more, and at most {_NUMBER_LIMIT:,}"
        )
    return value or 0


def seconds(text: str) -> float:
    """Read a number > 0."""
    value = positive(text) if text == text.strip() else None
    if value is None:
        raise argparse.ArgumentTypeError(
            f"{clean(text, 60)!r} is not a number above 0, and at most {_NUMBER_LIMIT:,}"
        )
    return float(value)


_KEY_BYTES = 1024**2  # of a key file, at most: it may never end


def options_of(args: argparse.Namespace) -> Options:
    """Return what was asked for; Refusal when it cannot be done."""
    if args.unit == "cpu" and (args.prometheus is not None or isinstance(args.dcgm, Target) or args.resource):
        raise Refusal(
            USAGE, "--unit cpu reads metrics.k8s.io: --dcgm, --prometheus and --resource are about GPUs"
        )
    _check_saved(args)
    for flag, name in (("--cluster", args.cluster), ("--context", args.context)):
        if name is not None and (len(name) > MAX_NAME or name != name.encode("utf-8", "replace").decode()):
            raise Refusal(USAGE, f"{flag}: a name is text of at most {MAX_NAME:,} characters")
    if args.kubeconfig is not None and not Path(args.kubeconfig).is_file():
        raise Refusal(USAGE, f"cannot read {args.kubeconfig}: there is no such file")
    return Options(
        output=args.output,
        unit=args.unit,
        dcgm="off" if args.unit == "cpu" or args.saved is not None else args.dcgm,
        prometheus=args.prometheus,
        dra=args.dra,
        topology=args.topology,
        cluster=args.cluster,
        price_per_unit_hour=args.price_per_unit_hour,
        kw_per_unit=args.kw_per_unit,
        default_restart_minutes=args.default_restart_minutes,
        label_map=tuple(args.label_map),
        resources=tuple(args.resource),
        redact=args.redact,
        redact_key=_redact_key(args.redact_key_file, redact=args.redact),
        kubectl=_kubectl_argv(args),
        saved=args.saved,
        context=args.context,
        request_timeout_seconds=args.request_timeout,
        print_requests=args.print_requests,
        quiet=args.quiet,
    )


def _check_saved(args: argparse.Namespace) -> None:
    """Refuse what answers that were saved cannot be combined with."""
    if args.saved is None:
        return
    if not args.saved or not Path(args.saved).is_dir():
        raise Refusal(USAGE, f"--from takes the folder of the saved answers, and {args.saved!r} is none")
    asked = {
        "--context": args.context,
        "--kubeconfig": args.kubeconfig,
        "--as": args.as_user,
        "--prometheus": args.prometheus,
        "--dcgm": args.dcgm if isinstance(args.dcgm, Target) else None,
    }
    given = [flag for flag, value in asked.items() if value is not None]
    if given:
        raise Refusal(USAGE, f"--from reads files, and asks nobody: leave out {given[0]}")


def _redact_key(path: str | None, *, redact: bool) -> bytes:
    if path is None:
        return b""
    if not redact:
        raise Refusal(USAGE, "--redact-key-file without --redact would leave every name as it is")
    try:
        with Path(path).open("rb") as stream:
            key = stream.read(_KEY_BYTES)
    except (OSError, ValueError) as error:
        raise Refusal(USAGE, f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    if not key.strip():
        raise Refusal(USAGE, f"{path} holds no key: hashes without one can be confirmed by guessing")
    return key


def _kubectl_argv(args: argparse.Namespace) -> tuple[str, ...]:
    flags = (("--kubeconfig", args.kubeconfig), ("--context", args.context), ("--as", args.as_user))
    return (args.kubectl, *(f"{flag}={value}" for flag, value in flags if value is not None))


def spare_inputs(args: argparse.Namespace) -> None:
    """Refuse to write over what the estate is made from: the map, the key, the kubeconfig, kubectl itself."""
    usual = os.path.expanduser("~/.kube/config")  # noqa: PTH111 - a Path raises where nobody has a home
    kubeconfig = args.kubeconfig or os.environ.get("KUBECONFIG") or usual
    inputs = [args.topology, args.redact_key_file, shutil.which(args.kubectl), *kubeconfig.split(os.pathsep)]
    if args.saved is not None:
        inputs += [os.path.join(args.saved, name) for name in (*SAVED_NAMES.values(), SAVED_AT)]  # noqa: PTH118
    for path in filter(None, inputs):
        with suppress(OSError, ValueError):  # one of them is not there, or is no path
            if Path(path).samefile(args.output) and Path(path).is_file():
                raise Refusal(
                    USAGE, f"{args.output} is an input: the result would replace it", "Choose another -o."
                )


def check_output(path: str) -> None:
    """Refuse now what could not be written at the end."""
    if path == "-":
        return
    folder = Path(path).parent
    if Path(path).is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise Refusal(
            USAGE, f"cannot write {path}: its folder does not exist or cannot be written, or it is one itself"
        )


def write_whole(path: str, text: str) -> None:
    """Write a file of mode 0600 whole or not at all; - is stdout."""
    if path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    place = Path(path)
    try:
        if place.exists() and not place.is_file():
            place.write_text(text, encoding="ascii")
            return
        handle, temporary = tempfile.mkstemp(prefix=f".{place.name[:64]}.", dir=place.parent)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).replace(place)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise Refusal(USAGE, f"cannot write {path}: {error.strerror or error}") from error


def summary(estate: Mapping[str, Any], path: str, unreachable: Sequence[str]) -> str:
    """Return one line on what was collected."""
    nodes = estate["nodes"]
    installed = [node["installed"] for node in nodes if "installed" in node]
    parts = [
        f"{path}: {plural(len(nodes), 'node')}",
        f"{math.fsum(node['allocated'] for node in nodes):,.12g} of {math.fsum(installed):,.12g} units held",
        plural(len(estate["workloads"]), "workload"),
        plural(len(estate["provenance"]["caveats"]), "caveat"),
    ]
    unknown = len(nodes) - len(installed)
    parts += [f"{plural(unknown, 'node')} of unknown size"] if unknown else []
    parts += [f"not reachable: {', '.join(unreachable)}"] if unreachable else []
    return "; ".join(parts)


def collect(
    options: Options, kubectl: Kubectl, map_file: MapFile | None, progress: Progress, now: datetime
) -> tuple[dict[str, Any], list[str]]:
    """Return the estate of one run and the names of the signals that could not be reached."""
    run = Snapshot(options, kubectl, progress, now)
    if isinstance(kubectl, Saved) and not kubectl.moment()[1]:
        run.caveats.say(
            f"The saved answers do not say when they were saved ({SAVED_AT}): the time of nodes.json was "
            "taken, which a copy resets."
        )
    try:
        check_version(run)
        read_objects(run)
        read_events(run)
        if options.unit == "cpu":
            read_cpu_metrics(run)
        else:
            read_dra(run)
        estate = estate_of(run, map_file)
    finally:
        progress.say("")
    if options.redact and not options.redact_key:
        run.caveats.say(
            "Names are hashed without a key (--redact-key-file): who can guess a name can confirm it."
        )
    hide = hasher(options.redact_key) if options.redact else None
    return with_provenance(run, estate, hide), run.signals.unreachable()


def source_of(options: Options) -> tuple[Kubectl, datetime]:
    """Return whom to ask, and the moment that the answers are of."""
    if options.saved is not None:
        saved = Saved(options.saved)
        return saved, saved.moment()[0].replace(microsecond=0)
    if shutil.which(options.kubectl[0]) is None:
        raise Refusal(CLUSTER, f"there is no {options.kubectl[0]}: install kubectl or name it with --kubectl")
    return Kubectl(options.kubectl, options.request_timeout_seconds), datetime.now(timezone.utc).replace(
        microsecond=0
    )


def execute(args: argparse.Namespace, parse: MapParser | None = None) -> int:
    """Run with parsed arguments and return the exit code; `parse` reads the map, where the analyser is."""
    try:
        options = options_of(args)
        if options.print_requests:
            planned = planned_requests(options)
            if options.saved is not None:  # the files that stand for them
                print("\n".join(SAVED_NAMES[one.path.partition("?")[0]] for one in planned))
                return OK
            print("\n".join(map(str, planned)))
            return OK
        spare_inputs(args)
        check_output(options.output)
        map_file = read_map(options.topology, parse) if options.topology is not None else None
        if options.redact and map_file is not None and map_file.parsed is None:
            raise Refusal(USAGE, "--redact cannot hide names in an embedded map: run it as `topo collect`")
        kubectl, now = source_of(options)
        progress = Progress(sys.stderr, quiet=options.quiet)
        estate, unreachable = collect(options, kubectl, map_file, progress, now)
        write_whole(options.output, json.dumps(estate, indent=1, allow_nan=False) + "\n")
    except Refusal as refusal:
        print(f"topo collect: {refusal.message}", file=sys.stderr)
        if refusal.hint:
            print(f"  help: {refusal.hint}", file=sys.stderr)
        return refusal.code
    except KeyboardInterrupt:
        return INTERRUPTED
    if not options.quiet:
        print(summary(estate, options.output, unreachable), file=sys.stderr)
    return OK


def main(argv: Sequence[str] | None = None) -> int:
    """Run the collector on its own."""
    parser = argparse.ArgumentParser(
        prog="collect.py",
        description="Collect a Kubernetes cluster into estate.json. Read-only; nothing leaves this machine.",
        epilog="exit codes: 0 done, 2 wrong usage or unreadable file, 4 cluster unreachable or unauthorised",
    )
    add_arguments(parser)
    args = parser.parse_args(argv)
    try:
        code = execute(args)
        sys.stdout.flush()
    except OSError as error:  # of standard output: whatever else can fail is a refusal
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return READER_GONE
        print(f"topo collect: cannot write to standard output: {error.strerror or error}", file=sys.stderr)
        return USAGE
    return code


if __name__ == "__main__":
    sys.exit(main())
