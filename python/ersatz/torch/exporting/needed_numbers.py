"""Proposals for numbers that Python needs before the program runs: of `int(t)`, of loops, of lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import sympy
import torch

from .changes import Change
from .failure import spelled
from .library_guards import with_a_name
from .refusal import Refusal
from .statements import Place, called, text_of

__all__ = ["fixed_size", "least_or_most", "needed_number"]


def needed_number(refusal: Refusal, place: Place) -> Iterator[Change]:
    node = refusal.node
    iterated = refusal.iterated(place.statement)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("int", "float", "bool", "round")
        and len(node.args) == 1
    ):
        yield from _converted(refusal, node)
        refusal.reason = (
            refusal.reason
            or f"`{text_of(node, refusal.text)}` at {refusal.at} must give Python a number, and export has none before it runs. "
            "torch.sym_int and .item() keep the expression."
        )
        return
    if isinstance(node, ast.Call) and called(node) in ("sqrt", "ceil", "floor"):
        inner = text_of(node.args[0], refusal.text) if node.args else ""
        news = {"sqrt": [f"torch.sym_sqrt({inner})"], "ceil": [f"-torch.sym_int(-({inner}) // 1)"], "floor": [f"torch.sym_int(({inner}) // 1)"]}[
            called(node)
        ]
        for new in news:
            yield from refusal.expression(node, new, "keeps the expression")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max") and len(node.args) > 1:
        yield from least_or_most(refusal, node)
    if iterated is not None:
        yield from fixed_size(refusal, iterated)
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("range", "list", "tuple"):
        yield from fixed_size(refusal, node)
        return
    yield from _fixed(refusal)
    refusal.reason = refusal.reason or (
        f"`{text_of(node or place.statement, refusal.text).partition(chr(10))[0]}` at {refusal.at} asks for the value of `{refusal.failure.guard}`"
        f"{_named_as(refusal)}, which data decide: export has no number for it. Index or build tensors with it; a Python list, a string or a "
        "number of rounds cannot follow from data."
    )


def _named_as(refusal: Refusal) -> str:
    name = spelled(refusal.failure.guard, refusal.failure.names)
    return f" (`{name}`)" if name else ""


def _converted(refusal: Refusal, call: ast.Call) -> Iterator[Change]:
    assert isinstance(call.func, ast.Name)
    inner, name = call.args[0], call.func.id
    text = text_of(inner, refusal.text)
    atom = text if isinstance(inner, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"
    (seen,) = refusal.observe([text], call.lineno)
    values = seen.flat()
    tensors = [v for v in values if isinstance(v, torch.Tensor)]
    if not tensors and isinstance(inner, ast.Call) and called(inner) == "item":
        tensors = []
    why = f"{name}() must give Python a number; this gives the same and keeps the expression"
    news: list[str] = []
    if tensors:
        exact = not tensors[0].is_floating_point() and tensors[0].dtype != torch.bool
        if name == "int":
            news = (
                [f"{atom}.item()"]
                if exact
                else [f"{atom}.long().item()"]
                if tensors[0].dtype == torch.bool
                else [f"torch.sym_int({atom}.item())", f"{atom}.long().item()"]
            )
        elif name == "float":
            news = [f"{atom}.item()", f"{atom}.double().item()"]
    elif name == "int":
        news = [f"torch.sym_int({text})", text]
    elif name == "float":
        news = [f"torch.sym_float({text})", text]
    elif name == "round":
        news = [f"torch.sym_int({text} + 0.5)"]
    for new in news:
        yield from refusal.expression(call, new, why)


def fixed_size(refusal: Refusal, node: ast.expr) -> Iterator[Change]:
    """For a loop or an unpacking over a tensor or a range: fixes a number that is always the same."""
    yield from _fixed(refusal)
    refusal.reason = refusal.reason or refusal.loop_reason(f"for ... in {text_of(node, refusal.text)}")


def _fixed(refusal: Refusal) -> Iterator[Change]:
    """Fixes a number that was equal in all runs, as an expression of the program if there is one, else as a
    literal."""
    failure = refusal.failure
    guard = failure.guard
    if isinstance(guard, sympy.core.relational.Relational):
        guard = guard.lhs if len(guard.lhs.free_symbols) else guard.rhs
    missing = [str(s) for s in guard.free_symbols if str(s) not in failure.names]
    if missing:
        yield from with_a_name(refusal, missing)
        return
    text = spelled(guard, failure.names)
    if text is None or refusal.place is None or refusal.place.function is None:
        return
    candidates = _numbers_before(refusal, failure.line)
    seen = refusal.observe([text, *candidates])
    value = seen[0].constant()
    distinct = sorted({v for v in seen[0].flat() if isinstance(v, int)})
    refusal.saw = f"`{text}` was {', '.join(map(str, distinct[:8]))}"
    if value is None or value in (0, 1):
        return
    same = [c for c, one in zip(candidates, seen[1:]) if one.constant() == value and c != text]
    for name in same[:3]:
        yield from refusal.check([f"{text} == {name}"], f"it was {value} in all runs, and so was `{name}`", f"`{text}` is `{name}` of all inputs")
    yield from refusal.check([f"{text} == {value}"], f"it was {value} in all runs", f"`{text}` is {value} of all inputs")


def _numbers_before(refusal: Refusal, line: int) -> list[str]:
    """Returns expressions of the function that may be the needed number, those of the statement that made the
    value first."""
    assert refusal.place is not None and refusal.place.function is not None
    text = spelled(refusal.failure.guard, refusal.failure.names) or ""
    name = text.partition(".")[0].partition("[")[0]
    made = {
        s.lineno for s in ast.walk(refusal.place.function) if isinstance(s, ast.Assign) and any(text_of(t, refusal.text) == name for t in s.targets)
    }
    found: dict[str, int] = {}
    for node in ast.walk(refusal.place.function):
        if not isinstance(node, ast.expr) or node.lineno > line or isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        is_number = (
            (isinstance(node, ast.Call) and called(node) == "len")
            or (isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Call))
            or (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape")
        )
        if is_number:
            found.setdefault(ast.unparse(node), 0 if node.lineno in made else 1)
    return sorted(found, key=lambda c: (found[c], len(c)))[:40]


def least_or_most(refusal: Refusal, call: ast.Call) -> Iterator[Change]:
    assert isinstance(call.func, ast.Name)
    new = text_of(call.args[0], refusal.text)
    for argument in call.args[1:]:
        new = f"torch.sym_{call.func.id}({new}, {text_of(argument, refusal.text)})"
    yield from refusal.expression(
        call, new, f"{call.func.id}() decides which is {'less' if call.func.id == 'min' else 'more'}; torch.sym_{call.func.id} keeps both"
    )
