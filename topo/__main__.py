"""`python -m topo`: the command."""

from topo.cli import entry

entry()
