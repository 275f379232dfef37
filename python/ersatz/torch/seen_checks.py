"""Lines for a model that say what held of a number or size when it ran: `torch._check(n >= 3)`, behind the statement that made it."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Check", "Name", "bounds", "name_of", "pasted"]


@dataclass(frozen=True)
class Name:
    """What a statement calls the value that it makes, and where a line behind it goes."""

    expression: str
    """`n`, or `kept.shape[0]`."""
    file: str
    line: int
    """The statement's last line."""
    indent: str
    scope: int
    """The first line of the function around it: names of one function may be compared."""


@dataclass(frozen=True)
class Check:
    """A bound that held in every run, as a line for the model. What was seen, and no proof."""

    check: str
    """`torch._check(n >= 3)`."""
    why: str
    file: str
    line: int
    """Where it goes: behind this line."""
    indent: str

    def __str__(self) -> str:
        return f"{self.check}  # {self.why}"


@lru_cache(maxsize=64)
def _statements(file: str) -> tuple[tuple[int, int, int, ast.stmt], ...]:
    """First line, last line and the first line of the function around it of every statement; inner ones later."""
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


_NUMBER_CALLS = {"item", "int", "float"}
_SIZE_CALLS = {"nonzero", "masked_select", "unique", "unique_consecutive", "argwhere", "repeat_interleave", "bincount", "nms", "batched_nms", "where"}


def _called(value: ast.expr) -> str:
    if not isinstance(value, ast.Call):
        return ""
    return value.func.attr if isinstance(value.func, ast.Attribute) else value.func.id if isinstance(value.func, ast.Name) else ""


def _makes(value: ast.expr, op: str, dim: int | None) -> bool:
    """Is the value of the expression the operator's result, as far as the text tells?"""
    if dim is None:
        return _called(value) in _NUMBER_CALLS
    if not isinstance(value, ast.Subscript):
        return _called(value) in _SIZE_CALLS
    if op.startswith("aten.index."):
        return not isinstance(value.slice, ast.Slice)
    return isinstance(value.slice, ast.Constant) and _called(value.value) in _SIZE_CALLS  # `torch.where(mask)[0]`


def name_of(file: str, line: int, op: str, dim: int | None) -> Name | None:
    """The name by which a program has what an operator returns at a line: a number, or the size `dim` of a tensor. None: it has none."""
    around = [s for s in _statements(file) if s[0] <= line <= s[1] and isinstance(s[3], (ast.Assign, ast.AnnAssign))]
    if not around:
        return None
    _, last, scope, statement = around[-1]
    assert isinstance(statement, (ast.Assign, ast.AnnAssign))
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    value, called = statement.value, _called(statement.value) if statement.value else ""
    if value is None or (isinstance(statement, ast.Assign) and len(statement.targets) > 1):
        return None
    if isinstance(target, (ast.Tuple, ast.List)):  # `values, inverse = torch.unique(...)`
        if dim is None or called not in _SIZE_CALLS or not target.elts:
            return None
        target = target.elts[0]
    if not isinstance(target, ast.Name):
        return None
    if not _makes(value, op, dim):
        return None
    indent = " " * statement.col_offset
    return Name(target.id if dim is None else f"{target.id}.shape[{dim}]", file, last, indent, scope)


def bounds(name: Name, seen: Sequence[int], low: int | None, high: int | None) -> Iterable[Check]:
    """What held of the values seen, where it says more than the bounds that are known anyway."""

    def check(text: str, why: str) -> Check:
        return Check(f"torch._check({name.expression} {text})", why, name.file, name.line, name.indent)

    least, most = min(seen), max(seen)
    if least == most:  # that it was neither 0 nor 1 is worth more than the one value
        if least >= 2:
            yield check(">= 2", f"saw {least}, neither 0 nor 1")
        elif low is None and least >= 0:
            yield check(">= 0", f"saw {least}")
        return
    why = f"saw {len(seen)} values from {least} to {most}"
    if low is None or least > low:
        yield check(f">= {least}", why)
    if high is None or most < high:
        yield check(f"<= {most}", why)


def pasted(source: str, checks: Iterable[Check]) -> str:
    """A file's text with the lines put in."""
    lines = source.splitlines(keepends=True)
    at: dict[int, list[str]] = {}
    for c in checks:
        at.setdefault(c.line, []).append(f"{c.indent}{c.check}\n")
    out: list[str] = []
    for number, text in enumerate(lines, 1):
        out.append(text if text.endswith("\n") else text + "\n")
        out += at.get(number, [])
    return "".join(out)
