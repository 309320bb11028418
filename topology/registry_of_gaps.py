"""Rules about what a map leaves out or says beside itself: they go further than the table of spec 1."""

from typing import Final

from topology.rule_info import RuleInfo

GAPS: Final = (
    RuleInfo(
        "empty-map",
        "warning",
        "A facility map without a node and without a domain.",
        "An export that failed leaves such a file. Every blast radius under it is empty, and a gate would "
        "let it pass.",
        "nodes: {}\ndomains: {}\n",
        "nodes:\n  n1: {rack: rack-1}\n",
    ),
    RuleInfo(
        "unplaced-node",
        "warning",
        "A node of a facility map that names no axis at all. One line for all of them, with a count.",
        "It stands on nothing, so no failure reaches it unless its labels say more. Leave a node out whose "
        "labels say everything.",
        "nodes:\n  n1: {rack: rack-1}\n  n2: {}\n",
        "nodes:\n  n1: {rack: rack-1}\n  n2: {rack: rack-1}\n",
    ),
    RuleInfo(
        "missing-supply",
        "warning",
        "Nodes that name no power source (none of pdu, ups, rack), or no cooling domain, while others do. "
        "One line for each of the two, with a count; of a snapshot, only nodes that hold units or could. "
        "Info in a map alone, which does not know who holds units.",
        "By the map no power failure, or no cooling failure, reaches such a node. A failure that loses some "
        "of what it does not name is never proven safe.",
        "nodes:\n  n1: {rack: rack-1, cooling: cdu-1}\n  n2: {rack: rack-1}\n",
        "nodes:\n  n1: {rack: rack-1, cooling: cdu-1}\n  n2: {rack: rack-1, cooling: fans-n2}\n",
    ),
    RuleInfo(
        "lone-feed",
        "info",
        "A domain whose `feeds` is one id, while most others of its kind that hang from that id have more.",
        "A list of one is no redundancy. Either it really has one cord, or the other was left out.",
        "domains:\n  pdu-a: {kind: power}\n  pdu-b: {kind: power}\n"
        "  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}\n  rack-2: {kind: rack, feeds: [pdu-a, pdu-b]}\n"
        "  rack-3: {kind: rack, feeds: [pdu-a]}\n",
        "domains:\n  pdu-a: {kind: power}\n  pdu-b: {kind: power}\n"
        "  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}\n  rack-2: {kind: rack, feeds: [pdu-a, pdu-b]}\n"
        "  rack-3: {kind: rack, feeds: [pdu-a, pdu-b]}\n",
    ),
    RuleInfo(
        "parent-among-feeds",
        "warning",
        "A domain names its parent among its `feeds`, which are more than it needs.",
        "With both, both must hold: it is lost with its parent, and the other feeds save nothing.",
        "domains:\n  pdu-a: {kind: power}\n  pdu-b: {kind: power}\n"
        "  rack-1: {kind: rack, parent: pdu-a, feeds: [pdu-a, pdu-b]}\n",
        "domains:\n  pdu-a: {kind: power}\n  pdu-b: {kind: power}\n"
        "  rack-1: {kind: rack, feeds: [pdu-a, pdu-b]}\n",
    ),
    RuleInfo(
        "power-from-cooling",
        "warning",
        "Power equipment (a power kind other than rack) all of whose parents and feeds are cooling domains.",
        "Cooling carries no power: what feeds the equipment is missing, and its load reaches nothing. It may "
        "need cooling beside its supply: a `parent` and a `feeds`.",
        "domains:\n  crah-1: {kind: cooling}\n  ups-a: {kind: ups, parent: crah-1}\n",
        "domains:\n  crah-1: {kind: cooling}\n  xfmr-1: {kind: transformer}\n"
        "  ups-a: {kind: ups, parent: crah-1, feeds: [xfmr-1]}\n",
    ),
    RuleInfo(
        "misspelt-role",
        "warning",
        "A role of a node that is control-plane, etcd or storage but for case, `-`, `_`, `.`, leading zeros, "
        "or one letter that is wrong, missing, added or swapped with the next.",
        "Roles are free text and only etcd votes: a member under another name is missing from its quorum.",
        '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",\n'
        ' "nodes": [{"id": "n1", "allocated": 0, "roles": ["ectd"]}]}\n',
        '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",\n'
        ' "nodes": [{"id": "n1", "allocated": 0, "roles": ["etcd"]}]}\n',
        example="json",
    ),
    RuleInfo(
        "look-alike-ids",
        "warning",
        "Two declared domains of one kind whose ids differ only in case, in spaces at their ends, in "
        "characters that nobody sees, or in forms that Unicode calls compatible (full-width letters).",
        "Nobody can tell them apart, and a node or a feed that names the other one stands on another blast "
        "radius.",
        "domains:\n  pdu-a: {kind: power}\n  PDU-A: {kind: power}\n",
        "domains:\n  pdu-a: {kind: power}\n  pdu-b: {kind: power}\n",
    ),
    RuleInfo(
        "implausible-count",
        "warning",
        "More devices of a node are `unhealthy` than are `installed`. One line for all such nodes.",
        "One of the two counts something else: slices, or another unit. What is called unhealthy is taken "
        "off what is safe to use.",
        '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",\n'
        ' "nodes": [{"id": "n1", "allocated": 0, "installed": 8, "unhealthy": 100}]}\n',
        '{"schemaVersion": 1, "cluster": "lab-1", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",\n'
        ' "nodes": [{"id": "n1", "allocated": 0, "installed": 8, "unhealthy": 1}]}\n',
        example="json",
    ),
)
"""In the order in which `topo explain-rule` lists them, behind the others."""
