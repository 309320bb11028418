"""Geometry of a picture: boxes, buses with their junctions, rows. Deterministic; no text is measured here."""

from dataclasses import dataclass
from typing import Final

from topo.diagram.model import Carries, EdgeStyle, Picture
from topo.diagram.nets import Hop, Wiring, wiring
from topo.diagram.ordering import ordered_rows
from topo.diagram.placing import centres
from topo.diagram.tracks import Bus, Pin, assign_tracks, part_pins, spread_pins, straighten

BOX_WIDTH: Final = 168.0
BOX_HEIGHT: Final = 106.0
_GAP: Final = 20.0
_LINE_WIDTH: Final = 2.0
_TRACK: Final = 10.0
_CHANNEL: Final = 36.0
"""Height of a channel without buses; each track adds `_TRACK` [px]."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle by its upper left corner [px]."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Wire:
    """One bus in one channel: straight pieces (x1, y1, x2, y2), and dots where lines join."""

    hub: str
    style: EdgeStyle
    carries: Carries
    pieces: tuple[tuple[float, float, float, float], ...]
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything stands, the upper left box corner near (0, 0)."""

    boxes: dict[str, Rect]
    wires: tuple[Wire, ...]
    row_tops: tuple[float, ...]
    width: float
    height: float


def layout(picture: Picture) -> Layout:
    """Place the boxes of a picture in its rows and route its edges between them."""
    wires = wiring(picture)
    rows = ordered_rows(wires)
    widths = [BOX_WIDTH if item.key else _LINE_WIDTH for item in wires.items]
    x = centres(wires, rows, widths, _GAP)
    channels = _channels(wires, len(picture.rows), x, widths)
    tops, y = [], 0.0
    for channel in channels:
        tops.append(y)
        y += BOX_HEIGHT + _CHANNEL + _TRACK * channel.tracks
    boxes = {
        item.key: Rect(x[i] - widths[i] / 2, tops[item.row], widths[i], BOX_HEIGHT)
        for i, item in enumerate(wires.items)
        if item.key
    }
    return Layout(
        boxes=boxes,
        wires=_routed(wires, channels, tops, x),
        row_tops=tuple(tops),
        width=max((x[i] + widths[i] / 2 for i in range(len(x))), default=0.0),
        height=(tops[-1] + BOX_HEIGHT) if tops else 0.0,
    )


@dataclass(slots=True)
class _Channel:
    buses: list[Bus]
    tracks: int


def _channels(wires: Wiring, rows: int, x: list[float], widths: list[float]) -> list[_Channel]:
    """Return the channel below each row (the last one empty), pins placed and tracks assigned."""
    by_channel: list[list[Hop]] = [[] for _ in range(rows)]
    for hop in wires.hops:
        by_channel[hop.channel].append(hop)
    channels = []
    for hops in by_channel:
        buses = _pinned(wires, hops, x, widths)
        for bus in buses:
            straighten(bus)
        part_pins(buses)
        channels.append(_Channel(buses, assign_tracks(buses)))
    return channels


def _pinned(wires: Wiring, hops: list[Hop], x: list[float], widths: list[float]) -> list[Bus]:
    """Return the buses of a channel, the pins of each item ordered by where their lines go."""
    buses = []
    edges: dict[tuple[int, bool], list[tuple[Pin, float]]] = {}
    for hop in hops:
        bus = Bus(hop.net)
        for ends, others, pins, upper in (
            (hop.above, hop.below, bus.above, True),
            (hop.below, hop.above, bus.below, False),
        ):
            aim = sum(x[o] for o in others) / len(others)
            for i in ends:
                half = widths[i] / 2 - 8 if wires.items[i].key else 0.0
                pin = Pin(x[i], x[i] - half, x[i] + half, hop.net)
                pins.append(pin)
                if half:
                    edges.setdefault((i, upper), []).append((pin, aim))
        buses.append(bus)
    for pinned in edges.values():
        spread_pins([pin for pin, _ in pinned], [aim for _, aim in pinned])
    return buses


def _routed(wires: Wiring, channels: list[_Channel], tops: list[float], x: list[float]) -> tuple[Wire, ...]:
    routed = []
    for row, channel in enumerate(channels):
        top = tops[row] + BOX_HEIGHT
        bottom = tops[row + 1] if row + 1 < len(tops) else top
        for bus in channel.buses:
            net = wires.nets[bus.net]
            y = top + _CHANNEL / 2 + _TRACK * max(0, bus.track)
            pieces, dots = _pieces(bus, top, bottom, y)
            routed.append(Wire(net.hub, net.style, net.carries, pieces, dots))
    through = [
        Wire(
            wires.nets[item.net].hub,
            wires.nets[item.net].style,
            wires.nets[item.net].carries,
            ((x[i], tops[item.row], x[i], tops[item.row] + BOX_HEIGHT),),
            (),
        )
        for i, item in enumerate(wires.items)
        if not item.key
    ]
    return tuple(routed + through)


def _pieces(
    bus: Bus, top: float, bottom: float, y: float
) -> tuple[tuple[tuple[float, float, float, float], ...], tuple[tuple[float, float], ...]]:
    low, high = bus.span()
    if low == high:
        return ((low, top, low, bottom),), ()
    pieces = [(low, y, high, y)]
    pieces += [(pin.x, top, pin.x, y) for pin in bus.above]
    pieces += [(pin.x, y, pin.x, bottom) for pin in bus.below]
    joints = [pin.x for pin in bus.above + bus.below]
    # A corner where two pieces end is a bend; anything else that meets the bus is a junction.
    dots = sorted({x for x in joints if low < x < high or joints.count(x) > 1})
    return tuple(pieces), tuple((x, y) for x in dots)
