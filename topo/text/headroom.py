"""The page of `topo headroom`: where something can still be added, and what is rated for nothing."""

from collections.abc import Iterator
from typing import Final

from findings.headroom_rooms import HeadroomReport, Room
from findings.staleness import Staleness
from topo.text.page import PageOptions, block, care_section, next_section, sentence, short
from topo.text.staleness import stale_lines
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import unit_word
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
    rooms = sorted(report.rooms, key=_most_stranded)
    binding = next((room.limiting_failure for room in rooms if room.limiting_failure), None)
    if binding:
        yield ("whatif", "--fail", binding)
    yield ("explain", f"stranded-capacity@{report.load}")
    yield ("report", "-o", "report.html")


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
        options.style("HEADROOM", "bold"),
        *sentence(_most(report)),
        *_wanted(report, unknown),
        *sentence(
            f"{count(len(report.rooms), 'rated domain')} in service, {said}. Full: one more kW there and "
            f"some single failure overloads a survivor. Load: {report.load} {unit_word(report.estate, None)}."
        ),
    ]


def _most(report: HeadroomReport) -> str:
    """Say where most can be added; what is known goes before what is an upper bound."""
    open_ = [room for room in report.rooms if room.headroom_kw]
    if not open_:
        return "There is no room: nothing can be added anywhere." if report.rooms else "Nothing is rated."
    racks = [room for room in open_ if room.kind == "rack"]
    said = f"Most room: {_room(min(open_, key=_roomiest), report)}."
    if racks:
        return f"{said} Of the racks: {_room(min(racks, key=_roomiest), report)}."
    return f"{said} Every rated rack is full." if any(room.kind == "rack" for room in report.rooms) else said


def _roomiest(room: Room) -> tuple[bool, float, str]:
    return (room.full is None, -room.headroom_kw, room.domain)


def _room(room: Room, report: HeadroomReport) -> str:
    least = "at most " if room.full is None else ""
    units = "" if room.units is None else f" ({number(room.units)} {unit_word(report.estate, room.units)})"
    return f"{short(room.domain)}, {least}{number(room.headroom_kw, 1)} kW{units}"


def _wanted(report: HeadroomReport, unknown: int) -> list[str]:
    """Say what to give so that the unknown ones become known."""
    if not unknown:
        return []
    shown = report.blind[:_BLIND_SHOWN]
    said = [f"give {short(each.id)} a ratedKw ({count(each.domains, 'domain')} behind it)" for each in shown]
    if left := len(report.blind) - len(shown):
        said.append(f"rate {number(left)} more")
    if any(room.full is None and not room.exact for room in report.rooms):
        said.append("give the kW of every unit")
    return sentence(f"To know the {number(unknown)} unknown: {'; '.join(said)}.")


_BLIND_SHOWN: Final = 3


def _rooms(report: HeadroomReport, options: PageOptions) -> list[str]:
    if not report.rooms:
        return []
    shown = sorted(report.rooms, key=_most_stranded)
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
    note = "kW; most stranded first. What is full first, and which failure fills it"
    return block(("Rated domains", note), columns, [_row(room) for room in shown], options)


def _row(room: Room) -> list[str]:
    bound = "" if room.exact and not room.unrated else "<= "
    least = "" if room.flow_exact or room.flow_kw is None else ">= "
    return [
        room.domain,
        number(room.rated_kw, 1),
        least + number(room.flow_kw, 1),
        bound + number(room.headroom_kw, 1),
        UNKNOWN if room.units is None else number(room.units),
        number(room.stranded_kw, 1),
        "itself" if room.limited_by == room.domain else room.limited_by,
        room.limiting_failure or "nothing",
    ]
