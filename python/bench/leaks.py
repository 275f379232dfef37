"""Repeats calls many times, and measures the memory that they keep.

    python python/bench/leaks.py [--calls N] [KIND ...]

Prints for each kind of call the resident memory after a tenth of the calls and at the end. It also prints the allocations that
remain from the calls between, in bytes of malloc and in Python objects. Exit status 1: some of these grow with the number of calls. Kinds that
need PyTorch are left out if it is not installed.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import ersatz

aten = ersatz.ops.aten


class MallocInfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]


mallinfo2 = ctypes.CDLL(None).mallinfo2
mallinfo2.restype = MallocInfo


class Memory(NamedTuple):
    resident: int
    allocated: int  # bytes of malloc that this process and its libraries use
    objects: int

    @staticmethod
    def now() -> Memory:
        gc.collect()
        info = mallinfo2()
        with open("/proc/self/statm", encoding="ascii") as f:
            resident = int(f.read().split()[1]) * 4096
        return Memory(resident, info.uordblks + info.hblkhd, sys.getallocatedblocks())


def fakes() -> Callable[[], object]:
    x, y = ersatz.fake("f32[2,3]"), ersatz.fake("f32[3,4]@cpu")
    return lambda: aten.mm.default(x + 1, y)


def fakes_in_modes() -> Callable[[], object]:
    def call() -> None:
        with ersatz.FakeMode(data_symbols=True):
            aten.nonzero.default(ersatz.fake("f32[5]"))

    return call


def real_calls() -> Callable[[], object]:
    x = ersatz.from_dlpack(bytearray(64))
    return lambda: (x + 1)[2:5]


def errors() -> Callable[[], object]:
    x, y = ersatz.fake("f32[2,3]"), ersatz.fake("f32[4]")

    def call() -> None:
        try:
            x + y
        except ersatz.Error as e:
            str(e), e.arguments, e.suggestion

    return call


def live() -> Callable[[], object]:
    import torch

    import ersatz.torch

    x, mode = torch.ones(2, 3), ersatz.torch.crosscheck(native=False)

    def call() -> None:
        with mode:
            x.add(1)

    return call


def live_errors() -> Callable[[], object]:
    import torch

    import ersatz.torch

    x, mode = torch.ones(2, 3), ersatz.torch.crosscheck(native=False)

    def call() -> None:
        try:
            with mode:
                torch.mm(x, x)
        except RuntimeError:
            pass

    return call


def live_findings() -> Callable[[], object]:
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    import ersatz.torch

    class Doubled(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            return func(*args, **(kwargs or {})).double()

    x, spoilt, mode = torch.ones(2, 3), Doubled(), ersatz.torch.crosscheck(native=False)

    def call() -> None:
        with spoilt, mode:
            x.relu()

    return call


KINDS = {f.__name__: f for f in (fakes, fakes_in_modes, real_calls, errors, live, live_errors, live_findings)}


def grown(call: Callable[[], object], before: int, calls: int) -> tuple[Memory, Memory]:
    """Returns the memory after `before` calls, and after `more` further calls."""
    for _ in range(before):
        call()
    first = Memory.now()
    for _ in range(calls):
        call()
    return first, Memory.now()


def leaks(first: Memory, last: Memory, calls: int) -> bool:
    """Returns whether the allocated memory grows with the calls. A table that doubles once, or a page, is less than
    a byte per call."""
    return last.allocated - first.allocated > max(calls // 2, 1 << 14) or last.objects - first.objects > 200 + calls // 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--calls", type=int, default=1_000_000)
    options = parser.parse_args()
    bad = False
    print(f"{'kind':<16}{'calls':>9}{'s':>7}{'MiB after a tenth':>19}{'MiB at the end':>16}{'bytes kept':>12}{'objects kept':>14}")
    for name in options.kinds or KINDS:
        try:
            call = KINDS[name]()
        except ImportError as e:
            print(f"{name:<16}left out: {e}")
            continue
        start = time.perf_counter()
        first, last = grown(call, options.calls // 10, options.calls - options.calls // 10)
        wrong = leaks(first, last, options.calls)
        bad |= wrong
        print(f"{name:<16}{options.calls:>9}{time.perf_counter() - start:>7.0f}{first.resident / (1 << 20):>19.2f}{last.resident / (1 << 20):>16.2f}"
              f"{last.allocated - first.allocated:>12}{last.objects - first.objects:>14}{'  GROWS' if wrong else ''}", flush=True)
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
