"""The page of `topo headroom`: the racks to which something can be added, and what is rated for nothing."""

from collections.abc import Iterator, Sequence
from typing import Final

from findings.headroom.rooms import HeadroomReport, Room
from findings.staleness import Staleness
from topo.kind_words import kind_word
from topo.text.page import PageOptions, block, care_section, fails, heading, next_section, sentence, short
from topo.text.staleness import stale_lines
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import lacks_kw, unit_word
from topo.text.words import count, number


def headroom_page(report: HeadroomReport, ages: Staleness, options: PageOptions) -> str:
    """Return the whole page."""
    sections = [
        _summary(report, options),
        stale_lines(report.estate, ages, options.style),
        _rooms(report, options),
        care_section(report.caveats, options),
        next_section(_next(report), options),
    ]
    return "\n".join(line for section in sections for line in section) + "\n"


def _next(report: HeadroomReport) -> Iterator[tuple[str, ...]]:
    """Yield the failure that holds back the rack with most room, else what strands most, and why it does."""
    if lacks_kw(report.estate):
        yield ("headroom", "--kw-per-unit", "KW")
    racks = _racks(report)
    open_ = sorted((room for room in racks if room.usable_kw), key=_roomiest)
    full = sorted(racks, key=_most_stranded)
    others = sorted(report.rooms, key=_most_stranded)
    bounds = [room.bound for room in (*open_, *full, *others)]
    bound = next((each for each in bounds if each.limiting_failure), None)
    if bound is not None and bound.limiting_failure and bound.limited_by:
        yield ("whatif", *fails((bound.limiting_failure,)))
        yield ("why", *fails((bound.limiting_failure,)), "--", bound.limited_by)
    yield ("report", "-o", "report.html")


def _racks(report: HeadroomReport) -> list[Room]:
    return [room for room in report.rooms if room.kind == "rack"]


def _most_stranded(room: Room) -> tuple[float, str]:
    return (-(room.stranded_kw or 0), room.domain)


def _summary(report: HeadroomReport, options: PageOptions) -> list[str]:
    full = sum(room.full is True for room in report.rooms)
    unknown = sum(room.full is None for room in report.rooms)
    said = (
        f"{number(full)} of them known to be full, {number(unknown)} unknown"
        if unknown
        else (f"{number(full)} of them full")
    )
    return [
        *heading("Headroom", _asked(report), options.style)[1:],
        *sentence(_most(report)),
        *_wanted(report, unknown),
        *sentence(
            f"{count(len(report.rooms), 'rated domain')} in service, {said}. Full: one more kW there and "
            f"some single failure overloads a survivor. Load: {report.load} {unit_word(report.estate, None)}."
        ),
        *_out_of_service(report, options),
        *_defined(report),
    ]


def _asked(report: HeadroomReport) -> str:
    """Return the part of the estate that was asked about; empty: all of it."""
    where = "" if report.under is None else f"under {short(report.under)}"
    kinds = " and ".join(kind_word(kind) for kind in report.kinds)
    return ", ".join(said for said in (where, f"{kinds} only" if kinds else "") if said)


def _defined(report: HeadroomReport) -> list[str]:
    """Keep apart two figures of nearly one name."""
    if not any(room.stranded_kw for room in report.rooms):
        return []
    return sentence(
        "Stranded: the part of rated - flow that cannot be added, for something would be overloaded, now or "
        "after some single failure. (The finding stranded-capacity is another figure: all of rated - flow, "
        "of the racks, whatever fails.)"
    )


def _out_of_service(report: HeadroomReport, options: PageOptions) -> list[str]:
    """Say where nothing can be added, for it is out of service or lost with what is, and why."""
    gone = report.out_of_service
    if not gone:
        return []
    said = [f"{short(loss.id)} ({loss.cause}{_by(loss.by, options)})" for loss in gone]
    are = "is" if len(gone) == 1 else "are"
    return sentence(
        f"{count(len(gone), 'rated domain')} {are} out of service, or lost with what is; nothing can be "
        f"added there: {options.some(said, 3)}."
    )


def _by(by: Sequence[str], options: PageOptions) -> str:
    return f": {options.some([short(name) for name in by], 2)}" if by else ""


def _most(report: HeadroomReport) -> str:
    """Say which rack most can be added to; another domain only where no rack has room."""
    open_ = [room for room in report.rooms if room.usable_kw]
    if not open_:
        there = " there" if _asked(report) else ""
        if report.rooms:
            return f"There is no room: nothing can be added {there.strip() or 'anywhere'}."
        return (
            f"Nothing{there} that is rated is in service."
            if report.out_of_service
            else f"Nothing{there} is rated."
        )
    racks = _racks(report)
    roomy = [room for room in racks if room.usable_kw]
    if roomy:
        best = _room(min(roomy, key=_roomiest), report)
        return f"Most room: rack {best}. Of {count(len(racks), 'rated rack')}, {_with_room(roomy)}."
    most = _room(min(open_, key=_roomiest), report)
    if report.kinds and "rack" not in report.kinds:
        return f"Most room: {most}."
    said = f"{most}, which is no rack"
    return f"{'Every rated rack is full' if racks else 'No rack is rated'}. Most room elsewhere: {said}."


def _with_room(roomy: list[Room]) -> str:
    """Return how many have room, and how many may have none: theirs is only an upper bound."""
    unknown = sum(room.full is None for room in roomy)
    known = len(roomy) - unknown
    said = f"{number(known)} {'has' if known == 1 else 'have'} room"
    return f"{said} and {number(unknown)} may have some" if unknown else said


def _roomiest(room: Room) -> tuple[int, float, str]:
    """Order by what can be added: what is known first, then upper bounds, then what is full."""
    rank = 2 if room.full else 1 if room.full is None else 0
    return (rank, -room.usable_kw, room.domain)


def _room(room: Room, report: HeadroomReport) -> str:
    least = "at most " if room.full is None else ""
    fit = room.usable_units
    units = "" if fit is None else f" ({number(fit)} {unit_word(report.estate, fit)})"
    said = f"{short(room.domain)}, {least}{number(room.usable_kw, 1)} kW{units}"
    if room.bound is not room:
        return f"{said}, as far as its cooling goes"
    return f"{said}, if its cooling takes that: it is not rated" if room.cooling_unrated else said


def _wanted(report: HeadroomReport, unknown: int) -> list[str]:
    """Say what to give so that the unknown ones become known."""
    if not unknown:
        return []
    shown = report.blind[:_BLIND_SHOWN]
    said = [f"give {short(each.id)} a ratedKw ({count(each.domains, 'domain')} behind it)" for each in shown]
    if left := len(report.blind) - len(shown):
        said.append(f"rate {number(left)} more")
    if any(room.full is None and not (room.exact and room.bound.exact) for room in report.rooms):
        if report.unplaced:
            said.append("say what every node hangs from")
        if not report.unplaced or lacks_kw(report.estate):
            said.append("give the kW of every unit")
    return sentence(f"To know the {number(unknown)} unknown: {'; '.join(said)}.")


_BLIND_SHOWN: Final = 3


def _rooms(report: HeadroomReport, options: PageOptions) -> list[str]:
    """Return the racks, where something can stand, and then what they hang from."""
    racks = sorted(_racks(report), key=_roomiest)
    others = sorted((room for room in report.rooms if room.kind != "rack"), key=_most_stranded)
    said = "What is full first, and which failure fills it"
    lines = _table(("Racks", f"kW; most room first. {said}"), racks, report, options)
    title = "Other rated domains" if racks else "Rated domains"
    return lines + _table((title, f"kW; most stranded first. {said}"), others, report, options)


def _table(
    title: tuple[str, str], rooms: list[Room], report: HeadroomReport, options: PageOptions
) -> list[str]:
    if not rooms:
        return []
    columns = [
        Column("domain", whole=True),
        Column("rated", right=True),
        Column("flow", right=True),
        Column("can add", right=True),
        Column(unit_word(report.estate, None), right=True),
        Column("stranded", right=True),
        Column("full 1st", flexible=True),
        Column("failing", flexible=True),
    ]
    return block(title, columns, [_row(room) for room in rooms], options)


def _row(room: Room) -> list[str]:
    bound = room.bound
    most = "<= " if room.bounded_above else ""
    least = "" if room.flow_exact or room.flow_kw is None else ">= "
    return [
        room.domain,
        number(room.rated_kw, 1),
        least + number(room.flow_kw, 1),
        most + number(room.usable_kw, 1),
        UNKNOWN if room.usable_units is None else number(room.usable_units),
        number(room.stranded_kw, 1),
        "itself" if bound.limited_by == room.domain else bound.limited_by or "its cooling",
        bound.limiting_failure or "nothing",
    ]
