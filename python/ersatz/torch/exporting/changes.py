"""A change of the model's source that may let its export pass."""

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
    """A line that is added, or statements that are written in another way."""

    kind: str
    """`check`: a line of torch._check. `rewrite`: other statements. `name`: a value gets a name, so that a line can speak of it."""
    code: str
    """The new lines."""
    why: str
    """The reason, with what was seen."""
    assumption: str
    """What is taken for granted beyond what was seen; empty: nothing is."""
    file: str
    line: int
    """Of the file as it was read: the statement before which a line goes, or that is rewritten."""
    copy: SourceCopy

    def __str__(self) -> str:
        return "; ".join(row.strip() for row in self.code.splitlines() if row.strip())


def before(copy: SourceCopy, file: str, line: int) -> tuple[int, str] | None:
    """The first statement at or around a line that a line can go before: its line and its indent."""
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
    """A statement makes place for the statements of one of its blocks, or for a text."""
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
    """An expression makes place for another."""
    lines = copy.text(file).splitlines(keepends=True)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head, tail = lines[first].encode()[: node.col_offset].decode(), lines[last].encode()[node.end_col_offset or 0 :].decode()
    return copy.with_text(file, "".join([*lines[:first], head + new + tail, *lines[last + 1 :]]))


def named_first(copy: SourceCopy, file: str, node: ast.expr, name: str) -> tuple[SourceCopy, str] | None:
    """The value of an expression gets a name in a line before its statement."""
    spot = before(copy, file, node.lineno)
    if spot is None:
        return None
    text = copy.text(file)
    while re.search(rf"\b{name}\b", text):
        name += "_"
    row = f"{spot[1]}{name} = {' '.join(text_of(node, text).split())}"
    return in_expression(copy, file, node, name).with_lines(file, spot[0], spot[0] - 1, [row]), name
