"""python3 -m tests.answers FOLDER: every answer whole, a file each, so that two versions can be compared."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.answers.documents import answers, plain
from tests.answers.estates import estates


def main(folder: Path) -> None:
    """Write the answers to every estate below a folder."""
    for name, estate in estates():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for answer, compute in answers(estate):
            text = json.dumps(plain(compute()), indent=1)
            (folder / name / f"{answer.replace('/', '_')}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
