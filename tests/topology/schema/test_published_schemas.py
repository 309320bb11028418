"""The schemas as others use them: stock validators, editors, and a misspelt keyword."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator, exceptions

from tests.topology.loading.files import estate_file
from tests.topology.loading.test_estate_files import FULL
from topology.decode_domains import DOMAIN, OVERLOAD
from topology.decode_standings import StandingReader
from topology.decode_topology import TOPOLOGY
from topology.estate_shapes import CLUSTER, EMBEDDED, ESTATE, LOOP, PROVENANCE, SIGNAL, WORKLOAD, node_shape
from topology.fields import Shape
from topology.kinds import AXES, KINDS
from topology.reading import Kind
from topology.schema_check import check_schema, schema_of, schema_verdict

_CYCLE: dict[str, Any] = {
    "domains": {"a": {"kind": "ups", "parent": "b"}, "b": {"kind": "ups", "parent": "a"}}
}
_DANGLING: dict[str, Any] = {"domains": {"a": {"kind": "ups", "feeds": ["zz"]}}}


class TestKeywords:
    """Spec 1: "so that jsonschema rejects cycles and dangling feeds"."""

    @pytest.mark.parametrize(
        ("keyword", "raw", "route"),
        [
            ("x-acyclic", _CYCLE, ("domains", "a", "parent")),
            ("x-acyclic", {"domains": {"a": {"kind": "ups", "feeds": ["a"]}}}, ("domains", "a", "feeds", 0)),
            ("x-declared", _DANGLING, ("domains", "a", "feeds", 0)),
            (
                "x-distinct",
                {"domains": {"a": {"kind": "ups", "feeds": ["b", "b"]}, "b": {"kind": "ups"}}},
                ("domains", "a", "feeds", 1),
            ),
            (
                "x-axis-kinds",
                {"nodes": {"n": {"pdu": "a"}}, "domains": {"a": {"kind": "ups"}}},
                ("nodes", "n", "pdu"),
            ),
            (
                "x-upstream-order",
                {"domains": {"a": {"kind": "ups", "parent": "r"}, "r": {"kind": "rack"}}},
                ("domains", "a", "parent"),
            ),
            (
                "x-one-commodity",
                {
                    "domains": {
                        "a": {"kind": "network", "feeds": ["p", "c"]},
                        "p": {"kind": "power"},
                        "c": {"kind": "cooling"},
                    }
                },
                ("domains", "a", "feeds", 1),
            ),
            ("x-min-feeds", {"domains": {"a": {"kind": "ups", "minFeeds": 1}}}, ("domains", "a", "minFeeds")),
            (
                "x-ratings-placed",
                {"domains": {"a": {"kind": "zone", "ratedKw": 1}}},
                ("domains", "a", "ratedKw"),
            ),
            ("x-said-lists", {"nodes": {"n": {"cooling": ["a", "b"]}}}, ("nodes", "n", "cooling")),
            ("x-one-namespace", {"nodes": {"n": {"rack": "n"}}}, ("nodes", "n")),
            ("x-text", {"nodes": {"n": {"rack": "\ud800"}}}, ("nodes", "n", "rack")),
            (
                "x-distinct-percents",
                {
                    "domains": {
                        "a": {"kind": "ups", "overload": [{"percent": p, "seconds": 9} for p in (5, 5.0)]}
                    }
                },
                ("domains", "a", "overload", 1, "percent"),
            ),
            ("x-timestamp", {"verifiedAt": "2026-02-30T00:00:00Z"}, ("verifiedAt",)),
        ],
    )
    def test_each_refuses_at_its_place(self, keyword: str, raw: Any, route: tuple[object, ...]) -> None:
        verdict = schema_verdict(raw, "topology")
        assert not verdict.valid
        found = [error for error in verdict.errors if error.keyword == keyword]
        places = {error.route for error in found} or {
            error.route for error in verdict.errors if error.keyword in ("anyOf", "oneOf")
        }
        assert route in places

    @pytest.mark.parametrize(
        ("keyword", "changes"),
        [
            ("x-unique-ids", {"loops": [{"id": "k", "hourlyActions": [0] * 24}] * 2}),
            ("x-allocated-fits", {"nodes": [{"id": "n1", "allocated": 9, "installed": 8}]}),
            ("x-placements-fit", {"nodes": [{"id": "n1", "allocated": 1}]}),
            ("x-embedded-topology", {"topology": {"text": "nodes: {"}}),
        ],
    )
    def test_the_invariants_of_an_estate(self, keyword: str, changes: dict[str, Any]) -> None:
        verdict = schema_verdict(estate_file(**changes), "estate")
        assert {error.keyword for error in verdict.errors} == {keyword}

    def test_they_are_asked_before_the_shape_of_every_value(self) -> None:
        raw = {"nodes": {"n": {"hall": "h"}}, **_CYCLE}
        assert [error.keyword for error in schema_verdict(raw, "topology", 1).errors] == ["x-acyclic"]

    def test_a_stock_validator_passes_them_silently(self) -> None:
        for raw in (_CYCLE, _DANGLING):
            assert Draft7Validator(schema_of("topology")).is_valid(raw)
            assert not schema_verdict(raw, "topology").valid

    @pytest.mark.parametrize("kind", ["topology", "estate"])
    @pytest.mark.parametrize("misspelt", ["x-acylic", "x-declare", "x-"])
    def test_a_misspelt_one_is_refused(self, kind: Kind, misspelt: str) -> None:
        schema = {**copy.deepcopy(schema_of(kind)), misspelt: True}
        check_schema(schema_of(kind), kind)
        with pytest.raises(exceptions.SchemaError, match=misspelt):
            check_schema(schema, kind)

    def test_a_misspelt_one_deep_inside_is_refused(self) -> None:
        schema = copy.deepcopy(schema_of("topology"))
        schema["definitions"]["id"]["x-txt"] = True
        with pytest.raises(exceptions.SchemaError, match="x-txt"):
            check_schema(schema, "topology")

    def test_a_property_may_be_called_like_one(self) -> None:
        check_schema({"type": "object", "properties": {"x-anything": {"type": "string"}}}, "topology")


class TestSchemas:
    """Draft-07 for the topology, "so that every editor reads it"; 2020-12 for the estate."""

    def test_dialects(self) -> None:
        Draft7Validator.check_schema(schema_of("topology"))
        Draft202012Validator.check_schema(schema_of("estate"))
        assert "draft-07" in schema_of("topology")["$schema"]
        assert "2020-12" in schema_of("estate")["$schema"]

    def test_stock_validators_accept_valid_files(self) -> None:
        assert Draft202012Validator(schema_of("estate")).is_valid(FULL)
        raw = {"nodes": {"n": {"rack": "r", "pdu": ["a", "b"], "cooling": {"all": ["c"]}}}}
        assert Draft7Validator(schema_of("topology")).is_valid(raw)

    def test_the_same_keys_as_the_loader(self) -> None:
        topology, estate = schema_of("topology"), schema_of("estate")
        defs = estate["$defs"]
        pairs: list[tuple[Shape, Any]] = [
            (TOPOLOGY, topology),
            (DOMAIN, topology["definitions"]["domain"]),
            (OVERLOAD, topology["definitions"]["overload"]),
            (ESTATE, estate),
            (node_shape(StandingReader()), defs["node"]),
            (WORKLOAD, defs["workload"]),
            (LOOP, defs["loop"]),
            (PROVENANCE, defs["provenance"]),
            (SIGNAL, defs["provenance"]["properties"]["signals"]["additionalProperties"]),
            (EMBEDDED, defs["embedded"]),
            (CLUSTER, estate["properties"]["clusters"]["items"]),
        ]
        for shape, schema in pairs:
            assert list(shape.fields) == list(schema["properties"]) or set(shape.fields) == set(
                schema["properties"]
            )
            assert set(shape.required) == set(schema.get("required", ()))
        assert list(defs["standings"]["properties"]) == list(AXES)
        assert defs["domain"]["properties"]["kind"]["enum"] == list(KINDS)

    def test_both_say_the_same_of_domains(self) -> None:
        as_estate = json.loads(
            json.dumps(schema_of("topology")["definitions"]).replace("#/definitions/", "#/$defs/")
        )
        for name in ("domain", "domains", "overload", "id", "ids", "said", "cords", "anyOrAll", "one"):
            assert schema_of("estate")["$defs"][name] == as_estate[name]

    def test_every_key_is_described(self) -> None:
        def undescribed(schema: Any) -> list[str]:
            if isinstance(schema, list):
                return [name for part in schema for name in undescribed(part)]
            if not isinstance(schema, dict):
                return []
            bare = [
                name
                for name, part in schema.get("properties", {}).items()
                if isinstance(part, dict)
                and "description" not in part
                and "$ref" not in part
                and name not in ("any", "all")
            ]
            return bare + [name for part in schema.values() for name in undescribed(part)]

        assert not undescribed(schema_of("topology"))
        assert not undescribed(schema_of("estate"))
