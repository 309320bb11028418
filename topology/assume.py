"""What the command line says over the snapshot: prices, power, restart, what is out of service (spec 2)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from topology.model import Domain, Estate, Number
from topology.unknown_id import unknown_id

COMMAND_LINE: Final = "command line"


def assume(
    estate: Estate,
    *,
    price_per_unit_hour: Number | None = None,
    kw_per_unit: Number | None = None,
    default_restart_minutes: Number | None = None,
    out: Iterable[str] = (),
) -> Estate:
    """Return the estate under assumptions: price [USD/h], power [kW], restart overhead [min], domains out.

    A node's own price or power stays: it is measured, or closer to it. `bases` says "command line" for what
    was given, `notes` names the domains taken out. Raises `UnknownId` for ids in `out` that are no domains.
    """
    said: dict[str, Any] = {
        name: value
        for name, value in (
            ("price_per_unit_hour", price_per_unit_hour),
            ("watts_per_unit_kw", kw_per_unit),
            ("default_restart_minutes", default_restart_minutes),
        )
        if value is not None
    }
    bases = {**estate.bases, **dict.fromkeys(said, COMMAND_LINE)}
    gone = frozenset(out)
    notes = (*estate.notes, _out_note(gone)) if gone else estate.notes
    return replace(estate, domains=_with_out(estate.domains, gone), bases=bases, notes=notes, **said)


def _out_note(out: frozenset[str]) -> str:
    names = ", ".join(f"'{domain_id}'" for domain_id in sorted(out))
    return f"Out of service by the command line, not by the map: {names}. Every figure starts from that."


def _with_out(domains: Mapping[str, Domain], out: frozenset[str]) -> Mapping[str, Domain]:
    strange = out - domains.keys()
    if strange:
        raise unknown_id(strange, tuple(domains), domains=bool(domains))
    return {**domains, **{domain_id: replace(domains[domain_id], out=True) for domain_id in sorted(out)}}
