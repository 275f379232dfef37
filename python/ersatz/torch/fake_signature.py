"""Checks of a fake kernel without a call: how it is registered, and whether its signature is the schema's."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from .recording.fake_kernels import fake_kernel, has_kernel, how_fakes_are_made

__all__ = ["Mismatch", "mismatches", "only_meta"]

# Only defaults of these types are compared, because others can be spelled in several ways.
_COMPARED = (bool, int, float, str, type(None))
_KERNELS = ("CPU", "CUDA", "XPU", "MPS", "HPU", "PrivateUse1", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional",
            "CompositeImplicitAutograd", "BackendSelect", "SparseCPU", "SparseCUDA", "QuantizedCPU", "QuantizedCUDA")


@dataclass(frozen=True)
class Mismatch:
    words: str
    """`eps has no default, which the schema has as 1e-06: a call that leaves it out raises`."""
    is_harmless: bool = False
    """Only a name differs: PyTorch passes the argument by position."""


def only_meta(op: Any) -> bool:
    """Returns whether the operator has a kernel for fakes but none that computes."""
    return not any(has_kernel(op, key) for key in _KERNELS) and how_fakes_are_made(op) in ("register_fake", "Meta")


def mismatches(op: Any) -> list[Mismatch] | None:
    """Returns the differences between the author's fake kernel's signature and the schema. None if there is no
    Python function."""
    function = fake_kernel(op) if how_fakes_are_made(op) == "register_fake" else None
    if function is None:
        return None
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    return list(_mismatches(op._schema.arguments, list(signature.parameters.values())))


def _mismatches(arguments: Any, parameters: list[inspect.Parameter]) -> Iterator[Mismatch]:
    kinds = inspect.Parameter
    by_position = [p for p in parameters if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    takes_more = any(p.kind == kinds.VAR_POSITIONAL for p in parameters)
    takes_any_name = any(p.kind == kinds.VAR_KEYWORD for p in parameters)
    positional, named = [a for a in arguments if not a.kwarg_only], [a for a in arguments if a.kwarg_only]
    names = {a.name for a in arguments}
    used = {p.name for p in by_position[:len(positional)]}
    for i, a in enumerate(positional):
        if i < len(by_position):
            p = by_position[i]
            if p.name != a.name and p.name in names:
                yield Mismatch(f"argument {i} is {p.name}, and the schema has {a.name} there")
            elif p.name != a.name:
                yield Mismatch(f"argument {i} is called {p.name}, and {a.name} in the schema", is_harmless=True)
            yield from _default(a, p)
        elif not takes_more:
            yield Mismatch(f"it does not take {a.name}" + (" by position" if any(p.name == a.name for p in parameters) else ""))
    rest = {p.name: p for p in parameters if p.name not in used and p.kind in (kinds.POSITIONAL_OR_KEYWORD, kinds.KEYWORD_ONLY)}
    for a in named:
        own = rest.pop(a.name, None)
        if own is not None:
            yield from _default(a, own)
        elif not takes_any_name:
            yield Mismatch(f"it does not take the keyword argument {a.name}")
    for p in rest.values():
        if p.default is kinds.empty and p.name not in names:
            yield Mismatch(f"it wants {p.name}, which the schema has not")


def _default(a: Any, p: inspect.Parameter) -> Iterator[Mismatch]:
    """Compares defaults: an argument that a call omits is omitted in the call of the fake kernel too."""
    if not a.has_default_value():
        return
    default = a.default_value
    if p.default is inspect.Parameter.empty:
        yield Mismatch(f"{p.name} has no default, which the schema has as {default}: a call that leaves it out raises")
    elif isinstance(default, _COMPARED) and isinstance(p.default, _COMPARED) and default != p.default:
        yield Mismatch(f"the default of {p.name} is {p.default}, and {default} in the schema")
