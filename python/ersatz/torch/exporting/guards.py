"""Writes the accepted arguments of an exported program as Python, for callers without PyTorch's checks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import sympy
import torch

__all__ = ["dims_of", "guard_function", "shared_sizes"]


def _inputs(program: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """Yields the user's tensor inputs: name in the graph, and metadata."""
    users = set(program.graph_signature.user_inputs)
    for node in program.graph.nodes:
        if node.op == "placeholder" and node.name in users and isinstance(node.meta.get("val"), torch.Tensor):
            yield node.name, node.meta["val"]


def _symbolic(program: Any) -> dict[str, list[str]]:
    """Returns the input sizes that have each symbol."""
    found: dict[str, list[str]] = {}
    for name, value in _inputs(program):
        for dim, size in enumerate(value.shape):
            if isinstance(size, torch.SymInt):
                found.setdefault(str(size.node.expr), []).append(f"{name}.shape[{dim}]")
    return found


def shared_sizes(program: Any) -> list[str]:
    """Returns sizes of different inputs that the program requires to be equal."""
    return [
        f"{' == '.join(places)}: the program takes no other sizes"
        for places in _symbolic(program).values()
        if len({p.partition(".")[0] for p in places}) > 1
    ]


def _bounds(program: Any, symbol: str) -> tuple[int | None, int | None]:
    for known, values in program.range_constraints.items():
        if str(known) == symbol:
            low = int(values.lower) if values.lower.is_Integer and abs(values.lower) < 1 << 62 else None
            high = int(values.upper) if values.upper.is_Integer and abs(values.upper) < 1 << 62 else None
            return low, high
    return None, None


def dims_of(program: Any) -> Iterator[str]:
    """Yields `torch.export.Dim("s26", min=2, max=64)  # edges.shape[1]` for each dynamic input size."""
    for symbol, places in _symbolic(program).items():
        if re.fullmatch(r"\w+", symbol):
            low, high = _bounds(program, symbol)
            limits = "".join(f", {n}={v}" for n, v in (("min", low), ("max", high)) if v is not None)
            yield f'torch.export.Dim("{symbol}"{limits})  # {", ".join(places)}'


def _read_numbers(program: Any) -> Iterator[str]:
    """Yields the bounds of numbers and sizes that the program reads from data, with the node of each."""
    sizes = (size for _, value in _inputs(program) for size in value.shape if isinstance(size, torch.SymInt))
    of_inputs = {str(s) for size in sizes for s in size.node.expr.free_symbols}
    for known in program.range_constraints:
        low, high = _bounds(program, str(known))
        if str(known) in of_inputs or (low in (None, 0) and high is None):
            continue
        makers = (n for n in program.graph.nodes if isinstance(n.meta.get("val"), torch.SymInt) and str(n.meta["val"].node.expr) == str(known))
        maker = next(makers, None)
        limits = " and ".join(f"{word} {v}" for word, v in (("at least", low), ("at most", high)) if v is not None)
        yield f"in the program, {known}{f' (node {maker.name})' if maker else ''} is {limits}"


def guard_function(program: Any) -> str:
    """Returns a function `takes(...)` that raises ValueError if the program does not accept its arguments: dtypes,
    sizes, bounds, equal sizes and divisors. Bounds of numbers that the program reads from data are comments, because
    the program asserts them itself."""
    inputs = list(_inputs(program))
    rows = [f"def takes({', '.join(name for name, _ in inputs)}):", '    """Raises ValueError where the exported program does not take these."""']
    named: dict[str, str] = {}
    later: list[str] = []

    def need(condition: str) -> None:
        rows.append(f"    if not ({condition}):")
        rows.append(f"        raise ValueError({condition!r})")

    for name, value in inputs:
        need(f"str({name}.dtype) == {str(value.dtype)!r}")
        need(f"{name}.dim() == {value.dim()}")
        for dim, size in enumerate(value.shape):
            place = f"{name}.shape[{dim}]"
            if not isinstance(size, torch.SymInt):
                need(f"{place} == {size}")
                continue
            expression = size.node.expr
            if isinstance(expression, sympy.Symbol) and str(expression) not in named:
                named[str(expression)] = place
                low, high = _bounds(program, str(expression))
                if low is not None:
                    need(f"{place} >= {low}")
                if high is not None:
                    need(f"{place} <= {high}")
            else:
                later.append(f"{place} == {expression}")
                coefficient, rest = expression.as_coeff_Mul()
                if isinstance(rest, sympy.Symbol) and coefficient > 1 and str(rest) not in named:
                    need(f"{place} % {coefficient} == 0")
                    named[str(rest)] = f"({place} // {coefficient})"
    for row in later:
        place, _, expression = row.partition(" == ")
        spelled = re.sub(r"\b[a-z]+\d+\b", lambda m: named.get(m.group(), m.group()), expression)
        need(f"{place} == {spelled}")
    if len(rows) == 2:
        rows.append("    return None")
    rows += [f"    # {row}" for row in _read_numbers(program)]
    return "\n".join(rows) + "\n"
