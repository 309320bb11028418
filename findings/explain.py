"""One finding down to its inputs: the formula, the same with this estate's numbers, the terms behind each."""

from typing import Any

from findings.finding import Finding, finding_to_json, term_to_json
from findings.formulas import formulas
from findings.term import MAX, SUM, Term, number


def explanation_to_json(finding: Finding) -> dict[str, Any]:
    """Return the finding with its formula and every term behind it."""
    formula = formulas()[finding.formula]
    row = finding_to_json(finding)
    return {
        "schemaVersion": 1,
        **row,
        "formulaText": formula.text,
        "beyond": formula.beyond,
        "how": finding.root.how,
        "terms": [term_to_json(part) for part in finding.root.parts()],
    }


def equation(term: Term) -> str:
    """Return one term as a line of arithmetic: `8 × 2.5 × 720 = 14400.0`."""
    value = number(term.value)
    if term.how in {"", value}:
        return value
    if term.how in {SUM, MAX}:
        return f"{value} ({term.how} of {term.count():,})"
    return f"{term.how} = {value}"
