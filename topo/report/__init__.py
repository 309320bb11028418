"""The Exposure Report. Needs the standard library only, so that it can be made inside a page as well."""

from topo.report.page import render_report, report_of
from topo.report.policy import script_hash

__all__ = ["render_report", "report_of", "script_hash"]
