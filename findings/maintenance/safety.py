"""Whether things may be taken out for maintenance: what that loses, and what nobody can tell (beyond)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from closure.cascade import close, split_ids
from closure.compiled import Facility
from closure.growth import Growth, growth
from closure.results import Closure, Degraded, Strict
from closure.strict import Round, outcome, simulate
from closure.unplaced import unplaced_drawing
from findings.index import EstateIndex
from findings.maintenance.roles import RoleAtStake, roles_at_stake
from findings.roles import count_roles
from topology.kinds import Commodity
from topology.model import Number
from topology.supply import Supply

Why = Literal[
    "allocated-unknown",
    "cooling-undeclared",
    "cooling-unnamed",
    "draw-unknown",
    "load-unknown",
    "power-undeclared",
    "power-unnamed",
    "scene-unknown",
    "unrated",
    "unrated-feeds",
]
_UNPLACED: Final[Mapping[tuple[Commodity, Supply], Why]] = {
    ("power", "unnamed"): "power-unnamed",
    ("power", "undeclared"): "power-undeclared",
    ("heat", "unnamed"): "cooling-unnamed",
    ("heat", "undeclared"): "cooling-undeclared",
}


@dataclass(frozen=True, slots=True)
class Loss:
    """A node that the work loses, and which of the two engines says so. `allocated` None: unknown."""

    node: str
    allocated: Number | None
    closure: bool
    strict: bool


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that the answer needs and nobody knows, at `id`; `feeds` are those without a rating."""

    id: str
    why: Why
    feeds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Safety:
    """What taking `ids` out means beyond the scene: losses, doubts, and what lost a feed; each by id.

    `degraded` are those that survive in both engines: what trips by the strict check is no survivor.
    `already` is the strict check of the scene alone. `roles` None: no node has a role reported.
    """

    ids: tuple[str, ...]
    closure: Closure
    strict: Strict
    already: Strict
    losses: tuple[Loss, ...]
    doubts: tuple[Doubt, ...]
    degraded: tuple[Degraded, ...]
    roles: tuple[RoleAtStake, ...] | None

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains that either engine loses beyond what it has lost already."""
        by_closure = {loss.id for loss in self.closure.domains}.difference(self.closure.baseline_domains)
        return tuple(sorted(by_closure.union(set(self.strict.domains).difference(self.already.domains))))

    @property
    def tripped(self) -> tuple[str, ...]:
        """What trips, and does not without the work."""
        already = {trip.id for trip in self.already.tripped}
        return tuple(trip.id for trip in self.strict.tripped if trip.id not in already)

    @property
    def quorums(self) -> tuple[RoleAtStake, ...]:
        """The voting roles that the work costs their majority."""
        return tuple(role for role in self.roles or () if role.takes_quorum)

    @property
    def allocated(self) -> tuple[Loss, ...]:
        """The losses of nodes that are known to hold allocated units."""
        return tuple(loss for loss in self.losses if loss.allocated)

    @property
    def safe(self) -> bool | None:
        """Whether no allocated node and no quorum is lost; None where that cannot be decided."""
        if self.allocated or self.quorums:
            return False
        return None if self.doubts else True

    @property
    def without_redundancy(self) -> tuple[Degraded, ...]:
        """Survivors that cannot lose another feed while the work goes on."""
        return tuple(each for each in self.degraded if each.spare == 0)


@dataclass(frozen=True, eq=False)
class Scene:
    """The estate before the work: what is out of service is out. Not slotted: computed once, and kept."""

    facility: Facility
    index: EstateIndex

    @cached_property
    def closure(self) -> Closure:
        """What is lost already."""
        return close(self.facility, ())

    @cached_property
    def rounds(self) -> list[Round]:
        """The rounds of the strict check of what is out already: what trips in them is part of the scene."""
        return simulate(self.facility, ())

    @property
    def settled(self) -> Round:
        """The last of them."""
        return self.rounds[-1]

    @cached_property
    def strict(self) -> Strict:
        """What is lost already by the strict check."""
        return outcome(self.facility, self.rounds, (), self.closure)

    @cached_property
    def doubtful(self) -> frozenset[int]:
        """The domains, by index, that trip with what is out, or of which nobody knows whether they stand."""
        facility = self.facility
        if not facility.out:
            return frozenset()
        whole = Scene(replace(facility, out=frozenset()), self.index)
        found = judge_alone(whole, [facility.domain_ids[d] for d in sorted(facility.out)]).doubts
        names = {each.id for each in found}.intersection(facility.domain_index)
        names |= {trip.id for trip in self.strict.tripped}
        return frozenset(facility.domain_index[name] for name in names)

    @cached_property
    def worse(self) -> "tuple[Scene, ...]":
        """The scene without the doubtful domains, then without what is in doubt then as well, and so on."""
        scenes = [self]
        while more := scenes[-1].doubtful - scenes[-1].facility.out:
            facility = scenes[-1].facility
            scenes.append(Scene(replace(facility, out=facility.out | more), self.index))
        return tuple(scenes[1:])

    @cached_property
    def overloaded(self) -> frozenset[str]:
        """What is lost in the scene by load alone: demoted, or tripped. It may hold after all."""
        demoted = {each.id for each in self.closure.domains if each.cause == "demoted"}
        return frozenset(demoted.union(trip.id for trip in self.strict.tripped))

    @cached_property
    def holding(self) -> "Scene":
        """The scene in which everything carries what it has to: nothing is rated."""
        return Scene(replace(self.facility, rated_kw=(None,) * len(self.facility.domain_ids)), self.index)

    @cached_property
    def role_totals(self) -> Counter[tuple[str, str]]:
        """How many nodes every cluster has of every role."""
        return count_roles(self.index, self.index.estate.nodes)


def judge(scene: Scene, ids: Iterable[str]) -> Safety:
    """Judge taking things out together, also if all that is in doubt in the scene is lost, or stands.

    Raises UnknownId for ids that are neither domain nor node.
    """
    found = judge_alone(scene, ids)
    ids = found.ids
    if not found.safe:
        return found
    names: set[str] = set()
    if not all(judge_alone(worse, ids).safe for worse in scene.worse):
        names.update(scene.facility.domain_ids[d] for d in scene.doubtful)
    if scene.overloaded and judge_alone(scene.holding, ids).safe is False:
        names.update(scene.overloaded)
    return replace(found, doubts=tuple(Doubt(name, "scene-unknown") for name in sorted(names)))


def judge_alone(scene: Scene, ids: Iterable[str]) -> Safety:
    """Judge taking domains or nodes out together: lost is what an engine loses beyond the scene.

    Raises UnknownId for ids that are neither domain nor node.
    """
    closure = close(scene.facility, ids)
    failed_domains, failed_nodes = split_ids(scene.facility, closure.failed)
    rounds = simulate(scene.facility, failed_domains, failed_nodes)
    strict = outcome(scene.facility, rounds, failed_nodes, closure)
    losses = _losses(scene, closure, strict)
    before = set(scene.closure.degraded)
    degraded = tuple(each for each in closure.degraded if each not in before)
    doubts = {*_doubtful_nodes(losses), *_unverified(closure, degraded)}
    grown = growth(scene.facility, scene.rounds, rounds, failed_nodes)
    doubts |= {*_overloads(scene.facility, grown, strict)}
    lost = _lost_domains(scene.facility, closure, strict)
    already = _lost_domains(scene.facility, scene.closure, scene.strict)
    taken = (lost[0] - already[0]) | (lost[1] - already[1])
    for each in unplaced_drawing(scene.facility, taken, lost[0] | lost[1], failed_nodes):
        doubts.add(Doubt(each.id, _UNPLACED[each.commodity, each.why]))
    lost_by_strict = {*strict.domains, *strict.nodes}
    return Safety(
        ids=closure.failed,
        closure=closure,
        strict=strict,
        already=scene.strict,
        losses=losses,
        doubts=tuple(sorted(doubts, key=lambda doubt: (doubt.id, doubt.why))),
        degraded=tuple(each for each in degraded if each.id not in lost_by_strict),
        roles=_roles(scene, closure, losses),
    )


def _lost_domains(facility: Facility, closure: Closure, strict: Strict) -> tuple[set[int], set[int]]:
    """Return the domains that the closure and those that the strict check loses, by index."""
    index = facility.domain_index
    return {index[each.id] for each in closure.domains}, {index[name] for name in strict.domains}


def _roles(scene: Scene, closure: Closure, losses: Iterable[Loss]) -> tuple[RoleAtStake, ...] | None:
    if not scene.role_totals:
        return None
    losses = tuple(losses)
    engines = (
        (closure.baseline_nodes, [loss.node for loss in losses if loss.closure]),
        (scene.strict.nodes, [loss.node for loss in losses if loss.strict]),
    )
    return roles_at_stake(scene.index, scene.role_totals, engines)


def closure_blocks(scene: Scene, ids: Iterable[str]) -> bool:
    """Return whether the closure alone forbids it. It is monotone: then it forbids every larger set too."""
    closure = close(scene.facility, ids)
    lost = {node.id for node in closure.nodes}.difference(closure.baseline_nodes)
    if any(scene.index.nodes[node].allocated != 0 for node in lost):
        return True
    roles = roles_at_stake(scene.index, scene.role_totals, ((closure.baseline_nodes, lost),))
    return any(role.takes_quorum for role in roles)


def _losses(scene: Scene, closure: Closure, strict: Strict) -> tuple[Loss, ...]:
    by_closure = {node.id for node in closure.nodes}.difference(closure.baseline_nodes)
    by_strict = set(strict.nodes).difference(scene.strict.nodes)
    return tuple(
        Loss(node, scene.index.nodes[node].allocated, node in by_closure, node in by_strict)
        for node in sorted(by_closure | by_strict)
    )


def _doubtful_nodes(losses: Iterable[Loss]) -> Iterator[Doubt]:
    for loss in losses:
        if loss.allocated is None:
            yield Doubt(loss.node, "allocated-unknown")


def _unverified(closure: Closure, degraded: Iterable[Degraded]) -> Iterator[Doubt]:
    """Survivors whose remaining feeds nobody can vouch for, where the work is what took a feed."""
    touched = {each.id for each in degraded}
    for each in closure.electrically_unverified:
        if each.id in touched and not each.draw_known:
            yield Doubt(each.id, "draw-unknown")
        if each.id in touched and each.unrated_feeds:
            yield Doubt(each.id, "unrated-feeds", each.unrated_feeds)


def _overloads(facility: Facility, grown: Growth, strict: Strict) -> Iterator[Doubt]:
    """What carries more, or may, while nobody knows what it can carry, or how much it does.

    What trips under the known part of its load is no doubt.
    """
    for d in grown.domains:
        if facility.rated_kw[d] is None:
            yield Doubt(facility.domain_ids[d], "unrated")
    tripped = {trip.id for trip in strict.tripped}
    for d in grown.unsure:
        if facility.domain_ids[d] not in tripped:
            yield Doubt(facility.domain_ids[d], "load-unknown")
