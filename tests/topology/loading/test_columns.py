"""Records read key by key are the records read one by one, with the same faults."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.topology.near_misses import estate_files, topology_files
from topology import columns
from topology.decode_estate import decode_estate
from topology.decode_topology import decode_topology
from topology.parsed import Plain

_VALUES: tuple[Any, ...] = (
    None,
    0,
    0.0,
    -0.0,
    1,
    1.0,
    True,
    False,
    "1",
    Plain("1"),
    Plain("x"),
    "x",
    [],
    ["x"],
    {"any": ["x"]},
)
_KEYS = ("utilization", "domains", "ready", "model", "installed", "roles", "schedulable", "hall")


def _read(decode: Any, raw: Any, *, few: int, chunk: int) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "FEW", few)
        patch.setattr(columns, "CHUNK", chunk)
        return repr(decode(raw))


def _alike(decode: Any, raw: Any) -> None:
    alone = _read(decode, raw, few=10**9, chunk=1)
    assert _read(decode, raw, few=1, chunk=10**9) == alone
    assert _read(decode, raw, few=1, chunk=2) == alone


class TestTheSame:
    """`repr` tells 1 from 1.0, 0.0 from -0.0, and one order of domains from another."""

    @given(estate_files())
    def test_estates(self, raw: Any) -> None:
        _alike(decode_estate, raw)

    @given(topology_files())
    def test_topologies(self, raw: Any) -> None:
        _alike(decode_topology, raw)

    @given(
        st.lists(
            st.fixed_dictionaries(
                {"id": st.sampled_from(("a", "b", "c")), "allocated": st.sampled_from(_VALUES)},
                optional={key: st.sampled_from(_VALUES) for key in _KEYS},
            ),
            max_size=6,
        )
    )
    def test_nodes(self, nodes: list[dict[str, Any]]) -> None:
        _alike(decode_estate, {"nodes": nodes})

    def test_many_alike_are_not_read_one_by_one(self) -> None:
        nodes = [{"id": f"n{i}", "allocated": i, "domains": {"rack": "r"}} for i in range(2_500)]
        nodes[1_700]["allocated"] = -1
        draft, faults = decode_estate({"nodes": nodes})
        assert [node.allocated for node in draft.estate.nodes if node.id != "n1700"] == [
            i for i in range(2_500) if i != 1_700
        ]
        assert [fault.route for fault in faults if fault.route] == [("nodes", 1_700, "allocated")]
