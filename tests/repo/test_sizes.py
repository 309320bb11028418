"""Files that fit in a head, functions that fit on a screen."""

import ast

from tests.repo.tree import modules, relative, tree_of

MODULE_LINES = 300
FUNCTION_LINES = 50
ONE_FILE_BY_DESIGN = {"topo/collect.py"}
"""The collector is copied to an administration host as one file."""


def test_no_module_is_too_long() -> None:
    lengths = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {
        name: length
        for name, length in lengths.items()
        if length > MODULE_LINES and name not in ONE_FILE_BY_DESIGN
    } == {}


def test_no_function_is_too_long() -> None:
    assert {
        f"{relative(path)}:{node.lineno} {node.name}": length
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
    } == {}
