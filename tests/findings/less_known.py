"""Estates of which somebody knows less: for laws that say what knowing more may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from tests.generator import Choices, Size, estate_from
from topology.model import Domain, Estate

SIZES = (Size(7, 4, 1, rated=3, kw_known=True), Size(14, 7, 1, rated=4, kw_known=True))


def known(seed: int) -> Estate:
    """A generated estate in which every node says its own kW; small ones leave room for coincidence."""
    estate = estate_from(Choices(Random(seed).randrange), SIZES[seed % 2])
    kw = estate.watts_per_unit_kw
    told = tuple(n if n.kw_per_unit is not None else replace(n, kw_per_unit=kw) for n in estate.nodes)
    return replace(estate, nodes=told, watts_per_unit_kw=None)


def less_known(seed: int) -> tuple[Estate, Estate]:
    """An estate, and the same without one or two of its ratings, or of its kW."""
    estate, dice = known(seed), Random(~seed)
    rated = sorted(name for name, domain in estate.domains.items() if domain.rated_kw is not None)
    drawing = [node.id for node in estate.nodes if node.allocated]
    forgotten = set(dice.sample([*rated, *drawing], min(len(rated) + len(drawing), dice.choice((1, 1, 2)))))
    domains: Mapping[str, Domain] = {
        name: replace(domain, rated_kw=None) if name in forgotten else domain
        for name, domain in estate.domains.items()
    }
    nodes = tuple(replace(n, kw_per_unit=None) if n.id in forgotten else n for n in estate.nodes)
    return estate, replace(estate, domains=domains, nodes=nodes)
