"""Measures times for the benchmarks: thread CPU time, the least of several rounds, because other programs can only add time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def least(run: Callable[[], Any], rounds: int, calls: int = 1) -> tuple[float, Any]:
    """Returns the least seconds per call over the rounds, each of `calls` calls, and the last result."""
    best, answer = float("inf"), None
    for _ in range(rounds):
        begin = time.thread_time()
        for _ in range(calls):
            answer = run()
        best = min(best, time.thread_time() - begin)
    return best / calls, answer
