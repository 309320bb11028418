"""The refusal of ids that the estate does not know, with the closest that it does."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

_CANDIDATES = 2000
"""How many known ids are compared in full, at most: keeps the answer instant on the largest estate."""

_COMPARED_CHARACTERS = 80
_OFFERED: Final = 3
_CLOSE: Final = 0.6
_NOT_FAR: Final = 0.4
"""Where nothing is close, what is not too far; below it, an offer would only be odd."""
_PART: Final = re.compile("[/:]")


class UnknownId(Exception):
    """Ids that are neither domain nor node, as data: `closest[i]` are the known ids most like `ids[i]`.

    `workloads` are those among them that the estate knows as workloads. `domains` says whether it has any
    domain at all: without, the facility map is missing.
    """

    def __init__(
        self,
        ids: tuple[str, ...],
        closest: tuple[tuple[str, ...], ...],
        workloads: tuple[str, ...] = (),
        domains: bool = True,
    ) -> None:
        super().__init__(ids, closest, workloads, domains)
        self.ids = ids
        self.closest = closest
        self.workloads = workloads
        self.domains = domains

    def __str__(self) -> str:
        sentences = []
        for unknown, known in zip(self.ids, self.closest, strict=True):
            hint = f": did you mean {' or '.join(map(repr, known))}?" if known else ""
            said = f"no domain or node is called {unknown!r}{hint}"
            sentences.append(
                f"{unknown!r} is a workload, neither domain nor node" if unknown in self.workloads else said
            )
        return "; ".join(sentences)


def unknown_id(
    unknown: Iterable[str],
    known: Sequence[str],
    *,
    workloads: Collection[str] = (),
    domains: bool = True,
) -> UnknownId:
    """Build the refusal for `unknown` ids, each with up to three of the `known` ones."""
    ids = tuple(sorted(unknown))
    jobs = tuple(wanted for wanted in ids if wanted in workloads)
    return UnknownId(ids, tuple(closest_ids(wanted, known) for wanted in ids), jobs, domains)


def closest_ids(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return up to three known ids most like `wanted`, best first; case is no difference.

    An id of several parts (`ml/pytorchjob/llama`) is like each of its parts. Nothing where none is close.
    """
    import difflib

    target = wanted.casefold()[:_COMPARED_CHARACTERS]
    candidates = known if len(known) <= _CANDIDATES else _shortlist(target, known)
    folded: dict[str, str] = {}
    for candidate in sorted(candidates):
        folded.setdefault(candidate.casefold()[:_COMPARED_CHARACTERS], candidate)
    having = [name for name in folded if target in _PART.split(name)]
    matches = [*having, *difflib.get_close_matches(target, folded, n=_OFFERED, cutoff=_CLOSE)]
    if not matches:
        matches = difflib.get_close_matches(target, folded, n=_OFFERED, cutoff=_NOT_FAR)
    return tuple(folded[match] for match in dict.fromkeys(matches))[:_OFFERED]


def _shortlist(target: str, known: Sequence[str]) -> list[str]:
    """The known ids that share most pairs of adjacent characters with the target."""
    pairs = {target[i : i + 2] for i in range(len(target) - 1)}
    near = [candidate for candidate in known if abs(len(candidate) - len(target)) <= 3] or list(known)
    scored = sorted((-sum(pair in candidate.casefold() for pair in pairs), candidate) for candidate in near)
    return [candidate for _, candidate in scored[:_CANDIDATES]]
