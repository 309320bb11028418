"""A dozen small estates that between them reach nearly every line of closure/ and findings/."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.generator import KINDS, Choices, Size, estate_from
from topology.apply import apply_topology
from topology.bare import estate_of
from topology.load import load_text
from topology.model import Estate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

SEEDED = (
    (212, Size(14, 9, 5)),
    (346, Size(9, 6, 3, rated=4, kw_known=True)),
    (253, Size(9, 6, 4)),
    (188, Size(18, 10, 5, rated=4, kw_known=True)),
    (275, Size(14, 8, 4, rated=4, kw_known=True)),
    (282, Size(14, 9, 5)),
    (34, Size(18, 10, 5, rated=4, kw_known=True)),
)
"""Seed and size, chosen for workloads, cooling and reconvergent feeds; about half are rated throughout."""


POWER_KINDS = ("utility", "ups", "ups", "power", "power", "power", "rack", "cooling")
POWERED = ((2123, Size(20, 2, 3, rated=6, kw_known=True)), (3122, Size(20, 2, 3, rated=4, kw_known=True)))
"""Nearly all of it power, where feeds that are lost together are what demotes (closure/gates.py)."""

WRITTEN = ("hosts", "services")
"""What the generator never makes: machines of which nobody says where they stand; services by replica, roles,
meters that are off, rates of failure."""


def loaded(folder: str) -> Estate:
    """Return an example: its snapshot with its map, or its map alone."""
    texts = {path.name: path.read_bytes() for path in (EXAMPLES / folder).glob("*.*")}
    facility = load_text(texts["topology.yaml"], "topology.yaml").topology
    assert facility is not None
    found = load_text(texts["estate.json"], "estate.json").estate if "estate.json" in texts else None
    return estate_of(facility) if found is None else apply_topology(found, facility)


def seeded(seed: int, size: Size, kinds: Sequence[str] = KINDS) -> Estate:
    """Return the estate of a seed."""
    return estate_from(Choices(Random(seed).randrange), size, kinds)


def written(name: str) -> Estate:
    """Return an estate that is written down here, snapshot and map in one."""
    file = f"{name}.json"
    found = load_text((Path(__file__).parent / file).read_bytes(), file).estate
    assert found is not None
    return found


def altered(estate: Estate) -> Estate:
    """Return an estate a little later: a rating gone, another halved, a feed cut, some things out or back."""
    domains = dict(estate.domains)
    rated = sorted(name for name, domain in domains.items() if domain.rated_kw)
    fed = sorted(name for name, domain in domains.items() if len(domain.feeds) > 1)
    for name in rated[:1]:
        domains[name] = replace(domains[name], rated_kw=None)
    for name in rated[1:2]:
        domains[name] = replace(domains[name], rated_kw=(domains[name].rated_kw or 0) / 2)
    for name in fed[-1:]:
        domains[name] = replace(domains[name], feeds=domains[name].feeds[1:], min_feeds=None)
    for name in sorted(domains)[:3]:
        domains[name] = replace(domains[name], out=not domains[name].out)
    return replace(estate, domains=domains, nodes=estate.nodes[:-1] or estate.nodes, workloads=())


def estates() -> Iterator[tuple[str, Estate]]:
    """Yield every estate with its name, the quickest first."""
    for folder in ("two-trains", "methodology", "authoring", "lab"):
        yield folder, loaded(folder)
    for name in WRITTEN:
        yield name, written(name)
    for seed, size in POWERED:
        yield f"power-{seed}", seeded(seed, size, POWER_KINDS)
    for seed, size in SEEDED:
        yield f"seed-{seed}", seeded(seed, size)
