"""Draws tensors and arguments for random programs and calls. Equal seeds draw equal tensors and arguments."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import torch

FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
COMPLEX = (torch.complex64, torch.complex128)
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)
DTYPES = (*FLOATS, *INTEGERS, *COMPLEX)
MOST_ELEMENTS = 4096  # most elements of a tensor that later calls of a program may use
NUMBERS = (0, 1, 2, 3, -1, 0.5, 1.5, -2.0, True, 1e-3)
FORMATS = (torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d)
WORDS = {"reduce": ("sum", "prod", "mean", "amax", "amin"), "rounding_mode": ("floor", "trunc", None), "ord": ("fro", "nuc"),
         "approximate": ("none", "tanh"), "interpolation": ("linear", "lower", "higher", "midpoint", "nearest"), "indexing": ("ij", "xy"),
         "side": ("left", "right"), "UPLO": ("L", "U"), "mode": ("reduced", "complete", "r"), "norm": (None, "forward", "backward", "ortho"),
         "driver": (None,), "padding": ("same", "valid"), "equation": ("...i,...i->...",), "padding_mode": ("zeros",)}


class Draw(random.Random):
    """The numbers, tensors and arguments of one seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        torch.manual_seed(seed)

    def often(self, share: float) -> bool:
        return self.random() < share

    def dtype(self) -> torch.dtype:
        return self.choices(DTYPES, (8, 3, 2, 2, 4, 2, 1, 1, 1, 2, 2, 1))[0]

    def sizes(self, rank: int | None = None) -> list[int]:
        rank = self.choices(range(6), (2, 4, 6, 5, 4, 1))[0] if rank is None else rank
        return [self.choices((0, 1, 2, 3, 4, 5), (1, 5, 6, 6, 4, 2))[0] for _ in range(rank)]

    def tensor(self, sizes: Sequence[int] | None = None, dtype: torch.dtype | None = None) -> torch.Tensor:
        """Draws a tensor in a random layout: row-major, another order of dims, gaps, expanded, an offset, lazy bits."""
        n = self.sizes() if sizes is None else list(sizes)
        dtype = dtype or self.dtype()
        how = self.choices(("rows", "order", "gap", "expand", "offset"), (5, 3, 2, 1, 1))[0]
        if how == "order" and len(n) > 1:
            # The last order is channels_last.
            order = self.sample(range(len(n)), len(n)) if self.often(0.7) else [0, *range(2, len(n)), 1]
            made = self.filled([n[d] for d in order], dtype).permute([order.index(d) for d in range(len(n))])
        elif how == "gap" and n:
            d, step = self.randrange(len(n)), self.choice((2, 3))
            made = self.filled([*n[:d], n[d] * step, *n[d + 1:]], dtype)
            made = made[(*[slice(None)] * d, slice(self.randrange(step), None, step))]
        elif how == "expand" and n:
            d = self.randrange(len(n))
            made = self.filled([*n[:d], 1, *n[d + 1:]], dtype).expand(n)
        elif how == "offset":
            count = torch.Size(n).numel()
            made = self.filled([count + 3], dtype)[self.randrange(4):][:count].view(n)
        else:
            made = self.filled(n, dtype)
        if made.is_complex() and self.often(0.15):
            made = made.conj()
        return made

    def filled(self, sizes: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        if dtype.is_floating_point or dtype.is_complex:
            return torch.randn(list(sizes), dtype=torch.complex64 if dtype.is_complex else torch.float32).to(dtype)
        return torch.randint(0 if dtype in (torch.bool, torch.uint8) else -3, 2 if dtype == torch.bool else 5, list(sizes)).to(dtype)

    def beside(self, t: torch.Tensor, dtype: torch.dtype | None = None) -> torch.Tensor:
        """Draws a tensor that broadcasts with `t`."""
        sizes = [1 if self.often(0.15) else n for n in t.shape]
        if self.often(0.2):
            sizes = sizes[self.randint(0, len(sizes)):]
        return self.tensor(sizes, dtype or (t.dtype if self.often(0.7) else self.dtype()))

    def positions(self, most: int, sizes: Sequence[int]) -> torch.Tensor:
        """Draws integers that are valid indices into a dim of size `most`."""
        return torch.randint(0, max(most, 1), list(sizes), dtype=self.choice((torch.int64, torch.int64, torch.int32)))

    def dim(self, t: torch.Tensor) -> int:
        return self.randrange(-max(t.dim(), 1), max(t.dim(), 1))

    def argument(self, a: Any, first: torch.Tensor | None, pool: Sequence[torch.Tensor]) -> Any:
        """Draws a value for an argument of a schema. `first`: the call's first tensor."""
        kind, name = str(a.type), a.name
        if kind.startswith("Optional["):
            if self.often(0.45):
                return None
            kind = kind[9:-1]
        near = torch.empty(0) if first is None else first
        if name in ("dtype", "layout", "device", "memory_format"):  # PyTorch's schemas declare these arguments as int
            return {"dtype": self.dtype(), "memory_format": self.choice(FORMATS)}.get(name)
        if kind == "Tensor":
            if name in ("index", "indices"):
                return self.positions(min(near.shape, default=1), near.shape if self.often(0.6) else self.sizes(1))
            if name in ("mask", "condition"):
                return self.beside(near, torch.bool)
            if first is None or self.often(0.3):
                return self.choice(pool) if pool and self.often(0.7) else self.tensor()
            return self.beside(near)
        if kind == "List[Tensor]":
            return [self.beside(near) if first is not None else self.tensor([2, 3], torch.float32) for _ in range(self.randint(1, 3))]
        if kind == "List[Optional[Tensor]]":
            return [self.positions(n, [2]) if self.often(0.6) else None for n in near.shape[:self.randint(1, 3)]]
        if kind in ("number", "float"):
            return self.choice(NUMBERS) if kind == "number" else float(abs(self.choice(NUMBERS)))
        if kind == "int":
            return self.dim(near) if name.startswith(("dim", "axis")) else self.choice((0, 1, 1, 2, 3, -1))
        if kind in ("List[int]", "List[SymInt]"):
            return self.integers(name, near)
        if kind == "bool":
            return self.often(0.5)
        if kind == "str":
            return self.choice(WORDS.get(name, ("sum",)))
        return None

    def integers(self, name: str, near: torch.Tensor) -> list[int]:
        if name in ("dims",):
            return self.sample(range(near.dim()), near.dim())
        if name.startswith(("dim", "axis")):
            return self.sample(range(near.dim()), self.randint(0, near.dim()))
        if name in ("size", "shape", "sizes", "output_size"):
            flat = near.numel()
            return self.choice((list(near.shape), [flat], [1, *near.shape], [-1], self.sizes()))
        return [self.choice((0, 1, 1, 2)) for _ in range(self.choice((near.dim(), near.dim(), 1, 2)))]

    def call(self, op: Any, pool: Sequence[torch.Tensor]) -> tuple[list[Any], dict[str, Any]]:
        """Draws the arguments of a call of an overload."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        first: torch.Tensor | None = None
        left_out = False
        for a in op._schema.arguments:
            if a.has_default_value() and self.often(0.55):
                left_out = True
                continue
            if a.is_out:
                value: Any = self.output(first)
            else:
                value = self.argument(a, first, pool)
            if first is None and isinstance(value, torch.Tensor):
                first = value
            if first is None and isinstance(value, list) and value and isinstance(value[0], torch.Tensor):
                first = value[0]
            if a.kwarg_only or left_out:
                kwargs[a.name] = value
            else:
                args.append(value)
        return args, kwargs

    def output(self, first: torch.Tensor | None) -> torch.Tensor:
        near = torch.empty(0) if first is None else first
        dtype = near.dtype if self.often(0.7) else self.dtype()
        return self.choice((torch.empty(0, dtype=dtype), self.tensor(near.shape, dtype), self.tensor(None, dtype)))


def tensors_of(x: Any) -> list[torch.Tensor]:
    if isinstance(x, torch.Tensor):
        return [x]
    return [t for item in x for t in tensors_of(item)] if isinstance(x, (list, tuple)) else []
