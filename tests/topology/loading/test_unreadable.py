"""Files that cannot be read: one clear diagnostic each, at its place (case 12)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.topology.loading.files import ESTATE, estate_faults, faults, only, topology
from topology.limits import MAX_JSON_BYTES, MAX_YAML_BYTES
from topology.load import LoadResult, load_estate_text, load_text, load_topology_text
from topology.reading import Beginning, beginning


class TestYaml:
    """Rule yaml-syntax: "cannot be parsed (also: two documents, not a mapping at the top, empty, …)"."""

    @pytest.mark.parametrize(
        ("text", "place", "said"),
        [
            ("", (1, 1), "empty"),
            ("# nothing\n", (1, 1), "empty"),
            ("---\n", (2, 1), "says nothing"),
            ("hello\n", (1, 1), "mapping at the top"),
            ("- a\n", (1, 1), "a list"),
            ("nodes: {}\n---\nnodes: {}\n", (2, 1), "second document"),
            ("nodes:\n\ta: {}\n", (2, 1), "cannot start any token"),
            ("nodes:\n  a: {rack: r\n  b: {rack: q}\n", (3, 4), "flow mapping"),
            ("nodes:\n  a: {rack: `r}\n", (2, 13), "token"),
            ("nodes:\n  a\x00b: {}\n", (2, 4), "NUL"),
            ("nodes:\n  a: {rack: \x07}\n", (2, 13), "U+0007"),
            ("nodes:\n  a: {rack: \ud800}\n", (2, 13), "U+D800"),
            ('nodes:\n  a: {rack: "\\ud800"}\n', (2, 16), "escape"),
            ("nodes:\n  ? [a, b]\n  : {}\n", (2, 5), "cannot be a key"),
            ("nodes:\n  a: {rack: *r}\n", (2, 13), "no anchor 'r'"),
            ("nodes: &a {b: *a}\n", (1, 15), "inside what it names"),
            ("nodes: {a: {rack: !!python/object:os.system r}}\n", (1, 19), "tag"),
            ("- " * 10**6, (1, 201), "deeper"),
            ("{a: " * 10**6, (1, 401), "deeper"),
            ("k" * 10**7 + ": {}\n", (1, 10**7 + 1), "mapping values"),
        ],
    )
    def test_one_located_diagnostic(self, text: str, place: tuple[int, int], said: str) -> None:
        found = only(faults(text))
        assert (found.rule, (found.line, found.column)) == ("yaml-syntax", place)
        assert said in found.message

    def test_a_million_open_brackets(self) -> None:
        """libyaml 0.2.6 reads ahead and refuses the 1000th; older ones and the pure parser meet our limit."""
        found = only(faults("nodes: " + "[" * 10**6))
        assert (found.rule, found.line) == ("yaml-syntax", 1)
        assert (found.column, "deeper" in found.message) in ((1_007, False), (107, True))
        assert "Flatten" in found.hint

    def test_an_id_of_ten_million_characters_is_quoted_short(self) -> None:
        found = only(faults("nodes:\n  n: {rack: " + "x" * 10**7 + "}\n"))
        assert (found.rule, found.line, found.column) == ("schema", 2, 13)
        assert len(found.message) < 200

    def test_tabs_get_their_own_hint(self) -> None:
        assert "tabs" in only(faults("nodes:\n\ta: {}\n")).hint

    def test_an_unclosed_bracket_names_where_it_was_opened(self) -> None:
        (place,) = only(faults("nodes:\n  a: {rack: r\n  b: {rack: q}\n")).related
        assert place[:2] == (2, 6)


class TestEncoding:
    """UTF-8 with or without a byte order mark; everything else is refused at its first byte."""

    def test_a_byte_order_mark_is_no_text(self) -> None:
        assert list(topology(b"\xef\xbb\xbfnodes:\n  a: {rack: r}\n").nodes) == ["a"]
        assert load_estate_text(b"\xef\xbb\xbf" + json.dumps(ESTATE).encode(), "e.json").value is not None

    def test_columns_do_not_count_it(self) -> None:
        found = only(faults(b"\xef\xbb\xbfnodes: 5\n"))
        assert (found.line, found.column) == (1, 8)

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
    def test_wide_encodings(self, encoding: str) -> None:
        found = only(faults("nodes: {a: {rack: r}}\n".encode(encoding)))
        assert (found.rule, found.line, found.column) == ("yaml-syntax", 1, 1)
        assert "UTF-8" in found.hint

    @pytest.mark.parametrize(
        ("data", "place"), [(b"nodes:\n  \xe9: {}\n", (2, 3)), ("é: \n".encode() + b"\xff", (2, 1))]
    )
    def test_bytes_that_are_not_utf8(self, data: bytes, place: tuple[int, int]) -> None:
        found = only(faults(data))
        assert (found.rule, (found.line, found.column)) == ("yaml-syntax", place)

    def test_cut_off_utf8_in_json(self) -> None:
        found = only(estate_faults(b'{\n "cluster": "\xc3'))
        assert (found.rule, found.line, found.column) == ("json-syntax", 2, 14)


class TestJson:
    """Rule json-syntax, located; an estate is one JSON object."""

    @pytest.mark.parametrize(
        ("text", "place", "said"),
        [
            ("", (1, 1), "empty"),
            (" \n", (1, 1), "empty"),
            ("[]", (1, 1), "mapping at the top"),
            ("3", (1, 1), "mapping at the top"),
            ("{} x", (1, 4), "follows"),
            ('{\n "a": 1,\n}', (2, 8), "trailing comma"),
            ('{"a": [1, 2 ,\n]}', (1, 13), "trailing comma"),
            ('{"a": [,]}', (1, 8), "trailing comma"),
            ('{"a": 1,, "b": 2}', (1, 9), "property name"),
            ("{// no\n}", (1, 2), "property name"),
            ('{"a": "b', (1, 7), "unterminated"),
            ('{"a": 1', (1, 8), "delimiter"),
            ('{"a": "\t"}', (1, 8), "control character"),
            ('{"a": ' + "[" * 10**6, (1, 106), "deeper"),
            ("schemaVersion: 1\n", (1, 1), "expecting value"),
        ],
    )
    def test_one_located_diagnostic(self, text: str, place: tuple[int, int], said: str) -> None:
        found = only(estate_faults(text))
        assert (found.rule, (found.line, found.column)) == ("json-syntax", place)
        assert said in found.message

    def test_deep_but_parsable_nesting_is_a_wrong_type(self) -> None:
        text = json.dumps(ESTATE).replace('"gpu"', "[" * 500 + "]" * 500)
        assert only(estate_faults(text)).rule == "schema"

    def test_a_file_that_was_cut_off_is_said_to_be(self) -> None:
        assert "cut off" in only(estate_faults(json.dumps(ESTATE)[:120])).hint

    @pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 5000])
    def test_numbers_that_are_not_finite(self, number: str) -> None:
        found = only(estate_faults(json.dumps(ESTATE).replace('"allocated": 2', f'"allocated": {number}')))
        assert found.rule == "schema"
        assert "not finite" in found.message

    @pytest.mark.parametrize(
        ("value", "said"), [("true", "true"), ('"2"', "without quotes"), ("-1", "range")]
    )
    def test_numbers_of_the_wrong_kind(self, value: str, said: str) -> None:
        found = only(estate_faults(json.dumps(ESTATE).replace('"allocated": 2', f'"allocated": {value}')))
        assert said in found.message + found.hint

    def test_lone_surrogates_are_refused(self) -> None:
        found = only(estate_faults(json.dumps(ESTATE).replace('"r1"', '"\\ud800"')))
        assert "surrogate" in found.message

    def test_a_pair_of_surrogates_is_a_character(self) -> None:
        text = json.dumps(ESTATE).replace('"r1"', '"\\ud83d\\ude00"')
        loaded = load_estate_text(text, "e.json").value
        assert loaded is not None
        assert loaded.nodes[0].standings[0].ids == ("\U0001f600",)


class TestSizeLimit:
    """Spec 1: "Size limits: 256 MiB YAML, 2 GiB JSON, raised by a flag"."""

    def test_larger_than_allowed(self) -> None:
        result = load_topology_text("nodes: {a: {rack: r}}\n", "t.yaml", max_bytes=10)
        found = only(result.diagnostics)
        assert (found.rule, found.line, found.column) == ("yaml-syntax", 1, 1)
        assert "--max-size" in found.hint

    def test_json_names_its_own_rule(self) -> None:
        assert only(load_estate_text("{}", "e.json", max_bytes=1).diagnostics).rule == "json-syntax"

    @pytest.mark.parametrize(
        ("path", "head", "limit"),
        [
            ("t.yaml", b"nodes:", MAX_YAML_BYTES),
            ("t", b"", MAX_YAML_BYTES),
            ("t.yaml", b"\xef\xbb\xbf {", MAX_JSON_BYTES),
            ("t", b"[", MAX_JSON_BYTES),
            ("e.json", b"nodes:", MAX_JSON_BYTES),
        ],
    )
    def test_the_beginning_tells_the_limit(self, path: str, head: bytes, limit: int) -> None:
        assert beginning(path, head, limit) is None
        assert beginning(path, head, limit + 1) == Beginning(head, limit + 1, limit)
        assert beginning(path, head, limit + 1, limit + 1) is None
        assert beginning(path, head, 11, 10) == Beginning(head, 11, 10)

    @pytest.mark.parametrize("load", [load_text, load_topology_text, load_estate_text])
    def test_a_beginning_alone_is_refused(self, load: Callable[..., LoadResult[object]]) -> None:
        found = only(load(Beginning(b"nodes: {", 1_234, 1_000), "t").diagnostics)
        assert found.message == "the file has 1,234 bytes, more than the limit of 1,000"


class TestSlurm:
    """Rule slurm-file: "a Slurm topology file given by mistake"."""

    @pytest.mark.parametrize(
        "text",
        [
            "- topology: t\n  tree:\n    switches:\n      - switch: s0\n        nodes: n[0-1]\n",
            "---\n- topology: b\n  cluster_default: true\n  block:\n    block_sizes: [18]\n",
            "# conf\nSwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Switches=s0\n",
            "BlockName=b1 Nodes=n[0-1]\nBlockSizes=2\n",
        ],
    )
    def test_is_said_to_be_one(self, text: str) -> None:
        found = only(faults(text))
        assert found.rule == "slurm-file"
        assert "nodes:" in found.hint

    def test_a_list_of_other_things_is_not(self) -> None:
        assert only(faults("- topology: t\n- tree: u\n")).rule == "yaml-syntax"


class TestRecognition:
    """`load_text` tells which of the two a file is."""

    @pytest.mark.parametrize(
        ("text", "path", "kind"),
        [
            (json.dumps(ESTATE), "estate.json", "estate"),
            (json.dumps(ESTATE), "<stdin>", "estate"),
            (json.dumps(ESTATE), "estate.yaml", "estate"),
            ("\ufeff" + json.dumps(ESTATE), "-", "estate"),
            (json.dumps(ESTATE)[:100], "<stdin>", "estate"),
            ('{"cluster": "c"}', "x.json", "estate"),
            ('{"nodes": {"a": {"rack": "r"}}}', "topology.json", "topology"),
            ("{nodes: {a: {rack: r}}}", "<stdin>", "topology"),
            ("{nodes: {a: {rack: 012}}}", "topology.yaml", "topology"),
            ("nodes:\n  a: {rack: r}\n", "topology.yaml", "topology"),
            ("nodes:\n  a: {rack: r}\n", "facility", "topology"),
        ],
    )
    def test_kinds(self, text: str, path: str, kind: str) -> None:
        assert load_text(text, path).kind == kind

    def test_a_topology_in_json_has_json_types(self) -> None:
        result = load_text('{"nodes": {"a": {"rack": 12}}}', "topology.json")
        assert only(result.diagnostics).rule == "schema"

    def test_an_estate_in_yaml_is_refused_in_one_sentence(self) -> None:
        result = load_text("cluster: c\nschemaVersion: 1\nnodes: []\n", "estate.yaml")
        found = only(result.diagnostics)
        assert (found.rule, found.line, found.column) == ("json-syntax", 2, 1)

    def test_the_other_kind_has_no_value(self) -> None:
        result = load_text(json.dumps(ESTATE), "estate.json")
        assert result.topology is None
        assert result.estate is result.value is not None

    @pytest.mark.parametrize(
        ("text", "path", "place"),
        [
            ('{"apiVersion": "v1",\n "items": [],\n "kind": "List"}', "nodes.json", (3, 2)),
            ("apiVersion: v1\nitems: []\nkind: List\n", "nodes.yaml", (3, 1)),
        ],
    )
    def test_what_kubectl_prints_is_refused_in_one_sentence(
        self, text: str, path: str, place: tuple[int, int]
    ) -> None:
        found = only(load_text(text, path).diagnostics)
        assert (found.rule, found.line, found.column) == ("schema", *place)
        assert found.message == "this is a Kubernetes List, neither a facility map nor an estate"
        assert found.hint.startswith("`topo collect -o estate.json` makes an estate of a cluster")
