"""Proposals for conditions of the user's own code: `assert`, `if`, and `a if test else b`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from .changes import Change, before, in_expression, in_place_of
from .observing import Observed
from .refusal import Refusal
from .statements import comparisons, leaves, takes_one_value, text_of

__all__ = ["Branch", "asserted", "branch_on", "choice_of", "ternary"]


@dataclass
class Branch:
    """A condition with the statements for each of its outcomes."""

    test: ast.expr
    taken: list[ast.stmt]
    other: list[ast.stmt]


def asserted(refusal: Refusal, statement: ast.Assert) -> Iterator[Change]:
    conditions = comparisons(statement.test, refusal.text, True)
    (seen,) = refusal.observe([text_of(statement.test, refusal.text)])
    refusal.saw = seen.told()
    why = f"what `assert {text_of(statement.test, refusal.text)}` asks: eager refuses all else"
    if any(isinstance(v, torch.Tensor) for v in seen.flat()):
        yield from _of_tensor(refusal, statement.test, True, why)
    elif conditions is not None:
        yield from refusal.check(conditions, why)
    refusal.reason = refusal.reason or f"`assert` at {refusal.at} asks for a condition that no line could be made of."


def _of_tensor(refusal: Refusal, test: ast.expr, side: bool, why: str) -> Iterator[Change]:
    """For a condition that is a tensor: assigns its number to a name, and adds a line."""
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    inner = test.operand if isinstance(test, ast.UnaryOp) and negated else test
    value = text_of(inner, refusal.text)
    value = value if isinstance(inner, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({value})"
    spot = before(refusal.copy, refusal.failure.file, test.lineno)
    if spot is None:
        return
    name = "holds"
    while name in refusal.text:
        name += "_"
    wanted = side is not negated
    copy = in_expression(refusal.copy, refusal.failure.file, inner, name)
    rows = [f"{spot[1]}{name} = {' '.join(value.split())}.item()", f"{spot[1]}torch._check({name if wanted else f'torch.sym_not({name})'})"]
    yield refusal.change("check", "\n".join(rows), why, "", copy.with_lines(refusal.failure.file, spot[0], spot[0] - 1, rows), spot[0])


def branch_on(refusal: Refusal, statement: ast.If, branch: Branch) -> Iterator[Change]:
    test = text_of(branch.test, refusal.text)
    raises = leaves(branch.taken) == "raise"
    if raises or leaves(branch.other) == "raise":
        (seen,) = refusal.observe([test], branch.test.lineno)
        refusal.saw = seen.told()
        why = f"the branch on `{test}` raises where it is {raises}: eager refuses all else"
        if any(isinstance(v, torch.Tensor) for v in seen.flat()):
            yield from _of_tensor(refusal, branch.test, not raises, why)
        else:
            yield from refusal.check(comparisons(branch.test, refusal.text, not raises) or [], why)
        refusal.reason = refusal.reason or f"the branch on `{test}` at {refusal.at} raises, and no line could be made of its condition."
        return
    seen = _both_sides(refusal, branch.test)
    if _is_cut(refusal, branch):
        copy, code = in_place_of(refusal.copy, refusal.failure.file, statement, branch.taken)
        yield refusal.change(
            "rewrite", code, f"a slice ends where the tensor ends, so `if {test}` is not needed ({refusal.saw})", "", copy, statement.lineno
        )
    if len(seen.sides()) == 2:
        yield from _where(refusal, statement, branch, seen)
        for block, what in _without(branch):
            copy, code = in_place_of(refusal.copy, refusal.failure.file, statement, block)
            yield refusal.change(
                "rewrite",
                code or f"(no `if {test}`)",
                f"both sides of `if {test}` are met ({refusal.saw}); {what} gives the same on both",
                "",
                copy,
                statement.lineno,
            )
    elif len(seen.sides()) == 1:
        side = seen.sides() == {True}
        why = f"`{test}` was {refusal.saw}"
        assumption = f"`{test}` is {side} of all inputs: no input that was drawn has shown the contrary"
        conditions = comparisons(branch.test, refusal.text, side) or []
        if not any(isinstance(v, torch.Tensor) for v in seen.flat()) and not any(map(takes_one_value, conditions)):
            yield from refusal.check(conditions, why, assumption)
    refusal.reason = refusal.reason or _needs_cond(refusal, test, seen)


def _needs_cond(refusal: Refusal, test: str, seen: Observed) -> str:
    met = "both sides are met by inputs that eager takes" if len(seen.sides()) == 2 else "one side was met only"
    return (
        f"`if {test}` at {refusal.at} is a branch on data, and {met} ({refusal.saw}): a line that decides `{refusal.failure.guard}` would refuse "
        "valid inputs. The sides give different things, so neither can go. It needs torch.cond, or both sides and torch.where."
    )


def _both_sides(refusal: Refusal, test: ast.expr) -> Observed:
    """Returns `refusal.both_sides` of the condition, and keeps its values as what was seen."""
    gap = None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        gap = f"({text_of(test.left, refusal.text)}) - ({text_of(test.comparators[0], refusal.text)})"
    seen = refusal.both_sides(text_of(test, refusal.text), gap, test.lineno)
    refusal.saw = seen.told()
    return seen


def _is_cut(refusal: Refusal, branch: Branch) -> bool:
    """Returns whether the branch is `if x.shape[0] > k: x = x[:k]`."""
    test = branch.test
    if branch.other or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    left, right = test.left, test.comparators[0]
    limit = right if isinstance(test.ops[0], (ast.Gt, ast.GtE)) else left if isinstance(test.ops[0], (ast.Lt, ast.LtE)) else None
    if limit is None:
        return False
    return all(
        isinstance(s, ast.Assign)
        and len(s.targets) == 1
        and isinstance(s.value, ast.Subscript)
        and text_of(s.value.value, refusal.text) == text_of(s.targets[0], refusal.text)
        and _cuts_to(s.value.slice, ast.dump(limit))
        for s in branch.taken
    )


def _without(branch: Branch) -> Iterator[tuple[list[ast.stmt], str]]:
    if branch.other:
        yield branch.other, "the side of `else` alone"
        yield branch.taken, "the side of `if` alone"
    elif leaves(branch.taken):
        yield [], "what follows"
    else:
        yield branch.taken, "what is done in the branch"
        yield [], "what follows"


def _where(refusal: Refusal, statement: ast.If, branch: Branch, seen: Observed) -> Iterator[Change]:
    """For `if t: x = f(x)` with a tensor `t`: computes both sides, and torch.where selects one."""
    if not any(isinstance(v, torch.Tensor) for v in seen.flat()) or len(branch.taken) != 1 or len(branch.other) > 1:
        return
    first = branch.taken[0]
    second = branch.other[0] if branch.other else None
    test = text_of(branch.test, refusal.text)
    if isinstance(first, ast.Return) and first.value is not None:
        return
    if not isinstance(first, ast.Assign) or len(first.targets) != 1 or not isinstance(first.targets[0], ast.Name):
        return
    name = first.targets[0].id
    if second is not None and not (isinstance(second, ast.Assign) and text_of(second.targets[0], refusal.text) == name):
        return
    other = text_of(second.value, refusal.text) if isinstance(second, ast.Assign) else name
    code = f"{name} = torch.where({test}, {text_of(first.value, refusal.text)}, {other})"
    copy, _ = in_place_of(refusal.copy, refusal.failure.file, statement, code)
    yield refusal.change(
        "rewrite", code, f"both sides of `if {test}` are met ({refusal.saw}); torch.where takes one of two results", "", copy, statement.lineno
    )


def choice_of(refusal: Refusal, statement: ast.stmt) -> ast.IfExp | None:
    """Returns the innermost `a if test else b` whose test failed."""
    found = [
        n for n in ast.walk(statement) if isinstance(n, ast.IfExp) and (any(refusal.node is inner for inner in ast.walk(n.test)) or (refusal.node is n))
    ]
    return found[-1] if found else None


def ternary(refusal: Refusal, choice: ast.IfExp) -> Iterator[Change]:
    test = text_of(choice.test, refusal.text)
    seen = _both_sides(refusal, choice.test)
    if len(seen.sides()) == 2 or isinstance(choice.body, ast.Subscript) or isinstance(choice.orelse, ast.Subscript):
        for node in (choice.body, choice.orelse):
            yield from refusal.expression(
                choice, text_of(node, refusal.text), f"`{test}` is met both ways ({refusal.saw}); `{text_of(node, refusal.text)}` gives the same"
            )
    if len(seen.sides()) == 1:
        side = seen.sides() == {True}
        yield from refusal.check(
            comparisons(choice.test, refusal.text, side) or [],
            f"`{test}` was {refusal.saw}",
            f"`{test}` is {side} of all inputs: no input that was drawn has shown the contrary",
        )
    refusal.reason = refusal.reason or _needs_cond(refusal, test, seen)


def _cuts_to(index: ast.expr, limit: str) -> bool:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    cuts = [p for p in parts if isinstance(p, ast.Slice) and p.upper is not None]
    return (
        len(cuts) == 1
        and cuts[0].lower is None
        and cuts[0].step is None
        and ast.dump(cuts[0].upper or index) == limit
        and all(isinstance(p, ast.Slice) and p.lower is None and p.step is None for p in parts)
    )
