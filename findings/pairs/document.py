"""The document of `topo sweep --order 2 --format json` (spec: topo sweep)."""

from collections.abc import Iterable
from typing import Any

from findings.pairs.rows import LOSS_SHARES, PairRow, PairSweep
from findings.sweep_rows import scenario_to_json


def pair_document(sweep: PairSweep, *, load: str) -> dict[str, Any]:
    """Return the document: the keys of order 1, what is beyond the single failures, and the aggregate."""
    strict, worst = sweep.strict, sweep.worst
    return {
        "schemaVersion": 1,
        "order": 2,
        "load": load,
        "scenarios": _rows(sweep.rows),
        "coupledScenarios": _rows(sweep.coupled_rows),
        "strictScenarios": None if sweep.strict_rows is None else _rows(sweep.strict_rows),
        "aggregate": {
            "domains": sweep.domains,
            "pairs": sweep.pairs,
            "worst": None
            if worst is None
            else {
                "failed": list(worst.failed),
                "by": "strict" if worst.strict_size > worst.size else "closure",
            },
            "coupled": sweep.coupled,
            "criticalShareAtLeast": None
            if sweep.reaching is None
            else [
                {"share": share, "pairs": pairs}
                for share, pairs in zip(LOSS_SHARES, sweep.reaching, strict=True)
            ],
            "strict": None
            if strict is None
            else {"differ": strict.differing, "cascading": strict.cascading, "simulated": strict.run},
        },
    }


def _rows(rows: Iterable[PairRow]) -> list[dict[str, Any]]:
    return [
        {
            **scenario_to_json(row, row.failed),
            "beyondSingles": {
                "domains": row.beyond.domains,
                "nodes": row.beyond.nodes,
                "units": row.beyond.units,
                "criticalUnits": row.beyond.critical_units,
            },
        }
        for row in rows
    ]
