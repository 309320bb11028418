"""Frozen values made quickly are the values that the class makes."""

from __future__ import annotations

import dataclasses

import pytest

from topology.frozen import maker_of
from topology.model import Loop, Node, Workload


class TestMaker:
    """`maker_of(C)(**values) == C(**values)`, in every respect."""

    def test_the_same_value(self) -> None:
        made = maker_of(Node)(id="n", allocated=6, roles=("etcd",))
        same = Node("n", 6, roles=("etcd",))
        assert made == same
        assert hash(made) == hash(same)
        assert repr(made) == repr(same)
        assert type(made) is Node
        assert dataclasses.replace(made, allocated=7).allocated == 7

    def test_it_is_frozen(self) -> None:
        made = maker_of(Loop)(id="k", hourly_actions=())
        with pytest.raises(dataclasses.FrozenInstanceError):
            made.id = "other"  # type: ignore[misc]

    def test_a_required_value_is_required(self) -> None:
        with pytest.raises(TypeError):
            maker_of(Workload)(id="w")
