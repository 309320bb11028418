"""What the tests of odd inputs share: an estate of some objects, which must be valid."""

from __future__ import annotations

import json
from typing import Any

from tests.collector.direct import estate_of
from tests.collector.stub_server import Cluster, ok
from topology.load import load_estate_text

PODS, NODES = "/api/v1/pods", "/api/v1/nodes"
PDBS = "/apis/policy/v1/poddisruptionbudgets"
METRICS = "/apis/metrics.k8s.io/v1beta1/nodes"
DCGM = "/api/v1/namespaces/gpu/services/dcgm:9400/proxy/metrics"


def collected(
    *objects: dict[str, Any], flags: tuple[str, ...] = ("--dcgm", "off"), cluster: Cluster | None = None
) -> dict[str, Any]:
    """Return the estate of some objects; it must be valid."""
    estate = estate_of((cluster or Cluster()).add(*objects), *flags)
    result = load_estate_text(json.dumps(estate), "estate.json")
    assert result.estate is not None, [str(one) for one in result.diagnostics]
    return estate


def scraped(text: str, *objects: dict[str, Any]) -> dict[str, Any]:
    """Return the estate of some objects whose exporter answers with `text`."""
    cluster = Cluster(answers={DCGM: ok(text)})
    return collected(*objects, flags=("--dcgm", "gpu/dcgm:9400"), cluster=cluster)


GPU_UTIL = 'DCGM_FI_DEV_GPU_UTIL{{gpu="{gpu}",UUID="{gpu}",Hostname="{host}"{more}}} {value}\n'


def series(
    value: object, *, gpu: str = "0", host: str = "n1", more: str = "", metric: str = "DCGM_FI_DEV_GPU_UTIL"
) -> str:
    """Return one line of an exporter's answer."""
    return GPU_UTIL.format(value=value, gpu=gpu, host=host, more=more).replace("DCGM_FI_DEV_GPU_UTIL", metric)
