"""Two CSV files, as most DCIM systems can export them -> topology.yaml on standard output.

    python3 from_csv.py FOLDER

`servers.csv` has the columns server, rack, cooling. `equipment.csv` has name, type, fed_from (the A and the B
side, with a semicolon between them), rated_kw, ride_through_minutes.
Nothing is corrected: `topo validate` judges.
"""

import csv
import json
import sys
from pathlib import Path

KINDS = {"pdu": "power", "crah": "cooling", "cdu": "cooling", "chiller": "cooling"}
"""What the export calls a type -> the kind; a type that is not listed is a kind already."""


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def node(row: dict[str, str]) -> dict[str, object]:
    return {axis: row[axis] for axis in ("rack", "cooling") if row[axis]}


def domain(row: dict[str, str]) -> dict[str, object]:
    found: dict[str, object] = {"kind": KINDS.get(row["type"], row["type"])}
    feeds = [name for name in row["fed_from"].split(";") if name]
    if len(feeds) == 1:
        found["parent"] = feeds[0]
    elif feeds:
        found["feeds"] = feeds
    for column, key in (("rated_kw", "ratedKw"), ("ride_through_minutes", "rideThroughMinutes")):
        if row[column]:
            found[key] = float(row[column])
    return found


def main(folder: Path) -> None:
    write = sys.stdout.write
    write("nodes:\n")
    for row in rows(folder / "servers.csv"):
        write(f"  {json.dumps(row['server'])}: {json.dumps(node(row))}\n")
    write("domains:\n")
    for row in rows(folder / "equipment.csv"):
        write(f"  {json.dumps(row['name'])}: {json.dumps(domain(row))}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
