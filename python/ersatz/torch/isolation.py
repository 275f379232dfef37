"""Calls of an operator in child processes: one that ends its process is a record like others."""

from __future__ import annotations

import json
import os
import signal
import struct
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from .recording.probe import probe
from .remade import Remade

_MOST_DEATHS = 32  # after so many, the rest of the calls is not made


def _in_child(work: Callable[[], bytes]) -> tuple[bytes, int]:
    """What the work answers in a forked child, and the signal that ended it; 0: none did."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(read)
            torch.set_num_threads(1)  # a fork takes along the calling thread alone
            answer = work()
            while answer:
                answer = answer[os.write(write, answer):]
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    parts = []
    while part := os.read(read, 1 << 16):
        parts.append(part)
    os.close(read)
    _, status = os.waitpid(child, 0)
    return b"".join(parts), os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


class Isolated:
    def __init__(self, op: Any, folder: str) -> None:
        self.op, self.folder = op, folder

    def probe(self, samples: Sequence[Any], path: str, *, values: int, seed: int) -> None:
        """As `probe`, in children; a call that ends one is recorded with the signal (`died`)."""
        if any(isinstance(x, torch.Tensor) and x.is_cuda for x in tree_leaves(samples)):
            raise ValueError("validate: isolate=True is for the CPU: a driver that was started does not survive a fork")
        part, begun = os.path.join(self.folder, "part.jsonl"), os.path.join(self.folder, "begun")
        first = deaths = 0
        with open(path, "wb") as whole:
            while deaths < _MOST_DEATHS:
                file = os.open(begun, os.O_RDWR | os.O_CREAT | os.O_TRUNC)

                def note(number: int, line: dict[str, Any], file: int = file) -> None:
                    text = json.dumps(line).encode()
                    os.pwrite(file, struct.pack("<qq", number, len(text)) + text, 0)

                def work(first: int = first) -> bytes:
                    probe(self.op, samples, part, values=values, seed=seed, first=first, begun=note)
                    return b"done"

                answer, ended_by = _in_child(work)
                if os.path.exists(part):
                    with open(part, "rb") as lines:
                        whole.write(lines.read())
                    os.remove(part)
                held = os.pread(file, os.fstat(file).st_size, 0)
                os.close(file)
                if answer or not held:
                    break
                number, size = struct.unpack_from("<qq", held)
                line = json.loads(held[16:16 + size])
                line |= {"id": f"death{deaths}", "died": signal.Signals(ended_by).name if ended_by else "exit"}
                whole.write(json.dumps(line).encode() + b"\n")
                first, deaths = number + 1, deaths + 1

    def call(self, remade: Remade) -> Callable[[str, str], str | None]:
        """Makes one call in a child, for its record."""
        def made(arguments: str, fill: str) -> str | None:
            answer, _ = _in_child(lambda: (remade.record_of(arguments, fill) or "").encode())
            return answer.decode() or None
        return made
