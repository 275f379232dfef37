"""The backward that an author registered: its place in the source, and its raw results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from .recording.place import spelled


def function_of(grad_fn: Any) -> Any:
    """Returns the autograd.Function class of a node, None if the node is not from Python."""
    return getattr(grad_fn, "_forward_cls", None)


def _authors(backward: Any) -> Any:
    """Returns the author's function: `register_autograd` keeps it as `_backward_fn` of an object that PyTorch's own
    function closes over."""
    code = getattr(backward, "__code__", None)
    for name, cell in zip(code.co_freevars if code else (), getattr(backward, "__closure__", None) or ()):
        held = cell.cell_contents
        if getattr(held, "_backward_fn", None) is not None:
            return held._backward_fn
        if name == "orig_backward":
            return _authors(held)
    return backward


def place_of_backward(cls: Any) -> str:
    """Returns `my_ops.py:20 in backward`, empty if it is no Python function."""
    code = getattr(_authors(getattr(cls, "backward", None)), "__code__", None)
    return spelled(code.co_filename, code.co_firstlineno, code.co_name) if code is not None else ""


def is_missing(op: Any, outs: Sequence[torch.Tensor]) -> bool:
    """Returns whether no backward is registered, as far as that is known."""
    custom = torch._library.custom_ops.OPDEFS.get(op._schema.name) if hasattr(op, "_schema") else None
    if custom is not None and custom._backward_fn is None:
        return True
    return any(t.grad_fn is not None and "NotImplemented" in t.grad_fn.name() for t in outs)


@contextmanager
def raw_gradients(outs: Sequence[torch.Tensor]) -> Iterator[list[tuple[Any, ...]]]:
    """Collects the results of the authors' functions inside of the context, one tuple per call."""
    seen: list[tuple[Any, ...]] = []
    classes = {cls for t in outs if (cls := function_of(t.grad_fn)) is not None and "backward" in vars(cls)}
    held = {cls: vars(cls)["backward"] for cls in classes}

    def watched(backward: Any) -> Any:
        def call(ctx: Any, *gradients: Any) -> Any:
            answer = backward(ctx, *gradients)
            seen.append(answer if isinstance(answer, tuple) else (answer,))
            return answer
        return call

    for cls in classes:
        cls.backward = staticmethod(watched(cls.backward))
    try:
        yield seen
    finally:
        for cls, backward in held.items():
            cls.backward = backward
