"""Which single upstream failures lose a domain, ratings ignored: the closure's losing sets of order 1.

A failure x loses a domain when x is the domain, when it loses its parent, or when it loses so many of
its feeds that fewer than `minFeeds` survive (spec 4, rules 1 to 3). By induction over the parents-first
order the set of all such x is exact, which mere reachability is not: a feed that itself has a second
source survives the loss of one.

Sets are the bits of an int. Only a domain from which two things hang can be the lowest meeting point of
two feeds (below a domain with one dependent, that dependent is lost with it, and lower), so only those
have a bit, numbered parents first: the highest bit of a set has nothing of the set below it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_

from topology.chains import Chains, hangs_from
from topology.model import Domain


class SingleFailures:
    """The single failures that lose each of the `wanted` domains and whatever is upstream of them."""

    def __init__(
        self, domains: Mapping[str, Domain], chains: Chains, wanted: Iterable[str], meeting: Iterable[str]
    ) -> None:
        """`meeting` names, once per thing that hangs from it, what other things than domains hang from."""
        self._domains = domains
        self._bit: dict[str, int] = {}
        self._of_bit: list[str] = []
        self._lost_by: dict[str, int] = {}
        index = {name: i for i, name in enumerate(chains.ids)}
        dependents = [len(downs) for downs in chains.downstream]
        for name in meeting:
            if name in index:
                dependents[index[name]] += 1
        needed = _upstream_of(chains, (index[name] for name in wanted if name in index))
        for i in chains.order:
            if i in needed:
                self._add(chains.ids[i], shared=dependents[i] > 1)

    def _add(self, name: str, *, shared: bool) -> None:
        domain = self._domains[name]
        lost_by = 0 if domain.parent is None else self._lost_by.get(domain.parent, 0)
        feeds = distinct_feeds(domain)
        if feeds:
            lost_by |= self.losing(feeds, max(1, len(feeds) - domain.feeds_needed + 1))
        if shared:
            self._bit[name] = len(self._of_bit)
            lost_by |= 1 << self._bit[name]
            self._of_bit.append(name)
        self._lost_by[name] = lost_by

    def losing(self, names: Sequence[str], count: int) -> int:
        """Return the set of failures that each lose at least `count` of the domains."""
        return _in_at_least([self._lost_by.get(name, 0) for name in names], count)

    def lowest(self, failures: int) -> Iterator[str]:
        """Yield the members of a set that have no other member below them."""
        while failures:
            name = self._of_bit[failures.bit_length() - 1]
            yield name
            failures &= ~self._lost_by[name]

    def loses(self, culprit: str, name: str) -> bool:
        """Return whether the failure of `culprit` alone loses the domain."""
        return culprit == name or bool(self._lost_by.get(name, 0) >> self._bit[culprit] & 1)

    def path(self, name: str, culprit: str) -> list[str]:
        """Return a chain of losses from `name` up to `culprit`: by the parent, else the first lost feed."""
        path = [name]
        while path[-1] != culprit:
            domain = self._domains[path[-1]]
            others = (up for up in hangs_from(domain) if up != domain.id)
            path.append(next(up for up in others if self.loses(culprit, up)))
        return path


def distinct_feeds(domain: Domain) -> tuple[str, ...]:
    """Return the feeds, each once, without the domain itself (both are faults of their own)."""
    feeds = domain.feeds
    if domain.id not in feeds and (len(feeds) < 2 or len(set(feeds)) == len(feeds)):
        return feeds
    return tuple(feed for feed in dict.fromkeys(feeds) if feed != domain.id)


def _upstream_of(chains: Chains, start: Iterable[int]) -> set[int]:
    found = set(start)
    queue = list(found)
    for i in queue:
        fresh = [up for up in chains.upstream[i] if up not in found]
        found.update(fresh)
        queue += fresh
    return found


def _in_at_least(sets: Sequence[int], count: int) -> int:
    """Return the bits that stand in at least `count` (>= 1) of the sets, counted in binary planes."""
    if count == len(sets):
        return reduce(and_, sets)
    planes: list[int] = []
    for members in sets:
        carry = members
        for digit, plane in enumerate(planes):
            planes[digit], carry = plane ^ carry, plane & carry
        if carry:
            planes.append(carry)
    more, equal = 0, -1
    for digit in reversed(range(max(len(planes), count.bit_length()))):
        plane = planes[digit] if digit < len(planes) else 0
        if count >> digit & 1:
            equal &= plane
        else:
            more |= equal & plane
            equal &= ~plane
    return more | equal
