"""The command, and the public names of the library.

`import topo` is the one public library name. Everything is imported on first use: the command starts at once.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__version__ = "0.1.0"

_PUBLIC: "Final" = {
    "load_text": "topology.load",
    "load_topology_text": "topology.load",
    "load_estate_text": "topology.load",
    "estate_of": "topology.bare",
    "apply_topology": "topology.apply",
    "assume": "topology.assume",
    "facility_graph": "topology.graph",
    "merge_estates": "topology.merge",
    "MergeRefused": "topology.merge",
    "compile_facility": "closure.compiled",
    "close": "closure.cascade",
    "UnknownId": "topology.unknown_id",
    "strict_check": "closure.strict",
    "sweep": "closure.sweep",
    "why": "closure.why",
    "whatif": "findings.scenario",
    "whatif_to_json": "findings.scenario",
    "Ask": "findings.curtail.ask",
    "plan_curtailment": "findings.curtail.curtailment",
    "headroom_report": "findings.headroom.rooms",
    "headroom_to_json": "findings.headroom.document",
    "plan_rescue": "findings.rescue.plan",
    "rescue_to_json": "findings.rescue.document",
    "cut_sets_report": "findings.cutsets.analysis",
    "cut_sets_to_json": "findings.cutsets.document",
    "plan_maintenance": "findings.maintenance.plan",
    "maintenance_to_json": "findings.maintenance.document",
    "compare": "findings.difference.compare",
    "difference_to_json": "findings.difference.document",
    "curtailment_to_json": "findings.curtail.document",
    "findings_document": "findings.document",
    "render_report": "topo.report",
    "Estate": "topology.model",
    "Topology": "topology.model",
    "Domain": "topology.model",
    "Node": "topology.model",
    "Workload": "topology.model",
    "Diagnostic": "topology.diagnostics",
    "InvalidInput": "topology.diagnostics",
}

__all__ = ["__version__", *sorted(_PUBLIC)]  # noqa: PLE0604


def __getattr__(name: str) -> "Any":
    if name not in _PUBLIC:
        raise AttributeError(f"module 'topo' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> "list[str]":
    return __all__
