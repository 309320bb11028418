"""The one word over a scenario: what its page, its picture and its document begin with (beyond)."""

from typing import Final, Literal

Verdict = Literal["outage", "unknown", "degraded", "ok"]

VERDICTS: Final[dict[Verdict, str]] = {
    "outage": "nodes are lost, by the worse of the two engines",
    "unknown": "no node is known to be lost, and survivors are not proven safe",
    "degraded": "no node is lost, and survivors lost a feed",
    "ok": "nothing that hangs from it notices",
}
"""Every verdict, the worst first, with what it means."""


def verdict_of(*, nodes: int, unproven: bool, degraded: bool) -> Verdict:
    """Return the first verdict that holds of what the worse engine loses and what survives."""
    if nodes:
        return "outage"
    if unproven:
        return "unknown"
    return "degraded" if degraded else "ok"
