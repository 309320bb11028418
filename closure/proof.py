"""The parts of a proof: why one thing is lost, or what keeps it alive and what that carries (spec 4)."""

from dataclasses import dataclass
from typing import Literal

from topology.model import Mode

Rule = Literal["failed", "out", "tripped", "parent-lost", "feeds-lost", "demoted", "standing-lost"]


@dataclass(frozen=True, slots=True)
class Shift:
    """What `things` pass on to `onto` [kW], with nothing failed or out and now that they lost `lost`."""

    type: Literal["domain", "node"]
    things: tuple[str, ...]
    lost: tuple[str, ...]
    onto: str
    before_kw: float
    after_kw: float


@dataclass(frozen=True, slots=True)
class Carried:
    """What a live domain carries in the strict check [kW]: with nothing failed or out, in the end, at most.

    One that trips carries in the end what tripped it, in round `tripped`. Not `exact`: power of unknown kW
    passes it, and all of them are lower bounds.
    """

    id: str
    before_kw: float
    after_kw: float
    peak_kw: float
    rated_kw: float | None
    exact: bool
    tripped: int | None = None

    @property
    def left_kw(self) -> float | None:
        """What it can still take [kW], negative where it is over; None without a rating."""
        return None if self.rated_kw is None else self.rated_kw - self.after_kw


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a proof: `id` is lost by `rule`, because of what is in `by` (explained by earlier hops).

    `axis`: where a node stands on it. `feeds`, `needed`: how many feeds there are, and how many must survive.
    `load_kw`, `limit_kw` [kW]: what exceeded what (a demotion, a trip); `survivors`: whose rating that is.
    `round`: when it tripped, from 1; `before_kw` [kW]: what it carried with nothing failed or out; `shifts`:
    what it carries more, and because of which losses.
    """

    id: str
    type: Literal["domain", "node"]
    rule: Rule
    by: tuple[str, ...] = ()
    axis: str | None = None
    feeds: int | None = None
    needed: int | None = None
    load_kw: float | None = None
    limit_kw: float | None = None
    survivors: tuple[str, ...] = ()
    round: int | None = None
    before_kw: float | None = None
    shifts: tuple[Shift, ...] = ()


@dataclass(frozen=True, slots=True)
class Hold:
    """What keeps `id` alive: its parent, or enough of its feeds, or enough of what a node names on one axis.

    `needed` of `alive` and `lost` together must survive: every one in mode `one` and `all`.
    For feeds: `draw_kw` [kW] (None: unknown), `rated_kw` [kW] of those alive (None: some in `unrated`), and
    `margin_kw` between the two (None: one of them is unknown, or the feeds carry nothing). `carried`: what
    each of those alive carries in the strict check, for itself and everything else that hangs from it.
    """

    id: str
    type: Literal["domain", "node"]
    through: Literal["parent", "feeds", "standing"]
    mode: Mode
    alive: tuple[str, ...]
    lost: tuple[str, ...]
    needed: int
    axis: str | None = None
    draw_kw: float | None = None
    rated_kw: float | None = None
    margin_kw: float | None = None
    unrated: tuple[str, ...] = ()
    carried: tuple[Carried, ...] = ()

    @property
    def spare(self) -> int:
        """How many more of `alive` it can lose."""
        return len(self.alive) - self.needed


@dataclass(frozen=True, slots=True)
class Proof:
    """Why one thing is lost (`hops`, sources first, the thing last), or what holds it (`holds`, likewise).

    `holds` covers the thing itself and everything above it that survives with something lost.
    `strict_hops` say the same of the strict check, where it was given and loses the thing; `carried` is what
    the thing itself carries there, if it is a domain of power or heat and alive or tripped.
    """

    id: str
    type: Literal["domain", "node"]
    lost: bool
    hops: tuple[Hop, ...]
    holds: tuple[Hold, ...]
    strict_lost: bool | None
    strict_hops: tuple[Hop, ...]
    carried: Carried | None = None
