"""What is lost, what carries more, what has no redundancy left: the electrical half of the page."""

from collections import Counter

from findings.scenario import WhatIf
from topo.kind_words import kind_word
from topo.text.degraded import degraded_in_either
from topo.text.page import PageOptions, block, heading, rows_of, sentence, short
from topo.text.table import UNKNOWN, Column, table
from topo.text.verdict import shared_words
from topo.text.words import count, fitting, number, percent, some
from topology.kinds import KINDS


def lost_section(result: WhatIf, options: PageOptions) -> list[str]:
    estate, closure = result.estate, result.closure
    lost = Counter(estate.domains[domain.id].kind for domain in closure.domains)
    total = Counter(domain.kind for domain in estate.domains.values())
    rows = [
        [kind_word(kind), number(lost[kind]), number(total[kind]), _which(result, kind)]
        for kind in KINDS
        if lost[kind]
    ]
    if closure.nodes:
        nodes = fitting([short(node.id) for node in closure.nodes], _WHICH_WIDTH)
        rows.append(["nodes", number(len(closure.nodes)), number(len(estate.nodes)), nodes])
    columns = [
        Column("kind"),
        Column("lost", right=True),
        Column("of", right=True),
        Column("which", flexible=True),
    ]
    note = "by the closure" if result.strict.agrees else "by the closure; the strict check differs, see below"
    return [*heading("Lost", note, options.style), *table(columns, rows)]


def _which(result: WhatIf, kind: str) -> str:
    domains = [domain for domain in result.closure.domains if result.estate.domains[domain.id].kind == kind]
    order = ("failed", "out", "demoted", "feeds-lost", "parent-lost")
    domains.sort(key=lambda domain: (order.index(domain.cause), domain.id))
    return fitting([f"{short(domain.id)} ({domain.cause})" for domain in domains], _WHICH_WIDTH)


_WHICH_WIDTH = 52


def demoted_section(result: WhatIf, options: PageOptions) -> list[str]:
    demoted = [domain for domain in result.closure.domains if domain.cause == "demoted"]
    if not demoted:
        return []
    rows = [
        [each.id, number(each.load_kw), number(each.surviving_rated_kw), some(each.survivors, 3)]
        for each in demoted
    ]
    shared = shared_words(result)
    columns = [
        Column("domain", flexible=True),
        Column("kW if alone" if shared else "load kW", right=True),
        Column("survivors' kW", right=True),
        Column("surviving feeds", flexible=True),
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
    only = sorted(set(strict.nodes) - {node.id for node in result.closure.nodes})
    if only:
        lines += sentence(f"Lost only here: {fitting([short(each) for each in only], _WHICH_WIDTH)}.")
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
            *_FLOWS,
            Column("load", right=True),
        ]
        lines += rows_of(columns, rows, options)
    if strict.survivors:
        rows = [
            [
                s.id,
                number(s.before_kw),
                number(s.after_kw),
                number(s.rated_kw),
                _loading(s.after_kw, s.rated_kw),
            ]
            for s in sorted(strict.survivors, key=lambda s: (-_ratio(s.after_kw, s.rated_kw), s.id))
        ]
        columns = [Column("carries more", flexible=True), *_FLOWS, Column("load", right=True)]
        lines += rows_of(columns, rows, options)
    return lines


_FLOWS = (Column("before kW", right=True), Column("after kW", right=True), Column("rated kW", right=True))


def _ratio(after_kw: float, rated_kw: float | None) -> float:
    return -1.0 if rated_kw is None else after_kw / rated_kw


def _loading(after_kw: float, rated_kw: float | None) -> str:
    return UNKNOWN if rated_kw is None else percent(after_kw / rated_kw)


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
        [each.id, _kind(result, each.id), some(each.lost_feeds, 2), some(each.surviving_feeds, 2)]
        for each in sorted(degraded, key=lambda each: (each.spare, each.type, each.id))
    ]
    columns = [
        Column("alive", flexible=True),
        Column("kind"),
        Column("lost feeds", flexible=True),
        Column("left", flexible=True),
    ]
    note = f"{number(len(degraded))} alive with a feed gone; {number(last)} of them cannot lose another"
    return block(("Redundancy lost", note), columns, rows, options)


def _kind(result: WhatIf, identifier: str) -> str:
    domain = result.estate.domains.get(identifier)
    return "node" if domain is None else kind_word(domain.kind)


def unverified_section(result: WhatIf, options: PageOptions) -> list[str]:
    unverified = result.closure.electrically_unverified
    if not unverified:
        return []
    rows = [
        [each.id, "yes" if each.draw_known else UNKNOWN, some(each.unrated_feeds, 3) or "none"]
        for each in unverified
    ]
    columns = [
        Column("survivor", flexible=True),
        Column("draw known"),
        Column("unrated feeds", flexible=True),
    ]
    wanted = ["rate the feeds"] if any(each.unrated_feeds for each in unverified) else []
    wanted += [] if all(each.draw_known for each in unverified) else ["give kW per unit"]
    note = f"nobody can say whether these carry the load: {' and '.join(wanted)}"
    return block(("Electrically unverified", note), columns, rows, options)
