"""Finds statements and expressions of a source text by place, and turns conditions into lines that assert them or
their negation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Place", "called", "contrary", "expression_at", "holds", "indent_of", "leaves", "parsed", "place_of", "takes_one_value", "text_of"]


@lru_cache(maxsize=256)
def parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def text_of(node: ast.AST, text: str) -> str:
    return ast.get_source_segment(text, node) or ast.unparse(node)


@dataclass(frozen=True)
class Place:
    """A statement, its enclosing nodes from the outside in, and its block."""

    statement: ast.stmt
    around: tuple[ast.AST, ...]
    block: tuple[ast.stmt, ...]

    @property
    def function(self) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        return next((n for n in reversed(self.around) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))), None)

    @property
    def loops(self) -> list[ast.For | ast.While]:
        """Returns the enclosing loops inside of the function."""
        found: list[ast.For | ast.While] = []
        for node in self.around:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found = []
            elif isinstance(node, (ast.For, ast.While)):
                found.append(node)
        return found


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    for handler in getattr(node, "handlers", []) + getattr(node, "cases", []):
        yield handler.body


def place_of(text: str, line: int) -> Place | None:
    """Returns the innermost statement of a line."""
    tree = parsed(text)
    if tree is None:
        return None
    around: list[ast.AST] = []
    node: ast.AST = tree
    found: Place | None = None
    while True:
        inner = next(((s, block) for block in _blocks(node) for s in block if s.lineno <= line <= (s.end_lineno or s.lineno)), None)
        if inner is None:
            return found
        around.append(node)
        found = Place(inner[0], tuple(around), tuple(inner[1]))
        node = inner[0]


def leaves(block: list[ast.stmt]) -> str:
    """Returns how a block ends: `raise`, `return`, `break` or `continue`; empty if it continues after the block."""
    if not block:
        return ""
    last = block[-1]
    if isinstance(last, ast.If) and last.orelse:
        ends = {leaves(last.body), leaves(last.orelse)}
        return ends.pop() if len(ends) == 1 else ""
    names: dict[type[ast.stmt], str] = {ast.Raise: "raise", ast.Return: "return", ast.Break: "break", ast.Continue: "continue"}
    return names.get(type(last), "")


def expression_at(statement: ast.stmt, position: tuple[int, int, int, int] | None) -> ast.expr | None:
    """Returns the expression of a failing instruction at (first line, last line, first column, last column). None if
    it is unknown."""
    if position is None:
        return None
    for node in ast.walk(statement):
        if isinstance(node, ast.expr) and (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) == position:
            return node
    return None


def indent_of(statement: ast.stmt, text: str) -> str | None:
    """Returns the text before a statement in its line. None if that is more than blanks, because no line can be
    inserted then."""
    row = text.splitlines()[statement.lineno - 1]
    before = row.encode()[: statement.col_offset].decode()
    return before if not before.strip() and not row[len(before) :].startswith("elif") else None


_FLIPPED: dict[type[ast.cmpop], str] = {ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<"}
_AS_IS: dict[type[ast.cmpop], str] = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def _pairs(node: ast.Compare, text: str, spelled: dict[type[ast.cmpop], str]) -> list[str] | None:
    if any(type(op) not in spelled for op in node.ops):
        return None
    terms = [node.left, *node.comparators]
    return [f"{text_of(a, text)} {spelled[type(op)]} {text_of(b, text)}" for a, op, b in zip(terms, node.ops, terms[1:])]


def _all(parts: list[list[str] | None]) -> list[str] | None:
    return None if any(p is None for p in parts) else [row for p in parts for row in p or []]


def _any(parts: list[list[str] | None]) -> list[str] | None:
    whole = [" & ".join(f"({row})" for row in p) for p in parts if p is not None]
    return [" | ".join(w if w.count("(") == 1 else f"({w})" for w in whole)] if len(whole) == len(parts) else None


def comparisons(node: ast.expr, text: str, side: bool) -> list[str] | None:
    """Returns comparisons that are all true if the condition is `side`, without a conversion to bool. None if it is
    no comparison of numbers."""
    if isinstance(node, ast.BoolOp):
        parts = [comparisons(v, text, side) for v in node.values]
        return _all(parts) if isinstance(node.op, ast.And) == side else _any(parts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return comparisons(node.operand, text, not side)
    if isinstance(node, ast.Compare):
        pairs = _pairs(node, text, _AS_IS if side else _FLIPPED)
        return pairs if side or pairs is None or len(pairs) == 1 else _any([[p] for p in pairs])
    is_number = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp))
    return [f"{text_of(node, text)} {'!=' if side else '=='} 0"] if is_number else None


def called(call: ast.expr) -> str:
    """Returns the name of the called function or method, empty if the expression is no call of a name."""
    if not isinstance(call, ast.Call):
        return ""
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def takes_one_value(condition: str) -> bool:
    """Returns whether the condition is like `size == 0`, which refuses every other size."""
    test = ast.parse(" ".join(condition.split()), mode="eval").body
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq) and any(isinstance(v, ast.Constant) for v in (test.left, *test.comparators))
