"""The fixed texts that travel with figures, word for word, wherever a flag or a dollar rests on them."""

from typing import Final

CRITICALITY_CAVEAT: Final = (
    "Criticality is a heuristic: a workload counts as critical when its pod label "
    'iverson.gpu/critical is "true", when a PodDisruptionBudget selects it, or when its priority class '
    "contains system-cluster-critical. Review and re-label: a wrong criticality flag skews every "
    "critical-share figure downstream of it."
)
"""Printed with every figure that counts critical units (methodology: Criticality)."""

SELF_REPORTED_NOTE: Final = (
    "Checkpoint and restart annotations are self-reported: owner-annotated, not observed by the "
    "collector. They drive shed order and priced dollars; validate them against actual checkpoint I/O "
    "before acting on a shed or failover plan priced from them."
)
"""Printed with every dollar or drain time that rests on an annotation (methodology: Checkpoint cadence)."""

NO_MAP_CAVEAT: Final = (
    "No facility map: no node stands on a power or cooling domain, so physical findings degrade to zone "
    "and host level. Supply --topology topology.yaml or label the nodes."
)
"""Printed when no node reaches a facility domain (methodology: Topology inputs)."""

CPU_UNIT_CAVEAT: Final = "Units are CPU cores, not GPUs: this estate was collected with --unit cpu."
"""The label of a GPU-less estate (methodology: What the collector reads)."""
