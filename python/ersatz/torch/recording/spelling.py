"""Tensors and other arguments in the form of call records (docs/call-records.md)."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

_FAMILIES = (NotImplementedError, IndexError, TypeError, ValueError, RuntimeError)


def _dtype_name(dtype: torch.dtype) -> str:
    """Returns the short names of docs/dtypes.md: `f32`, `f8e4m3fn`."""
    if dtype == torch.bool:
        return "bool"
    name = str(dtype).removeprefix("torch.")
    short = re.fullmatch(r"(bfloat|float|int|uint|complex)(\d+)(?:_(\w+))?", name)
    return {"bfloat": "bf", "float": "f", "int": "i", "uint": "u", "complex": "c"}[short[1]] + short[2] + (short[3] or "") if short else name


DTYPES: dict[torch.dtype, str] = {d: _dtype_name(d) for d in vars(torch).values() if isinstance(d, torch.dtype)}


# The metadata-only devices, named as in runtime/base/device.cpp, and how many there are of each.
_OTHERS, _EACH = ("xpu", "npu", "mps", "musa", "mtia", "hpu", "privateuseone"), 8


def _device_type(device: torch.device) -> str:
    """Returns privateuseone for PyTorch's PrivateUse1 device under a name unknown to ersatz
    (torch.utils.rename_privateuse1_backend)."""
    renamed = device.type not in _OTHERS and device.type == torch._C._get_privateuse1_backend_name()
    return "privateuseone" if renamed else device.type


def device_name(device: torch.device) -> str:
    return device.type if device.type in ("cpu", "meta") else f"{_device_type(device)}:{device.index or 0}"


def _has_name(device: torch.device) -> bool:
    """Returns whether records support the device."""
    return device.type in ("cpu", "cuda") or _device_type(device) in _OTHERS and (device.index or 0) < _EACH


def meta_of(t: torch.Tensor, device: str = "") -> str:
    """Returns the canonical form of a tensor's metadata: `f32[2,3]{3,1}+0@cpu`."""
    parts = (t.dtype, tuple(t.size()), t.stride(), t.storage_offset(), device or t.device)
    try:
        return spelled_meta(*parts)
    except TypeError:  # symbolic sizes cannot be hashed by the cache
        return spelled_meta.__wrapped__(*parts)


@functools.lru_cache(4096)
def spelled_meta(dtype: torch.dtype, sizes: tuple[int, ...], strides: tuple[int, ...], offset: int, device: str | torch.device) -> str:
    on = device if isinstance(device, str) else device_name(device)
    return f"{DTYPES[dtype]}[{','.join(map(str, sizes))}]{{{','.join(map(str, strides))}}}+{offset}@{on}"


def is_wrapped(x: Any) -> bool:
    """Returns whether it is a tensor whose class handles calls itself."""
    if type(x) is torch.Tensor or type(x) is torch.nn.Parameter:
        return False
    return isinstance(x, torch.Tensor) and type(x).__torch_dispatch__ is not torch.Tensor.__torch_dispatch__


def _not_held(t: torch.Tensor) -> str | None:
    """Returns the tensor's kind if records do not support it, else None."""
    if is_wrapped(t):
        return type(t).__name__
    if t.layout != torch.strided:
        return str(t.layout).removeprefix("torch.") + " layout"
    if not _has_name(t.device):
        return f"device {t.device}"
    if t.is_nested:
        return "nested tensor"
    if t.is_quantized:
        return "quantized tensor"
    if torch._is_functional_tensor(t):
        return "functional wrapper"
    return "functorch wrapper" if torch._C._functorch.is_functorch_wrapped_tensor(t) else None


def number(x: Any) -> Any:
    """Returns a Python number in JSON form."""
    if isinstance(x, (bool, int)):
        return x
    if isinstance(x, complex):
        return {"complex": [element(x.real), element(x.imag)]}
    return x if math.isfinite(x) else {"nan": 1} if x != x else {"inf": 1 if x > 0 else -1}


def element(x: Any) -> Any:
    if isinstance(x, complex):
        return [element(x.real), element(x.imag)]
    return x if not isinstance(x, float) or math.isfinite(x) else "nan" if x != x else "inf" if x > 0 else "-inf"


def values_of(t: torch.Tensor) -> list[Any] | None:
    """Returns None if the tensor's device cannot copy it to the CPU; a custom backend may lack operators."""
    try:
        listed: list[Any] = t.detach().cpu().reshape(-1).tolist()
    except NotImplementedError:
        return None
    if t.dtype.is_complex or t.dtype.is_floating_point and not all(map(math.isfinite, listed)):
        return [element(x) for x in listed]
    return listed


def error_of(e: BaseException) -> dict[str, Any]:
    family = next((f.__name__ for f in _FAMILIES if isinstance(e, f)), "RuntimeError")
    text = str(e).strip()
    return {"err": family, "message": f"{type(e).__name__}: {text.splitlines()[0] if text else ''}"[:300]}


def listed(func: Any, out: Any) -> list[Any]:
    """Returns the results of a call as one list."""
    if out is None:  # the result is None, or the operator has no results
        schema = getattr(func, "_schema", None)
        return [None] if schema is not None and schema.returns else []
    return list(out) if isinstance(out, (list, tuple)) else [out]


def leaves_of(x: Any) -> Iterator[Any]:
    """Yields the leaves of an operator's arguments; lists, tuples and dicts are no leaves."""
    if isinstance(x, (list, tuple)):
        for item in x:
            yield from leaves_of(item)
    elif isinstance(x, dict):
        for item in x.values():
            yield from leaves_of(item)
    else:
        yield x


def with_tensors(x: Any, tensors: Iterator[Any]) -> Any:
    """Returns the arguments with each tensor replaced by the next of `tensors`."""
    if isinstance(x, torch.Tensor):
        return next(tensors)
    if isinstance(x, (list, tuple)):
        items = [with_tensors(item, tensors) for item in x]
        return items if isinstance(x, list) else tuple(items)
    if isinstance(x, dict):
        return {k: with_tensors(v, tensors) for k, v in x.items()}
    return x


def spelled_tensors(x: Any) -> Iterator[dict[str, Any]]:
    """Yields the tensors in recorded arguments."""
    if isinstance(x, list):
        for item in x:
            yield from spelled_tensors(item)
    elif isinstance(x, dict) and "t" in x:
        yield x
    elif isinstance(x, dict):
        for item in x.values():
            yield from spelled_tensors(item)


_META = re.compile(r"(\w+)\[([\d,]*)\]\{([\d,]*)\}(.*)")


def without_idle_strides(x: Any) -> Any:
    """Returns an outcome without strides that have no effect: of dims of size 1 and of empty tensors."""
    if isinstance(x, list):
        return [without_idle_strides(item) for item in x]
    if not isinstance(x, dict):
        return x
    if "t" not in x:
        return {k: without_idle_strides(v) for k, v in x.items()}
    spelled = _META.fullmatch(x["t"])
    if spelled is None:
        return x
    dtype, sizes, strides, rest = spelled.groups()
    dims = sizes.split(",")
    seen = [] if "0" in dims else [s for n, s in zip(dims, strides.split(",")) if n != "1"]
    return {**x, "t": (dtype, sizes, seen, rest)}


def _expression(x: Any) -> Any:
    return x.node.expr if isinstance(x, torch.SymInt) else x


def is_symbolic(t: torch.Tensor) -> bool:
    return any(isinstance(x, torch.SymInt) for x in (*t.size(), *t.stride(), t.storage_offset(), t.untyped_storage().nbytes()))


def expressions_of(t: torch.Tensor) -> dict[str, Any]:
    """Returns the placeholder for metadata in a prediction, until the symbols have values."""
    return {"dtype": t.dtype, "sizes": list(map(_expression, t.size())), "strides": list(map(_expression, t.stride())),
            "offset": _expression(t.storage_offset()), "device": t.device, "bytes": _expression(t.untyped_storage().nbytes())}


class Book:
    """The tensors of one call, real or fake, and numbers for their storages.

    device: the recorded device, if it is not the tensors' own."""

    def __init__(self, device: str = "") -> None:
        self.device = device
        self.tensors: list[torch.Tensor] = []
        self.storages: dict[int, int] = {}
        self.opaque: list[str] = []
        self.held: list[torch.UntypedStorage] = []
        self.spelled: list[tuple[dict[str, Any], torch.Tensor]] = []  # tensors of the record, each with its JSON
        self.declared: list[bool] = []  # for each tensor argument: the schema marks it as written

    def storage(self, t: torch.Tensor) -> tuple[int, int]:
        storage = t.untyped_storage()
        self.held.append(storage)  # kept alive, so that no other storage gets its address during the call
        return self.storages.setdefault(storage._cdata, len(self.storages)), storage.nbytes()

    def tensor(self, t: torch.Tensor, names_argument: bool = False) -> dict[str, Any]:
        """Returns the member of the record. names_argument: it has the number of the argument that is the same object."""
        name, nbytes = self.storage(t)
        spelled: dict[str, Any] = {"t": meta_of(t, self.device), "s": name, "n": nbytes}
        if names_argument:
            for k, argument in enumerate(self.tensors):
                if argument is t:
                    spelled["is"] = k
                    break
        if t.is_conj():
            spelled["conj"] = True
        if t.is_neg():
            spelled["neg"] = True
        return spelled

    def symbolic(self, t: torch.Tensor) -> dict[str, Any]:
        name = self.storages.setdefault(t.untyped_storage()._cdata, len(self.storages))
        self.held.append(t.untyped_storage())
        return {"symbols": expressions_of(t), "s": name}

    def spell(self, x: Any, written: bool = False, is_result: bool | str = False) -> Any:
        """Returns an argument or a result in the form of records."""
        if isinstance(x, torch.Tensor):
            why = None if is_result == "fake" and (isinstance(x, FakeTensor) or self.device and x.is_meta) else _not_held(x)
            if why:
                # A nested tensor has strided layout but no shape.
                return self.not_held(why, "" if x.is_nested else str(tuple(x.shape)) if x.layout != torch.strided else meta_of(x))
            self.spelled.append((self.symbolic(x) if is_result == "fake" and is_symbolic(x) else self.tensor(x, names_argument=True), x))
            if not is_result:
                self.tensors.append(x)
                self.declared.append(written)
            return self.spelled[-1][0]
        if x is None or isinstance(x, str):
            return x
        if isinstance(x, (bool, int, float, complex)):
            return number(x)
        if is_result == "fake" and isinstance(x, torch.SymInt):
            return {"symbols": {"number": x.node.expr}}
        if isinstance(x, dict):
            if is_result:  # records cannot hold a dict as result
                return self.not_held("dict", "")
            return {"dict": [[str(k), self.spell(item, written, is_result)] for k, item in x.items()]}
        if isinstance(x, (list, tuple)):
            return [self.spell(item, written, is_result) for item in x]
        if isinstance(x, torch.dtype):
            return {"dtype": DTYPES[x]}
        if isinstance(x, torch.layout):
            return {"layout": str(x).removeprefix("torch.")}
        if isinstance(x, torch.device):
            return {"device": device_name(x)}
        if isinstance(x, torch.memory_format):
            return {"memory_format": str(x).removeprefix("torch.").removesuffix("_format")}
        if isinstance(x, torch.Generator):
            return None
        return self.not_held(type(x).__name__, "")

    def not_held(self, name: str, text: str) -> dict[str, list[str]]:
        self.opaque.append(name)
        return {"opaque": [name, text]}
