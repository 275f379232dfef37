"""Writes a recorded call as one line of Python, for `both` of both.py.

Tensors are written in the usual way if they then have the recorded strides, otherwise with `as_strided`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import records
from .records import Meta, Record

DTYPES = {"bool": "bool", "u8": "uint8", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "f16": "float16", "bf16": "bfloat16",
          "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}
FLOATS = {"f16", "bf16", "f32", "f64", "c64", "c128"}
# Values of floating point tensors; integers and bools always have their recorded values.
FILLS = ["zeros", "recorded", "random"]
FORMATS = {"contiguous": "contiguous_format", "preserve": "preserve_format", "channels_last": "channels_last",
           "channels_last_3d": "channels_last_3d"}


class Unwritable(Exception):
    """The error for a call that a line cannot express."""


def line_of(record: Record, fill: str = "recorded", function: str = "both") -> str:
    """Returns a line like `both(aten.add.Tensor, torch.zeros(2), 1)`. `fill` is one of FILLS, `function` is one of
    shown.py. RAISES Unwritable."""
    writer = Writer(record, fill)
    arguments = [writer.value(a) for a in record["args"]]
    arguments += [f"{name}={writer.value(a)}" for name, a in record["kwargs"].items()]
    return f"{function}({', '.join([record['op'], *arguments])})"


class Writer:
    def __init__(self, record: Record, fill: str) -> None:
        self.fill = fill
        self.storages = [t["s"] for t in records.tensors(record)]
        self.bases: dict[int, tuple[str, str]] = {}  # storage -> (name, dtype)

    def value(self, v: Any) -> str:
        if isinstance(v, list):
            return f"[{', '.join(map(self.value, v))}]"
        if not isinstance(v, dict):
            return repr(v)
        if "t" in v:
            return self.tensor(v)
        (kind, held), = v.items()
        if kind == "dtype":
            return f"torch.{DTYPES[held]}"
        if kind == "layout":
            return f"torch.{held}"
        if kind == "device":
            return repr(held)
        if kind == "memory_format":
            return f"torch.{FORMATS[held]}"
        if kind == "complex":
            return repr(complex(*held))
        if kind == "inf":
            return f'float("{"-" if held < 0 else ""}inf")'
        if kind == "nan":
            return 'float("nan")'
        raise Unwritable(kind)

    def tensor(self, t: Record) -> str:
        m = records.meta(t)
        if self.fill != "recorded" and m.dtype in FLOATS:
            t = {key: held for key, held in t.items() if key != "v"}
        make = "rand" if self.fill == "random" and m.dtype in FLOATS else "torch.zeros"
        written = self.shared(t, m) if self.storages.count(t["s"]) > 1 else alone(t, m, make)
        if m.conj:
            written += ".conj()"
        return f"torch._neg_view({written})" if m.neg else written

    def shared(self, t: Record, m: Meta) -> str:
        if any(leaf not in (0, False, 0.0) for leaf in records.leaves(t.get("v", []))):
            raise Unwritable("values in shared memory")
        view = f".as_strided({list(m.sizes)}, {list(m.strides)}, {m.offset})"
        if t["s"] in self.bases:
            name, dtype = self.bases[t["s"]]
            if dtype != m.dtype:
                raise Unwritable("two dtypes in one memory")
            return name + view
        name = "xyzw"[len(self.bases)]
        self.bases[t["s"]] = name, m.dtype
        return f"({name} := torch.zeros({t['n'] // records.BYTES[m.dtype]}{dtype_of(m.dtype)})){view}"


def dtype_of(dtype: str) -> str:
    return "" if dtype == "f32" else f", dtype=torch.{DTYPES[dtype]}"


def alone(t: Record, m: Meta, make: str) -> str:
    """Writes a tensor that shares its storage with no other tensor."""
    values = t.get("v", [])
    if all(value in (0, False, 0.0) for value in values if not isinstance(value, list)) and not any(isinstance(v, list) for v in values):
        return zeros(t, m, make)
    if m.strides == records.row_major(m.sizes) and not m.offset:
        return literal(m, values)
    if records.overlaps(m):
        raise Unwritable("values of a tensor whose elements share memory")
    return f"{zeros(t, m, make)}.copy_({literal(m, values)})"


def zeros(t: Record, m: Meta, make: str) -> str:
    of = dtype_of(m.dtype)
    made = ", ".join(map(str, m.sizes)) or "()"
    if not m.offset:
        if m.strides == records.row_major(m.sizes):
            return f"{make}({made}{of})"
        for order in (records.memory_order(m), tuple(sorted(range(len(m.sizes)), key=lambda d: -m.strides[d]))):
            if len(order) == len(m.sizes) and permuted_strides(m.sizes, order) == m.strides:
                inside = ", ".join(str(m.sizes[d]) for d in order)
                back = [order.index(d) for d in range(len(order))]
                return f"{make}({inside}{of})" + (".t()" if len(back) == 2 else f".permute({', '.join(map(str, back))})")
        small = tuple(1 if stride == 0 else size for size, stride in zip(m.sizes, m.strides))
        if small != m.sizes and expanded_strides(small, m.sizes) == m.strides:
            return f"{make}({', '.join(map(str, small))}{of}).expand({made})"
    return f"{make}({t['n'] // records.BYTES[m.dtype]}{of}).as_strided({list(m.sizes)}, {list(m.strides)}{f', {m.offset}' if m.offset else ''})"


def permuted_strides(sizes: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    inside = records.row_major([sizes[d] for d in order])
    return tuple(inside[order.index(d)] for d in range(len(sizes)))


def expanded_strides(small: Sequence[int], sizes: Sequence[int]) -> tuple[int, ...]:
    return tuple(0 if a == 1 and b != 1 else s for a, b, s in zip(small, sizes, records.row_major(small)))


def literal(m: Meta, values: list[Any]) -> str:
    """Writes a call of torch.tensor with the values, which are in row-major order."""
    spelled = [number(v) for v in values]
    for size in reversed(m.sizes[1:] if m.sizes else ()):
        if not size:
            raise Unwritable("values of a tensor without elements")
        spelled = [f"[{', '.join(spelled[i:i + size])}]" for i in range(0, len(spelled), size)]
    inside = f"[{', '.join(spelled)}]" if m.sizes else spelled[0]
    return f"torch.tensor({inside}, dtype=torch.{DTYPES[m.dtype]})"


def number(v: Any) -> str:
    if isinstance(v, list):
        return repr(complex(*[float(x) for x in v]))
    return f'float("{v}")' if isinstance(v, str) else repr(v)
