"""Parses recorded calls (docs/call-records.md) for the sorting of differing calls."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

Record = dict[str, Any]

SPELLED = re.compile(r"(\w+)\[([^\]]*)\]\{([^}]*)\}\+(-?\d+)@")
BYTES = {"bool": 1, "u8": 1, "i8": 1, "i16": 2, "f16": 2, "bf16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8, "c64": 8, "c128": 16}


@dataclasses.dataclass(frozen=True)
class Meta:
    """The recorded metadata of one tensor."""
    dtype: str
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    conj: bool = False
    neg: bool = False

    @property
    def numel(self) -> int:
        n = 1
        for size in self.sizes:
            n *= size
        return n

    @property
    def significant(self) -> tuple[int, ...]:
        """Returns the strides that affect addresses of elements: strides of dims with size above 1, if the tensor has
        elements."""
        return tuple(s for n, s in zip(self.sizes, self.strides) if n > 1) if self.numel else ()

    def __str__(self) -> str:
        dims = [",".join(map(str, numbers)) for numbers in (self.sizes, self.strides)]
        return f"{self.dtype}[{dims[0]}]{{{dims[1]}}}" + (f"+{self.offset}" if self.offset else "") + " conj" * self.conj + " neg" * self.neg


def meta(tensor: Record) -> Meta:
    spelled = SPELLED.match(tensor["t"])
    if spelled is None:
        raise ValueError(f"{tensor['t']}: no metadata of a tensor")
    dtype, sizes, strides, offset = spelled.groups()
    return Meta(dtype, numbers(sizes), numbers(strides), int(offset), tensor.get("conj", False), tensor.get("neg", False))


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in text.split(",") if n)


def is_tensor(value: Any) -> bool:
    return isinstance(value, dict) and "t" in value


def leaves(value: Any) -> list[Any]:
    """Returns the leaves of nested lists, in the order in which results and arguments are counted."""
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list) else [value]


def tensors(record: Record) -> list[Record]:
    """Returns the tensor arguments, in the order of their flat numbers."""
    return [a for a in leaves([record["args"], list(record["kwargs"].values())]) if is_tensor(a)]


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def is_row_major(m: Meta) -> bool:
    return m.significant == Meta(m.dtype, m.sizes, row_major(m.sizes), 0).significant


def memory_order(m: Meta) -> tuple[int, ...]:
    """Returns the dims with size above 1, by falling strides."""
    dims = [d for d, n in enumerate(m.sizes) if n > 1]
    return tuple(sorted(dims, key=lambda d: -m.strides[d]))


def overlaps(m: Meta) -> bool:
    """Returns True if some elements certainly share memory: a dim is expanded, or its steps stay within those of
    another dim."""
    if not m.numel:
        return False
    reach = 0
    for stride, size in sorted((s, n) for n, s in zip(m.sizes, m.strides) if n > 1):
        if stride <= reach:
            return True
        reach += stride * (size - 1)
    return False


def packet(op: str) -> str:
    """Returns the name without namespace and overload: `add_` for `aten.add_.Tensor`."""
    return op.split(".")[1]


def read(folder: pathlib.Path) -> Iterator[tuple[Record, str]]:
    """Yields (record, its line) for each call in `folder` whose fake prediction differs from its run. Calls without a
    prediction, and calls for which PyTorch has no kernel on the CPU, are left out."""
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if "fake" in record and "fake_err" not in record["fake"] and record.get("err") != "NotImplementedError":
                yield record, line
