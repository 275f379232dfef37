"""A change of the model's source that may make its export pass."""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass

from .source_copy import SourceCopy
from .statements import Place, indent_of, place_of, text_of

__all__ = ["Change", "before", "in_expression", "in_place_of", "named_first"]


@dataclass(frozen=True)
class Change:
    """An added line, or rewritten statements."""

    kind: str
    """`check`: a line of torch._check. `rewrite`: other statements. `name`: a name for a value, to which a line can
    refer."""
    code: str
    """The new lines."""
    why: str
    """The reason, with the observed values."""
    assumption: str
    """The assumption beyond the observed values; empty: none."""
    file: str
    line: int
    """Line number in the original file: the statement that is rewritten, or before which a line is added."""
    copy: SourceCopy
    guard: str = ""
    """The condition that the export could not decide without the change, or its error."""

    def __str__(self) -> str:
        return "; ".join(row.strip() for row in self.code.splitlines() if row.strip())


def before(copy: SourceCopy, file: str, line: int) -> tuple[int, str] | None:
    """Returns line and indentation of the first statement, at or around the line, before which a line can be added."""
    text = copy.text(file)
    place = place_of(text, line)
    while place is not None:
        indent = indent_of(place.statement, text)
        if indent is not None:
            return place.statement.lineno, indent
        around = place.around[-1]
        if not isinstance(around, ast.stmt) or isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return None
        place = Place(around, place.around[:-1], ())
    return None


def in_place_of(copy: SourceCopy, file: str, statement: ast.stmt, block: list[ast.stmt] | str) -> tuple[SourceCopy, str]:
    """Replaces a statement by the statements of one of its blocks, or by a text."""
    text = copy.text(file)
    indent = " " * statement.col_offset
    lines = text.splitlines()
    if isinstance(block, str):
        rows = textwrap.indent(block, indent).splitlines() if block else []
    elif block:
        inner = textwrap.dedent(
            "\n".join(
                [
                    " " * block[0].col_offset + lines[block[0].lineno - 1].encode()[block[0].col_offset :].decode(),
                    *lines[block[0].lineno : block[-1].end_lineno],
                ]
            )
        )
        rows = textwrap.indent(inner, indent).splitlines()
    else:
        rows = []
    if lines[statement.lineno - 1].encode()[statement.col_offset :].decode().startswith("elif"):
        rows = [" " * statement.col_offset + "else:", *textwrap.indent("\n".join(rows) or f"{indent}pass", "    ").splitlines()]
    elif not rows and _is_alone(text, statement):
        rows = [f"{indent}pass"]
    return copy.with_lines(file, statement.lineno, statement.end_lineno or statement.lineno, rows), "\n".join(rows)


def _is_alone(text: str, statement: ast.stmt) -> bool:
    place = place_of(text, statement.lineno)
    return place is None or len(place.block) == 1


def in_expression(copy: SourceCopy, file: str, node: ast.expr, new: str) -> SourceCopy:
    """Replaces an expression."""
    lines = copy.text(file).splitlines(keepends=True)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head, tail = lines[first].encode()[: node.col_offset].decode(), lines[last].encode()[node.end_col_offset or 0 :].decode()
    return copy.with_text(file, "".join([*lines[:first], head + new + tail, *lines[last + 1 :]]))


def named_first(copy: SourceCopy, file: str, node: ast.expr, name: str) -> tuple[SourceCopy, str] | None:
    """Assigns an expression to a name in a line before its statement."""
    spot = before(copy, file, node.lineno)
    if spot is None:
        return None
    text = copy.text(file)
    while re.search(rf"\b{name}\b", text):
        name += "_"
    row = f"{spot[1]}{name} = {' '.join(text_of(node, text).split())}"
    return in_expression(copy, file, node, name).with_lines(file, spot[0], spot[0] - 1, [row]), name
