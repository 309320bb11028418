"""A stub API server: lists with limit and continue, service proxies, and faults on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

LISTS = {
    "/api/v1/nodes": ("Node", "v1"),
    "/api/v1/pods": ("Pod", "v1"),
    "/api/v1/events": ("Event", "v1"),
    "/api/v1/services": ("Service", "v1"),
    "/apis/apps/v1/replicasets": ("ReplicaSet", "apps/v1"),
    "/apis/apps/v1/deployments": ("Deployment", "apps/v1"),
    "/apis/apps/v1/statefulsets": ("StatefulSet", "apps/v1"),
    "/apis/apps/v1/daemonsets": ("DaemonSet", "apps/v1"),
    "/apis/batch/v1/jobs": ("Job", "batch/v1"),
    "/apis/batch/v1/cronjobs": ("CronJob", "batch/v1"),
    "/apis/policy/v1/poddisruptionbudgets": ("PodDisruptionBudget", "policy/v1"),
}
VERSION = {"major": "1", "minor": "36", "gitVersion": "v1.36.2"}
REASONS = {
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    410: "Expired",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}

Answer = tuple[int, bytes]
Handler = Callable[[dict[str, str]], Answer]


def status(code: int, message: str = "") -> Answer:
    """Return the Status body that an API server sends with an error."""
    reason = REASONS[code]
    body = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message or f"the stub says {reason}",
        "reason": reason,
        "code": code,
    }
    return code, json.dumps(body).encode()


def _finished(item: Any) -> bool:
    state = item.get("status") if isinstance(item, dict) else None
    return isinstance(state, dict) and state.get("phase") in ("Succeeded", "Failed")


def ok(body: Any) -> Answer:
    """Return a body as it is (bytes, text) or as JSON."""
    if isinstance(body, bytes):
        return 200, body
    return 200, body.encode() if isinstance(body, str) else json.dumps(body).encode()


@dataclass
class Cluster:
    """What the stub serves: objects per list path, whole answers per path, and the requests it saw."""

    objects: dict[str, list[Any]] = field(default_factory=lambda: {path: [] for path in LISTS})
    answers: dict[str, Answer | Handler] = field(default_factory=dict)
    delays: dict[str, float] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    honours_field_selector: bool = True

    def add(self, *items: dict[str, Any]) -> Cluster:
        """Add objects, each to the list of its kind."""
        paths = {kind: path for path, (kind, _) in LISTS.items()}
        for item in items:
            self.objects[paths[item["kind"]]].append(item)
        return self

    def answer(self, target: str) -> Answer:
        """Return status and body for one GET."""
        self.log.append(target)
        parts = urlsplit(target)
        path = unquote(parts.path)
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        time.sleep(self.delays.get(path, 0))
        special = self.answers.get(path)
        if special is not None:
            return special(query) if callable(special) else special
        if path == "/version":
            return ok(VERSION)
        if path in LISTS:
            return ok(self._page(path, query))
        return status(404, "the server could not find the requested resource")

    def _page(self, path: str, query: dict[str, str]) -> dict[str, Any]:
        kind, version = LISTS[path]
        items = self.objects[path]
        if "fieldSelector" in query and self.honours_field_selector:
            items = [one for one in items if not _finished(one)]
        start, limit = int(query.get("continue", "0")), int(query.get("limit", "0"))
        page = items[start : start + limit] if limit else items[start:]
        following = start + len(page)
        metadata: dict[str, Any] = {"resourceVersion": "1533"}
        if following < len(items):
            metadata["continue"] = str(following)
        return {"kind": f"{kind}List", "apiVersion": version, "metadata": metadata, "items": page}


def expired_after(cluster: Cluster, path: str, pages: int, times: int) -> Handler:
    """Return a handler whose continue tokens expire after so many pages, so many times."""
    expiries = 0

    def handle(query: dict[str, str]) -> Answer:
        nonlocal expiries
        page = int(query.get("continue", "0")) // int(query.get("limit", "1"))
        if "continue" in query and page >= pages and expiries < times:
            expiries += 1
            return status(
                410, "The provided continue parameter is too old to display a consistent list result."
            )
        return ok(cluster._page(path, query))

    return handle


@contextmanager
def serving(cluster: Cluster) -> Iterator[str]:
    """Serve a cluster on 127.0.0.1 and yield its address."""

    class Serve(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            code, body = cluster.answer(self.path)
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Serve)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def write_kubeconfig(path: Path, address: str, context: str = "lab-1") -> Path:
    """Write a kubeconfig whose one context is the stub."""
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": context,
        "clusters": [{"name": "stub", "cluster": {"server": address}}],
        "users": [{"name": "reader", "user": {}}],
        "contexts": [{"name": context, "context": {"cluster": "stub", "user": "reader"}}],
    }
    path.write_text(json.dumps(config))
    return path
