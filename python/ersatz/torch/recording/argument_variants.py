"""Variants of a sample's arguments that are no tensors, and of the presence of tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from .samples import arguments_of, kinds_of, named_arguments

_SMALL = 64  # an integer up to this size may be an index, a count or a choice
_MOST_OF_OTHERS = 3  # most values of other samples that are tried for an argument
# Values that are tried for an optional argument that the sample leaves out, by its type.
_MADE: dict[str, tuple[Any, ...]] = {
    "bool": (True, False), "int": (1,), "SymInt": (1,), "float": (1.0,), "number": (1.0,), "ScalarType": (torch.float64, torch.float16),
    "MemoryFormat": (torch.contiguous_format,), "Device": (torch.device("cpu"),), "List[Tensor]": ([],)}

# The evidence that a variant is a valid call. CHOICE: the schema or another sample has the value, so if the kernel
# accepts it and the fake kernel refuses it, the fake kernel is wrong. GUESS: there is no evidence, so if only one of
# them refuses it, that is no finding.
CHOICE, GUESS = "choice", "guess"


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and not isinstance(a, torch.Tensor) and a == b


def _spelled(x: Any) -> str:
    if isinstance(x, torch.Tensor):
        return "a tensor"
    if isinstance(x, (list, tuple)) and any(isinstance(item, torch.Tensor) for item in x):
        return f"a list of {len(x)}"
    if isinstance(x, dict):
        return f"a dict of {', '.join(map(repr, x))}"
    return f'"{x}"' if isinstance(x, str) else str(x)


def _values(kind: str, may_be_none: bool, now: Any, default: Any) -> Iterator[tuple[Any, str]]:
    """Yields replacements for a value, with their evidence."""
    if isinstance(now, bool):
        yield not now, CHOICE
    elif isinstance(now, int) and abs(now) <= _SMALL:
        for n in (0, 1, -1, now + 1):
            yield n, GUESS
    elif isinstance(now, float):
        for number in (0.0, 1.0):
            yield number, GUESS
    elif isinstance(now, torch.dtype):
        yield (torch.float32 if now == torch.float64 else torch.float64), GUESS
    elif isinstance(now, torch.memory_format):
        yield (torch.channels_last if now != torch.channels_last else torch.contiguous_format), GUESS
    elif isinstance(now, (list, tuple)):
        items = list(now)
        if items:
            yield items[:-1], GUESS
            again = items[-1]
            yield [*items, again.clone() if isinstance(again, torch.Tensor) else again], GUESS
    elif isinstance(now, dict):
        for key in now:
            yield {k: x for k, x in now.items() if k != key}, GUESS
    if may_be_none and now is not None:
        yield None, CHOICE
    if now is None:
        for made in _MADE.get(kind, ()):
            yield made, CHOICE if kind == "bool" else GUESS
    if default is not None and now is not None:
        yield default, CHOICE


def argument_variants(op: Any, samples: Sequence[Any], number: int) -> Iterator[tuple[tuple[Any, ...], dict[str, Any], str, str]]:
    """Yields calls like sample `number` with one argument changed, each with its evidence and description."""
    args, kwargs = arguments_of(samples[number])
    now = named_arguments(op, args, kwargs)
    others = [named_arguments(op, *arguments_of(s)) for k, s in enumerate(samples) if k != number]
    places = [a.name for a in op._schema.arguments if not a.kwarg_only]
    defaults = {a.name: a.default_value for a in op._schema.arguments}
    for name, kind, may_be_none in kinds_of(op):
        values = [] if kind == "Tensor" and now[name] is not None and not may_be_none else \
            list(_values(kind, may_be_none, now[name], defaults[name]))
        if kind != "Tensor" or now[name] is None:  # a tensor of another sample may have other sizes
            values += [(x[name], CHOICE) for x in others if x[name] is not None][:_MOST_OF_OTHERS]
        tried = [now[name]]
        for value, says in values:
            if any(_same(value, t) for t in tried):
                continue
            tried.append(value)
            at = places.index(name) if name in places else len(args)
            if at < len(args):
                changed = (*args[:at], value, *args[at + 1:]), dict(kwargs)
            else:
                changed = args, {**kwargs, name: value}
            yield *changed, says, f"{name}={_spelled(value)}"


class Constants:
    """Arguments that had one value in all compared calls."""

    def __init__(self, op: Any) -> None:
        self.op, self.calls = op, 0
        self.seen: dict[str, list[str]] = {}

    def note(self, args: Any, kwargs: Any) -> None:
        self.calls += 1
        values = named_arguments(self.op, args, kwargs)
        for name, kind, may_be_none in kinds_of(self.op):
            x = values[name]
            if kind == "Tensor" and not may_be_none or isinstance(x, dict):
                continue
            spelled = "given" if isinstance(x, torch.Tensor) else _spelled(x)
            known = self.seen.setdefault(name, [])
            if spelled not in known and len(known) < 2:
                known.append(spelled)

    def lines(self) -> list[str]:
        return [f"{name} was {known[0]} in all calls" for name, known in self.seen.items() if len(known) == 1]
