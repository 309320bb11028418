"""`topo why`: each hop at the line of the file that says it, the map winning over the snapshot."""

import json
from pathlib import Path

from tests.topo.command import TWO_HALLS, topo

MAP = """\
nodes:
  n1: {rack: r1}
domains:
  r1: {kind: rack, feeds: [a, b]}
  a: {kind: power, parent: u}
  b: {kind: power, parent: u}
  u: {kind: ups}
"""


def test_each_hop_is_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(MAP, encoding="utf-8")
    done = topo("why", "n1", "--fail", "u", "--format", "json", path)
    hops = json.loads(done.out)["hops"]
    assert [(hop["id"], hop["rule"], hop["place"]["line"], hop["place"]["column"]) for hop in hops] == [
        ("u", "failed", 7, 6),
        ("a", "parent-lost", 5, 26),
        ("b", "parent-lost", 6, 26),
        ("r1", "feeds-lost", 4, 26),
        ("n1", "standing-lost", 2, 14),
    ]


def test_the_overlaid_map_is_where_a_domain_comes_from() -> None:
    done = topo(
        "why", "gpu-h1-130", "--fail", "h1-ups-a", "--format", "json", TWO_HALLS / "estate.json",
        "--topology", TWO_HALLS / "topology.yaml",
    )  # fmt: skip
    files = {Path(hop["place"]["file"]).name for hop in json.loads(done.out)["hops"]}
    assert files == {"topology.yaml"}


def test_an_unknown_thing_is_wrong_usage() -> None:
    done = topo("why", "gpu-h1-999", "--fail", "h1-ups-a", TWO_HALLS / "estate.json")
    assert (done.code, done.out) == (2, "")
