"""What the report is allowed to do, and the files that it is made of beside its data."""

from functools import cache
from importlib.resources import files
from typing import Final

from topo.report.html import fingerprint

_FOLDER: Final = "assets/report"


@cache
def asset(name: str) -> str:
    """Return the text of a file that travels inside the report."""
    return (files("topo") / _FOLDER / name).read_text("utf-8")


def script_hash() -> str:
    """Return the hash of the report's only script, as a page that frames the report has to allow it."""
    return fingerprint(asset("report.js"))


def policy(styles: tuple[str, ...]) -> str:
    """Return the content security policy: this script and these style sheets, nothing from anywhere."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {script_hash()}",
            f"style-src {' '.join(map(fingerprint, styles))}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
