"""Compiled code in a live crosscheck. Each graph is compared when it is compiled. The inputs of its code are
compared, before each run, with the inputs for which the code was compiled."""

from __future__ import annotations

import linecache
import re
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

import torch

from .. import _ersatz
from .recording import compiled_code
from .recording.call import hidden
from .recording.place import line_text, users_frame
from .recording.spelling import meta_of, spelled_meta
from .watched_compiles import WatchedGraph, watch_compiles

__all__ = ["CompiledPieces", "is_generated", "node_line"]

_FRAME = re.compile(r'^ *File "(.+)", line (\d+), in (\S+)$', re.M)
_GENERATED = re.compile(r"[/\\](\w\w)[/\\]c\1\w{20,}\.py$")
"""A file of inductor's code. Its name is the hash of its text, and its folder's name is the first letters of that."""
_CALLED = re.compile(r"torch\.ops\.([\w.]+)\(")
_ALIGNED = re.compile(r"assert_alignment\((\w+), (\d+)")


def is_generated(file: str) -> bool:
    """Returns whether the file's name is that of inductor's code."""
    return _GENERATED.search(file) is not None


def node_line(trace: str | None) -> str:
    """Returns the user's line in the stack trace of a node, `train.py:12 in forward: y = mix(x)`. Empty if PyTorch
    recorded none."""
    frames = _FRAME.findall(trace or "")
    if not frames:
        return ""
    file, line, function = frames[-1]
    return line_text(file, int(line), function)


@dataclass
class _Input:
    """An input for which the code was compiled. A size is a number, or a sympy expression over symbols."""

    name: str
    value: Any = None
    """The fake tensor in the graph; None for a number, and for an input that no node uses."""
    symbol: Any = None
    """The symbol whose number is passed."""


class _Piece:
    """A compared graph from which inductor made code."""

    def __init__(self, number: int, graph: torch.fx.Graph, text: str) -> None:
        self.number, self.text = number, text
        self.inputs: list[_Input] = []
        self.traces: dict[str, list[str]] = {}
        """The stack traces of the nodes, in order, by operator."""
        self.outputs: list[str] = []
        self.aligned: dict[str, int] = {}
        self._sizes: dict[tuple[int, ...], list[tuple[list[int | None], list[int | None]] | None]] = {}
        for node in graph.nodes:
            if node.op == "placeholder":
                value = node.meta.get("val")
                symbol = value.node.expr if isinstance(value, torch.SymInt) else None
                used = isinstance(value, torch.Tensor) and len(node.users) > 0 and type(value).__name__ == "FakeTensor"
                self.inputs.append(_Input(node.name, value if used and value.layout is torch.strided else None, symbol))
            elif node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload):
                self.traces.setdefault(str(node.target), []).append(node.meta.get("stack_trace") or "")
            elif node.op == "output":
                returned = node.args[0] if isinstance(node.args[0], (list, tuple)) else [node.args[0]]
                self.outputs = [getattr(r, "name", "") for r in returned]

    def expected(self, inputs: Sequence[Any]) -> list[tuple[list[int | None], list[int | None]] | None]:
        """Returns sizes and strides of each tensor for the passed numbers; None if they are unknown."""
        numbers = tuple(int(x) for of, x in zip(self.inputs, inputs) if of.symbol is not None)
        known = self._sizes.get(numbers)
        if known is None:
            symbols = dict(zip((of.symbol for of in self.inputs if of.symbol is not None), numbers))

            def at(size: Any) -> int | None:
                if isinstance(size, int):
                    return size
                value = size.node.expr.subs(symbols)
                return int(value) if value.is_number else None
            known = self._sizes[numbers] = [None if of.value is None else ([at(s) for s in of.value.shape], [at(s) for s in of.value.stride()])
                                            for of in self.inputs]
        return known

    def line_of(self, op: str, nth: int, calls: int) -> str:
        """Returns the user's line of call `nth` of the operator's `calls` calls in the code. Empty if it is unknown."""
        traces = self.traces.get(op, [])
        if len(set(traces)) == 1:
            nth, calls = 0, len(traces)
        return node_line(traces[nth]) if len(traces) == calls and nth < calls else ""


def _differing(sizes: list[int | None], strides: list[int | None], of: torch.Tensor, expected: torch.Tensor) -> str:
    """Returns the field that differs, empty if none does."""
    if of.dtype != expected.dtype:
        return "dtype"
    if of.device != expected.device:
        return "device"
    if of.dim() != len(sizes):
        return "rank"
    if any(s is not None and s != is_ for s, is_ in zip(sizes, of.shape)):
        return "size"
    if of.numel() and any(s is not None and s != is_ and n > 1 for s, is_, n in zip(strides, of.stride(), of.shape)):
        return "stride"
    return ""


_PIECES: dict[int, tuple[weakref.ref[Any], _Piece]] = {}
"""The graph of inductor's code, by the id of the code. All crosschecks share this, because a test may run code that
an earlier test compiled."""


class CompiledPieces:
    """The compiled code that one crosscheck sees.

    Any thread may call its methods. `session` is the crosscheck's session, to which findings are added."""

    def __init__(self, session: _ersatz.TorchCrosscheck) -> None:
        self._session = session
        self._watch = watch_compiles()
        self._watch._seen = self._judged
        self._judged_last = threading.local()
        # Storage id -> (weak reference to the storage, description of the call that made it).
        self._made_by: dict[int, tuple[Any, str]] = {}
        self._graphs = 0
        self._entered = 0
        self.made_by = ""
        """The maker of the last input that differs from its graph's expectation, if it is known."""

    def start(self) -> None:
        """Begins to compare graphs that are compiled. Does not import inductor. Calls may nest."""
        self._entered += 1
        if self._entered == 1:
            compiled_code.made.append(self._made)
            self._watch.start_when_imported()

    def stop(self) -> None:
        """Ends `start`. Compiled code continues to run."""
        self._entered -= 1
        if self._entered == 0:
            compiled_code.made.remove(self._made)
            self._watch.stop()

    def _judged(self, stage: str, found: WatchedGraph, graph: torch.fx.Graph) -> None:
        last = stage == "post-grad"  # inductor generates code from the graph of this stage
        self._judged_last.piece = None
        if found.report is None:
            self._session.count_unseen("torch.compile", f"a graph cannot be read: {found.why}")
            return
        if last:
            self._judged_last.piece = _Piece(self._graphs, graph, found.text)
            self._graphs += 1
        self._session.add_compiled(found.report, graphs=int(last), nodes=found.report.nodes if last else 0)

    def _made(self, code: Any) -> None:
        piece, self._judged_last.piece = getattr(self._judged_last, "piece", None), None
        if piece is not None:
            piece.aligned = {name: int(to) for name, to in _ALIGNED.findall(getattr(code, "source_code", None) or "")}
            key = id(code)
            _PIECES[key] = weakref.ref(code, lambda _: _PIECES.pop(key, None)), piece

    def piece_of(self, code: Any) -> _Piece | None:
        """Returns the graph of the code, None if the graph was not compared, for example because it came from a
        cache."""
        reference, piece = _PIECES.get(id(code), (None, None))
        return piece if reference is not None and reference() is code else None

    def runs(self, code: Any, inputs: Any) -> Callable[[Any], None] | None:
        """Compares the inputs of a run before it. Returns a function to call with its results, None if the graph of
        the code was not compared."""
        piece = self.piece_of(code)
        if piece is None or len(inputs) != len(piece.inputs):
            return None
        with hidden():
            compared = self._compare(piece, inputs)
        self._session.add_compiled(None, runs=1, inputs=compared)
        return lambda results: self._note(piece, results)

    def _compare(self, piece: _Piece, inputs: Sequence[Any]) -> int:
        compared = 0
        for of, value, layout in zip(piece.inputs, inputs, piece.expected(inputs)):
            if layout is None or not isinstance(value, torch.Tensor):
                continue
            compared += 1
            field = _differing(*layout, value, of.value)
            to = piece.aligned.get(of.name, 0)
            if not field and to and value.data_ptr() % to:
                field = "alignment"
            if field:
                self._add_finding(piece, of, layout, value, field, to)
        return compared

    def _add_finding(self, piece: _Piece, of: _Input, layout: Any, value: torch.Tensor, field: str, to: int) -> None:
        # A graph's input has offset 0, unless its alignment is asserted.
        offset = 0 if field == "alignment" else value.storage_offset()
        predicted = spelled_meta(of.value.dtype, *(tuple("?" if n is None else n for n in side) for side in layout), offset, of.value.device)
        reference, maker = self._made_by.get(value.untyped_storage()._cdata, (None, ""))
        if reference is None or reference.expired():
            maker = self._operator_that_made(predicted, meta_of(value))
        of_it = f"input {of.name} of compiled graph {piece.number}"
        self.made_by = maker
        cause = (f"{of_it} is made by {maker}: the graph was compiled for another layout, and no operator in its code is to blame" if maker else
                 f"{of_it} is made outside of compiled code: the graph was compiled for another layout, and no operator in its code is to blame")
        if field == "alignment":
            field, cause = "offset", f"{cause}. The code needs the address to be a multiple of {to} bytes"
        caller = users_frame(_caller())
        source = "" if caller is None else line_text(caller.f_code.co_filename, caller.f_lineno, caller.f_code.co_name)
        self._session.add_compiled_finding(_ersatz.Finding(
            op="torch.compile", node=f"graph {piece.number}, input {of.name}", result=-1, field=field, predicted=predicted,
            observed=meta_of(value), witness="eager", verdict="significant", words="", cause=cause, source=source, args=(), repro=""))

    def _operator_that_made(self, predicted: str, observed: str) -> str:
        """Returns the operator whose finding has this prediction and this observed result, empty if there is none."""
        found = self._session.report("").findings
        return next((f.op for f in found if f.op != "torch.compile" and (f.predicted, f.observed) == (predicted, observed)), "")

    def _note(self, piece: _Piece, results: Any) -> None:
        """Records which storages the code returned."""
        from torch.multiprocessing.reductions import StorageWeakRef

        with hidden():
            for name, value in zip(piece.outputs, results if isinstance(results, (list, tuple)) else [results]):
                if type(value) is torch.Tensor:
                    storage = value.untyped_storage()
                    self._made_by[storage._cdata] = StorageWeakRef(storage), f"graph {piece.number}, which returns it as {name}"

    def line(self, frame: FrameType) -> str:
        """Returns the user's line for a call in inductor's code, through the node of the call. Empty if it is
        unknown."""
        if not is_generated(frame.f_code.co_filename):
            return ""
        piece = self.piece_of(compiled_code.running())
        if piece is None:
            return ""
        called = _CALLED.search(linecache.getline(frame.f_code.co_filename, frame.f_lineno))
        if called is None:
            return ""
        lines = [n for n, text in enumerate(linecache.getlines(frame.f_code.co_filename), 1) if f"{called[0]}" in text]
        return piece.line_of(called[1], lines.index(frame.f_lineno), len(lines))


def _caller() -> FrameType | None:
    """Returns the innermost frame outside of generated code."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_generated(frame.f_code.co_filename):
        frame = frame.f_back
    return frame
