"""Where an operator's fake kernel is written, and which line of it makes a result."""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType
from typing import Any

import torch
from torch._library.fake_impl import FakeImplCtx, set_ctx_getter
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only

from .place import spelled

_TORCH = os.path.dirname(torch.__file__) + os.sep


def _authors(function: Any) -> Any:
    """What the author wrote: PyTorch puts functions of its own around it, which hold it as `func`."""
    while function is not None:
        code = getattr(function, "__code__", None)
        if code is None or not code.co_filename.startswith(_TORCH) or "func" not in code.co_freevars:
            return function
        function = function.__closure__[code.co_freevars.index("func")].cell_contents
    return None


def fake_kernel(op: Any) -> Any:
    """The function that `register_fake` was given for an overload; None: there is none, or it is not one of Python."""
    name = op._schema.name
    custom = torch._library.custom_ops.OPDEFS.get(name)  # its register_fake wraps the author's function
    if custom is not None and custom._abstract_fn is not None:
        return _authors(custom._abstract_fn)
    held = torch._library.simple_registry.singleton.find(name).fake_impl.kernel
    return None if held is None else _authors(held.func)


def has_kernel(op: Any, key: str) -> bool:
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key))


def how_fakes_are_made(op: Any) -> str:
    """`register_fake`, `Meta` (a kernel for that key), `composite` (of operators that have fake kernels), `kernel` (its own runs on fakes),
    `trivial` (it returns nothing) or `none`."""
    name = op._schema.name
    custom = torch._library.custom_ops.OPDEFS.get(name)
    if custom is not None and custom._abstract_fn is None:  # PyTorch has registered one that raises, or returns None where that will do
        return "none" if op._schema.returns else "trivial"
    if custom is not None or torch._library.simple_registry.singleton.find(name).fake_impl.kernel is not None:
        return "register_fake"
    for key, how in (("Meta", "Meta"), ("CompositeImplicitAutograd", "composite"), ("CompositeExplicitAutograd", "kernel")):
        if has_kernel(op, key):
            return how
    return "none"


def has_fake(op: Any) -> bool:
    """Can fakes of a call of it be had: did somebody say what it returns, or does its kernel run on fakes?"""
    return how_fakes_are_made(op) != "none"


def has_none(op: Any) -> bool:
    """An own operator of which nobody has said what it returns: PyTorch runs its kernel on fakes, where there is one for all devices."""
    return op.namespace not in ("aten", "prims") and how_fakes_are_made(op) in ("none", "kernel")


def place_of(op: Any) -> str:
    """`my_ops.py:14 in _`, the first line of the fake kernel; where there is none, how it is written, and empty where it is not one of
    Python."""
    code = getattr(fake_kernel(op), "__code__", None)
    if code is None:
        return f'there is no fake kernel: @torch.library.register_fake("{op._schema.name}")' if has_none(op) else ""
    return spelled(code.co_filename, code.co_firstlineno, code.co_name)


class _Lines(TorchDispatchMode):
    """Notes which line of a file made a tensor last."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.lines: dict[int, tuple[CodeType, int]] = {}
        self.kept: list[Any] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != self.file:
            frame = frame.f_back
        if frame is not None:
            for t in out if isinstance(out, (list, tuple)) else [out]:
                if isinstance(t, torch.Tensor):
                    self.kept.append(t)
                    self.lines[id(t)] = (frame.f_code, frame.f_lineno)
        return out


def line_of_result(op: Any, args: Any, kwargs: Any, result: int) -> str:
    """The line of the fake kernel that makes that flat result of a call: `my_ops.py:15 in _: return torch.empty_like(x)`. Where that
    cannot be told, the kernel's first line."""
    fake = fake_kernel(op)
    code = getattr(fake, "__code__", None)
    if code is None:
        return place_of(op)
    lines = _Lines(code.co_filename)
    try:
        shapes = ShapeEnv()  # for a fake that makes sizes from data; those of the arguments are numbers
        with torch.no_grad(), FakeTensorMode(allow_fallback_kernels=False, shape_env=shapes) as mode:
            args, kwargs = tree_map_only(torch.Tensor, lambda t: mode.from_tensor(t, static_shapes=True), (args, kwargs))
            with lines, set_ctx_getter(lambda: FakeImplCtx(mode, op)):
                out = fake(*args, **kwargs)
        flat = [x for r in (out if isinstance(out, (list, tuple)) else [out]) for x in (r if isinstance(r, (list, tuple)) else [r])]
        made, line = lines.lines[id(flat[max(result, 0)])]
        return spelled(made.co_filename, line, made.co_name)
    except Exception:
        return place_of(op)
