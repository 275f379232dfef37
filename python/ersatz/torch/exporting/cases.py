"""Sets of inputs with the model's results in eager mode, and comparisons of other functions with these."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

__all__ = ["Case", "Cases", "difference", "quiet"]


@dataclass
class Case:
    """Inputs that the model accepts, and its results."""

    origin: str
    """`given 1`, `further 3`, `drawn 17`."""
    inputs: tuple[Any, ...]
    expected: Any

    @property
    def is_drawn(self) -> bool:
        return self.origin.startswith("drawn")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _copied(tree: Any) -> Any:
    return pytree.tree_map(lambda t: t.detach().clone() if isinstance(t, torch.Tensor) else t, tree)


_CLOSE = {torch.float64: (1e-6, 1e-8), torch.float16: (2e-2, 2e-3), torch.bfloat16: (4e-2, 4e-3)}
_PLAIN = (bool, int, float, complex, str, bytes, type(None))


def difference(expected: Any, got: Any) -> str:
    """Returns how two results differ, empty if they are equal. Numbers are compared to the accuracy of their dtype,
    all else exactly."""
    (left, left_spec), (right, right_spec) = pytree.tree_flatten(expected), pytree.tree_flatten(got)
    if left_spec != right_spec:
        return "the results have another structure"
    for i, (a, b) in enumerate(zip(left, right)):
        which = "the result" if len(left) == 1 else f"result {i}"
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
            if a.shape != b.shape:
                return f"{which} has size {list(b.shape)}, and {list(a.shape)} in eager"
            if a.dtype != b.dtype:
                return f"{which} is {b.dtype}, and {a.dtype} in eager"
            relative, absolute = _CLOSE.get(a.dtype, (1e-4, 1e-5))
            if not torch.allclose(a, b.to(a.device), rtol=relative, atol=absolute, equal_nan=True):
                return f"{which} has other values"
        elif isinstance(a, torch.Tensor) or isinstance(b, torch.Tensor) or (isinstance(a, _PLAIN) and a != b):
            return f"{which} is {b!r}, and {a!r} in eager"[:200]
    return ""


class Cases:
    """The model's results for each set of inputs. After each call, the model's buffers and the random states are
    restored."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.cases: list[Case] = []
        self.refused: list[tuple[str, tuple[Any, ...], str]] = []
        """Sets that eager mode refuses: origin, inputs, error."""
        self.seconds = 0.0
        buffers = list(model.buffers()) + list(model.parameters()) if isinstance(model, torch.nn.Module) else []
        self._state = [(b, b._version, b.detach().clone()) for b in buffers] if sum(b.numel() for b in buffers) < 1 << 24 else []

    def run(self, function: Callable[..., Any], inputs: tuple[Any, ...]) -> Any:
        with torch.no_grad(), quiet(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            try:
                return _copied(function(*_copied(inputs)))
            finally:
                for i, (buffer, version, kept) in enumerate(self._state):
                    if buffer._version != version:
                        buffer.copy_(kept)
                        self._state[i] = (buffer, buffer._version, kept)

    def add(self, origin: str, inputs: tuple[Any, ...]) -> bool:
        """Runs the model on the inputs. Returns whether it accepts them."""
        begin = time.monotonic()
        try:
            self.cases.append(Case(origin, inputs, self.run(self.model, inputs)))
        except Exception as e:
            self.refused.append((origin, inputs, f"{type(e).__name__}: {e}".partition("\n")[0]))
        finally:
            self.seconds += time.monotonic() - begin
        return not self.refused or self.refused[-1][1] is not inputs

    def draw(self, sets: Iterable[tuple[Any, ...]], name: str, count: int, seconds: float) -> None:
        """Adds up to `count` sets within `seconds`."""
        end = time.monotonic() + seconds
        for number, inputs in enumerate(sets, 1):
            self.add(f"{name} {number}", inputs)
            if number >= count or time.monotonic() > end:
                return

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    def beside(self, function: Callable[..., Any], cases: Sequence[Case] | None = None, at_first: bool = False) -> list[tuple[Case, str]]:
        """Returns the cases in which the function's result differs from the model's, with the difference.
        `at_first`: stops after the first."""
        wrong = []
        for case in self.cases if cases is None else cases:
            try:
                how = difference(case.expected, self.run(function, case.inputs))
            except Exception as e:
                how = f"raises {type(e).__name__}: {e}".partition("\n")[0]
            if how:
                wrong.append((case, how))
                if at_first:
                    break
        return wrong
