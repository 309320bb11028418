"""Methodology: Multi-cluster merge. Laws over generated estates."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closure.cascade import close
from closure.compiled import compile_facility
from tests.strategies import estates, failures, renamed
from tests.topology.merge.files import estate, text_of
from topology.dump import estate_to_json
from topology.load import load_estate_text
from topology.merge import merge_estates
from topology.merge.estates import SIDE_BY_SIDE
from topology.model import (
    Estate,
)


class TestLaws:
    @given(estates())
    def test_the_merge_of_one_is_that_one_namespaced(self, one: Estate) -> None:
        merged = merge_estates([("a.json", one)])
        prefixed = renamed(one, lambda name: name if name in one.domains else f"{one.cluster}/{name}")
        assert [dataclasses.replace(each, cluster=None) for each in merged.nodes] == list(prefixed.nodes)
        assert merged.domains == one.domains
        assert merge_estates([("m.json", merged)]) == merged

    @given(estates(), st.data())
    def test_without_a_shared_domain_blasts_are_united(self, one: Estate, data: st.DataObject) -> None:
        other = dataclasses.replace(renamed(one, lambda name: f"{name}'"), cluster="other")
        failed = data.draw(failures(one))
        domains = [name for name in failed if name in one.domains]
        merged = merge_estates([("a", one), ("b", other)])
        assert SIDE_BY_SIDE in merged.notes or not any(each.standings for each in one.nodes)

        def lost(estate: Estate, prefix: str, ids: list[str]) -> set[str]:
            return {prefix + each.id for each in close(compile_facility(estate), ids).nodes}

        united = lost(one, "lab/", domains) | lost(other, "other/", [f"{name}'" for name in domains])
        assert lost(merged, "", [*domains, *(f"{name}'" for name in domains)]) == united

    @given(estates(kw_known=True), st.data())
    def test_a_merge_never_shrinks_a_blast(self, one: Estate, data: st.DataObject) -> None:
        nodes = tuple(dataclasses.replace(each, id=f"{each.id}'") for each in one.nodes)
        other = dataclasses.replace(one, cluster="other", nodes=nodes, workloads=())
        failed = [name for name in data.draw(failures(one)) if name in one.domains]
        alone = {f"lab/{each.id}" for each in close(compile_facility(one), failed).nodes}
        merged = merge_estates([("a", one), ("b", other)])
        assert alone <= {each.id for each in close(compile_facility(merged), failed).nodes}

    @given(estates())
    def test_the_order_of_the_files_does_not_matter(self, one: Estate) -> None:
        nodes = tuple(dataclasses.replace(each, id=f"{each.id}'") for each in one.nodes)
        other = dataclasses.replace(one, cluster="other", nodes=nodes, workloads=())
        forwards, backwards = [("a", one), ("b", other)], [("b", other), ("a", one)]
        assert text_of(merge_estates(forwards)) == text_of(merge_estates(backwards))

    @given(estates())
    def test_a_merged_estate_can_be_written_and_read(self, one: Estate) -> None:
        other = dataclasses.replace(renamed(one, lambda name: f"{name}'"), cluster="other")
        merged = merge_estates([("a", one), ("b", other)])
        read = load_estate_text(text_of(merged), "merged.json")
        assert read.estate is not None, read.diagnostics
        assert estate_to_json(read.estate) == estate_to_json(merged)

    @pytest.mark.parametrize("files", [[], [("a", dataclasses.replace(estate("a"), bare=True))]])
    def test_nothing_to_merge_is_an_error(self, files: list[tuple[str, Estate]]) -> None:
        with pytest.raises(ValueError, match="one estate or more"):
            merge_estates(files)
