"""What a key that nothing reads was meant to be: synonyms, and units that are converted, for hints alone."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from topology.closest import normal_form
from topology.kinds import AXES
from topology.number_hints import exact_amount, shown_amount
from topology.quoting import flow

_HOURS_IN_A_YEAR: Final = 8_760

_KW: Final = {
    **dict.fromkeys(("w", "watt", "watts"), Fraction(1, 1_000)),
    **dict.fromkeys(("kw", "kilowatt", "kilowatts"), Fraction(1)),
    **dict.fromkeys(("mw", "megawatt", "megawatts"), Fraction(1_000)),
    "gw": Fraction(1_000_000),
}
"""Unit at the end of a key, in lower case -> kW. Nobody rates equipment in milliwatts."""

_SECONDS: Final = {
    **dict.fromkeys(("ms", "millis", "milliseconds"), Fraction(1, 1_000)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), Fraction(1)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), Fraction(60)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), Fraction(3_600)),
    **dict.fromkeys(("d", "day", "days"), Fraction(86_400)),
}
"""Unit at the end of a key -> s."""

_UNITS: Final = {
    "Kw": ("kW", _KW, Fraction(1)),
    "Minutes": ("minutes", _SECONDS, Fraction(60)),
    "Hours": ("hours", _SECONDS, Fraction(3_600)),
    "Seconds": ("seconds", _SECONDS, Fraction(1)),
}
"""How a known key ends -> the unit's name, what else is typed, the unit's own size."""

_APPARENT: Final = frozenset({"va", "kva", "mva"})
_CURRENT: Final = frozenset({"a", "amp", "amps", "ampere", "amperes", "current"})
_VOLTAGE: Final = frozenset({"v", "kv", "volt", "volts", "voltage"})

_STEMS: Final = {
    "ratedKw": "rated rating ratedpower powerrating capacity power maxpower max limit "
    "powerlimit nameplate size",
    "loadKw": "load draw powerdraw consumption demand",
    "measuredKw": "measured metered meter reading",
    "rideThroughMinutes": "ridethrough ridethroughtime holdup autonomy",
    "repairHours": "repair repairtime mttr timetorepair",
    "wattsPerUnitKw": "wattsperunit powerperunit perunit wattspergpu powerpergpu",
    "kwPerUnit": "powerperunit wattsperunit powerpergpu",
    "defaultRestartMinutes": "defaultrestart restart",
    "checkpointMinutes": "checkpoint checkpointinterval",
    "restartMinutes": "restart restarttime",
}
"""Known key -> what the part before the unit is called (in `normal_form`)."""

_SAME: Final = {
    "kind": "type class category devicetype equipmenttype",
    "description": "label title displayname note notes comment comments location site hall floor aisle "
    "rackposition position model vendor manufacturer serial",
    "contact": "owner team oncall email phone responsible",
    "status": "state enabled active inservice outofservice operational",
    "minFeeds": "minimumfeeds min needed required feedsneeded quorum",
    "failuresPerYear": "failurerate afr failures annualfailures",
    "transfer": "transfermode mode switching",
    "network": "switch leaf tor spine switches fabric",
    "cooling": "cdu chiller crac crah loop coolingloop cooler chillers cdus",
    "pdu": "pdus power feed feeds powerfeed rpp panel outlet",
    "rack": "cabinet enclosure",
    "zone": "az availabilityzone",
    "room": "hall datahall",
    "building": "datacenter datacentre dc site",
    "nodes": "machines hosts servers",
    "domains": "facility equipment devices infrastructure",
    "wattsPerUnitKw": "kwperunit kwpergpu",
    "cluster": "name clustername",
    "snapshotAt": "timestamp date time takenat createdat",
    "workloads": "jobs pods",
    "allocated": "used gpusallocated requested",
    "installed": "gpus gpucount total units",
    "id": "name node hostname",
    "pricePerUnitHour": "price cost priceperhour priceperhourgpu",
}
"""Known key -> what else it is called (in `normal_form`). A shape takes only the keys that it has."""

_UPSTREAM: Final = frozenset(
    "upstream upstreams parents feed source sources fedby fedfrom suppliedby supply supplies dependson "
    "input inputs poweredby from".split()
)
_DOWNSTREAM: Final = frozenset("downstream children child feedsto serves powers outputs output loads".split())
_NAMES: Final = frozenset("id name".split())


def key_hint(key: str, value: object, known: Iterable[str]) -> str:
    """Return the fix for an unknown `key` among the `known` ones of its mapping; empty: no synonym.

    >>> key_hint("ratedW", 20_000, ["ratedKw"]), key_hint("type", "ups", ["kind"])
    ('Write ratedKw: 20.', 'Write kind: ups.')
    """
    form = normal_form(key)
    keys = tuple(known)
    return (
        _at_the_top(value, keys)
        or _upstream(form, value, keys)
        or _named(form, value, keys)
        or _failure_rate(form, value, keys)
        or next(filter(None, (_in_unit(form, value, each) for each in keys)), "")
        or _electrical(form, keys)
        or next((_same(value, each) for each in keys if form in _SAME.get(each, "").split()), "")
        or _axis(form, keys)
    )


def _at_the_top(value: object, known: tuple[str, ...]) -> str:
    """Return the fix for a node or a domain that stands at the top of a map."""
    if "nodes" not in known or "verifiedAt" not in known or not isinstance(value, dict):
        return ""
    if "kind" in value:
        return "It has a kind: move it further in, under `domains:`."
    return "Move it further in, under `nodes:`." if any(axis in value for axis in AXES) else ""


def _same(value: object, known: str) -> str:
    if known == "status":
        return "Write status: in, or status: out where it is out of service."
    return f"Write {known}: {flow(value)}." if known in _AS_TYPED else f"Write {known}."


_AS_TYPED: Final = frozenset(
    {"kind", "description", "contact", "minFeeds", "rack", "zone", "room", "building"}
)
"""Keys whose values are taken over from a synonym as they are."""


def _upstream(form: str, value: object, known: tuple[str, ...]) -> str:
    if "parent" not in known or "feeds" not in known:
        return ""
    if form in _DOWNSTREAM:
        return "Say it the other way round: what hangs from this names it as its parent, or among its feeds."
    if form not in _UPSTREAM:
        return ""
    if isinstance(value, list) and len(value) != 1:
        return f"Write feeds: {flow(value)}: one of them is enough, unless minFeeds says more."
    one = flow(value[0] if isinstance(value, list) else value)
    return f"Write parent: {one}, or feeds: [{one}, ..] where another can take over."


def _named(form: str, value: object, known: tuple[str, ...]) -> str:
    if "kind" in known and "description" in known and form in _NAMES:
        described = "" if form == "id" else f" For people, write description: {flow(value)}."
        return f"Leave it out: the key of a domain is its id.{described}"
    return ""


def _failure_rate(form: str, value: object, known: tuple[str, ...]) -> str:
    if "failuresPerYear" not in known or form not in ("mtbf", "mtbfhours", "mttf", "mttfhours"):
        return ""
    hours = exact_amount(value)
    rate = f": {shown_amount(_HOURS_IN_A_YEAR / hours)}" if hours else ""
    return f"Write failuresPerYear{rate}: 8,760 hours of a year, divided by the hours between failures."


def _in_unit(form: str, value: object, known: str) -> str:
    """Return the fix for a key that ends in another unit than the `known` one, or in none."""
    ending = next((each for each in _UNITS if known.endswith(each)), "Kw" if known == "kwPerUnit" else "")
    stems = _STEMS.get(known, "").split()
    if not ending or not stems:
        return ""
    name, sizes, own = _UNITS[ending]
    stem = max((each for each in stems if form.startswith(each)), key=len, default=None)
    if stem is None:
        return ""
    typed = form[len(stem) :].removeprefix("in")
    if stem.startswith("watts"):
        typed = typed or "w"
    if not typed:
        return f"Write {known}: the number in {name}."
    if typed in _APPARENT and name == "kW":
        return f"kVA is not kW: multiply by the power factor, and write that number of kW as {known}."
    if typed in _CURRENT and name == "kW":
        return _amperes(known)
    if typed not in sizes:
        return ""
    amount = exact_amount(value)
    if amount is None:
        return f"Write {known}: the number in {name}."
    return f"Write {known}: {shown_amount(amount * sizes[typed] / own)}."


def _amperes(known: str) -> str:
    return (
        "Amperes are not kW: multiply by the volts (by √3 too, for three phases) and the power factor, "
        f"divide by 1,000, and write that number of kW as {known}."
    )


def _electrical(form: str, known: tuple[str, ...]) -> str:
    """Return the fix for a bare unit as a key: `kva`, `amps`, `volts`, `kw`."""
    if "ratedKw" not in known:
        return ""
    if form in _KW:
        return "Write ratedKw: the number in kW it can carry (loadKw: what it draws itself)."
    if form in _APPARENT:
        return "kVA is not kW: multiply by the power factor, and write that number of kW as ratedKw."
    if form in _CURRENT:
        return _amperes("ratedKw")
    return "Leave it out: the map has no volts, only kW (ratedKw)." if form in _VOLTAGE else ""


def _axis(form: str, known: tuple[str, ...]) -> str:
    """Return the fix for an axis of nodes on a domain."""
    if "kind" in known and "feeds" in known and form in AXES:
        return "Nodes have axes, domains do not: a domain names what it hangs from as its parent or feeds."
    return ""
