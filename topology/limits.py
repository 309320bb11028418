"""Every limit of validation, in one place: sizes, lengths, ranges, tolerances (spec 1 and 2)."""

from typing import Final

MAX_YAML_BYTES: Final = 256 * 1024**2
"""Largest YAML file [B] that is read without being told to (spec 1)."""

MAX_JSON_BYTES: Final = 2 * 1024**3
"""Largest JSON file [B] that is read without being told to (spec 1)."""

SCHEMA_DECIDES_BYTES: Final = 1024**2
"""Largest file [B] on which jsonschema is run beside the native check (spec 1)."""

WHOLE_INDEX_CHARACTERS: Final = 256 * 1024
"""Largest text [characters] whose positions are all indexed at once; larger ones are searched when asked."""

MAX_DEPTH: Final = 100
"""Deepest nesting of mappings and lists; the deepest valid file needs 7."""

MAX_ALIAS_GROWTH: Final = 20
"""How many values YAML aliases may stand for, per value written in the file (a node on all axes is 23)."""

ALIAS_ALLOWANCE: Final = 10_000
"""How many values YAML aliases may stand for in any file, however short."""

MAX_ID_LENGTH: Final = 4_096
"""Longest id [characters]."""

MAX_TEXT_LENGTH: Final = 65_536
"""Longest free text [characters]: a description, a contact, a caveat."""

NUMBER_LIMIT: Final = 10**15
"""Largest number of any kind: below it whole numbers and their sums stay exact in floating point.
Sentinels of telemetry (2^63 and the like) lie above it."""

SMALLEST_RATING_KW: Final = 1e-9
"""Smallest rating [kW]: a microwatt. A share of less than that need not be a finite number."""

MAX_FAILURES_PER_YEAR: Final = 100_000
"""Most failures of one domain [1/year]: beyond one in five minutes it is no failure rate."""

MAX_REPAIR_HOURS: Final = 1_000_000
"""Longest repair [h]: beyond a century it is `status: out`, or another unit."""

LONGEST_INTEGER: Final = 400
"""Longest whole number [characters] that is read exactly; longer ones are infinite, and refused as such."""

SUM_TOLERANCE: Final = 1e-9
"""Relative tolerance [-] when fractional units per node are compared with what is allocated."""

HOURS: Final = 24
"""Buckets of a loop's histogram (spec 2)."""

SCHEMA_VERSION: Final = 1
"""The version of estate.json (spec 2)."""

TOPOLOGY_VERSIONS: Final = (1, 2)
"""The versions of topology.yaml: 2 brought `domains` (methodology: Topology inputs)."""
