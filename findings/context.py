"""One estate at one moment, with everything that several findings share computed once."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from closure.compiled import Load, compile_facility
from findings.assumptions import COMMAND_LINE, kw_per_unit
from findings.beyond import Beyond
from findings.collision import Collisions, collisions
from findings.coverage import Coverage, coverage
from findings.entropy import Entropy, entropies
from findings.fake_redundancy import Meeting, meetings
from findings.idle import Idle, idle
from findings.index import EstateIndex
from findings.ledger import Ledger, ledger
from findings.lemon import Lemon
from findings.race import Race
from findings.reclaim import Reclaim, reclaim
from findings.single_fed import Cords, cords
from findings.staleness import Staleness, staleness
from findings.survey import Survey
from findings.term import Basis
from topology.model import Estate

LOADS: Final[tuple[Load, ...]] = ("allocated", "installed")
"""The loads at which findings beyond the methodology are judged: what runs now, and everything that could."""


@dataclass(frozen=True, eq=False)
class Context:
    """An estate at `now` (RFC 3339), its failures judged at `load`. Not slotted: results are kept.

    `now_basis` says where `now` comes from: a clock, or the command line.
    """

    estate: Estate
    now: str
    load: Load = "allocated"
    now_basis: Basis = "measured"

    @cached_property
    def kw_from_command_line(self) -> bool:
        """Whether the command line gives the kW per unit of any node: where it names no figure of its own."""
        if kw_per_unit(self.estate).basis != COMMAND_LINE:
            return False
        return any(node.kw_per_unit is None for node in self.estate.nodes)

    @cached_property
    def index(self) -> EstateIndex:
        """The estate's look-ups."""
        return EstateIndex(self.estate)

    @cached_property
    def _surveys(self) -> dict[Load, Survey]:
        return {}

    def survey(self, load: Load | None = None) -> Survey:
        """Return every single-domain failure at a kind of load (default: this context's)."""
        load = load or self.load
        if load not in self._surveys:
            like = next(iter(self._surveys.values()), None)
            self._surveys[load] = Survey(compile_facility(self.estate, load), self.index, like)
        return self._surveys[load]

    @cached_property
    def unrated(self) -> Survey:
        """Every single-domain failure with all ratings ignored: the bare graph."""
        domains = {name: replace(domain, rated_kw=None) for name, domain in self.estate.domains.items()}
        estate = replace(self.estate, domains=domains)
        return Survey(compile_facility(estate), self.index, self.survey())

    @cached_property
    def _beyond(self) -> dict[Load, Beyond]:
        return {}

    def beyond(self, load: Load) -> Beyond:
        """Return what the graph shows beyond the methodology, at a kind of load."""
        if load not in self._beyond:
            self._beyond[load] = Beyond(self.survey(load), self.unrated)
        return self._beyond[load]

    @cached_property
    def meetings(self) -> tuple[Meeting, ...]:
        """Where redundant feeds meet."""
        return meetings(self.estate)

    @cached_property
    def cords(self) -> tuple[Cords, ...]:
        """Every node's live power sources."""
        return cords(self.survey("allocated").facility)

    @cached_property
    def lemons(self) -> tuple[Lemon, ...]:
        """Every node's lemon score, by node id."""
        return tuple(self.index.lemons.values())

    @cached_property
    def idle(self) -> Idle:
        """The idle allocation."""
        return idle(self.index)

    @cached_property
    def ledger(self) -> Ledger:
        """The capacity ledger, always from the allocated load: free units are what would come on top."""
        return ledger(self.index, self.survey("allocated").facility)

    @cached_property
    def entropies(self) -> tuple[Entropy, ...]:
        """The allocation entropy per kind."""
        return entropies(self.index)

    @cached_property
    def collisions(self) -> Collisions:
        """The control loops' collisions."""
        return collisions(self.estate)

    @cached_property
    def races(self) -> tuple[Race, ...]:
        """One race per cooling domain, for its own failure."""
        return self.survey().races

    @cached_property
    def coverage(self) -> Coverage:
        """The facility coverage."""
        return coverage(self.index)

    @cached_property
    def staleness(self) -> Staleness:
        """The two ages."""
        return staleness(self.estate, self.now)

    @cached_property
    def reclaim(self) -> Reclaim:
        """The recoverable spend per cluster."""
        return reclaim(self.index)
