"""Samples of an operator's calls: finds the operator, and checks that a sample is a call of it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any

import torch

_WHAT = ('an overload (torch.ops.mylib.op.default), a packet (torch.ops.mylib.op), what torch.library.custom_op returned, '
         'a function of PyTorch (torch.nansum) or a name ("mylib::op")')


def _named(name: str) -> list[Any]:
    """Returns the overloads of a name: `mylib::op`, `mylib.op`, `mylib::op.overload`, `aten.mm.default`."""
    space, _, rest = name.replace("::", ".").removeprefix("torch.ops.").partition(".")
    short, _, overload = rest.partition(".")
    packet = getattr(getattr(torch.ops, space), short, None) if space.isidentifier() and short.isidentifier() else None
    if not isinstance(packet, torch._ops.OpOverloadPacket):
        known = sorted({s.split(".")[0] for s in torch._C._dispatch_get_all_op_names()})
        near = difflib.get_close_matches(f"{space}::{short}", known, 1) if short else [n for n in known if n.split("::")[1] == space]
        raise ValueError(f"there is no operator {name!r}" + (f": did you mean {near[0]!r}?" if near else f": a name is like {'mylib::op'!r}"))
    if not overload:
        return [getattr(packet, o) for o in packet.overloads()]
    if overload not in packet.overloads():
        raise ValueError(f"{space}::{short} has no overload {overload!r}: it has {', '.join(packet.overloads())}")
    return [getattr(packet, overload)]


def overloads_of(op: Any) -> list[Any]:
    """Returns the possible overloads for any kind of name or object of an operator."""
    op = getattr(op, "_opoverload", op)
    if isinstance(op, torch._ops.OpOverload):
        return [op]
    if isinstance(op, torch._ops.OpOverloadPacket):
        return [getattr(op, o) for o in op.overloads()]
    if isinstance(op, str):
        return _named(op)
    name = getattr(op, "__name__", "")
    if callable(op) and not isinstance(op, type) and name.isidentifier() and (getattr(op, "__module__", None) or "torch").split(".")[0] == "torch":
        packet = getattr(torch.ops.aten, name, None)
        if isinstance(packet, torch._ops.OpOverloadPacket):
            return [getattr(packet, o) for o in packet.overloads()]
    what = f"the function {name}" if callable(op) and name else repr(op)[:60]
    raise TypeError(f"{what} is no operator of PyTorch's dispatcher: that is {_WHAT}")


def overload_of(op: Any) -> Any:
    """Returns the operator's overload: the first one of a packet, the default one of a custom_op."""
    return overloads_of(op)[0]


def arguments_of(sample: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Returns the arguments for `(args...)`, `((args...), {kwargs})`, one tensor, or only keywords."""
    if isinstance(sample, torch.Tensor):
        return (sample,), {}
    if isinstance(sample, dict):
        return (), dict(sample)
    if not isinstance(sample, (tuple, list)):
        raise TypeError(f"a sample is (args...) or ((args...), {{kwargs}}), and this one is a {type(sample).__name__}")
    if len(sample) == 2 and isinstance(sample[0], (tuple, list)) and isinstance(sample[1], dict):
        return tuple(sample[0]), dict(sample[1])
    return tuple(sample), {}


def _kind(argument: Any) -> tuple[str, bool]:
    """Returns `Tensor`, `List[int]`, ..., and whether None is allowed."""
    text = str(argument.real_type)
    return (text[9:-1], True) if text.startswith("Optional[") else (text, False)


_TAKEN: dict[str, tuple[type, ...]] = {
    "Tensor": (torch.Tensor, bool, int, float, complex), "bool": (bool, int, torch.Tensor, torch.SymBool), "str": (str,),
    "int": (int, torch.Tensor, torch.SymInt), "SymInt": (int, torch.Tensor, torch.SymInt), "float": (int, float, torch.Tensor, torch.SymFloat),
    "ScalarType": (torch.dtype,), "Device": (torch.device, str), "MemoryFormat": (torch.memory_format,), "Layout": (torch.layout,)}


def _refuses(argument: Any, value: Any, name: str) -> bool:
    kind, may_be_none = _kind(argument)
    if value is None:
        return kind == "Tensor" and not may_be_none
    if kind == "Tensor" and not isinstance(value, torch.Tensor) and not torch._C._should_allow_numbers_as_tensors(name):
        return True
    if kind.startswith("List["):
        inner = _TAKEN.get(kind[5:-1])
        one = isinstance(value, (int, float)) and not kind.startswith("List[Tensor")
        return inner is not None and not one and not (isinstance(value, (list, tuple, torch.Size)) and all(x is None or isinstance(x, inner) for x in value))
    return kind in _TAKEN and not isinstance(value, _TAKEN[kind])


def named_arguments(op: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments by name, with defaults. Raises TypeError if they are no call of the operator."""
    name, arguments = op._schema.name.split("::")[-1], op._schema.arguments
    listed = ", ".join(a.name for a in arguments)
    plain = [a for a in arguments if not a.kwarg_only]
    if len(args) > len(plain):
        raise TypeError(f"{name} takes {len(plain)} positional argument{'' if len(plain) == 1 else 's'} and was given {len(args)} ({listed})")
    given = {a.name: x for a, x in zip(plain, args)}
    for key, x in kwargs.items():
        if key not in {a.name for a in arguments}:
            raise TypeError(f"{name} takes no argument {key!r} ({listed})")
        if key in given:
            raise TypeError(f"{name} was given {key!r} twice, by its place and by its name ({listed})")
        given[key] = x
    for a in arguments:
        if a.name in given:
            if _refuses(a, given[a.name], name):
                raise TypeError(f"{name} takes a {a.real_type} as {a.name!r}, and that is a {type(given[a.name]).__name__}")
        elif a.has_default_value():
            given[a.name] = a.default_value
        else:
            raise TypeError(f"{name} lacks its argument {a.name!r} ({listed})")
    return {a.name: given[a.name] for a in arguments}


def overload_for(op: Any, samples: Sequence[Any]) -> Any:
    """Returns the first overload that takes the samples. Raises TypeError, about the first overload, if none does."""
    overloads, first = overloads_of(op), None
    for overload in overloads:
        try:
            check(overload, samples)
        except TypeError as e:
            first = first or e
        else:
            return overload
    assert first is not None
    raise first


def listed_samples(samples: Any) -> list[Any]:
    """Returns the samples as a list; a single tensor is one sample."""
    if isinstance(samples, torch.Tensor):
        return [samples]
    if isinstance(samples, (dict, str, bytes)):
        raise TypeError(f"samples is a list of samples, and this is a {type(samples).__name__}: write [((args...), {{kwargs}})]")
    return list(samples)


def check(op: Any, samples: Sequence[Any]) -> None:
    for number, sample in enumerate(samples):
        try:
            named_arguments(op, *arguments_of(sample))
        except TypeError as e:
            raise TypeError(f"sample {number}: {e}") from None


def kinds_of(op: Any) -> Iterator[tuple[str, str, bool]]:
    """Yields name, type without Optional, and whether None is allowed, for each argument."""
    for a in op._schema.arguments:
        yield a.name, *_kind(a)
