"""What is known of an operator's fake kernel without a call: how it is registered, and whether its signature is the schema's."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from .fake_kernels import fake_kernel

__all__ = ["Mismatch", "how_fakes_are_made", "mismatches", "only_meta"]

_COMPARED = (bool, int, float, str, type(None))  # defaults of other types are written in more than one way
_KERNELS = ("CPU", "CUDA", "XPU", "MPS", "HPU", "PrivateUse1", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional",
            "CompositeImplicitAutograd", "BackendSelect", "SparseCPU", "SparseCUDA", "QuantizedCPU", "QuantizedCUDA")


@dataclass(frozen=True)
class Mismatch:
    words: str
    """`eps has no default, which the schema has as 1e-06: a call that leaves it out raises`."""
    is_harmless: bool = False
    """Only a name: PyTorch passes the argument by its position."""


def _has(op: Any, key: str) -> bool:
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key))


def how_fakes_are_made(op: Any) -> str:
    """`register_fake`, `Meta` (a kernel for that key), `composite` (of operators that have fake kernels), `kernel` (its own runs on fakes),
    `trivial` (it returns nothing) or `none`."""
    name = op._schema.name
    custom = torch._library.custom_ops.OPDEFS.get(name)
    if custom is not None and custom._abstract_fn is None:  # PyTorch has registered one that raises, or returns None where that will do
        return "none" if op._schema.returns else "trivial"
    if custom is not None or torch._library.simple_registry.singleton.find(name).fake_impl.kernel is not None:
        return "register_fake"
    for key, how in (("Meta", "Meta"), ("CompositeImplicitAutograd", "composite"), ("CompositeExplicitAutograd", "kernel")):
        if _has(op, key):
            return how
    return "none"


def only_meta(op: Any) -> bool:
    """Has it a kernel for fakes and none that computes?"""
    return not any(_has(op, key) for key in _KERNELS) and how_fakes_are_made(op) in ("register_fake", "Meta")


def mismatches(op: Any) -> list[Mismatch] | None:
    """In what the signature of the author's fake kernel is not the schema's; None: there is no function of Python to see."""
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
    """A call that leaves an argument out leaves it out for the fake kernel, too."""
    if not a.has_default_value():
        return
    default = a.default_value
    if p.default is inspect.Parameter.empty:
        yield Mismatch(f"{p.name} has no default, which the schema has as {default}: a call that leaves it out raises")
    elif isinstance(default, _COMPARED) and isinstance(p.default, _COMPARED) and default != p.default:
        yield Mismatch(f"the default of {p.name} is {p.default}, and {default} in the schema")
