"""How much of the estate the facility findings see (methodology: Facility-coverage and staleness stamps)."""

from dataclasses import dataclass

from findings.index import EstateIndex


@dataclass(frozen=True, slots=True)
class Coverage:
    """Nodes that reach a facility domain, of all nodes. `share` is None without nodes."""

    nodes: int
    covered: frozenset[str]
    share: float | None


def coverage(index: EstateIndex) -> Coverage:
    """Return nodes standing in ≥ 1 facility domain / all nodes."""
    nodes = index.estate.nodes
    covered = frozenset(node.id for group in index.groups if index.covered(group[0]) for node in group)
    return Coverage(len(nodes), covered, len(covered) / len(nodes) if nodes else None)
