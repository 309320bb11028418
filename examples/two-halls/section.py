"""A commented part of the facility map, and short ways to write what stands in it."""

from dataclasses import dataclass, field
from typing import Any

Fields = dict[str, Any]


@dataclass
class Section:
    """One commented part of the map; an entry is a domain id, its keys and a remark behind them."""

    heading: str
    entries: list[tuple[str, Fields, str]] = field(default_factory=list)

    def add(self, id_: str, kind: str, remark: str = "", **fields: Any) -> None:
        """Add a domain, its keys in the order in which they are given."""
        self.entries.append((id_, {"kind": kind, **fields}, remark))

    def pdu(self, id_: str, source: str | list[str], kw: int | None, remark: str = "", **more: Any) -> None:
        """Add a PDU: behind one UPS, or behind a static transfer switch that prefers the first of two."""
        if isinstance(source, str):
            supply: Fields = {"parent": source}
        else:
            supply = {"feeds": source, "transfer": "preferred"}
        rating = {} if kw is None else {"ratedKw": kw}
        self.add(id_, "power", remark, **supply, **rating, **more, **rates(0.015, 8))

    def rack(self, id_: str, pdu: str, kw: float, remark: str = "", **more: Any) -> None:
        """Add a rack with an A and a B cord."""
        self.add(id_, "rack", remark, feeds=[f"{pdu}a", f"{pdu}b"], ratedKw=kw, **more)

    def cdu(self, id_: str, panel: int, kw: int, minutes: float, remark: str = "") -> None:
        """Add a coolant distribution unit on a pump panel and both chilled-water mains of its hall."""
        hall = id_[:2]
        self.add(
            id_,
            "cooling",
            remark,
            parent=f"{hall}-mech-{panel}",
            feeds=[f"{hall}-chw-1", f"{hall}-chw-2"],
            ratedKw=kw,
            loadKw=15,
            rideThroughMinutes=minutes,
            **rates(0.1, 12),
        )

    def loop(self, id_: str, feeds: list[str], minutes: float, remark: str, **more: Any) -> None:
        """Add what racks stand on: a cooling loop behind CDUs or fan walls."""
        self.add(id_, "cooling", remark, feeds=feeds, **more, rideThroughMinutes=minutes)


def rates(failures_per_year: float, repair_hours: float) -> Fields:
    """Return the two keys that probabilities need."""
    return {"failuresPerYear": failures_per_year, "repairHours": repair_hours}
