"""The failure of an export: the guard, the user's statement, and the program's names for the numbers in the guard."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any

import sympy
import torch
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils._sympy.printers import PythonPrinter

from ..recording.place import users_frame

__all__ = ["Failure", "spelled"]


@dataclass
class Failure:
    """A refusal by torch.export."""

    error: str
    """`GuardOnDataDependentSymNode: Could not guard on ...`, its first line."""
    guard: Any
    """The undecided expression; None: the export failed for another reason."""
    wants_number: bool
    """Python needs the expression's value, and not whether it is true."""
    file: str
    line: int
    position: tuple[int, int, int, int] | None
    """First line, last line, first column, last column of the failing expression, if Python knows them."""
    function: str
    names: dict[str, str] = field(default_factory=dict)
    """The program's names for symbols at that statement: `{"u0": "keep.shape[0]"}`."""
    ranges: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    in_torch: bool = False
    """A PyTorch function evaluates the guard."""

    @property
    def symbols(self) -> list[str]:
        return sorted(str(s) for s in getattr(self.guard, "free_symbols", ()))

    @property
    def unnamed(self) -> list[str]:
        """Returns the guard's symbols that have no name in the program."""
        return [s for s in self.symbols if s not in self.names]

    @classmethod
    def of(cls, error: BaseException) -> Failure:
        frame, line, position, inner = _users(error)
        guard = getattr(error, "cond", None)
        text = f"{type(error).__name__}: {error}"
        found = re.search(r"Could not (guard on|extract specialized \w+ from) data-dependent (?:boolean )?expression (.+?) \(unhinted", text)
        if guard is None and found is not None:
            guard = _expression(found[2])
        decides = isinstance(guard, (sympy.core.relational.Relational, sympy.logic.boolalg.BooleanFunction))
        failure = cls(text.partition("\n")[0][:300], guard, guard is not None and not decides, "", 0, None, "", in_torch=inner)
        if frame is None:
            at = re.search(r"\(([^():\s]+):(\d+) in (\w+)\)", text)
            if at is not None:
                failure.file, failure.line, failure.function = at[1], int(at[2]), at[3]
            return failure
        failure.file, failure.line, failure.position, failure.function = frame.f_code.co_filename, line, position, frame.f_code.co_name
        failure._read(frame, _shape_env(error))
        return failure

    def _read(self, frame: FrameType, env: Any) -> None:
        wanted = {str(s) for s in getattr(self.guard, "free_symbols", ())}
        scopes = [frame.f_locals]
        outer = frame.f_back
        if frame.f_code.co_name.startswith("<") and outer is not None:
            scopes.append(outer.f_locals)
        for scope in scopes:
            for name, symbolic in _numbers(scope):
                expression = str(getattr(symbolic.node, "expr", ""))
                if expression in wanted and _better(name, self.names.get(expression)):
                    self.names[expression] = name
        if env is None:
            return
        for symbol in wanted:
            bounds = next((r for k, r in env.var_to_range.items() if str(k) == symbol), None)
            if bounds is not None:
                self.ranges[symbol] = (bounds.lower, bounds.upper)


def _expression(text: str) -> Any:
    try:
        return sympy.sympify(text, locals={name: sympy.Symbol(name, integer=True) for name in re.findall(r"\b[zsu]+f?\d+\b", text)})
    except (sympy.SympifyError, TypeError, SyntaxError, AttributeError):
        return None


def _better(new: str, old: str | None) -> bool:
    """Returns whether `new` is the better name: a number is better than a size, a short name better than a long one."""
    return old is None or (("." in new or "[" in new), len(new)) < (("." in old or "[" in old), len(old))


def _numbers(scope: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields the symbolic numbers among the locals, and in their sizes and lists."""
    for name, value in scope.items():
        if not name.isidentifier() or name.startswith("__"):
            continue
        yield from _numbers_of(name, value)
        if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size) and len(value) <= 64:
            for i, item in enumerate(value):
                yield from _numbers_of(f"{name}[{i}]", item)


def _numbers_of(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (torch.SymInt, torch.SymFloat)):
        yield name, value
    elif isinstance(value, torch.Tensor):
        for dim, size in enumerate(value.shape):
            if isinstance(size, torch.SymInt):
                yield f"{name}.shape[{dim}]", size
    elif isinstance(value, torch.Size):
        for dim, size in enumerate(value):
            if isinstance(size, torch.SymInt):
                yield f"{name}[{dim}]", size


def _is_users(file: str) -> bool:
    return not file.startswith(("<", os.path.dirname(torch.__file__) + os.sep)) and os.path.isfile(file)


def _users(error: BaseException) -> tuple[FrameType | None, int, tuple[int, int, int, int] | None, bool]:
    """Finds the innermost user frame in an exception or its causes. Returns frame, line, position of the
    instruction, and whether the frame called PyTorch."""
    seen: BaseException | None = error
    while seen is not None:
        trace: TracebackType | None = seen.__traceback__
        last: TracebackType | None = None
        ours = False
        while trace is not None:
            if users_frame(trace.tb_frame) is trace.tb_frame and _is_users(trace.tb_frame.f_code.co_filename):
                last, ours = trace, True
            trace = trace.tb_next
        if last is not None and ours:
            code = last.tb_frame.f_code
            position = None
            if hasattr(code, "co_positions"):
                spots = list(code.co_positions())
                first, end, column, end_column = spots[last.tb_lasti // 2] if last.tb_lasti // 2 < len(spots) else (None,) * 4
                if first is not None and end is not None and column is not None and end_column is not None:
                    position = (first, end, column, end_column)
            inner = (
                last.tb_next is not None
                and "sym_node.py" not in last.tb_next.tb_frame.f_code.co_filename
                and not last.tb_next.tb_frame.f_code.co_filename.endswith(f"torch{os.sep}__init__.py")
            )
            return last.tb_frame, last.tb_lineno, position, inner
        seen = seen.__cause__ or seen.__context__
    return None, 0, None, False


def _shape_env(error: BaseException) -> Any:
    """Returns the ShapeEnv that could not decide, from the exception's frames."""
    seen: BaseException | None = error
    while seen is not None:
        trace = seen.__traceback__
        while trace is not None:
            one = trace.tb_frame.f_locals.get("self")
            if isinstance(one, ShapeEnv):
                return one
            trace = trace.tb_next
        seen = seen.__cause__ or seen.__context__
    return None


class _Names(PythonPrinter):
    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names_of = names

    def _print_Symbol(self, expr: sympy.Symbol) -> str:
        return self._names_of[str(expr)]


def spelled(expression: Any, names: dict[str, str]) -> str | None:
    """Returns a symbolic expression with the program's names, None if a symbol has none."""
    if any(str(s) not in names for s in expression.free_symbols):
        return None
    try:
        text = str(_Names(names).doprint(expression))
    except (NotImplementedError, KeyError, AttributeError):
        return None
    return text if "\n" not in text else None
