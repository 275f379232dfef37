"""Proposals for guards inside of PyTorch's operators: lines that decide them, names for their values, and slices of a
certain size."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import sympy

from .changes import Change, named_first
from .failure import spelled
from .refusal import Refusal
from .statements import called, place_of, takes_one_value, text_of

__all__ = ["library_guard", "with_a_name"]


def library_guard(refusal: Refusal) -> Iterator[Change]:
    failure = refusal.failure
    missing = [s for s in failure.symbols if s not in failure.names]
    if missing:
        yield from with_a_name(refusal, missing)
        refusal.reason = refusal.reason or (
            f"a call at {refusal.at} asks `{failure.guard}`, and the program has no name for {', '.join(missing)}: "
            "give the value a name in a statement of its own."
        )
        return
    guard = spelled(failure.guard, failure.names)
    if guard is None:
        refusal.reason = f"a call at {refusal.at} asks `{failure.guard}`, of which no line could be made."
        return
    gap = None
    if isinstance(failure.guard, sympy.core.relational.Relational):
        gap = spelled(failure.guard.lhs - failure.guard.rhs, failure.names)
    seen = refusal.both_sides(guard, gap)
    refusal.saw = f"`{guard}` was {seen.told()}"
    if len(seen.sides()) == 1:
        side = seen.sides() == {True}
        refused = (not side) in seen.refused_sides()
        assumption = "" if refused else f"`{guard}` is {side} of all inputs: no input that was drawn has shown the contrary"
        why = f"a call in this statement asks `{failure.guard}`; {refusal.saw}" + ("; eager refuses inputs of the other side" if refused else "")
        for conditions in _weakest(refusal, failure.guard if side else sympy.Not(failure.guard)):
            if refused or not any(map(takes_one_value, conditions)):
                yield from refusal.check(conditions, why, assumption)
    yield from _narrowed(refusal)
    met = (
        "inputs that eager takes meet both sides"
        if len(seen.sides()) == 2
        else "the statement was reached in no run"
        if not seen.sides()
        else "no line that was tried decides it"
    )
    refusal.reason = refusal.reason or (
        f"a call at {refusal.at} asks `{failure.guard}`, that is `{guard}`, and {met} ({seen.told()}): "
        "a line that decides it would refuse valid inputs. "
        "The call has to be made of operators that take each size, or stay out of the exported part."
    )


def _weakest(refusal: Refusal, relation: sympy.Basic) -> Iterator[list[str]]:
    """Yields the relation as lines, the shortest form first."""
    names, ranges = refusal.failure.names, refusal.failure.ranges
    parts = relation.args if isinstance(relation, sympy.And) else (relation,)
    rows: list[str] = []
    for part in parts:
        if isinstance(part, (sympy.Eq, sympy.Ne)) and part.rhs == 0:
            _, core = part.lhs.as_coeff_Mul()
            part = type(part)(core, 0)
            if isinstance(part, sympy.Ne) and isinstance(core, sympy.Symbol) and ranges.get(str(core), (-1,))[0] in (0, sympy.Integer(0)):
                part = sympy.Gt(core, 0)
        row = spelled(part, names)
        if row is None:
            return
        rows.append(row)
    yield rows


def with_a_name(refusal: Refusal, symbols: Sequence[str]) -> Iterator[Change]:
    """Gives a call that may make a symbol its own statement: calls of the failing statement first, then of
    earlier ones."""
    function = refusal.place.function if refusal.place is not None else None
    if refusal.place is None or function is None:
        return
    lines = sorted(
        {n.lineno for n in ast.walk(function) if isinstance(n, ast.stmt) and n.lineno <= refusal.failure.line and n is not function}, reverse=True
    )
    for line in lines[:12]:
        place = place_of(refusal.text, line)
        if place is None or isinstance(place.statement, (ast.While, ast.For, ast.FunctionDef)):
            continue
        header = place.statement.test if isinstance(place.statement, ast.If) else place.statement
        for node in ast.walk(header):
            if (
                not isinstance(node, ast.expr)
                or not _makes_one(node)
                or (node is getattr(place.statement, "value", None) and _is_named(place.statement))
            ):
                continue
            named = named_first(refusal.copy, refusal.failure.file, node, "number" if _is_number(node) else "sizes" if _is_list(node) else "chosen")
            if named is not None:
                code = f"{named[1]} = {text_of(node, refusal.text)}"
                yield refusal.change("name", code, f"so that a line can speak of `{text_of(node, refusal.text)}`", "", named[0], line)


def _narrowed(refusal: Refusal) -> Iterator[Change]:
    """Rewrites `x[a:a + n]` as torch.narrow, whose size is certainly `n`."""
    function = refusal.place.function if refusal.place is not None else None
    for node in ast.walk(function) if function is not None else ():
        if not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Store) or node.lineno > refusal.failure.line:
            continue
        parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        cuts = [i for i, p in enumerate(parts) if isinstance(p, ast.Slice) and p.upper is not None]
        plain = all(
            isinstance(p, ast.Slice) and p.lower is None and p.upper is None and p.step is None for i, p in enumerate(parts) if i not in cuts
        )
        if len(cuts) != 1 or not plain:
            continue
        cut = parts[cuts[0]]
        assert isinstance(cut, ast.Slice) and cut.upper is not None
        if cut.step is not None:
            continue
        start, length = (text_of(cut.lower, refusal.text) if cut.lower else "0"), _length(cut, refusal.text)
        new = f"torch.narrow({text_of(node.value, refusal.text)}, {cuts[0]}, {start}, {length})"
        yield from refusal.expression(node, new, f"the size of a slice is a number of its own; torch.narrow has size `{length}`")


def _is_number(node: ast.expr) -> bool:
    return called(node) in ("item", "int", "float")


def _is_list(node: ast.expr) -> bool:
    return called(node) == "tolist"


_SIZES = {
    "nonzero",
    "masked_select",
    "unique",
    "unique_consecutive",
    "argwhere",
    "repeat_interleave",
    "bincount",
    "nms",
    "batched_nms",
    "where",
    "squeeze",
}


def _is_named(statement: ast.stmt) -> bool:
    """Returns whether the statement assigns its whole value to a name."""
    return isinstance(statement, ast.Assign) and all(isinstance(t, ast.Name) for t in statement.targets)


def _makes_one(node: ast.expr) -> bool:
    return (
        _is_number(node)
        or _is_list(node)
        or called(node) in _SIZES
        or (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Constant))
    )


def _length(cut: ast.Slice, text: str) -> str:
    """Returns the length of the slice `a:b`: `n` for `a:a + n`."""
    assert cut.upper is not None
    if cut.lower is None:
        return text_of(cut.upper, text)
    start = ast.dump(cut.lower)
    if isinstance(cut.upper, ast.BinOp) and isinstance(cut.upper.op, ast.Add):
        if ast.dump(cut.upper.left) == start:
            return text_of(cut.upper.right, text)
        if ast.dump(cut.upper.right) == start:
            return text_of(cut.upper.left, text)
    return f"{text_of(cut.upper, text)} - ({text_of(cut.lower, text)})"
