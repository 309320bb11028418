"""Control loops that act on the same hour (methodology: Control-loop collision)."""

from dataclasses import dataclass

from findings import constants
from topology.model import Estate, Loop


@dataclass(frozen=True, slots=True)
class Window:
    """A collision: the hour (0 is the oldest), the cluster, and the loops active in it, by id."""

    hour: int
    cluster: str
    loops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collisions:
    """The collision windows by hour, and how many hours some loop was not observed in."""

    windows: tuple[Window, ...]
    unobserved_hours: int


def collisions(estate: Estate) -> Collisions:
    """Return the hours in which at least two loops of one cluster take at least eight actions each."""
    clusters = loops_by_cluster(estate)
    windows = []
    for hour in range(constants.HOURS_OBSERVED):
        for cluster, loops in clusters.items():
            active = tuple(loop.id for loop in loops if is_active(loop, hour))
            if len(active) >= constants.COLLISION_LOOPS:
                windows.append(Window(hour, cluster, active))
    unobserved = {
        hour for loop in estate.loops for hour, actions in enumerate(loop.hourly_actions) if actions is None
    }
    return Collisions(tuple(windows), len(unobserved))


def loops_by_cluster(estate: Estate) -> dict[str, list[Loop]]:
    """Return the loops of each cluster, both in id order."""
    clusters: dict[str, list[Loop]] = {}
    for loop in sorted(estate.loops, key=lambda loop: (loop.cluster or estate.cluster, loop.id)):
        clusters.setdefault(loop.cluster or estate.cluster, []).append(loop)
    return clusters


def is_active(loop: Loop, hour: int) -> bool:
    """Return whether a loop was seen to take enough actions in an hour."""
    actions = loop.hourly_actions[hour]
    return actions is not None and actions >= constants.COLLISION_ACTIONS
