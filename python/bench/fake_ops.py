"""One fake call from Python: PyTorch's FakeTensorMode beside ersatz, in microseconds a call.

    PYTHONPATH=build/python python python/bench/fake_ops.py        # a Python that has torch; without it ours alone

Columns: torch with its cache of answers, torch without it, ersatz (whose rule is asked each time). The best of several rounds, since
other programs of the machine only ever add time. One thread.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import ersatz

CASES: dict[str, tuple[str, list[Any], dict[str, Any]]] = {
    "add": ("add.Tensor", [("f32", (64, 128)), ("f32", (64, 128))], {}),
    "mm": ("mm.default", [("f32", (64, 128)), ("f32", (128, 32))], {}),
    "conv2d": ("conv2d.default", [("f32", (8, 3, 32, 32)), ("f32", (16, 3, 3, 3)), ("f32", (16,))], {"padding": [1, 1]}),
    "layer_norm": ("layer_norm.default", [("f32", (8, 16, 64)), [64], ("f32", (64,)), ("f32", (64,))], {}),
}


def best(call: Callable[[], Any], calls: int, rounds: int) -> float:
    """Microseconds a call."""
    for _ in range(10):
        call()
    fastest = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        fastest = min(fastest, time.perf_counter() - begin)
    return fastest / calls * 1e6


def ours(name: str, arguments: list[Any], keywords: dict[str, Any]) -> Callable[[], Any]:
    base, overload = name.split(".")
    op = getattr(getattr(ersatz.ops.aten, base), overload)
    given = [ersatz.fake(f"{a[0]}[{','.join(map(str, a[1]))}]") if isinstance(a, tuple) else a for a in arguments]
    return lambda: op(*given, **keywords)


def theirs(name: str, arguments: list[Any], keywords: dict[str, Any], cache: bool) -> Callable[[], Any]:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    torch.set_num_threads(1)
    mode = FakeTensorMode()
    mode.cache_enabled = cache
    base, overload = name.split(".")
    op = getattr(getattr(torch.ops.aten, base), overload)
    given = [mode.from_tensor(torch.empty(a[1])) if isinstance(a, tuple) else a for a in arguments]
    return lambda: op(*given, **keywords)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=20000, help="of ersatz in one round; of torch a hundredth")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    try:
        import torch

        print(f"torch {torch.__version__}, ersatz {ersatz.__version__}, us a call")
    except ImportError:
        torch = None
        print(f"torch: none; ersatz {ersatz.__version__}, us a call")
    print(f"{'op':12} {'torch cached':>13} {'uncached':>9} {'ersatz':>8}")
    for case, (name, arguments, keywords) in CASES.items():
        few = max(1, options.calls // 100)
        columns = [f"{best(theirs(name, arguments, keywords, cache), few, options.rounds):.0f}" if torch else "-" for cache in (True, False)]
        print(f"{case:12} {columns[0]:>13} {columns[1]:>9} {best(ours(name, arguments, keywords), options.calls, options.rounds):8.3f}")


if __name__ == "__main__":
    main()
