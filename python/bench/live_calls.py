"""Measures what a live crosscheck adds to one call of small tensors, in microseconds of thread CPU time.

    PYTHONPATH=build/python python python/bench/live_calls.py        # after `python -m ersatz build-glue`

Columns: the call, the call under an empty dispatch mode, under a crosscheck by the native glue, and under one by the Python
dispatch mode. One thread, without gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

import ersatz.torch
from timing import least

CALLS = 2000


class Empty(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def main() -> None:
    torch.set_num_threads(1)
    x, w, b = torch.randn(4, 4), torch.randn(4, 3, 3, 3), torch.randn(4)
    image = torch.randn(1, 3, 8, 8)
    calls: dict[str, Callable[[], Any]] = {
        "add, 4x4": lambda: torch.add(x, x),
        "mm, 4x4": lambda: torch.mm(x, x),
        "conv2d, 3x8x8 with 4 kernels of 3x3": lambda: torch.conv2d(image, w, b),
        "layer_norm, 4x4": lambda: torch.layer_norm(x, [4], b, b),
    }
    print(f"torch {torch.__version__}, ersatz {ersatz.__version__}\n\n| call | plain | an empty mode | the glue | the mode |\n|---|--:|--:|--:|--:|")
    with torch.no_grad():
        for name, call in calls.items():
            row = [least(call, 15, CALLS)[0]]
            for mode in (Empty(), ersatz.torch.crosscheck(native=True), ersatz.torch.crosscheck(native=False)):
                with mode:
                    row.append(least(call, 15, CALLS)[0])
            print(f"| {name} | " + " | ".join(f"{s * 1e6:.1f}" for s in row) + " |", flush=True)


if __name__ == "__main__":
    main()
