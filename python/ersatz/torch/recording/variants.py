"""Variants of a sample's tensors: layouts, dtypes, sizes and values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

# The layouts of SampleLayout in runtime/op/sample_layout.h, and a contiguous copy.
LAYOUTS = ("contiguous", "permuted", "sliced", "expanded", "offset", "channels_last")
_FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64)
# Bool and uint8 tensors are left out, because they are often masks where other integers are indices.
_INTEGERS = (torch.int64, torch.int32)
_MOST_DIMS_ALONE = 24
_FILLS = ("zeros", "ones", "negative", "random", "random")

Tensors = list[torch.Tensor]


def laid_out(t: torch.Tensor, layout: str) -> torch.Tensor | None:
    """Returns the values of `t` in another layout, None if `t` has no layout of that kind."""
    rank = t.dim()
    if layout == "contiguous":
        return t.clone(memory_format=torch.contiguous_format)
    if layout == "permuted" and rank > 1:
        order = tuple(reversed(range(rank)))
        return t.permute(order).clone(memory_format=torch.contiguous_format).permute(order)
    if layout == "sliced" and rank:
        room = torch.zeros((*t.shape[:-1], 2 * t.shape[-1] + 1), dtype=t.dtype, device=t.device)
        return room[..., 1::2].copy_(t)
    if layout == "offset":
        return torch.zeros(t.numel() + 6, dtype=t.dtype, device=t.device)[3:t.numel() + 3].view(t.shape).copy_(t)
    if layout == "expanded" and rank and t.shape[0] > 1:
        return t[:1].clone(memory_format=torch.contiguous_format).expand(t.shape)
    if layout == "channels_last" and rank in (4, 5):
        return t.clone(memory_format=torch.channels_last if rank == 4 else torch.channels_last_3d)
    return None


def _contiguous(t: torch.Tensor) -> torch.Tensor:
    return t.clone(memory_format=torch.contiguous_format)


def resized(t: torch.Tensor, old: int, new: int) -> torch.Tensor:
    """Returns `t` with size `new` for each dim of size `old`. Values are repeated."""
    for dim, size in enumerate(t.shape):
        if size == old:
            t = t.index_select(dim, torch.arange(new, device=t.device) % max(old, 1)) if old else t.new_zeros([*t.shape[:dim], new, *t.shape[dim + 1:]])
    return _contiguous(t)


def cast(t: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return (t.real if t.is_complex() and not dtype.is_complex else t).to(dtype, copy=True)


def filled(t: torch.Tensor, fill: str, generator: torch.Generator) -> torch.Tensor:
    if fill in ("zeros", "ones"):
        return torch.full_like(t, fill == "ones", memory_format=torch.contiguous_format)
    if not t.dtype.is_floating_point and not t.dtype.is_complex:  # other numbers may be invalid indices or counts
        return t.reshape(-1)[torch.randperm(t.numel(), generator=generator)].reshape(t.shape)
    wide = torch.complex128 if t.dtype.is_complex else torch.float64
    values = torch.randn(t.shape, dtype=wide, generator=generator) * 2
    return (-values.abs() - 1 if fill == "negative" and not t.dtype.is_complex else values).to(t.device, t.dtype)


def as_given(tensors: Tensors) -> Tensors:
    """Returns copies with equal layouts. Shared objects and shared storages stay shared."""
    storages: dict[int, torch.UntypedStorage] = {}
    copies: dict[int, torch.Tensor] = {}
    for t in tensors:
        if t.layout != torch.strided or t.is_conj() or t.is_neg() or t.is_quantized or type(t) is not torch.Tensor:
            copies.setdefault(id(t), t.clone())
        elif id(t) not in copies:
            storage = t.untyped_storage()
            if storage._cdata not in storages:
                storages[storage._cdata] = storage.clone()
            copies[id(t)] = torch.empty(0, dtype=t.dtype, device=t.device).set_(storages[storage._cdata], t.storage_offset(), t.size(), t.stride())
    return [copies[id(t)] for t in tensors]


def permuted(tensors: Tensors) -> Tensors | None:
    """Returns all tensors with their dims reversed in memory, None if none can be."""
    laid = [laid_out(t, "permuted") for t in tensors]
    return None if all(t is None for t in laid) else [_contiguous(t) if p is None else p for t, p in zip(tensors, laid)]


def one_dim_alone(tensors: Tensors) -> Iterator[tuple[Tensors, str]]:
    """Yields variants in which only one of several dims of equal size gets another size, because the sizes may be
    equal by chance. The new size is not 1, which many kernels broadcast without intending to."""
    sizes = [n for t in tensors for n in t.shape]
    made = 0
    for i, t in enumerate(tensors):
        for dim, size in enumerate(t.shape):
            if sizes.count(size) < 2 or size < 1:
                continue
            made += 1
            if made > _MOST_DIMS_ALONE:
                return
            one = _contiguous(t.index_select(dim, torch.arange(size + 1, device=t.device) % size))
            yield [one if k == i else _contiguous(u) for k, u in enumerate(tensors)], f"dim {dim} of tensor {i} alone as {size + 1}"


def variants(tensors: Tensors, written: set[int], seed: int) -> Iterator[tuple[Tensors, bool, str]]:
    """Yields lists of tensors that replace a sample's, each with whether its dtypes are the sample's, and a
    description."""
    every = range(len(tensors))

    def each(change: Callable[[torch.Tensor, int], torch.Tensor | None]) -> Iterator[tuple[Tensors, str]]:
        changed = [change(t, i) for i, t in enumerate(tensors)]  # first all tensors are changed, then each one alone
        if all(c is None for c in changed):
            return
        yield [_contiguous(t) if c is None else c for t, c in zip(tensors, changed)], ""
        for i in every if len(tensors) > 1 else ():
            if changed[i] is not None:
                one = change(tensors[i], i)
                assert one is not None
                yield [one if k == i else _contiguous(t) for k, t in enumerate(tensors)], f", tensor {i} alone"

    def layout_of(layout: str) -> Callable[[torch.Tensor, int], torch.Tensor | None]:
        return lambda t, i: None if layout == "expanded" and i in written else laid_out(t, layout)

    def dtype_of(dtype: torch.dtype, among: Any) -> Callable[[torch.Tensor, int], torch.Tensor | None]:
        return lambda t, i: cast(t, dtype) if t.dtype in among and t.dtype != dtype else None

    for layout in LAYOUTS:
        for changed, alone in each(layout_of(layout)):
            yield changed, True, layout + alone
    for dtypes in (_FLOATS, _INTEGERS):
        for dtype in dtypes:
            for changed, alone in each(dtype_of(dtype, dtypes)):
                yield changed, False, str(dtype).removeprefix("torch.") + alone
    for changed, alone in each(dtype_of(torch.int64, _FLOATS)):
        yield changed, False, "int64" + alone
    for old in sorted({n for t in tensors for n in t.shape}):
        for new in (0, 1, old + 1):
            for layout in ("contiguous", "permuted"):
                sized = [resized(t, old, new) for t in tensors]
                yield [r if laid is None else laid for r, laid in ((r, laid_out(r, layout)) for r in sized)], True, f"size {old} as {new}, {layout}"
    generator = torch.Generator().manual_seed(seed)
    for fill in _FILLS:
        for changed, alone in each(lambda t, i: filled(t, fill, generator)):
            yield changed, True, fill + alone
