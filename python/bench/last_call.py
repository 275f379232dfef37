"""Finds the call of a generator that ends its process. Each seed runs in a process of its own, which prints a call before it makes it.

    python python/bench/last_call.py python/bench/malformed_calls.py 0 500 [GIB]

Prints a line for each seed whose process a signal ends. GIB is the address space of each process (default 8, as in the sweep). If a
kernel writes outside of its memory, the process may end some calls later, when the C library finds the damage. Then
`valgrind --undef-value-errors=no` names the kernel.
"""

from __future__ import annotations

import importlib
import os
import pathlib
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ersatz.torch.recording.spelling import meta_of


def spelled(x: Any) -> str:
    if isinstance(x, torch.Tensor):
        return meta_of(x).removesuffix("@cpu") if x.layout == torch.strided else f"{x.layout}"
    return f"[{', '.join(map(spelled, x))}]" if isinstance(x, (list, tuple)) else repr(x)


class Told(TorchDispatchMode):
    """Writes each call to a file before it is made, one per line."""

    def __init__(self, path: pathlib.Path) -> None:
        super().__init__()
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = [*map(spelled, args), *(f"{k}={spelled(v)}" for k, v in (kwargs or {}).items())]
        os.write(self.file, f"torch.ops.{func}({', '.join(given)})\n".encode())
        return func(*args, **(kwargs or {}))


def ended(main: Callable[[int, int], None], first: int, last: int, gigabytes: float) -> Iterator[tuple[int, str, str]]:
    """Returns the seeds whose process a signal ends, with the signal's name and the last call."""
    most = int(gigabytes * (1 << 30))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "call")
        for seed in range(first, last):
            path.write_text("")
            child = os.fork()
            if child == 0:
                try:
                    resource.setrlimit(resource.RLIMIT_AS, (most, most))
                    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the C library prints there that memory is damaged
                    with Told(path):
                        main(seed, seed + 1)
                finally:
                    os._exit(0)
            status = os.waitpid(child, 0)[1]
            if os.WIFSIGNALED(status):
                calls = path.read_text().splitlines()
                yield seed, signal.Signals(os.WTERMSIG(status)).name, calls[-1] if calls else "no call"


def told(seed: int, by: str, call: str) -> str:
    return f"seed {seed}: ended by {by} in or after {call}"


if __name__ == "__main__":
    script = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(script.resolve().parent))
    memory = float(sys.argv[4]) if len(sys.argv) > 4 else 8
    for found in ended(importlib.import_module(script.stem).main, int(sys.argv[2]), int(sys.argv[3]), memory):
        print(told(*found), flush=True)
