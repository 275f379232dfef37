"""Calls of an operator in child processes, so that a call that ends its process is recorded like others."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from .gradient_checks import checked, died
from .recording.probe import probe

_MOST_DEATHS = 32  # after this many deaths, the remaining calls are not made
_CHEAP_BYTES = 2 << 30  # memory of this process; if it has more, copying its page tables takes longer than the calls


def why_not_contained(samples: Sequence[Any]) -> str:
    """Returns why calls are not made in a child process by default. Empty if a child process is cheap and loses
    nothing."""
    if not hasattr(os, "fork"):
        return "this system has no fork"
    if any(isinstance(x, torch.Tensor) and x.device.type != "cpu" for x in tree_leaves(list(samples))) or torch.cuda.is_initialized():
        return "a driver that was started does not survive a fork"
    if threading.active_count() > 1:
        return "other threads run, which a fork leaves behind"
    with open("/proc/self/statm", encoding="ascii") if os.path.exists("/proc/self/statm") else open(os.devnull, encoding="ascii") as f:
        pages = f.read().split()
    if pages and int(pages[1]) * os.sysconf("SC_PAGESIZE") > _CHEAP_BYTES:
        return "the process is large, and each fork of it takes long"
    return ""


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def _forked(work: Callable[[int], None], *inherited: int) -> tuple[int, int]:
    """Runs `work` in a child process, with the write end of a pipe. Returns the child and the read end."""
    read, write = os.pipe()
    _flush()  # otherwise both processes would print buffered output
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(read)
            for file in inherited:
                os.close(file)
            torch.set_num_threads(1)  # because a fork copies only the calling thread
            work(write)
            status = 0
        finally:
            _flush()
            os._exit(status)
    os.close(write)
    return child, read


def _write(file: int, answer: bytes) -> None:
    while answer:
        answer = answer[os.write(file, answer):]


def _read(file: int, size: int = -1) -> bytes:
    """Reads `size` bytes, or to the end. Returns fewer if the other end is closed."""
    parts: list[bytes] = []
    while size and (part := os.read(file, min(size, 1 << 16) if size > 0 else 1 << 16)):
        parts.append(part)
        size -= len(part) if size > 0 else 0
    return b"".join(parts)


def _ended_by(child: int) -> int:
    """Returns the signal that ended a child, 0 if none did."""
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


class Isolated:
    def __init__(self, op: Any, folder: str) -> None:
        self.op, self.folder = op, folder

    def probe(self, samples: Sequence[Any], path: str, *, values: int, seed: int) -> dict[str, Any]:
        """Does the work of `probe` in child processes. If a call ends its process, the record has the signal
        (`died`)."""
        if any(isinstance(x, torch.Tensor) and x.is_cuda for x in tree_leaves(samples)):
            raise ValueError("validate: isolate=True is for the CPU: a driver that was started does not survive a fork")
        part, begun, told = (os.path.join(self.folder, name) for name in ("part.jsonl", "begun", "told"))
        first = deaths = 0
        with open(path, "wb") as whole:
            while deaths < _MOST_DEATHS:
                file = os.open(begun, os.O_RDWR | os.O_CREAT | os.O_TRUNC)

                def note(number: int, line: dict[str, Any], file: int = file) -> None:
                    text = json.dumps(line).encode()
                    os.pwrite(file, struct.pack("<qq", number, len(text)) + text, 0)

                def work(answer: int, first: int = first) -> None:
                    known = json.load(open(told, encoding="utf-8")) if os.path.exists(told) else None
                    _write(answer, json.dumps(probe(self.op, samples, part, values=values, seed=seed, first=first, begun=note,
                                                    known=known, told_file=told)).encode())

                child, read = _forked(work)
                answer = _read(read)
                os.close(read)
                ended_by = _ended_by(child)
                if os.path.exists(part):
                    with open(part, "rb") as lines:
                        whole.write(lines.read())
                    os.remove(part)
                held = os.pread(file, os.fstat(file).st_size, 0)
                os.close(file)
                if answer:
                    return json.loads(answer)  # type: ignore[no-any-return]
                if not held:
                    raise RuntimeError("validate: the child process that makes the calls ended before the first of them; isolate=False makes them here")
                number, size = struct.unpack_from("<qq", held)
                line = json.loads(held[16:16 + size])
                line |= {"id": f"death{deaths}", "died": signal.Signals(ended_by).name if ended_by else "exit"}
                whole.write(json.dumps(line).encode() + b"\n")
                first, deaths = number + 1, deaths + 1
        return {"calls": deaths, "refused": 0, "constant": [], "one_sided": []}


# Part of the error that backward raises in a child process whose parent has run backward.
_NO_AUTOGRAD = "in combination with fork-based multiprocessing"


def checked_apart(op: Any, name: str, samples: Sequence[Any]) -> tuple[str, str] | None:
    """Does the work of `gradient_checks.checked` in a child process. If the process dies, that is a finding. Returns
    None if this process has run backward, because its engine does not survive a fork."""
    child, read = _forked(lambda answer: _write(answer, json.dumps(checked(op, name, samples)).encode()))
    answer = _read(read).decode()
    os.close(read)
    ended_by = _ended_by(child)
    if not answer and not ended_by:
        raise RuntimeError("validate: the child process that compares gradients raised, see above; isolate=False makes the calls here")
    if _NO_AUTOGRAD in answer:
        return None
    made, lines = json.loads(answer) if answer else died(name, signal.Signals(ended_by).name)
    return made, lines


class Workers:
    """Makes calls one by one in a waiting child process. A call that ends the child returns None, and the next call
    gets a new child.

    is_isolated: False makes the calls in this process."""

    def __init__(self, make: Callable[[str, str], str | None], is_isolated: bool) -> None:
        self.make, self.is_isolated = make, is_isolated
        self.child = self.to = self.answers = 0

    def __enter__(self) -> Callable[[str, str], str | None]:
        return self.made if self.is_isolated else self.make

    def __exit__(self, *error: Any) -> None:
        self.end()

    def end(self) -> None:
        if self.child:
            os.close(self.to)
            os.close(self.answers)
            os.waitpid(self.child, 0)
            self.child = 0

    def start(self) -> None:
        calls, to = os.pipe()

        def work(answer: int) -> None:
            while size := _read(calls, 8):
                arguments, fill = json.loads(_read(calls, struct.unpack("<q", size)[0]))
                line = (self.make(arguments, fill) or "").encode()
                _write(answer, struct.pack("<q", len(line)) + line)

        self.child, self.answers = _forked(work, to)
        self.to = to
        os.close(calls)

    def made(self, arguments: str, fill: str) -> str | None:
        if not self.child:
            self.start()
        text = json.dumps([arguments, fill]).encode()
        try:
            _write(self.to, struct.pack("<q", len(text)) + text)
            size = _read(self.answers, 8)
        except BrokenPipeError:
            size = b""
        if len(size) < 8:
            self.end()
            return None
        return _read(self.answers, struct.unpack("<q", size)[0]).decode() or None
