"""Shows one call of a PyTorch operator: its outcome in eager mode on the CPU, and PyTorch's prediction.

Only PyTorch is needed. Start `python -i` with this file, and paste a line."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch._decomp import decomposition_table
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_leaves, tree_map_only

aten, prims = torch.ops.aten, torch.ops.prims
SHORT = {torch.bool: "bool", torch.uint8: "u8", torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64",
         torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64", torch.complex64: "c64",
         torch.complex128: "c128"}


def spelled(x: Any) -> str:
    """Returns a text like f32[2,3]{3,1}+4: dtype, sizes, strides, storage offset."""
    if not isinstance(x, torch.Tensor):
        return str(x)
    sizes, strides, offset = ",".join(map(str, x.shape)), ",".join(map(str, x.stride())), x.storage_offset()
    flags: str = " conj" * x.is_conj() + " neg" * x.is_neg()
    return f"{SHORT.get(x.dtype, str(x.dtype))}[{sizes}]{{{strides}}}" + (f"+{offset}" if offset else "") + flags


def called(op: Any, args: Any, kwargs: Any, function: Callable[..., Any] | None = None) -> str:
    """Returns the call's results or exception, and its arguments after the call. `function` is called instead of
    `op`."""
    arguments = [x for x in tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
    before = [spelled(x) for x in arguments]
    memory: dict[int, str] = {}
    for k, x in enumerate(arguments):
        memory.setdefault(x.untyped_storage()._cdata, f" (memory of argument {k})")
    try:
        out = (function or op)(*args, **kwargs)
    except Exception as error:  # any exception is an outcome
        return f"raises {type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}".rstrip(": ")
    texts, returned = [], set()
    for number, x in enumerate(tree_leaves(out) if out is not None or op._schema.returns else []):
        of = [k for k, a in enumerate(arguments) if a is x]
        returned.update(of)
        shared = ""
        if of:
            shared = f" (argument {of[0]})"
        elif isinstance(x, torch.Tensor):
            shared = memory.setdefault(x.untyped_storage()._cdata, "")
            memory[x.untyped_storage()._cdata] = shared or f" (memory of result {number})"
        texts.append(spelled(x) + shared)
    after = [f"; argument {k} becomes {spelled(x)}" for k, x in enumerate(arguments) if k not in returned and spelled(x) != before[k]]
    return (", ".join(texts) or "returns nothing") + "".join(after)


def by_fake(op: Any, args: Any, kwargs: Any) -> str:
    """Returns the outcome of the call under FakeTensorMode."""
    with FakeTensorMode() as mode:
        return called(op, *tree_map_only(torch.Tensor, mode.from_tensor, (args, kwargs)))


def by_meta(op: Any, args: Any, kwargs: Any) -> str:
    """Returns the outcome of the call with tensors on the meta device, which share storages like the arguments."""
    storages: dict[int, Any] = {}

    def on_meta(x: torch.Tensor) -> torch.Tensor:
        storage = x.untyped_storage()
        held = storages.setdefault(storage._cdata, torch.UntypedStorage(storage.nbytes(), device="meta"))
        meta = torch.empty(0, dtype=x.dtype, device="meta").set_(held, x.storage_offset(), x.size(), x.stride())
        torch._C._set_conj(meta, x.is_conj())
        torch._C._set_neg(meta, x.is_neg())
        return meta

    return called(op, *tree_map_only(torch.Tensor, on_meta, (args, kwargs)))


def by_decomposition(op: Any, args: Any, kwargs: Any) -> str:
    """Returns the outcome of the operator's decomposition with copies of the arguments, in eager mode."""
    if op not in decomposition_table:
        return "has none"
    return called(op, *copy.deepcopy((args, kwargs)), decomposition_table[op])


SOURCES = {"fake": by_fake, "meta": by_meta, "decomposition": by_decomposition}


def said(eager: str, other: str, name: str) -> None:
    """Prints both sides, one below the other."""
    width = max(len(name), len("eager"))
    for side, text in (("eager", eager), (name, other)):
        print(f"{side:{width}}  {' '.join(text.split())}")


def both(op: Any, *args: Any, **kwargs: Any) -> None:
    """Prints what `op` does in eager mode and under FakeTensorMode, on the CPU."""
    fake = by_fake(op, args, kwargs)
    said(called(op, args, kwargs), fake, "fake")


def meta(op: Any, *args: Any, **kwargs: Any) -> None:
    """Prints what `op` does in eager mode on the CPU, and on the meta device."""
    other = by_meta(op, args, kwargs)
    said(called(op, args, kwargs), other, "meta")


def decomposition(op: Any, *args: Any, **kwargs: Any) -> None:
    """Prints what `op` does in eager mode on the CPU, and its decomposition."""
    other = by_decomposition(op, args, kwargs)
    said(called(op, args, kwargs), other, "decomposition")


def rand(*sizes: Any, **options: Any) -> Any:
    """Returns the same numbers in each call."""
    return torch.randn(*sizes, **options, generator=torch.Generator().manual_seed(0))
