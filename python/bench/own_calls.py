"""What a live crosscheck adds to a call of a user's own operator, in microseconds: with a prediction that is known, and with new metadata.

    python python/bench/own_calls.py [CALLS]

Each figure is the least of five runs; an operator of torch.library whose kernel returns a tensor that was made before, and whose fake
kernel does as little. Beside it the fake kernel alone, asked under FakeTensorMode."""

from __future__ import annotations

import sys
import time

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import ersatz.torch
from ersatz.torch import glue

CALLS = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
LIBRARY = torch.library.Library("bench_own", "FRAGMENT")
LIBRARY.define("made(Tensor x) -> Tensor")
LIBRARY.impl("made", lambda x: torch.ops.aten.alias.default(x).clone(), "CPU")
LIBRARY.impl("made", lambda x: torch.empty_like(x), "Meta")


def least(run):
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best / CALLS * 1e6


def main():
    op = torch.ops.bench_own.made.default
    same = [torch.ones(4)] * CALLS
    sizes = iter(range(1, 1 << 20))

    def new():
        return [torch.empty(next(sizes)) for _ in range(CALLS)]

    def calls(tensors):
        for x in tensors:
            op(x)
    alone = least(lambda: calls(same))
    print(f"the call alone: {alone:.1f} us")
    with FakeTensorMode() as mode:
        fakes = [mode.from_tensor(torch.ones(4))] * CALLS
        print(f"its fake kernel under FakeTensorMode: {least(lambda: calls(fakes)):.1f} us")
    for native in (False, True) if glue.path().exists() else (False,):
        with ersatz.torch.crosscheck(native=native) as live:
            calls(same[:10])
            known = least(lambda: calls(same))
            fresh = []
            for _ in range(3):
                tensors = new()
                start = time.perf_counter()
                calls(tensors)
                fresh.append((time.perf_counter() - start) / CALLS * 1e6)
        print(f"{'glue' if native else 'mode'}: {known - alone:.1f} us more a call whose prediction is known, {min(fresh) - alone:.1f} us more with "
              f"new metadata; {live.report.own_judged} judged, {len(live.report.findings)} findings")


if __name__ == "__main__":
    main()
