"""The refusal of ids that the estate does not know, with the closest that it does."""

from collections.abc import Iterable, Sequence

_CANDIDATES = 2000
"""How many known ids are compared in full, at most: keeps the answer instant on the largest estate."""

_COMPARED_CHARACTERS = 80


class UnknownId(Exception):
    """Ids that are neither domain nor node, as data: `closest[i]` are the known ids most like `ids[i]`."""

    def __init__(self, ids: tuple[str, ...], closest: tuple[tuple[str, ...], ...]) -> None:
        super().__init__(ids, closest)
        self.ids = ids
        self.closest = closest

    def __str__(self) -> str:
        sentences = []
        for unknown, known in zip(self.ids, self.closest, strict=True):
            hint = f": did you mean {' or '.join(map(repr, known))}?" if known else ""
            sentences.append(f"no domain or node is called {unknown!r}{hint}")
        return "; ".join(sentences)


def unknown_id(unknown: Iterable[str], known: Sequence[str]) -> UnknownId:
    """Build the refusal for `unknown` ids, each with up to three of the `known` ones."""
    ids = tuple(sorted(unknown))
    return UnknownId(ids, tuple(closest_ids(wanted, known) for wanted in ids))


def closest_ids(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return up to three known ids most like `wanted`, best first; case is no difference."""
    import difflib

    target = wanted.casefold()[:_COMPARED_CHARACTERS]
    candidates = known if len(known) <= _CANDIDATES else _shortlist(target, known)
    folded: dict[str, str] = {}
    for candidate in sorted(candidates):
        folded.setdefault(candidate.casefold()[:_COMPARED_CHARACTERS], candidate)
    matches = difflib.get_close_matches(target, folded, n=3, cutoff=0.6)
    if not matches:  # nothing is really close: the least far are still better than none
        matches = difflib.get_close_matches(target, folded, n=3, cutoff=0.0)
    return tuple(folded[match] for match in matches)


def _shortlist(target: str, known: Sequence[str]) -> list[str]:
    """The known ids that share most pairs of adjacent characters with the target."""
    pairs = {target[i : i + 2] for i in range(len(target) - 1)}
    near = [candidate for candidate in known if abs(len(candidate) - len(target)) <= 3] or list(known)
    scored = sorted((-sum(pair in candidate.casefold() for pair in pairs), candidate) for candidate in near)
    return [candidate for _, candidate in scored[:_CANDIDATES]]
