"""The style sheet that gives an embedded picture other colours: for pages with a dark mode."""

from topo.diagram.palette import Palette
from topo.diagram.states import State


def picture_css(palette: Palette) -> str:
    """Return rules that recolour every class of `render_svg`; they win over its presentation attributes."""
    live = {"power": palette.power, "heat": palette.heat, "other": palette.other}
    rules = [
        f".page{{fill:{palette.page}}}",
        f"svg text.text{{fill:{palette.text}}}",
        f"svg text.muted{{fill:{palette.muted}}}",
        f"svg text.alarm{{fill:{palette.over}}}",
        f".core,.limit-gap{{stroke:{palette.page}}}",
        f".gauge-room{{fill:{palette.gauge_room}}}",
        f".gauge-now{{fill:{palette.gauge}}}",
        f".limit,.shift path{{stroke:{palette.over}}}",
    ]
    for carries, colour in live.items():
        rules.append(f".wire.{carries}{{stroke:{colour}}}.dot.{carries}{{fill:{colour}}}")
    for style, colour in (("dead", palette.dead), ("strict", palette.strict)):
        rules.append(f".wire.{style}{{stroke:{colour}}}.dot.{style}{{fill:{colour}}}")
    for state in palette.states:
        rules += _state_rules(palette, state)
    return "\n".join(rules)


def _state_rules(palette: Palette, state: State) -> list[str]:
    ink = palette.states[state]
    return [
        f".box.s-{state} .frame{{fill:{ink.fill};stroke:{ink.border}}}",
        f".box.s-{state} text{{fill:{ink.text}}}",
        f".box.s-{state} .gauge-room{{stroke:{ink.text}}}",
        f".box.s-{state} .strip.plain{{fill:{ink.strip}}}",
        f".strip.s-{state} path{{stroke:{ink.strip}}}",
    ]
