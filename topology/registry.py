"""The rules of validation: what each means, why it matters, a wrong and a right example (spec 1)."""

from typing import Final

from topology.registry_of_gaps import GAPS
from topology.rule_info import RuleInfo

_TWO_NODES: Final = (
    '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",\n'
    ' "nodes": [{"id": "gpu-01", "allocated": 8}, {"id": "gpu-02", "allocated": 8}]}\n'
)

_RULES: Final = (
    RuleInfo(
        "yaml-syntax",
        "error",
        "The file cannot be read as one YAML mapping: broken syntax, two documents, no mapping at the top, "
        "an empty file, or one over the limits on size and aliases.",
        "Nothing can be said about a map that cannot be read; the parser's own place is given.",
        "nodes:\n  n1: {rack: rack-1\n",
        "nodes:\n  n1: {rack: rack-1}\n",
    ),
    RuleInfo(
        "json-syntax",
        "error",
        "The file cannot be read as one JSON object: broken syntax, no object at the top, an empty file, "
        "or one over the limit on size.",
        "A snapshot that was cut off half way must never be analysed as if it were whole.",
        '{"schemaVersion": 1, "cluster": "lab-1", "nodes": [\n',
        '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu",\n'
        ' "snapshotAt": "2026-11-30T12:00:00Z", "nodes": []}\n',
        example="json",
    ),
    RuleInfo(
        "duplicate-key",
        "error",
        "One mapping holds the same key twice.",
        "Most readers keep the last one silently: a node or a domain would vanish from every blast radius.",
        "nodes:\n  n1: {rack: rack-1}\n  n1: {rack: rack-2}\n",
        "nodes:\n  n1: {rack: rack-1}\n  n2: {rack: rack-2}\n",
    ),
    RuleInfo(
        "schema",
        "error",
        "A value of the wrong type, an unknown key or kind, a missing required key, a number that is not "
        "finite or out of range, figures of an estate that contradict each other.",
        "A misspelt `ratedKW` would leave a feed unrated, and its demotion undetected.",
        "domains:\n  ups-a: {kind: ups, ratedKW: 40}\n",
        "domains:\n  ups-a: {kind: ups, ratedKw: 40}\n",
    ),
    RuleInfo(
        "cycle",
        "error",
        "Parents and feeds form a cycle. One shortest cycle per tangle is shown, hop by hop.",
        "Power and heat flow one way. Whatever hangs from a cycle has no upstream, and every blast radius "
        "through it would be wrong.",
        "domains:\n  pdu-a: {kind: power, parent: ups-a}\n  ups-a: {kind: ups, parent: pdu-a}\n",
        "domains:\n  pdu-a: {kind: power, parent: ups-a}\n  ups-a: {kind: ups}\n",
    ),
    RuleInfo(
        "self-feed",
        "error",
        "A domain names itself as its parent or among its feeds.",
        "Nothing feeds itself; the real upstream is missing, and so is everything that fails with it.",
        "domains:\n  ups-a: {kind: ups, parent: ups-a}\n",
        "domains:\n  ups-a: {kind: ups, parent: xfmr-1}\n  xfmr-1: {kind: transformer}\n",
    ),
    RuleInfo(
        "dangling-feed",
        "error",
        "A parent or feed has no entry under `domains:`.",
        "A broken chain silently understates every blast radius above the break.",
        "domains:\n  pdu-a: {kind: power, parent: ups-a}\n",
        "domains:\n  pdu-a: {kind: power, parent: ups-a}\n  ups-a: {kind: ups}\n",
    ),
    RuleInfo(
        "repeated-feed",
        "error",
        "The same id stands twice in `feeds`, or twice in a node's list.",
        "Two cords into one strip are not redundancy; counted twice, one loss would look survivable.",
        "domains:\n  pdu-a: {kind: power}\n  rack-1: {kind: rack, feeds: [pdu-a, pdu-a]}\n",
        "domains:\n  pdu-a: {kind: power}\n  pdu-b: {kind: power}\n"
        "  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}\n",
    ),
    RuleInfo(
        "axis-kind",
        "error",
        "A node names on an axis a domain of another kind.",
        "The node would stand on a thing that its axis does not mean, and its load would go astray.",
        "nodes:\n  n1: {pdu: ups-a}\ndomains:\n  ups-a: {kind: ups}\n",
        "nodes:\n  n1: {ups: ups-a}\ndomains:\n  ups-a: {kind: ups}\n",
    ),
    RuleInfo(
        "upside-down",
        "error",
        "A rack, or a kind that carries nothing (network, nvlink, row, room, building, zone, region), "
        "directly upstream of facility equipment: a power kind other than rack, or cooling.",
        "Power and heat do not come from a rack or a room. What is behind it would lose its load and its "
        "upstream. A rack may hang from a row or a room: that is where it stands.",
        "domains:\n  pdu-a: {kind: power, parent: rack-1}\n  rack-1: {kind: rack}\n",
        "domains:\n  pdu-a: {kind: power}\n  rack-1: {kind: rack, parent: pdu-a}\n",
    ),
    RuleInfo(
        "unusual-order",
        "info",
        "A transformer below a UPS, or a UPS below a PDU.",
        "Legal, and some sites are built so; more often two lines were swapped.",
        "domains:\n  ups-a: {kind: ups, parent: pdu-a}\n  pdu-a: {kind: power}\n",
        "domains:\n  pdu-a: {kind: power, parent: ups-a}\n  ups-a: {kind: ups}\n",
    ),
    RuleInfo(
        "mixed-commodity",
        "error",
        "The feeds of one list carry different things: power, heat, or nothing.",
        "A chiller cannot stand in for a UPS. Needing both is a `parent` and a `feeds`, not one list.",
        "domains:\n  ups-a: {kind: ups}\n  chiller-1: {kind: cooling}\n"
        "  cdu-1: {kind: cooling, feeds: [ups-a, chiller-1]}\n",
        "domains:\n  ups-a: {kind: ups}\n  chiller-1: {kind: cooling}\n"
        "  cdu-1: {kind: cooling, parent: ups-a, feeds: [chiller-1]}\n",
    ),
    RuleInfo(
        "min-feeds",
        "error",
        "`minFeeds` is larger than the number of feeds, or stands without feeds.",
        "More feeds than there are can never survive: the domain would be lost before anything fails.",
        "domains:\n  chiller-1: {kind: cooling}\n  chiller-2: {kind: cooling}\n"
        "  cdu-1: {kind: cooling, feeds: [chiller-1, chiller-2], minFeeds: 3}\n",
        "domains:\n  chiller-1: {kind: cooling}\n  chiller-2: {kind: cooling}\n"
        "  cdu-1: {kind: cooling, feeds: [chiller-1, chiller-2], minFeeds: 1}\n",
    ),
    RuleInfo(
        "misplaced-rating",
        "error",
        "`ratedKw` on a kind that carries neither power nor heat, or `rideThroughMinutes` on a kind other "
        "than cooling.",
        "The figure would never be read. It probably belongs to another domain, which then goes unrated.",
        "domains:\n  room-1: {kind: room, ratedKw: 400}\n  ups-a: {kind: ups, rideThroughMinutes: 10}\n",
        "domains:\n  ups-a: {kind: ups, ratedKw: 400}\n  cdu-1: {kind: cooling, rideThroughMinutes: 2}\n",
    ),
    RuleInfo(
        "ambiguous-list",
        "error",
        "A bare list on an axis where it could mean either `any` or `all`.",
        "Redundant loops keep a rack alive when one fails, needed ones do not: guessing would kill or save "
        "a rack on paper.",
        "nodes:\n  n1: {cooling: [cdu-1, crah-2]}\n",
        "nodes:\n  n1: {cooling: {all: [cdu-1, crah-2]}}\n",
    ),
    RuleInfo(
        "standing-conflict",
        "warning",
        "A node names one PDU while its rack has several feeds.",
        "It is treated as single-corded: lost with that PDU, whatever the rack survives.",
        "nodes:\n  n1: {rack: rack-1, pdu: pdu-a}\ndomains:\n  pdu-a: {kind: power}\n"
        "  pdu-b: {kind: power}\n  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}\n",
        "nodes:\n  n1: {rack: rack-1, pdu: [pdu-a, pdu-b]}\ndomains:\n  pdu-a: {kind: power}\n"
        "  pdu-b: {kind: power}\n  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}\n",
    ),
    RuleInfo(
        "load-mismatch",
        "warning",
        "`measuredKw` and the model's flow with nothing failed differ by more than 20 % of the model's "
        "(checked where an estate is given).",
        "The meter sees what the map does not: a missing load, a wrong feed, a kW per unit that is off.",
        '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",\n'
        ' "wattsPerUnitKw": 5,\n'
        ' "nodes": [{"id": "n1", "allocated": 8, "domains": {"pdu": "pdu-a"}}],\n'
        ' "domains": {"pdu-a": {"kind": "power", "measuredKw": 90}}}\n',
        '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",\n'
        ' "wattsPerUnitKw": 5,\n'
        ' "nodes": [{"id": "n1", "allocated": 8, "domains": {"pdu": "pdu-a"}}],\n'
        ' "domains": {"pdu-a": {"kind": "power", "measuredKw": 42}}}\n',
        example="json",
    ),
    RuleInfo(
        "likely-typo",
        "warning",
        "Only nodes name an id that is not declared, and it equals a declared id of that kind but for case, "
        "`-`, `_`, `.`, leading zeros and look-alikes (l, 1, I; O, 0); or it is several of them between "
        "commas; or it is one transposition away and only one node uses it.",
        "The node would stand alone on a domain that does not exist, and outside the one that does.",
        "nodes:\n  n1: {pdu: PDU_A}\ndomains:\n  pdu-a: {kind: power}\n",
        "nodes:\n  n1: {pdu: pdu-a}\ndomains:\n  pdu-a: {kind: power}\n",
    ),
    RuleInfo(
        "undeclared-domain",
        "info",
        "Only nodes name a domain, while other domains of its kind are declared.",
        "It is taken as a root: what is upstream of it is unknown, and its blast radius a lower bound.",
        "nodes:\n  n1: {pdu: pdu-a}\n  n2: {pdu: pdu-b}\ndomains:\n"
        "  pdu-a: {kind: power, parent: ups-a}\n  ups-a: {kind: ups}\n",
        "nodes:\n  n1: {pdu: pdu-a}\n  n2: {pdu: pdu-b}\ndomains:\n"
        "  pdu-a: {kind: power, parent: ups-a}\n  pdu-b: {kind: power, parent: ups-a}\n"
        "  ups-a: {kind: ups}\n",
    ),
    RuleInfo(
        "fake-redundancy",
        "warning",
        "One upstream domain whose failure alone loses all feeds of a domain that has several (with "
        "`minFeeds`: so many that too few survive), or all of a node's list. Ratings are ignored.",
        "The A and the B side end in one thing. The second cord costs money and saves nothing there.",
        "domains:\n  ups-a: {kind: ups}\n  pdu-a: {kind: power, parent: ups-a}\n"
        "  pdu-b: {kind: power, parent: ups-a}\n  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}\n",
        "domains:\n  ups-a: {kind: ups}\n  ups-b: {kind: ups}\n  pdu-a: {kind: power, parent: ups-a}\n"
        "  pdu-b: {kind: power, parent: ups-b}\n  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}\n",
        softer="info where they only meet in a transformer or utility that is itself a root",
    ),
    RuleInfo(
        "ride-through-optimistic",
        "info",
        "A cooling loop claims more than 5 minutes of ride-through.",
        "Published measurements for liquid cooling are under one minute; the thermal race is only as good "
        "as this figure.",
        "domains:\n  cdu-1: {kind: cooling, rideThroughMinutes: 20}\n",
        "domains:\n  cdu-1: {kind: cooling, rideThroughMinutes: 1}\n",
    ),
    RuleInfo(
        "implausible-rating",
        "warning",
        "A `ratedKw` that no equipment of its kind has (rack below 0.5 or above 2,000 kW; power, ats, ups "
        "below 1 or above 20,000; switchgear, transformer, generator below 5 or above 500,000; cooling "
        "below 1 or above 500,000; utility below 1), or at least 500 times another's of its kind with the "
        "same parent or feeds; a `ratedKw` or `loadKw` at least 10 times the rating of its parent, or of all "
        "its feeds; an `overload` below 100 percent, or carried longer than a smaller one; a unit that draws "
        "more than 100 kW, or more while it is paused (`idleKwPerUnit`) than while it works.",
        "W, kW and MW are 1,000 apart: a rating in W would never be exceeded, one in MW always. The bounds "
        "lie far above what is built, so that only another unit of measurement reaches them.",
        "domains:\n  ups-a: {kind: ups, ratedKw: 500000}\n",
        "domains:\n  ups-a: {kind: ups, ratedKw: 500}\n",
    ),
    RuleInfo(
        "overcommitted",
        "warning",
        "A rated domain carries more than its rating with nothing failed (checked where an estate is given).",
        "It is over its limit today. The closure does not count it as an outage; a breaker may.",
        '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",\n'
        ' "wattsPerUnitKw": 5,\n'
        ' "nodes": [{"id": "n1", "allocated": 8, "domains": {"pdu": "pdu-a"}}],\n'
        ' "domains": {"pdu-a": {"kind": "power", "ratedKw": 30}}}\n',
        '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",\n'
        ' "wattsPerUnitKw": 5,\n'
        ' "nodes": [{"id": "n1", "allocated": 8, "domains": {"pdu": "pdu-a"}}],\n'
        ' "domains": {"pdu-a": {"kind": "power", "ratedKw": 60}}}\n',
        example="json",
    ),
    RuleInfo(
        "split-rack",
        "warning",
        "One rack id stands in two zones.",
        "Providers reuse rack names in every zone: two racks that share a name would fail as one.",
        "nodes:\n  n1: {rack: rack-1, zone: z1}\n  n2: {rack: rack-1, zone: z2}\n",
        "nodes:\n  n1: {rack: z1-rack-1, zone: z1}\n  n2: {rack: z2-rack-1, zone: z2}\n",
    ),
    RuleInfo(
        "absent-node",
        "warning",
        "A node of the facility map is not in the snapshot (checked where the map is laid over an estate; "
        "the closest node that the map lacks is named).",
        "A misspelt node leaves the real one where its labels put it, or nowhere: it would survive what "
        "takes its rack. A map may list more nodes than are registered; then the warning only says so.",
        "nodes:\n  gpu-01: {rack: rack-1}\n  gpu-20: {rack: rack-1}\n",
        "nodes:\n  gpu-01: {rack: rack-1}\n  gpu-02: {rack: rack-1}\n",
        estate=_TWO_NODES,
    ),
    RuleInfo(
        "unmapped-node",
        "info",
        "A node of the snapshot is not in the facility map, which names others (checked where the map is "
        "laid over an estate).",
        "It stands where its labels say. Without labels no failure reaches it, and every blast radius is a "
        "lower bound.",
        "nodes:\n  gpu-01: {rack: rack-1}\n",
        "nodes:\n  gpu-01: {rack: rack-1}\n  gpu-02: {rack: rack-1}\n",
        softer="warning where the map names none of the snapshot's nodes",
        estate=_TWO_NODES,
    ),
    RuleInfo(
        "slurm-file",
        "error",
        "The file is a Slurm topology file, which has the same name and means something else.",
        "Slurm's file lists switches for scheduling; it says nothing about power or cooling.",
        "- topology: default\n  cluster_default: true\n  tree:\n    switches:\n"
        "      - switch: s1\n        nodes: n[1-4]\n",
        "nodes:\n  n1: {rack: rack-1, network: s1}\n",
    ),
)

REGISTRY: Final = {rule.id: rule for rule in (*_RULES, *GAPS)}
"""Every rule by id, in the order of the specification's table, then those that go further."""
