"""Measures one call on fakes from Python: PyTorch's FakeTensorMode and ersatz, in microseconds a call.

    PYTHONPATH=build/python python python/bench/fake_ops.py        # with a Python that has torch; without torch only ersatz

Columns: torch with its cache, torch without it, and ersatz, which runs its rule each time. The calls are written as in programs: a
list is made for each call, and the time to make it counts. Thread CPU time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import ersatz
from timing import least

# name -> (the operator, the sizes of its f32 tensors, the call)
CASES: dict[str, tuple[str, dict[str, tuple[int, ...]], str]] = {
    "add": ("add.Tensor", {"x": (64, 128), "y": (64, 128)}, "op(x, y)"),
    "mm": ("mm.default", {"x": (64, 128), "y": (128, 32)}, "op(x, y)"),
    "conv2d": ("conv2d.default", {"x": (8, 3, 32, 32), "w": (16, 3, 3, 3), "b": (16,)}, "op(x, w, b, padding=[1, 1])"),
    "layer_norm": ("layer_norm.default", {"x": (8, 16, 64), "w": (64,), "b": (64,)}, "op(x, [64], w, b)"),
}


def call_of(text: str, aten: Any, name: str, tensors: dict[str, Any]) -> Callable[[], Any]:
    base, overload = name.split(".")
    call: Callable[[], Any] = eval(f"lambda: {text}", {"op": getattr(getattr(aten, base), overload), **tensors})
    return call


def best(call: Callable[[], Any], calls: int, rounds: int) -> float:
    """Returns the microseconds of one call."""
    for _ in range(10):
        call()
    return least(call, rounds, calls)[0] * 1e6


def ours(name: str, tensors: dict[str, tuple[int, ...]], text: str) -> Callable[[], Any]:
    return call_of(text, ersatz.ops.aten, name, {k: ersatz.fake(f"f32[{','.join(map(str, v))}]") for k, v in tensors.items()})


def theirs(name: str, tensors: dict[str, tuple[int, ...]], text: str, cache: bool) -> Callable[[], Any]:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    torch.set_num_threads(1)
    mode = FakeTensorMode()
    mode.cache_enabled = cache
    return call_of(text, torch.ops.aten, name, {k: mode.from_tensor(torch.empty(v)) for k, v in tensors.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=20000, help="calls of ersatz in one round; torch makes a hundredth of them")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    try:
        import torch

        print(f"torch {torch.__version__}, ersatz {ersatz.__version__}, us a call")
    except ImportError:
        torch = None
        print(f"torch: none; ersatz {ersatz.__version__}, us a call")
    print(f"{'op':12} {'torch cached':>13} {'uncached':>9} {'ersatz':>8}")
    for case, how in CASES.items():
        few = max(1, options.calls // 100)
        columns = [f"{best(theirs(*how, cache), few, options.rounds):.0f}" if torch else "-" for cache in (True, False)]
        print(f"{case:12} {columns[0]:>13} {columns[1]:>9} {best(ours(*how), options.calls, options.rounds):8.3f}")


if __name__ == "__main__":
    main()
