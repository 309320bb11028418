"""Findings about time: drains, thermal races, and the two ages."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from findings import constants
from findings.caveats import cadence_caveats, map_caveats, staleness_caveats, unlisted_caveats
from findings.confidence import badge
from findings.context import Context
from findings.drain import Drain, drain, time_to_target
from findings.finding import Badge, Finding
from findings.index import EstateIndex
from findings.race import Race
from findings.staleness import SECONDS_PER_HOUR, Age, seconds
from findings.term import Basis, Each, Term, greatest, number, root, term
from topology.model import Workload

DRAIN = "drain-latency"
RACE = "thermal-race"
SNAPSHOT_AGE = "staleness"
MAP_AGE = "topology-file-age"


def drain_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the worst-case time to drain every workload, ordered in parallel."""
    title = "How long until everything has drained, at worst"
    yield _drains(title, ctx.index.running, index=ctx.index)


def drain_of(ctx: Context, subject: str) -> Finding | None:
    """Return one workload's drain."""
    workload = ctx.index.workloads.get(subject)
    title = "How long a workload takes from the pause order to power shed, at worst"
    return None if workload is None else _drains(title, [workload], subject)


def _drains(
    title: str, workloads: Iterable[Workload], subject: str | None = None, index: EstateIndex | None = None
) -> Finding:
    workloads = tuple(workloads)
    unlisted = () if index is None else tuple(index.unlisted)
    expected, worst = _slowest(workloads, unlisted)
    unknown = sum(drain(workload).worst_minutes is None for workload in workloads)
    return Finding(
        DRAIN,
        title,
        root("time to target, worst case", worst, expected),
        badge([worst]),
        subject=subject,
        unknown=unknown + len(unlisted),
        caveats=(*cadence_caveats(workloads, unknown), *(unlisted_caveats(index) if index else ())),
    )


def _slowest(workloads: tuple[Workload, ...], unlisted: Collection[str] = ()) -> tuple[Term, Term]:
    # What runs on units of which nobody lists a workload cannot be timed.
    slowest = time_to_target([*map(drain, workloads), *(Drain(None, None) for _ in unlisted)])
    basis: Basis = "annotated" if any(w.kind == "training" for w in workloads) else "declared"
    most = partial(greatest, unit="min", weakest_part=basis)
    return (
        most("slowest expected drain", slowest.expected_minutes, parts=lambda: Each(_expected, workloads)),
        most("slowest worst-case drain", slowest.worst_minutes, parts=lambda: Each(_worst, workloads)),
    )


def _expected(workload: Workload) -> Term:
    value = drain(workload).expected_minutes
    if workload.kind != "training":
        return term(workload.id, value, "min", "declared", "", _kind(workload))
    how = f"{number(workload.checkpoint_minutes)} × {constants.CHECKPOINT_EXPECTED_SHARE}"
    return term(workload.id, value, "min", "annotated", how, _checkpoint(workload))


def _worst(workload: Workload) -> Term:
    value = drain(workload).worst_minutes
    if workload.kind != "training":
        return term(workload.id, value, "min", "declared", "", _kind(workload))
    return term(workload.id, value, "min", "annotated", "", _checkpoint(workload))


def _kind(workload: Workload) -> Term:
    return term("kind", workload.kind, "", "declared")


def _checkpoint(workload: Workload) -> Term:
    return term("checkpoint interval", workload.checkpoint_minutes, "min", "annotated")


def race_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the race of every cooling domain with training behind it, each for its own failure."""
    yield from (_race(ctx, race) for race in ctx.races if race.verdict != "no-training")


def race_of(ctx: Context, subject: str) -> Finding | None:
    """Return one cooling domain's race."""
    return next((_race(ctx, race) for race in ctx.races if race.domain == subject), None)


def _asked(left: Term, sign: str, right: Term, answer: bool) -> str:
    """Return a comparison as a question and its answer, for a verdict may rest on one that fails."""
    said = "unknown" if left.value is None or right.value is None else "yes" if answer else "no"
    return f"{number(left.value)} {sign} {number(right.value)}? {said}"


def _race(ctx: Context, race: Race) -> Finding:
    racing = tuple(ctx.index.workloads[name] for name in race.racing)
    ride = term("ride-through", race.ride_through_minutes, "min", "declared")
    expected, worst = _slowest(racing)
    decided = race.verdict != "unknown"
    worst_fits, expected_late = (race.verdict == word for word in ("checkpointable", "not-checkpointable"))
    how = (
        f"{_asked(worst, '≤', ride, worst_fits)}; {_asked(expected, '>', ride, expected_late)}"
        if racing
        else race.verdict
    )
    sides = (ride, expected, worst) if racing else (ride,)
    basis: Basis = "annotated" if racing else "declared"  # only a race looks at cadences
    # Where nobody lists what runs on the nodes, nobody knows what races.
    unlisted = not decided and not racing
    count = term("training workloads racing", None if unlisted else len(racing), "workloads")
    return Finding(
        RACE,
        "Whether training can checkpoint before a cooling failure's ride-through runs out",
        term("verdict", race.verdict if decided else None, "", basis, how, *sides, count),
        badge((*sides, count)) if unlisted else badge(sides) if racing else Badge("High"),
        subject=race.domain,
        unknown=unlisted + sum(workload.checkpoint_minutes is None for workload in racing),
        caveats=(*cadence_caveats(racing, 0), *map_caveats(ctx.index)),
    )


def age_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the age of the snapshot and of the facility map."""
    ages = ctx.staleness
    yield _age(ctx, SNAPSHOT_AGE, "How old the snapshot is", ages.snapshot)
    yield _age(ctx, MAP_AGE, "How old the facility map is", ages.topology_file)


def _age(ctx: Context, formula: str, title: str, age: Age) -> Finding:
    snapshot = formula == SNAPSHOT_AGE
    now, then = seconds(ctx.now), None if age.stamp is None else seconds(age.stamp)
    parts = (
        term("now, seconds since 1970", now, "s", ctx.now_basis),
        term(f"{age.field}, seconds since 1970", then, "s", "measured" if snapshot else "declared"),
    )
    how = f"({number(now)} − {number(then)}) ÷ {SECONDS_PER_HOUR}"
    return Finding(
        formula,
        title,
        term("age", age.hours, "h", parts[1].basis, how, *parts),
        badge(parts),
        unknown=int(age.hours is None),
        caveats=tuple(staleness_caveats(age, snapshot=snapshot)),
    )
