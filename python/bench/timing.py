"""How the benchmarks time: thread CPU time, the least of several rounds, since other programs of the machine only ever add time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def least(run: Callable[[], Any], rounds: int, calls: int = 1) -> tuple[float, Any]:
    """Seconds of one call, of rounds of so many calls, and what the last call answered."""
    best, answer = float("inf"), None
    for _ in range(rounds):
        begin = time.thread_time()
        for _ in range(calls):
            answer = run()
        best = min(best, time.thread_time() - begin)
    return best / calls, answer
