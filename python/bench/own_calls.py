"""Measures what a live crosscheck adds to a call of a user's operator, in microseconds of thread CPU time: with a
remembered prediction, and with new metadata.

    PYTHONPATH=build/python python python/bench/own_calls.py [CALLS]        # after `python -m ersatz build-glue`

Each figure is the least of nine rounds. The operator has a Python kernel, like most, and its fake kernel is a Meta
kernel. Both do minimal work."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode

import ersatz.torch
from ersatz.torch import glue

CALLS = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
ROUNDS = 9
LIBRARY = torch.library.Library("bench_own", "FRAGMENT")
LIBRARY.define("made(Tensor x, float k) -> Tensor")
LIBRARY.impl("made", lambda x, k: x.clone(), "CPU")
LIBRARY.impl("made", lambda x, k: torch.empty_like(x), "Meta")


class Empty(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def microseconds(rounds: Iterable[Callable[[], Any]]) -> float:
    best = float("inf")
    for run in rounds:
        begin = time.thread_time()
        run()
        best = min(best, time.thread_time() - begin)
    return best / CALLS * 1e6


def main() -> None:
    torch.set_num_threads(1)
    op = torch.ops.bench_own.made.default
    sizes = iter(range(1, 1 << 20))

    def calls(tensors: list[torch.Tensor]) -> Callable[[], Any]:
        def run() -> None:
            for x in tensors:
                op(x, 2.0)
        return run

    def known(x: torch.Tensor) -> float:
        return microseconds([calls([x] * CALLS)] * ROUNDS)

    alone = known(torch.ones(4))
    meta = known(torch.ones(4, device="meta"))
    with FakeTensorMode() as mode:
        fake = known(mode.from_tensor(torch.ones(4)))
    with Empty():
        empty = known(torch.ones(4))
    print(f"torch {torch.__version__}, ersatz {ersatz.__version__}: the call alone {alone:.1f} us, its fake kernel {meta:.1f} us, under "
          f"FakeTensorMode {fake:.1f} us, an empty dispatch mode {empty - alone:.1f} us more")
    print("\n| by | known | new metadata | judged | findings |\n|---|--:|--:|--:|--:|")
    for native in (True, False) if glue.path().exists() else (False,):
        with ersatz.torch.crosscheck(native=native) as live:
            calls([torch.ones(4)] * 10)()
            again = known(torch.ones(4)) - alone
            fresh = microseconds([calls([torch.empty(next(sizes) + 4) for _ in range(CALLS)]) for _ in range(ROUNDS)]) - alone
        report = live.report
        print(f"| {'the glue' if native else 'the mode of Python'} | {again:.1f} | {fresh:.1f} | {report.own_judged} | {len(report.findings)} |")


if __name__ == "__main__":
    main()
