"""Finds an operator's fake kernel in the source, and its line that makes a result."""

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
    """Returns the author's function inside of PyTorch's wrappers, which hold it as `func`."""
    while function is not None:
        code = getattr(function, "__code__", None)
        if code is None or not code.co_filename.startswith(_TORCH) or "func" not in code.co_freevars:
            return function
        function = function.__closure__[code.co_freevars.index("func")].cell_contents
    return None


def fake_kernel(op: Any) -> Any:
    """Returns the function that `register_fake` received for an overload, None if there is none or it is no Python
    function."""
    name = op._schema.name
    custom = torch._library.custom_ops.OPDEFS.get(name)  # register_fake of a CustomOpDef wraps the author's function
    if custom is not None and custom._abstract_fn is not None:
        return _authors(custom._abstract_fn)
    held = torch._library.simple_registry.singleton.find(name).fake_impl.kernel
    return None if held is None else _authors(held.func)


def has_kernel(op: Any, key: str) -> bool:
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key))


def how_fakes_are_made(op: Any) -> str:
    """Returns `register_fake`, `Meta` (a kernel for that key), `composite` (of operators with fake kernels),
    `kernel` (its own kernel runs on fakes), `trivial` (it returns nothing) or `none`."""
    name = op._schema.name
    custom = torch._library.custom_ops.OPDEFS.get(name)
    # Without a fake kernel from the author, PyTorch registers its own, which raises or returns None.
    if custom is not None and custom._abstract_fn is None:
        return "none" if op._schema.returns else "trivial"
    if custom is not None or torch._library.simple_registry.singleton.find(name).fake_impl.kernel is not None:
        return "register_fake"
    for key, how in (("Meta", "Meta"), ("CompositeImplicitAutograd", "composite"), ("CompositeExplicitAutograd", "kernel")):
        if has_kernel(op, key):
            return how
    return "none"


def has_fake(op: Any) -> bool:
    """Returns whether the operator works on fakes: it has a fake kernel, or its own kernel runs on them."""
    return how_fakes_are_made(op) != "none"


def has_none(op: Any) -> bool:
    """Returns whether it is a user's operator without a fake kernel. PyTorch runs its kernel on fakes if one kernel
    serves all devices."""
    return op.namespace not in ("aten", "prims") and how_fakes_are_made(op) in ("none", "kernel")


def place_of(op: Any) -> str:
    """Returns the first line of the fake kernel, `my_ops.py:14 in _`. Without a fake kernel, returns how to write
    one. Empty if it is no Python function."""
    code = getattr(fake_kernel(op), "__code__", None)
    if code is None:
        return f'there is no fake kernel: @torch.library.register_fake("{op._schema.name}")' if has_none(op) else ""
    return spelled(code.co_filename, code.co_firstlineno, code.co_name)


class _Lines(TorchDispatchMode):
    """Records the line of a file that made each tensor last."""

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
    """Returns the fake kernel's line that makes the call's flat result `result`, `my_ops.py:15 in _: return
    torch.empty_like(x)`. If that is unknown, returns the kernel's first line."""
    fake = fake_kernel(op)
    code = getattr(fake, "__code__", None)
    if code is None:
        return place_of(op)
    lines = _Lines(code.co_filename)
    try:
        shapes = ShapeEnv()  # lets a fake kernel make data-dependent sizes; sizes of arguments remain numbers
        with torch.no_grad(), FakeTensorMode(allow_fallback_kernels=False, shape_env=shapes) as mode:
            args, kwargs = tree_map_only(torch.Tensor, lambda t: mode.from_tensor(t, static_shapes=True), (args, kwargs))
            with lines, set_ctx_getter(lambda: FakeImplCtx(mode, op)):
                out = fake(*args, **kwargs)
        flat = [x for r in (out if isinstance(out, (list, tuple)) else [out]) for x in (r if isinstance(r, (list, tuple)) else [r])]
        made, line = lines.lines[id(flat[max(result, 0)])]
        return spelled(made.co_filename, line, made.co_name)
    except Exception:
        return place_of(op)
