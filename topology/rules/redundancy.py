"""Redundancy on paper: the feeds of one thing end in one upstream domain (rule fake-redundancy)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from topology.diagnostics import Fault, Route
from topology.meetings import Cords, Meeting, meetings
from topology.rules.chains import hop
from topology.rules.common import chain_text, fault, plural, quoted
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes


_CORD_AXES: Final = frozenset({"pdu", "ups"})


def fake_redundancy(facts: Facts, routes: "Routes") -> list[Fault]:
    """One upstream domain whose failure alone loses all feeds of a domain, or all of a node's list.

    With `minFeeds`, losing so many that too few survive is the same. Only what claims redundancy counts:
    more feeds than it needs.
    """
    cords = (
        Cords(axis, ids, tuple(sorted(nodes)))
        for (axis, mode, ids), nodes in facts.walk.lists.items()
        if mode == "any"
    )
    return [_fault(meeting, facts, routes) for meeting in meetings(facts.domains, facts.chains, cords)]


def _fault(meeting: Meeting, facts: Facts, routes: "Routes") -> Fault:
    culprit = facts.domains[meeting.domain]
    name, at = _first_claimant(meeting, routes)
    return fault(
        "fake-redundancy",
        f"'{culprit.id}' alone loses {' and '.join(_counts(meeting))}: "
        + "; ".join(chain_text([name, *path]) for path in meeting.paths),
        routes.domain(culprit.id) if culprit.declared else at,
        f"Feed one side of '{name}' from a source that does not hang from '{culprit.id}'."
        if not meeting.last_resort
        else "Most facilities end in one; a generator or a second supply behind one side would part them.",
        [culprit.id, *meeting.domains, *meeting.nodes],
        related=((at, f"the feeds of '{name}'"), *_hops(meeting.paths, facts, routes)),
        severity="info" if meeting.last_resort else None,
        key=culprit.declared,
    )


def _first_claimant(meeting: Meeting, routes: "Routes") -> tuple[str, Route]:
    if meeting.domains:
        return meeting.domains[0], routes.domain(meeting.domains[0], "feeds")
    cords = meeting.cords[0]
    return cords.nodes[0], routes.node_axis(cords.nodes[0], cords.axis)


def _counts(meeting: Meeting) -> Iterator[str]:
    domains, nodes = meeting.domains, meeting.nodes
    if domains:
        yield f"the redundant feeds of {plural(len(domains), 'domain')} ({quoted(domains)})"
    if nodes:
        axes = {cords.axis for cords in meeting.cords}
        said = plural(len(nodes), "node")
        if axes <= _CORD_AXES:
            yield f"all cords of {said} ({quoted(nodes)})"
        else:
            yield f"all that {said} ({quoted(nodes)}) can choose from on {' and '.join(sorted(axes))}"


def _hops(paths: Sequence[Sequence[str]], facts: Facts, routes: "Routes") -> Iterator[tuple[Route, str]]:
    for down, up in dict.fromkeys(step for path in paths for step in pairwise(path)):
        yield hop(facts.domains[down], up, routes)
