"""The mutants are what they claim to be, and a mutant is killed by a test that sees it."""

import ast

import pytest

from tests.mutation import equivalent, runner
from tests.mutation.__main__ import chosen, that_run
from tests.mutation.coverage_map import ROOT, Coverage
from tests.mutation.operators import Mutant, described, mutants, mutated


def changes(source: str) -> list[str]:
    found = mutants("m.py", source)
    return [described(each, source).split(": ", 1)[1] for each in found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ["comparison: a < b  ->  a <= b", "comparison: a < b  ->  a >= b"]),
        ("a is b", ["comparison: a is b  ->  a is not b"]),
        ("a - b", ["arithmetic: a - b  ->  a + b"]),
        ("a += b", ["arithmetic: a += b  ->  a -= b"]),
        ("a and b", ["boolean: a and b  ->  a or b"]),
        ("a = True", ["constant: True  ->  False"]),
        ("a = 8", ["off-by-one: 8  ->  9", "off-by-one: 8  ->  7"]),
        ("a = 0.5", ["constant: 0.5  ->  2.0"]),
        ("a = 'x'", ["text: 'x'  ->  'x~'"]),
        ("if a: b", ["condition: a  ->  not (a)"]),
        ("min(a, b)", ["call: min(a, b)  ->  max(a, b)"]),
        ("sorted(a, key=b)", ["call: sorted(a, key=b)  ->  list(a)"]),
        ("-a", ["sign: -a  ->  +a"]),
        ("def f(): return a", ["return-none: return a  ->  return None"]),
    ],
)
def test_every_operator(source: str, expected: list[str]) -> None:
    assert changes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""Words."""',
        "def f(a: 'T' = b) -> 'U':\n    '''Words.'''",
        "import a",
        "raise ValueError('words', 1)",
        "f'{a} and words'",
        "if TYPE_CHECKING:\n    a = 1",
        "__all__ = ['a']",
        "@dataclass(frozen=True)\nclass A: pass",
        "def f(): return None",
        "A = Literal['a', 'b']",
        "T = TypeVar('A')",
        "PROGRESS_EVERY = 500",
        "done % PROGRESS_EVERY == 0",
        "zip(a, b, strict=True)",
        "def __str__(self): return 'words'",
    ],
)
def test_what_no_test_can_observe_is_left_alone(source: str) -> None:
    assert changes(source) == []


def test_every_mutant_of_a_module_differs_from_it_and_compiles() -> None:
    path = "findings/lemon.py"
    source = (ROOT / path).read_text(encoding="utf-8")
    before = ast.dump(ast.parse(source))
    found = mutants(path, source)
    assert len(found) > 20
    for mutant in found:
        tree = mutated(source, mutant.index)
        assert ast.dump(tree) != before
        compile(tree, path, "exec")


def test_a_draw_is_repeatable_and_part_of_the_whole() -> None:
    drawn, total = chosen(["findings/lemon.py"], 5, seed=3)
    assert len(drawn) == 5 < total
    assert drawn == chosen(["findings/lemon.py"], 5, seed=3)[0] != chosen(["findings/lemon.py"], 5, seed=4)[0]
    assert set(drawn) <= set(chosen(["findings/lemon.py"], None, seed=3)[0])


def test_the_quickest_test_of_a_line_is_first_and_an_import_asks_the_whole_module() -> None:
    coverage = Coverage(
        {"slow": 2.0, "quick": 0.1, "other": 0.2}, {"m.py": {1: ("slow", "quick"), 9: ("other",)}}
    )
    on_line = Mutant("m.py", 0, 1, 2, "comparison")
    on_import = Mutant("m.py", 0, 5, 5, "constant")
    assert that_run(on_line, coverage) == ["quick", "slow"]
    assert that_run(on_import, coverage) == ["quick", "other", "slow"]
    assert that_run(Mutant("n.py", 0, 1, 1, "constant"), coverage) == []


@pytest.mark.parametrize(("line", "first"), [(1, None), (3, 2), (5, None), (6, 4), (7, None), (8, 7)])
def test_the_function_around_a_mutant(line: int, first: int | None) -> None:
    """Defaults and constants are computed on import, where no function's code can be put in their place."""
    source = (
        "class A:\n def f(self):\n  return 1\n @property\n def g(self):\n  return 2\ndef h(a=1):\n return a\n"
    )
    assert runner.function_around(source, Mutant("m.py", 0, line, line, "constant")) == first


@pytest.mark.parametrize(("line", "first"), [(2, None), (4, 3)])
def test_what_a_module_calls_itself_is_computed_on_import(line: int, first: int | None) -> None:
    source = "def f():\n return 1\ndef g():\n return f()\nKEPT = {'f': f(), 'g': g}\n"
    assert runner.function_around(source, Mutant("m.py", 0, line, line, "constant")) == first


class TestEquivalent:
    """An entry holds for its line wherever that moves, and no longer once the line reads otherwise."""

    source = "def f(a, b):\n    return a < b\n"

    def test_a_line_that_moves_keeps_its_entry(self) -> None:
        moved = f"X = 'words'\n{self.source}".replace("    return", "  return")
        (before,) = {key for key in self.keys(self.source) if key[2].endswith("a <= b")}
        assert before == ("m.py", "return a < b", "comparison: a < b  ->  a <= b")
        assert before in self.keys(moved)
        assert before not in self.keys(self.source.replace("return a", "return +a"))

    def test_an_entry_without_its_line_is_said(self) -> None:
        keys = [("m.py", "return a < b", "x"), ("m.py", "return b", "x"), ("other.py", "return b", "x")]
        assert equivalent.stale(keys, {"m.py": self.source}) == [keys[1]]

    def test_every_entry_on_record_has_a_reason(self) -> None:
        assert all(path.startswith(("closure/", "findings/")) for path, _, _ in equivalent.on_record())
        assert all(why.endswith(".") for why in equivalent.on_record().values())

    def keys(self, source: str) -> list[equivalent.Key]:
        return [equivalent.key_of(each, source) for each in mutants("m.py", source)]
