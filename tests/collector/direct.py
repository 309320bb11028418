"""The collector against a stub cluster in this process: no kubectl, the same words on failure."""

from __future__ import annotations

import argparse
import io
import json
from datetime import UTC, datetime
from typing import Any

from tests.collector.stub_server import Cluster
from topo import collect

NOW = datetime(2026, 12, 1, 12, 30, tzinfo=UTC)

WORDS = {  # what kubectl 1.36 and 1.37 say; test_kubectl holds them to it
    401: "error: You must be logged in to the server (Unauthorized)",
    403: "Error from server (Forbidden): {message}",
    404: "Error from server (NotFound): {message}",
    410: "Error from server (Expired): {message}",
    500: "Error from server (InternalError): {message}",
    503: "Error from server (ServiceUnavailable): {message}",
    504: "Error from server (Timeout): {message}",
}


class DirectKubectl(collect.Kubectl):
    """kubectl without the process."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    def get(self, path: str) -> bytes:
        """Answer as the stub does; fail as kubectl does."""
        code, body = self.cluster.answer(path)
        if code != 200:
            raise collect.classify(WORDS[code].format(message=json.loads(body)["message"]))
        return body


def options(*flags: str) -> collect.Options:
    """Return the options that flags mean; the cluster is called lab."""
    parser = argparse.ArgumentParser()
    collect.add_arguments(parser)
    return collect.options_of(parser.parse_args(["--cluster", "lab", *flags]))


def estate_of(
    cluster: Cluster, *flags: str, map_file: collect.MapFile | None = None, now: datetime = NOW
) -> dict[str, Any]:
    """Return the estate that the collector makes of a cluster, as read back from its file."""
    chosen = options(*flags)
    progress = collect.Progress(io.StringIO(), quiet=True)
    estate, _ = collect.collect(chosen, DirectKubectl(cluster), map_file, progress, now)
    read_back: dict[str, Any] = json.loads(json.dumps(estate, allow_nan=False))
    return read_back


def by_id(things: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return nodes, workloads or loops by their id."""
    return {thing["id"]: thing for thing in things}


def caveats(estate: dict[str, Any]) -> str:
    """Return all caveats as one text."""
    return "\n".join(estate["provenance"]["caveats"])
