"""What is lost, what carries more, what has no redundancy left: the electrical half of the page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from findings.degraded import degraded_in_either
from findings.scenario import WhatIf
from topo.kind_words import kind_word
from topo.text.carried import Carried, carried_table, flow_columns
from topo.text.page import PageOptions, block, heading, rows_of, sentence, short
from topo.text.table import UNKNOWN, Column, table
from topo.text.verdict import shared_words
from topo.text.words import count, number, percent
from topology.kinds import KINDS


def lost_section(result: WhatIf, options: PageOptions) -> list[str]:
    closure = result.closure
    causes = {domain.id: domain.cause for domain in closure.domains}
    nodes = [node.id for node in closure.nodes]
    note = "by the closure" if result.strict.agrees else "by the closure; the strict check differs, see below"
    return [*heading("Lost", note, options.style), *_losses(result, causes, nodes, options, title="kind")]


_CAUSES: Final = ("failed", "out", "demoted", "tripped", "feeds-lost", "parent-lost", "")
"""What took a domain, the most telling first; the strict check says it of those that trip alone."""


def _losses(
    result: WhatIf, causes: Mapping[str, str], nodes: Sequence[str], options: PageOptions, *, title: str
) -> list[str]:
    """Return the table of what is lost by kind: `causes` of the domains by id, and the nodes.

    Of the nodes those with a role are named first: without them a cluster, not a job, is gone.
    """
    estate = result.estate
    total = Counter(domain.kind for domain in estate.domains.values())
    rows = []
    for kind in KINDS:
        lost = [name for name in causes if estate.domains[name].kind == kind]
        if lost:
            lost.sort(key=lambda name: (_CAUSES.index(causes[name]), name))
            named = [f"{short(name)} ({causes[name]})" if causes[name] else short(name) for name in lost]
            rows.append([kind_word(kind), number(len(lost)), number(total[kind]), _which(named, options)])
    if nodes:
        which = _which([short(name) for name in _with_roles_first(result, nodes)], options)
        rows.append(["nodes", number(len(nodes)), number(len(estate.nodes)), which])
    columns = [
        Column(title),
        Column("lost", right=True),
        Column("of", right=True),
        Column("which", wraps=True),
    ]
    return table(columns, rows)


def _which(names: Sequence[str], options: PageOptions) -> str:
    return options.fitting(names, _WHICH_WIDTH)


_WHICH_WIDTH: Final = 52


def demoted_section(result: WhatIf, options: PageOptions) -> list[str]:
    demoted = [domain for domain in result.closure.domains if domain.cause == "demoted"]
    if not demoted:
        return []
    rows = [
        [each.id, number(each.load_kw), number(each.surviving_rated_kw), options.some(each.survivors, 3)]
        for each in demoted
    ]
    shared = shared_words(result, options)
    columns = [
        Column("domain", flexible=True),
        Column("kW if alone" if shared else "load kW", right=True),
        Column("survivors' kW", right=True),
        Column("surviving feeds", wraps=True),
    ]
    note = "redundant on paper; the surviving feeds cannot carry the load"
    lines = block(("Demoted", note), columns, rows, options)
    if not shared:
        return lines
    alone = "kW if alone: the load if it alone carried everything, as if every other feed were gone."
    return [*lines, *sentence(f"{alone} {shared}")]


def strict_section(result: WhatIf, options: PageOptions) -> list[str]:
    strict = result.strict
    bound = "; flows are lower bounds" if strict.lower_bound else ""
    lines = heading("Strict electrical check", f"what shifts onto the survivors{bound}", options.style)
    lines += sentence(_difference(result))
    lines += _only_here(result, options)
    if strict.tripped:
        rows = [
            [
                t.id,
                number(t.round),
                number(t.before_kw),
                number(t.after_kw),
                number(t.rated_kw),
                percent(t.after_kw / t.rated_kw),
            ]
            for t in sorted(strict.tripped, key=lambda trip: (trip.round, trip.id))
        ]
        columns = [
            Column("trips", flexible=True),
            Column("round", right=True),
            *flow_columns(),
            Column("load", right=True),
        ]
        lines += rows_of(columns, rows, options)
    if strict.survivors:
        carried = (Carried(s.id, s.before_kw, s.after_kw, s.rated_kw) for s in strict.survivors)
        lines += carried_table(carried, options)
    return lines


def _only_here(result: WhatIf, options: PageOptions) -> list[str]:
    """Return what the strict check alone loses, by kind."""
    closure, strict = result.closure, result.strict
    trips = {trip.id for trip in strict.tripped}
    domains = sorted(set(strict.domains) - {domain.id for domain in closure.domains})
    nodes = sorted(set(strict.nodes) - {node.id for node in closure.nodes})
    causes = {name: "tripped" if name in trips else "" for name in domains}
    if not domains and not nodes:
        return []
    return _losses(result, causes, nodes, options, title="only here")


def _with_roles_first(result: WhatIf, nodes: Sequence[str]) -> list[str]:
    serving = {node.id for node in result.estate.nodes if node.roles}
    return sorted(nodes, key=lambda name: (name not in serving, name))


def _difference(result: WhatIf) -> str:
    closure, strict = result.closure, result.strict
    if strict.agrees:
        return "Agrees with the closure: the same nodes are lost."
    ours = {node.id for node in closure.nodes}
    more_nodes = len(set(strict.nodes) - ours)
    fewer_nodes = len(ours.difference(strict.nodes))
    leads = {"strict": "the strict check is worse and leads", "closure": "the closure is worse and leads"}
    return (
        f"Differs from the closure: loses {count(more_nodes, 'node')} more "
        f"and {count(fewer_nodes, 'node')} fewer; "
        f"{leads.get(result.worse, 'neither is worse')}."
    )


def degraded_section(result: WhatIf, options: PageOptions) -> list[str]:
    degraded = degraded_in_either(result)
    if not degraded:
        return []
    last = sum(each.spare == 0 for each in degraded)
    rows = [
        [
            each.id,
            _kind(result, each.id),
            options.some(each.lost_feeds, 2),
            options.some(each.surviving_feeds, 2),
        ]
        for each in sorted(degraded, key=lambda each: (each.spare, each.type, each.id))
    ]
    columns = [
        Column("alive", flexible=True),
        Column("kind"),
        Column("lost feeds", wraps=True),
        Column("left", wraps=True),
    ]
    note = f"{number(len(degraded))} alive with a feed gone; {number(last)} of them cannot lose another"
    return block(("Redundancy lost", note), columns, rows, options)


def _kind(result: WhatIf, identifier: str) -> str:
    domain = result.estate.domains.get(identifier)
    return "node" if domain is None else kind_word(domain.kind)


_SNAPSHOT: Final = (
    "give a snapshot (estate.json, this map with --topology): a map alone has no load to judge by"
)


def unverified_section(result: WhatIf, options: PageOptions) -> list[str]:
    unverified = result.closure.electrically_unverified
    if not unverified:
        return []
    rows = [
        [each.id, "yes" if each.draw_known else UNKNOWN, options.some(each.unrated_feeds, 3) or "none"]
        for each in unverified
    ]
    columns = [
        Column("survivor", flexible=True),
        Column("draw known"),
        Column("unrated feeds", wraps=True),
    ]
    wanted = ["rate the feeds"] if any(each.unrated_feeds for each in unverified) else []
    if not all(each.draw_known for each in unverified):
        wanted.append(_SNAPSHOT if result.estate.bare else "give kW per unit")
    note = f"nobody can say whether these carry the load: {' and '.join(wanted)}"
    return block(("Electrically unverified", note), columns, rows, options)
