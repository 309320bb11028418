"""The page of `topo headroom`: where something can still be added, and what is rated for nothing."""

from findings.headroom_rooms import HeadroomReport, Room
from topo.text.page import PageOptions, block, heading, numbered, sentence
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import unit_word
from topo.text.words import count, number


def headroom_page(report: HeadroomReport, options: PageOptions) -> str:
    """Return the whole page."""
    sections = [
        _summary(report, options),
        _rooms(report, options),
        [*heading("Read with care", "", options.style), *numbered(report.caveats)],
    ]
    return "\n".join(line for section in sections for line in section) + "\n"


def _summary(report: HeadroomReport, options: PageOptions) -> list[str]:
    full = sum(not room.headroom_kw for room in report.rooms)
    return [
        options.style("HEADROOM", "bold"),
        *sentence(
            f"{count(len(report.rooms), 'rated domain')} in service, {number(full)} of them full: one more "
            f"kW there and some single failure overloads a survivor. Load: {report.load} units."
        ),
    ]


def _rooms(report: HeadroomReport, options: PageOptions) -> list[str]:
    if not report.rooms:
        return []
    shown = sorted(report.rooms, key=lambda room: (-room.stranded_kw, room.domain))
    columns = [
        Column("domain", flexible=True),
        Column("rated", right=True),
        Column("flow", right=True),
        Column("can add", right=True),
        Column(unit_word(report.estate, None), right=True),
        Column("stranded", right=True),
        Column("full first", flexible=True),
        Column("when it fails", flexible=True),
    ]
    note = "kW; most stranded first"
    return block(("Rated domains", note), columns, [_row(room) for room in shown], options)


def _row(room: Room) -> list[str]:
    bound = "" if room.exact and not room.unrated else "<= "
    return [
        room.domain,
        number(room.rated_kw, 1),
        number(room.flow_kw, 1),
        bound + number(room.headroom_kw, 1),
        UNKNOWN if room.units is None else number(room.units),
        number(room.stranded_kw, 1),
        "itself" if room.limited_by == room.domain else room.limited_by,
        room.limiting_failure or "nothing",
    ]
