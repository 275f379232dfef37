"""Finds the name that a model's source gives to a number or size."""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Name", "loop_of", "name_of"]


@dataclass(frozen=True)
class Name:
    """The name that a statement gives to its value."""

    expression: str
    """`n`, or `kept.shape[0]`."""
    file: str
    scope: int
    """First line of the enclosing function. Only names of one function are comparable."""


@lru_cache(maxsize=64)
def _statements(file: str) -> tuple[tuple[int, int, int, ast.stmt], ...]:
    """Returns first line, last line and the first line of the enclosing function for every statement; inner
    statements follow outer ones."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return ()
    found: list[tuple[int, int, int, ast.stmt]] = []

    def walk(node: ast.AST, scope: int) -> None:
        for child in ast.iter_child_nodes(node):
            inner = child.lineno if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else scope
            if isinstance(child, ast.stmt):
                found.append((child.lineno, child.end_lineno or child.lineno, scope, child))
            walk(child, inner)

    walk(tree, 0)
    return tuple(found)


_NUMBER_CALLS = {"item"}
_SIZE_CALLS = {"nonzero", "masked_select", "unique", "unique_consecutive", "argwhere", "repeat_interleave", "bincount", "nms", "batched_nms", "where"}


def _called(value: ast.expr) -> str:
    if not isinstance(value, ast.Call):
        return ""
    return value.func.attr if isinstance(value.func, ast.Attribute) else value.func.id if isinstance(value.func, ast.Name) else ""


def _makes(value: ast.expr, op: str, dim: int | None) -> bool:
    """Returns whether the expression's value is the operator's result, as far as the source shows."""
    if dim is None:
        if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("int", "float") and value.args):
            return _called(value) in _NUMBER_CALLS
        inner = value.args[0]  # `int(tensor)` reads the tensor; `int(x.item() + 1)` gives another number
        return _called(inner) in _NUMBER_CALLS or not any(_called(n) in _NUMBER_CALLS for n in ast.walk(inner) if isinstance(n, ast.expr))
    if not isinstance(value, ast.Subscript):
        return _called(value) in _SIZE_CALLS
    if op.startswith("aten.index."):
        return not isinstance(value.slice, ast.Slice)
    # For example `torch.where(mask)[0]`.
    return isinstance(value.slice, ast.Constant) and _called(value.value) in _SIZE_CALLS


def name_of(file: str, line: int, op: str, dim: int | None) -> Name | None:
    """Returns the name of an operator's result at a line: a number, or the size `dim` of a tensor. None if it has no
    name."""
    around = [s for s in _statements(file) if s[0] <= line <= s[1] and isinstance(s[3], (ast.Assign, ast.AnnAssign))]
    if not around:
        return None
    _, _, scope, statement = around[-1]
    assert isinstance(statement, (ast.Assign, ast.AnnAssign))
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    value, called = statement.value, _called(statement.value) if statement.value else ""
    if value is None or (isinstance(statement, ast.Assign) and len(statement.targets) > 1):
        return None
    if isinstance(target, (ast.Tuple, ast.List)):  # for example `values, inverse = torch.unique(...)`
        if dim is None or called not in _SIZE_CALLS or not target.elts:
            return None
        target = target.elts[0]
    if not isinstance(target, ast.Name):
        return None
    if not _makes(value, op, dim):
        return None
    return Name(target.id if dim is None else f"{target.id}.shape[{dim}]", file, scope)


def loop_of(file: str, line: int) -> str:
    """Returns the head of a loop whose condition reads a number at the line, `while i < n.item()`. Empty if there is
    none."""
    for first, _, _, statement in reversed(_statements(file)):
        if isinstance(statement, ast.While) and first <= line <= (statement.test.end_lineno or first):
            return f"while {ast.unparse(statement.test)}"
        if isinstance(statement, ast.For) and first <= line <= (statement.iter.end_lineno or first):
            return f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}"
    return ""
