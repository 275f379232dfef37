"""Repeats calls of an operator with the arguments of a record and the values of a sample."""

from __future__ import annotations

import contextlib
import functools
import json
import re
from typing import Any

import torch

from .recording.mode import record
from .recording.record_file import KeptRecords
from .recording.spelling import DTYPES

_META = re.compile(r"(\w+)\[([\d,]*)\]\{([\d,]*)\}\+(\d+)@(.*)")
# Older records have long names, like float8_e5m2.
_NAMED = {name: dtype for dtype, short in DTYPES.items() for name in (short, str(dtype).removeprefix("torch."))}


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in text.split(",")) if text else ()


@functools.lru_cache(1024)
def metadata(text: str) -> tuple[torch.dtype, tuple[int, ...], tuple[int, ...], int, str]:
    """Returns dtype, sizes, strides, offset and device of a tensor in a record. Raises ValueError for another text."""
    spelled = _META.match(text)
    if spelled is None:
        raise ValueError(text)
    name, sizes, strides, offset, device = spelled.groups()
    return _NAMED[name], _numbers(sizes), _numbers(strides), int(offset), device


class Remade:
    """Makes arguments of calls like a recorded one. Arguments that records do not have (a generator, None) get the
    schema's defaults."""

    def __init__(self, op: Any, recorded: dict[str, Any]) -> None:
        self.op = op
        self.recorder = record("", values=64)  # used for all calls, because it caches predictions of the fake kernel
        self.recorder._probes, self.recorder._only = True, op
        self.values: list[list[Any]] = []  # values of the recorded call's tensors, in the order of the record
        for x in (*recorded["args"], *recorded["kwargs"].values()):
            self._note(x)

    def _note(self, x: Any) -> None:
        if isinstance(x, list):
            for item in x:
                self._note(item)
        elif isinstance(x, dict) and "t" in x:
            self.values.append(x.get("v") or [1.0])
        elif isinstance(x, dict) and "dict" in x:
            for _, item in x["dict"]:
                self._note(item)

    def record_of(self, arguments: str, fill: str) -> str | None:
        """Makes the call and returns its record, None if it cannot be made."""
        made = self.arguments(json.loads(arguments), fill)
        if made is None:
            return None
        kept = KeptRecords()
        self.recorder._opened = lambda: kept
        with torch.no_grad(), self.recorder, contextlib.suppress(Exception):  # the record has the exception
            self.op(*made[0], **made[1])
        return kept.lines[0].decode() if kept.lines else None

    def arguments(self, call: dict[str, Any], fill: str) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """Returns the arguments for a record, None if they cannot be made."""
        made: list[torch.Tensor] = []
        storages: dict[int, torch.UntypedStorage] = {}
        try:
            args = tuple(self._made(x, fill, made, storages) for x in call["args"])
            return args, {k: self._made(x, fill, made, storages) for k, x in call["kwargs"].items()}
        except (AttributeError, KeyError, RuntimeError, TypeError, ValueError):
            return None

    def _made(self, x: Any, fill: str, made: list[torch.Tensor], storages: dict[int, torch.UntypedStorage]) -> Any:
        if isinstance(x, list):
            return [self._made(item, fill, made, storages) for item in x]
        if not isinstance(x, dict):
            return x
        if "dict" in x:
            return {key: self._made(item, fill, made, storages) for key, item in x["dict"]}
        if "t" not in x:
            (kind, held), = x.items()
            return self._literal(kind, held)
        if "is" in x:
            made.append(made[x["is"]])
            return made[-1]
        dtype, sizes, strides, offset, device = metadata(x["t"])
        is_new = x["s"] not in storages
        storage = storages.setdefault(x["s"], torch.UntypedStorage(max(x["n"], 0), device=device))
        if is_new:
            torch.empty(0, dtype=torch.uint8, device=device).set_(storage, 0, (storage.nbytes(),), (1,)).zero_()
        t = torch.empty(0, dtype=dtype, device=device).set_(storage, offset, sizes, strides)
        if is_new:
            self._give_values(t, fill, len(made))
        made.append(t)
        return t

    def _give_values(self, t: torch.Tensor, fill: str, number: int) -> None:
        held = self.values[number] if number < len(self.values) else [1.0]
        integer = not t.dtype.is_floating_point and not t.dtype.is_complex
        if fill in ("zeros", "ones"):
            values: list[Any] = [fill == "ones"]
        elif fill == "recorded" or integer:  # other numbers may be invalid indices
            values = held
        else:
            values = torch.randn(max(t.numel(), 1), generator=torch.Generator().manual_seed(number), dtype=torch.float64).tolist()
        flat = [_plain(values[i % len(values)], t.dtype) for i in range(t.numel())]
        if t.numel() and 0 not in [s for n, s in zip(t.shape, t.stride()) if n > 1]:
            t.copy_(torch.tensor(flat, dtype=t.dtype, device=t.device).reshape(t.shape))
        elif t.numel():
            first = tuple(slice(0, 1) if s == 0 else slice(None) for s in t.stride())
            t[first].copy_(torch.tensor(flat, dtype=t.dtype, device=t.device).reshape(t.shape)[first])

    @staticmethod
    def _literal(kind: str, held: Any) -> Any:
        if kind == "dtype":
            return _NAMED[held]
        if kind == "device":
            return torch.device(held)
        if kind == "layout":
            return getattr(torch, held)
        if kind == "memory_format":
            return getattr(torch, held if held.startswith("channels") else held + "_format")
        if kind == "complex":
            return complex(*(float(x) for x in held))
        return float("nan") if kind == "nan" else float("inf") * held


def _plain(x: Any, dtype: torch.dtype) -> Any:
    """Returns a recorded element as a number of that dtype."""
    if isinstance(x, list):
        return complex(float(x[0]), float(x[1])) if dtype.is_complex else _plain(x[0], dtype)
    number = float(x) if isinstance(x, str) else x
    if dtype.is_floating_point or dtype.is_complex:
        return float(number)
    if dtype == torch.bool:
        return bool(number)
    whole = int(number) if number == number and abs(number) < 1 << 31 else 0
    return whole if dtype.is_signed else whole % 128
