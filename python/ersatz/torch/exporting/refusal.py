"""A refusal of export with its place in the source, and what proposals of every kind are made with."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence

from .cases import Cases
from .changes import Change, before, in_expression
from .failure import Failure
from .observing import Observed, observe, seek
from .source_copy import SourceCopy
from .statements import Place, called, expression_at, place_of, text_of

__all__ = ["Refusal", "failing_text"]

_SEEK_SECONDS = 2.0
_Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def failing_text(failure: Failure, copy: SourceCopy) -> str:
    """Returns the source of the failing expression, empty if it is unknown."""
    text = copy.text(failure.file) if failure.file else ""
    place = place_of(text, failure.line) if text else None
    node = expression_at(place.statement, failure.position) if place else None
    return text_of(node, text) if node is not None else ""


class Refusal:
    """One failure. The proposals for it set `reason` and `saw`."""

    def __init__(self, failure: Failure, copy: SourceCopy, cases: Cases) -> None:
        self.failure, self.copy, self.cases = failure, copy, cases
        self.reason = ""
        """The reason why no line can decide the guard, and a remedy."""
        self.saw = ""
        """The guard's values in each run."""
        self.text = copy.text(failure.file) if failure.file else ""
        self.place: Place | None = place_of(self.text, failure.line) if self.text else None
        self.node = expression_at(self.place.statement, failure.position) if self.place else None
        line = copy.line_before(failure.file, failure.line) if failure.file else 0
        self.at = f"{os.path.basename(failure.file)}:{line}" if failure.file else "a line that is not known"

    def observe(self, expressions: Sequence[str], line: int | None = None) -> list[Observed]:
        """Returns the values of expressions before the statement at the line, by default the failing one."""
        spot = before(self.copy, self.failure.file, line or self.failure.line)
        if spot is None:
            return [Observed() for _ in expressions]
        return observe(self.copy, self.failure.file, spot[0], spot[1], expressions, self.cases)

    def check(self, conditions: Sequence[str], why: str, assumption: str = "") -> Iterator[Change]:
        """Yields lines of torch._check before the failing statement, if there are conditions."""
        spot = before(self.copy, self.failure.file, self.failure.line)
        if spot is None or not conditions:
            return
        rows = [f"{spot[1]}torch._check({' '.join(c.split())})" for c in conditions]
        copy = self.copy.with_lines(self.failure.file, spot[0], spot[0] - 1, rows)
        yield self.change("check", "\n".join(rows), why, assumption, copy, spot[0])

    def change(self, kind: str, code: str, why: str, assumption: str, copy: SourceCopy, line: int) -> Change:
        """Returns a change of the failing file, whose text becomes that of `copy`."""
        guard = self.failure.error if self.failure.guard is None else str(self.failure.guard)
        return Change(kind, code, why, assumption, self.failure.file, self.copy.line_before(self.failure.file, line), copy, guard)

    def expression(self, node: ast.expr, new: str, why: str) -> Iterator[Change]:
        """Yields the change that writes `new` in place of an expression."""
        copy = in_expression(self.copy, self.failure.file, node, new)
        yield self.change("rewrite", f"{new} in place of {text_of(node, self.text)}", why, "", copy, node.lineno)

    def both_sides(self, condition: str, gap: str | None, line: int | None = None) -> Observed:
        """Returns the condition's values. If only one truth value occurred, searches for inputs with the other one
        first. `gap`: an expression that is closer to 0 the closer the condition is to the other value."""
        spot = before(self.copy, self.failure.file, line or self.failure.line)
        (seen,) = self.observe([condition], line)
        if spot is not None and len(seen.sides()) == 1:
            wanted = seen.sides() != {True}
            if seek(self.copy, self.failure.file, spot[0], spot[1], condition, gap, wanted, self.cases, _SEEK_SECONDS):
                (seen,) = self.observe([condition], line)
        return seen

    def contains(self, node: ast.expr) -> bool:
        """Returns whether the failing line or expression is inside of `node`."""
        if self.node is not None and self.node in ast.walk(node):
            return True
        return node.lineno <= self.failure.line <= (node.end_lineno or node.lineno) and (
            self.node is None or not any(self.node is n for n in ast.walk(node))
        )

    def iterated(self, statement: ast.stmt) -> ast.expr | None:
        """Returns the iterated expression of the loop or comprehension in which the failure is."""
        if isinstance(statement, (ast.For, ast.AsyncFor)) and self.contains(statement.iter) and not self.failure.in_torch:
            return statement.iter
        if isinstance(statement, (ast.For, ast.AsyncFor)) and self.contains(statement.iter) and self.node in (None, statement.iter):
            return statement.iter
        for node in ast.walk(statement):
            if isinstance(node, _Comprehension) and (self.node is node or any(self.node is g.iter for g in node.generators)):
                return node.generators[0].iter
        if (
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], (ast.Tuple, ast.List))
            and self.node is statement.value
            and not isinstance(self.node, (ast.Tuple, ast.List))
        ):
            return statement.value
        return None

    def loop_reason(self, header: str) -> str:
        """Returns why no line helps a loop, and what would."""
        gathers = self.place is not None and any(
            isinstance(n, _Comprehension) or called(n) in ("append", "extend") for n in ast.walk(self.place.statement) if isinstance(n, ast.expr)
        )
        more = (
            " A program has a fixed number of outputs: where each round gives one, the model must return a fixed table and a mask."
            if gathers
            else ""
        )
        return (
            f"`{header}` at {self.at} is a loop of which data decide the number of rounds: export follows one round after the other, and "
            f"asks `{self.failure.guard}` of each. A line of torch._check would hold for one number of rounds only. It needs "
            f"torch._higher_order_ops.while_loop, or a loop of a fixed number of rounds over masks.{more}"
        )
