"""Makes the calls of random programs with one error each, and compares which side raises and with which class of error.

    ersatz crosscheck python/bench/malformed_calls.py 0 500              # the calls of seeds 0 to 499
    python python/bench/malformed_calls.py 0 20000 -o FOLDER [--each 500] [--jobs 2]

The calls are those that a program of random_programs.py makes below autograd. Each is repeated a few times with one argument
changed. It has another dtype, a dim more or less, a size one off, a dim out of range, or a number that the dtype cannot hold. It
is given twice, or its elements share memory. Meta tensors are left out, because PyTorch's meta kernels check less than its kernels. The second form
runs the seeds as a sweep, as random_programs.py does.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

import random_programs
import swept_seeds
from random_calls import DTYPES, Draw, tensors_of

AGAIN = 3  # number of changed calls made for each call
MOST = 1 << 16  # most elements of all tensors of a call
# Operators that only other operators call. They do not check their arguments, so a wrong index ends the process.
UNCHECKED = ("_backward", "unsafe", "_pack", "_pad", "_unique", "_fused", "_embedding_bag", "_cudnn", "_index_put_impl", "_fft", "_linalg", "_ctc",
             "_weight_norm", "mkldnn", "batch_norm_update", "empty", "set_", "as_strided", "_local_scalar", "rnn", "_native_multi", "_transform", "_efficient", "_flash",
             "_scaled", "_to_copy", "record_function", "unfold", "_batch_norm", "_trilinear", "_convolution", "max_unpool", "_reshape_alias",
             "aten.range.out")  # it divides by a step that becomes 0 in the dtype of `out`


class Calls(TorchDispatchMode):
    """Collects the calls of a run."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[tuple[Any, list[Any], dict[str, Any]]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if hasattr(func, "_schema") and not any(word in str(func) for word in UNCHECKED):
            self.made.append((func, list(args), dict(kwargs or {})))
        return func(*args, **(kwargs or {}))


def another_tensor(d: Draw, t: torch.Tensor, others: list[torch.Tensor]) -> torch.Tensor:
    """Returns a tensor that differs from `t` in one property."""
    sizes = list(t.shape)
    at = d.randrange(len(sizes)) if sizes else 0
    how = d.choice(("dtype", "dtype", "more", "fewer", "size", "size", "empty", "twice", "shared", "gap"))
    if how == "dtype":
        return t.detach().to(d.choice(DTYPES))
    if how == "more":
        sizes.insert(at, d.choice((1, 2)))
    elif how == "twice" and others:
        return d.choice(others)
    elif how == "shared":
        return t.detach().flatten()[:1].expand(max(t.numel(), 2)) if t.dim() < 2 else t.detach()[:1].expand(sizes)
    elif sizes:
        changed = {"fewer": [], "size": [sizes[at] + d.choice((1, -1))], "empty": [0]}.get(how, [sizes[at]])
        sizes[at:at + 1] = [max(n, 0) for n in changed]
    return d.tensor(sizes, t.dtype)


def another(d: Draw, x: Any, others: list[torch.Tensor]) -> Any:
    if isinstance(x, torch.Tensor):
        return another_tensor(d, x, others)
    if isinstance(x, bool):
        return not x
    if isinstance(x, int):
        return d.choice((x + 1, x - 1, -x, -1, 0, 7, -7, 300, -300, 70000))
    if isinstance(x, (float, complex)):
        return d.choice((0.0, -1.0, 2.5, 1e6, 1e39, float("nan"), float("inf"), 1 + 2j))
    if isinstance(x, torch.dtype):
        return d.choice(DTYPES)
    if isinstance(x, (list, tuple)) and x:
        i = d.randrange(len(x))
        return d.choice(([*x[:-1]], [*x, x[-1]], [*x[:i], another(d, x[i], others), *x[i + 1:]], [*x[:i], another(d, x[i], others), *x[i + 1:]]))
    return d.choice((None, 1, d.tensor())) if x is None else x


def changed(d: Draw, args: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    places: list[Any] = [*range(len(args)), *kwargs]
    others = [t for x in (*args, *kwargs.values()) for t in tensors_of(x)]
    if not places:
        return args, kwargs
    at = d.choice(places)
    if isinstance(at, int):
        return [*args[:at], another(d, args[at], others), *args[at + 1:]], kwargs
    return args, {**kwargs, at: another(d, kwargs[at], others)}


def is_whole(t: torch.Tensor) -> bool:
    """Returns whether the tensor has few elements, all within its memory. `full.out` of negative sizes and `eye.out`
    of too many elements raise and leave `out` outside of its memory."""
    if any(n < 0 for n in t.shape) or t.numel() >= MOST:
        return False
    last = t.storage_offset() + sum((n - 1) * s for n, s in zip(t.shape, t.stride()))
    return t.layout != torch.strided or not t.numel() or (last + 1) * t.element_size() <= t.untyped_storage().nbytes()


def may_be_made(args: list[Any], kwargs: dict[str, Any]) -> bool:
    tensors = [t for x in (*args, *kwargs.values()) for t in tensors_of(x)]
    return all(map(is_whole, tensors)) and sum(t.numel() for t in tensors) < MOST


def main(first: int, last: int) -> None:
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for seed in range(first, last):
        calls, d = Calls(), Draw(seed)
        with calls:
            random_programs.Program(seed).run()
        with torch.no_grad():
            for func, args, kwargs in calls.made:
                for _ in range(AGAIN):
                    with contextlib.suppress(Exception):  # exceptions are compared too
                        wrong = changed(d, args, kwargs) if may_be_made(args, kwargs) else None
                        if wrong and may_be_made(*wrong):
                            func(*wrong[0], **wrong[1])


if __name__ == "__main__":
    sys.exit(swept_seeds.run(__doc__, __file__, main))
