"""What the tests of telemetry share: lines of an exposition, where the exporter and Prometheus are."""

from __future__ import annotations

from topo import collect

PROXY = "/api/v1/namespaces/gpu/services/dcgm:9400/proxy/metrics"
QUERY = "/api/v1/namespaces/mon/services/prom:9090/proxy/api/v1/query"
SM, GR, UTIL = collect.UTILIZATION_METRICS


def line(metric: str, value: object, **labels: str) -> str:
    """Return one line of an exposition."""
    return metric + "{" + ",".join(f'{key}="{text}"' for key, text in labels.items()) + "}" + f" {value}\n"
