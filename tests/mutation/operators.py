"""What can be changed in a module: every mutant is one small change of its syntax tree."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
CALLS: Final = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the module, its number there, the lines that it touches, and what kind of change it is."""

    path: str
    index: int
    line: int
    last_line: int
    operator: str


@dataclass(frozen=True, slots=True)
class _Change:
    node: ast.expr | ast.stmt
    operator: str
    apply: Callable[[], None]


def mutants(path: str, source: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of its syntax tree."""
    return [
        Mutant(path, index, change.node.lineno, change.node.end_lineno or change.node.lineno, change.operator)
        for index, change in enumerate(_changes(ast.parse(source)))
    ]


def described(mutant: Mutant, source: str) -> str:
    """Return the place of a mutant, what stood there and what stands there now."""
    change = _nth(ast.parse(source), mutant.index)
    before = ast.unparse(change.node)
    change.apply()
    after = ast.unparse(change.node) if mutant.operator != "condition" else f"not ({before})"
    place = f"{mutant.path}:{mutant.line}:{change.node.col_offset + 1}"
    return f"{place}: {mutant.operator}: {_short(before)}  ->  {_short(after)}"


def mutated(source: str, index: int) -> ast.Module:
    """Return the tree of the module with its `index`-th change made."""
    tree = ast.parse(source)
    _nth(tree, index).apply()
    return ast.fix_missing_locations(tree)


def _nth(tree: ast.Module, index: int) -> _Change:
    return next(change for number, change in enumerate(_changes(tree)) if number == index)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 100 else f"{text[:97]}..."


def _changes(tree: ast.Module) -> Iterator[_Change]:
    for node in _meaningful(tree):
        if isinstance(node, ast.Compare):
            yield from _compare(node)
        elif isinstance(node, ast.BinOp | ast.AugAssign):
            yield from _arithmetic(node)
        elif isinstance(node, ast.BoolOp):
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield _Change(node, "boolean", _setter(node, "op", other))
        elif isinstance(node, ast.Constant):
            yield from _constant(node)
        elif isinstance(node, ast.Return) and not _is_none(node.value):
            yield _Change(node, "return-none", _setter(node, "value", ast.Constant(None)))
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield _Change(node.test, "condition", _negate(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            yield _Change(node, "call", _call(node, node.func))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield _Change(node, "sign", _setter(node, "op", ast.UAdd()))


def _setter(target: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(target, name, value)


def _call(node: ast.Call, function: ast.Name) -> Callable[[], None]:
    def apply() -> None:
        function.id = CALLS[function.id]
        if function.id == "list":
            node.keywords = []

    return apply


def _negate(node: ast.If | ast.While | ast.IfExp) -> Callable[[], None]:
    inside = node.test

    def apply() -> None:
        node.test = ast.copy_location(ast.UnaryOp(ast.Not(), inside), inside)

    return apply


def _compare(node: ast.Compare) -> Iterator[_Change]:
    for place, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:

            def apply(place: int = place, other: type[ast.cmpop] = other) -> None:
                node.ops[place] = other()

            yield _Change(node, "comparison", apply)


def _arithmetic(node: ast.BinOp | ast.AugAssign) -> Iterator[_Change]:
    other = ARITHMETIC.get(type(node.op))
    if other is not None:
        yield _Change(node, "arithmetic", _setter(node, "op", other()))


def _constant(node: ast.Constant) -> Iterator[_Change]:
    value = node.value
    if isinstance(value, bool):
        yield _Change(node, "constant", _setter(node, "value", not value))
    elif isinstance(value, int):
        yield _Change(node, "off-by-one", _setter(node, "value", value + 1))
        yield _Change(node, "off-by-one", _setter(node, "value", value - 1))
    elif isinstance(value, float):
        yield _Change(node, "constant", _setter(node, "value", value * 2 + 1))
    elif isinstance(value, str) and value.strip():
        yield _Change(node, "text", _setter(node, "value", f"{value}~"))


def _is_none(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


_SILENT: Final = (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Raise, ast.Assert)
"""Nothing in these is changed: words of messages, and refusals that state what cannot happen."""


def _meaningful(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Walk what a test can observe: no annotations, types, docstrings, decorators, `TYPE_CHECKING` blocks."""
    for child in _children(node):
        if isinstance(child, _SILENT) or _is_words(child) or _is_typing(child) or _is_no_answer(child):
            continue
        if isinstance(child, ast.expr | ast.stmt):
            yield child
        yield from _meaningful(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    skipped = {"annotation", "returns", "decorator_list", "type_params", "bases", "keywords"}
    if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AnnAssign | ast.arg):
        skipped = set()
    for name, value in ast.iter_fields(node):
        if name in skipped:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child


def _is_words(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_no_answer(node: ast.AST) -> bool:
    """Say whether nothing that is answered depends on a node.

    How often progress is told; the words of an exception; `zip(strict=True)`, which states, as `assert` does,
    what cannot happen.
    """
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.Compare):
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        return any(name.endswith("PROGRESS_EVERY") for name in names)
    if isinstance(node, ast.keyword):
        return node.arg == "strict" and isinstance(node.value, ast.Constant) and node.value.value is True
    return isinstance(node, ast.FunctionDef) and node.name == "__str__"


def _is_typing(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and node.value.id == "Literal"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "TypeVar"
    if isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        return isinstance(target, ast.Name) and target.id in ("__all__", "__slots__", "T")
    return False
