"""What a valid file says, in one paragraph: what is there, what is rated and redundant, what is unknown."""

from collections import Counter
from collections.abc import Iterator

from topo.kind_words import kind_word
from topo.text.page import fails, next_command, sentence, short
from topo.text.words import count, some
from topology.kinds import KINDS
from topology.model import Estate

_NAMED = 3
_FACILITY = "power or cooling equipment; a rack alone is none"


def validity_lines(file: str, estate: Estate, facility_map: str | None = None) -> list[str]:
    """Return the paragraph and what to do next, under the map that an estate was checked with."""
    kind = "facility map" if estate.bare else f"estate of cluster {short(estate.cluster)}"
    if estate.bare and not estate.nodes and not estate.domains:
        return sentence(f"{short(file)} is an empty facility map.", first="", then="")
    said = " ".join([f"{short(file)} is a valid {kind}.", *_facts(estate)])
    steps = _next(file, estate, None if estate.bare else facility_map)
    return [*sentence(said, first="", then=""), *(f"  next: {step}" for step in steps)]


def _facts(estate: Estate) -> Iterator[str]:
    domains = estate.domains.values()
    declared = sum(domain.declared for domain in domains)
    kinds = Counter(domain.kind for domain in domains)
    by_kind = ", ".join(f"{kinds[kind]:,} {kind_word(kind, kinds[kind])}" for kind in KINDS if kinds[kind])
    said = f"It has {count(len(estate.nodes), 'node')} and {count(len(domains), 'domain')}"
    if domains:
        how_many = {0: "none", len(domains): "all"}.get(declared, f"{declared:,} of them")
        said += f" ({by_kind}), {how_many} declared"
    yield f"{said}."
    yield from _units(estate)
    yield _redundancy(estate)
    yield from _coverage(estate)
    yield from _unknowns(estate)


def _units(estate: Estate) -> Iterator[str]:
    if not estate.bare:
        units = sum(node.allocated or 0 for node in estate.nodes)
        word = "GPU" if estate.unit == "gpu" else "core"
        yield f"{count(units, word)} are allocated; {count(len(estate.workloads), 'workload')}."


def _redundancy(estate: Estate) -> str:
    fed = sum(len(domain.feeds) > max(1, domain.feeds_needed) for domain in estate.domains.values())
    corded = sum(
        any(standing.mode == "any" and len(standing.ids) > 1 for standing in node.standings)
        for node in estate.nodes
    )
    having = [count(number, noun) for number, noun in ((fed, "domain"), (corded, "node")) if number]
    if not having:
        return "Nothing has redundant feeds: every chain is scored as the worst credible case."
    return f"Redundant feeds: {' and '.join(having)}."


def _coverage(estate: Estate) -> Iterator[str]:
    from findings.coverage import coverage
    from findings.index import EstateIndex

    if not estate.nodes:
        return
    covered = set(coverage(EstateIndex(estate)).covered)
    blind = sorted(node.id for node in estate.nodes if node.id not in covered)
    if blind:
        names = some([short(name) for name in blind], _NAMED)
        total = count(len(estate.nodes), "node")
        yield (f"{len(covered):,} of {total} stand on a facility domain ({_FACILITY}); not: {names}.")
    else:
        yield "Every node stands on a facility domain."


def _unknowns(estate: Estate) -> Iterator[str]:
    carriers = [domain for domain in estate.domains.values() if KINDS[domain.kind].commodity]
    loops = [domain for domain in carriers if domain.kind == "cooling"]
    unknown = [
        (sum(domain.rated_kw is None for domain in carriers), "rating", len(carriers)),
        (sum(domain.ride_through_minutes is None for domain in loops), "ride-through", len(loops)),
    ]
    if not estate.bare:
        nodes, training = estate.nodes, [load for load in estate.workloads if load.kind == "training"]
        flat = estate.watts_per_unit_kw is None
        unknown += [
            (sum(flat and node.kw_per_unit is None for node in nodes), "kW per unit", len(nodes)),
            (sum(node.installed is None for node in nodes), "installed units", len(nodes)),
            (sum(node.utilization is None for node in nodes), "utilization", len(nodes)),
            (sum(load.checkpoint_minutes is None for load in training), "checkpoint cadence", len(training)),
        ]
    said = [f"{what} of {missing:,} of {total:,}" for missing, what, total in unknown if missing]
    if said:
        yield f"Unknown: {', '.join(said)}."


def _next(file: str, estate: Estate, facility_map: str | None) -> Iterator[str]:
    under = ("--topology", facility_map) if facility_map else ()
    about = (*under, "-" if file == "<stdin>" else file)
    if not estate.bare:
        yield next_command("topo", "sweep", *about).lstrip()
    upstream = Counter(
        up for domain in estate.domains.values() for up in (domain.parent, *domain.feeds) if up is not None
    )
    busiest = min(upstream, key=lambda up: (-upstream[up], up), default=None)
    candidate = busiest or min(estate.domains, default=None)
    if candidate is not None:
        yield next_command("topo", "whatif", *fails([candidate]), *about).lstrip()
    if any(domain.declared for domain in estate.domains.values()):
        return
    if not estate.bare and facility_map is None:
        mapped = next_command("topo", "validate", "--topology", "topology.yaml", *about).lstrip()
        yield f"{mapped}  (a facility map says what feeds what; docs/authoring.md)"
    elif estate.domains:
        yield "declare the chains behind these domains under `domains:`, so that shared upstreams are seen"
