"""Compares the autograd state of results in a live run with ersatz's engine.

A dispatch mode is below autograd: during a call, its results have no autograd state yet. Each call is therefore
checked when the next one begins, or at the end. Results are held by weak references, so the run frees its tensors as
usual."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import torch
from torch.utils.weak import TensorWeakRef

from .. import _ersatz
from .recording import dispatch_stack
from .recording.call import FORMAT, OLDER, hidden
from .recording.gradients import flags_of, grad_mode, tensors_of, written_of
from .recording.operators import Op
from .recording.plain_call import plain_call
from .recording.spelling import Book, is_wrapped, listed, spelled_tensors
from .registered_backward import function_of, is_missing

_GONE = "a result was gone before it could be looked at"
_FUNCTION = "calls of an autograd.Function"
_OWN = "operators of your own: ersatz.torch.validate(..., gradients=True) compares their backward"


class _Pending:
    """A returned call whose results autograd has not finished."""

    def __init__(self, func: Any, line: dict[str, Any], at: str) -> None:
        self.func, self.line, self.at = func, line, at
        self.spelled: list[dict[str, Any]] = []  # the results, then written arguments that are no results
        self.tensors: list[TensorWeakRef] = []


class GradientWatch(dispatch_stack.BesideCompiling):
    """session: receives the calls. line_of: returns the user's line of the current call."""

    def __init__(self, session: _ersatz.TorchCrosscheck, line_of: Callable[[], str]) -> None:
        super().__init__()
        self._session, self._line_of = session, line_of
        self._op = functools.cache(Op)
        self._pending: _Pending | None = None
        self._why: dict[str, str] = {}  # for each different call, why it could not be compared; empty: it was
        self._told: set[tuple[str, str]] = set()  # the user's operators without a backward, and lines
        self.compared = 0
        self.left_out: dict[str, dict[str, int]] = {}

    def __enter__(self) -> GradientWatch:
        super().__enter__()
        _before_detaching.append(self.settle)
        if len(_before_detaching) == 1:
            torch.Tensor.detach_ = _detach_later
        return self

    def __exit__(self, *error: Any) -> None:
        dispatch_stack.leave(self)
        _before_detaching.remove(self.settle)
        if not _before_detaching:
            torch.Tensor.detach_ = _DETACH
        self.tell()

    def tell(self) -> None:
        """Passes the counts up to now to the session."""
        self.settle()
        self._session.count_gradients(self.compared, self.left_out)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        self.settle()
        mode = grad_mode()
        with hidden():
            book, pending = self._begin(func, args, kwargs, mode)
        out = plain_call(func, args, kwargs)
        if pending is not None:
            with hidden():
                self._pending = self._returned(pending, book, out)
        return out

    def _leave_out(self, why: str, func: Any) -> None:
        calls = self.left_out.setdefault(why, {})
        calls[str(func)] = calls.get(str(func), 0) + 1

    def _begin(self, func: Any, args: Any, kwargs: Any, mode: str) -> tuple[Book, _Pending | None]:
        book = Book()
        tensors = tensors_of(args, kwargs)
        if not any(t.requires_grad for t in tensors) or mode == "no_grad" and torch._C._current_graph_task_id() != -1:
            return book, None  # nothing is recorded: in a backward run, or without gradients
        op = self._op(func)
        written = written_of(op, args, kwargs)
        why = ("a higher-order operator" if op.schema is None else
               "tensor subclasses" if any(is_wrapped(t) for t in tensors) else
               "inference tensors among the arguments" if any(t.is_inference() for t in tensors) else
               "lazy conj or neg bits" if any(t.is_conj() or t.is_neg() for t in tensors) else
               "a write into a view" if any(w and t._is_view() for w, t in zip(written, tensors)) else
               "a write into a computed tensor that is not recorded" if mode and any(w and not t.is_leaf for w, t in zip(written, tensors)) else "")
        line: dict[str, Any] = {"format": FORMAT, "id": "live", "op": op.name}
        if not why:
            line["args"] = [book.spell(a, i in op.writes) for i, a in enumerate(args)]
            line["kwargs"] = {k: book.spell(v, k in op.writes) for k, v in kwargs.items()}
            why = f"{book.opaque[0]} among the arguments" if book.opaque else ""
        if why:
            self._leave_out(why, func)
            return book, None
        line["rg"] = [k for k, t in enumerate(tensors) if t.requires_grad]
        cloned = [k for k in line["rg"] if written[k] and not tensors[k].is_leaf]
        line.update({k: v for k, v in (("clone", cloned), ("mode", mode), ("torch", OLDER)) if v})
        return book, _Pending(func, line, self._line_of())

    def _returned(self, pending: _Pending, book: Book, out: Any) -> _Pending | None:
        first = len(book.spelled)
        pending.line["out"] = book.spell(listed(pending.func, out), is_result=True)
        results = book.spelled[first:]
        written = [(k, t) for k, t in enumerate(book.tensors) if book.declared[k] and all(t is not r for _, r in results)]
        if written:
            pending.line["after"] = {str(k): book.tensor(t, True) for k, t in written}
            results = results + [(pending.line["after"][str(k)], t) for k, t in written]
        pending.spelled = [s for s, _ in results]
        pending.tensors = [TensorWeakRef(t) for _, t in results]
        return pending if results else None

    def settle(self) -> None:
        """Compares the call that returned last."""
        pending, self._pending = self._pending, None
        if pending is None:
            return
        with hidden():
            tensors = [ref() for ref in pending.tensors]
            if any(t is None for t in tensors):
                return self._leave_out(_GONE, pending.func)
            self._compare(pending, tensors)

    def _compare(self, pending: _Pending, tensors: list[Any]) -> None:
        func, line = pending.func, pending.line
        if self._op(func).foreign:
            if any(t.requires_grad for t in tensors) and is_missing(func, tensors):
                return self._find_missing(pending)
            return self._leave_out(_OWN, func)
        if any(function_of(t.grad_fn) is not None for t in tensors):
            return self._leave_out(_FUNCTION, func)
        if any(t.is_leaf and t.requires_grad and "is" not in s for s, t in zip(pending.spelled, tensors) if s not in line.get("after", {}).values()):
            return self._leave_out("requires_grad was set before it could be looked at", func)
        for spelled, t in zip(pending.spelled, tensors):
            spelled.update(flags_of(t))
        text = json.dumps(line)
        if text not in self._why:
            self._why[text] = self._session.judge_gradients(text, pending.at)
        if self._why[text]:
            self._leave_out(self._why[text], func)
        else:
            self.compared += 1

    def _find_missing(self, pending: _Pending) -> None:
        name = self._op(pending.func).name
        self.compared += 1
        if (name, pending.at) in self._told:
            return
        self._told.add((name, pending.at))
        args = [t["t"] for t in spelled_tensors(pending.line["args"])]
        self._session.add_gradient_finding(_ersatz.Finding(
            op=name, node="", result=0, field="requires_grad", predicted="a backward: an argument requires a gradient, and so does the result",
            observed="none is registered: a backward run raises, or has no gradient here", witness="eager", verdict="significant", words="",
            cause=f'torch.library.register_autograd("{pending.func._schema.name}", backward, setup_context=setup_context) is the way to one',
            source=pending.at, args=args, repro="", times=1))


_DETACH = torch.Tensor.detach_
_before_detaching: list[Callable[[], None]] = []  # detach_ reaches no dispatch mode, and changes the autograd state


@functools.wraps(_DETACH)
def _detach_later(self: torch.Tensor) -> torch.Tensor:
    for settle in _before_detaching:
        settle()
    return _DETACH(self)
