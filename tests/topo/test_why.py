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
    lines = MAP.splitlines()
    found = {
        hop["id"]: (hop["rule"], lines[hop["place"]["line"] - 1][hop["place"]["column"] - 1 :])
        for hop in json.loads(done.out)["hops"]
    }
    assert found == {
        "u": ("failed", "{kind: ups}"),
        "a": ("parent-lost", "u}"),
        "b": ("parent-lost", "u}"),
        "r1": ("feeds-lost", "[a, b]}"),
        "n1": ("standing-lost", "r1}"),
    }


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
