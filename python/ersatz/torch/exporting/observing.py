"""Observes expressions at a statement of the model in each run, through a line that is added to the copy of the
source."""

from __future__ import annotations

import contextlib
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from .cases import Cases
from .drawn import drawn_near
from .source_copy import SourceCopy

__all__ = ["Observed", "at_most", "observe", "seek"]

_HOOK = "__ersatz_saw__"


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in a block that takes longer, for example in a changed loop without end. Works only in the
    main thread, which receives the signal."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeoutError(f"not done in {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass
class Observed:
    """The values of one expression, by run, one for each time that the statement was reached."""

    values: list[tuple[str, list[Any]]] = field(default_factory=list)
    """Origin of the inputs, and values."""
    refused: list[list[Any]] = field(default_factory=list)
    """Values in runs whose inputs eager mode refuses."""

    def flat(self) -> list[Any]:
        return [v for _, values in self.values for v in values]

    def sides(self) -> set[bool]:
        """Returns the truth values in successful runs."""
        return {truth for v in self.flat() if (truth := _truth(v)) is not None}

    def refused_sides(self) -> set[bool]:
        return {truth for run in self.refused for v in run[-1:] if (truth := _truth(v)) is not None}

    def constant(self) -> Any:
        """Returns the only number that it was, None if there were several or none."""
        flat = self.flat()
        return flat[0] if flat and all(type(v) is int and v == flat[0] for v in flat) else None

    def told(self) -> str:
        """Returns `True in 4 of 4 runs given, False in 3 of 40 drawn`."""
        parts = []
        for name, is_drawn in (("", False), (" drawn", True)):
            runs = [[_truth(v) for v in values] for origin, values in self.values if origin.startswith("drawn") == is_drawn and values]
            for side in (True, False):
                met = sum(side in run for run in runs)
                if met:
                    parts.append(f"{side} in {met} of {len(runs)}{name} runs")
        return ", ".join(parts) or "never reached"


def _truth(value: Any) -> bool | None:
    if isinstance(value, torch.Tensor):
        return bool(value) if value.numel() == 1 else None
    return bool(value) if isinstance(value, (bool, int, float)) else None


class _Hook:
    def __init__(self, count: int) -> None:
        self.seen: list[list[Any]] = [[] for _ in range(count)]

    def __call__(self, number: int, expression: Callable[[], Any]) -> None:
        with contextlib.suppress(Exception):
            value = expression()
            self.seen[number].append(value.detach().clone() if isinstance(value, torch.Tensor) else value)


def _looked_at(copy: SourceCopy, file: str, line: int, indent: str, expressions: Sequence[str]) -> SourceCopy:
    rows = [f"{indent}{_HOOK}({i}, lambda: ({text}))" for i, text in enumerate(" ".join(e.split()) for e in expressions)]
    return copy.with_lines(file, line, line - 1, rows)


def observe(copy: SourceCopy, file: str, line: int, indent: str, expressions: Sequence[str], cases: Cases) -> list[Observed]:
    """Returns the values of each expression before the statement at a line, in every run."""
    found = [Observed() for _ in expressions]
    hook = _Hook(len(expressions))

    def say(*arguments: Any) -> None:
        hook(*arguments)

    with _looked_at(copy, file, line, indent, expressions).in_place({_HOOK: say}):
        for case in cases:
            hook = _Hook(len(expressions))
            with contextlib.suppress(Exception):
                cases.run(cases.model, case.inputs)
            for one, seen in zip(found, hook.seen):
                one.values.append((case.origin, seen))
        for _, inputs, _ in cases.refused[:200]:
            hook = _Hook(len(expressions))
            with contextlib.suppress(Exception):
                cases.run(cases.model, inputs)
            for one, seen in zip(found, hook.seen):
                if seen:
                    one.refused.append(seen)
    return found


def seek(copy: SourceCopy, file: str, line: int, indent: str, condition: str, gap: str | None, side: bool, cases: Cases, seconds: float) -> bool:
    """Searches for inputs that eager mode accepts and for which the condition is `side`, guided by the distance
    `gap`. These inputs become cases."""
    given = [c.inputs for c in cases if not c.is_drawn]
    hook = _Hook(2)

    def say(*arguments: Any) -> None:
        hook(*arguments)

    r = random.Random(0)
    best: list[tuple[float, tuple[Any, ...]]] = []
    found: list[tuple[Any, ...]] = []
    end = time.monotonic() + seconds

    def look(inputs: tuple[Any, ...]) -> None:
        nonlocal hook
        hook = _Hook(2)
        try:
            cases.run(cases.model, inputs)
        except Exception:
            return
        if any(_truth(v) is side for v in hook.seen[0]):
            found.append(inputs)
        distances = [abs(float(v)) for v in hook.seen[1] if isinstance(v, (int, float)) and not isinstance(v, bool)]
        best.append((min(distances, default=0.0), inputs))

    with _looked_at(copy, file, line, indent, [condition, gap or "0"]).in_place({_HOOK: say}):
        for case in cases:
            look(case.inputs)
        while time.monotonic() < end and len(found) < 3:
            best.sort(key=lambda b: b[0])
            del best[8:]
            if not best:
                break
            for step, inputs in enumerate(drawn_near(r.choice(best)[1], given, r.randrange(1 << 30))):
                look(inputs)
                if step >= 3:
                    break
            else:
                break
    for inputs in found:
        cases.add(f"drawn {1 + sum(c.is_drawn for c in cases)}", inputs)
    return bool(found)
