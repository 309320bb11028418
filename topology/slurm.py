"""Slurm's own topology files, given by mistake: they share the name and nothing else."""

import re
from typing import Final

from topology.unreadable import Unreadable

_CONF: Final = re.compile(r"^[ \t]*(SwitchName|BlockName)[ \t]*=", re.IGNORECASE | re.MULTILINE)
_LOOKED_AT: Final = 65_536
_KINDS: Final = frozenset({"tree", "block", "flat", "ring", "torus3d"})


def slurm_conf(text: str) -> Unreadable | None:
    """Return the refusal where `text` is a Slurm topology.conf."""
    match = _CONF.search(text, 0, _LOOKED_AT)
    return None if match is None else _refusal("topology.conf", match.start(1))


def slurm_yaml(raw: object) -> Unreadable | None:
    """Return the refusal where the values are those of a Slurm topology.yaml: a list of named topologies."""
    if not isinstance(raw, list):
        return None
    named = any(isinstance(item, dict) and "topology" in item and _KINDS & item.keys() for item in raw)
    return _refusal("topology.yaml", 0) if named else None


def _refusal(name: str, offset: int) -> Unreadable:
    hint = "Slurm describes switches. Write where nodes stand: `nodes:` with rack, pdu, cooling; `domains:`."
    return Unreadable("slurm-file", offset, f"this is Slurm's {name}, not a facility map", hint)
