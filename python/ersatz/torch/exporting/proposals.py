"""Proposes changes for one refusal of export: lines and rewrites, the safest first, or the reason why there are
none."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .branches import Branch, asserted, branch_on, choice_of, ternary
from .changes import Change
from .library_guards import library_guard
from .needed_numbers import fixed_size, least_or_most, needed_number
from .packing import padded
from .refusal import Refusal
from .statements import Place, called, text_of

__all__ = ["proposed"]


def proposed(refusal: Refusal) -> Iterator[Change]:
    """Yields the changes to try. `reason` and `saw` of the refusal are complete afterwards."""
    if refusal.place is None:
        refusal.reason = f"export fails at {refusal.at}: {refusal.failure.error}. The source of that line is not to be read, so nothing can be tried."
        return
    if refusal.failure.guard is None:
        yield from _without_guard(refusal, refusal.place)
    elif refusal.failure.wants_number:
        yield from needed_number(refusal, refusal.place)
    else:
        yield from _decision(refusal, refusal.place)


def _decision(refusal: Refusal, place: Place) -> Iterator[Change]:
    statement = place.statement
    if isinstance(statement, ast.While) and refusal.contains(statement.test):
        refusal.reason = refusal.loop_reason(f"while {text_of(statement.test, refusal.text)}")
        return
    iterated = refusal.iterated(statement)
    if iterated is not None:
        yield from fixed_size(refusal, iterated)
        return
    if isinstance(statement, ast.Assert):
        yield from asserted(refusal, statement)
        return
    chosen = choice_of(refusal, statement)
    if chosen is not None and not refusal.failure.in_torch:
        yield from ternary(refusal, chosen)
        return
    if isinstance(statement, ast.If) and refusal.contains(statement.test):
        yield from branch_on(refusal, statement, Branch(statement.test, statement.body, statement.orelse))
        return
    if (
        isinstance(refusal.node, ast.Call)
        and isinstance(refusal.node.func, ast.Name)
        and refusal.node.func.id in ("min", "max")
        and len(refusal.node.args) > 1
    ):
        yield from least_or_most(refusal, refusal.node)
    yield from library_guard(refusal)


def _without_guard(refusal: Refusal, place: Place) -> Iterator[Change]:
    yield from padded(refusal.copy, refusal.failure.file, place, refusal.change)
    text = text_of(place.statement, refusal.text).partition("\n")[0]
    calls = {called(n) for n in ast.walk(place.statement) if isinstance(n, ast.Call)}
    advice = "No torch._check can help, since no guard is asked."
    if "numpy" in calls:
        advice += " numpy() takes the values out of PyTorch: use operators of torch on the tensor."
    refusal.reason = f"export fails at {refusal.at}, `{text}`, on no guard: {refusal.failure.error}. {advice}"
