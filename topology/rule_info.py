"""What the registry says of a rule of validation (spec 1)."""

from dataclasses import dataclass

from topology.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A rule in words. Ids never change meaning. `example` is the language of the examples."""

    id: str
    severity: Severity
    meaning: str
    why: str
    wrong: str
    right: str
    softer: str = ""
    """When the rule has another severity, and which; empty where its severity is fixed."""
    example: str = "yaml"
    estate: str = ""
    """The snapshot that the examples are laid over, where a rule looks at both; empty: they stand alone."""
