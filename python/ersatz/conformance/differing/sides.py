"""Both sides of a call, eager and fake: their results or exceptions, and the first difference.

The order of the fields is that of docs/call-records.md: error; dtype, sizes, strides, offset, conj and neg of each result; numbers;
memory and object of each result; arguments afterwards.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from . import records
from .records import Record


@dataclasses.dataclass(frozen=True)
class Result:
    """A result or a written argument: `meta` for a tensor, otherwise `number`. `of`: the tensor whose memory it
    shares."""
    meta: records.Meta | None
    number: object = None
    of: str = ""

    def __str__(self) -> str:
        if self.meta is None:
            return str(self.number)
        return str(self.meta) + (f" ({self.of})" if self.of else "")


@dataclasses.dataclass(frozen=True)
class Side:
    error: str = ""
    results: tuple[Result, ...] = ()
    # (argument number, Result) of each argument that changed and is not returned.
    written: tuple[tuple[int, Result], ...] = ()


@dataclasses.dataclass(frozen=True)
class Difference:
    field: str
    eager: str  # the eager outcome and the prediction as text
    fake: str
    place: str = ""  # for example "result 1", "argument 0 afterwards"; empty for a single result or the whole call
    index: int = -1  # number of the result or argument that differs


def side(record: Record, outcome: Record) -> Side:
    if "err" in outcome:
        return Side(error=outcome["err"])
    owners: dict[int, str] = {}
    for number, tensor in enumerate(records.tensors(record)):
        owners.setdefault(tensor["s"], f"memory of argument {number}")
    results = []
    for number, leaf in enumerate(records.leaves(outcome["out"])):
        if not records.is_tensor(leaf):
            results.append(Result(None, leaf))
            continue
        of = f"argument {leaf['is']}" if "is" in leaf else owners.get(leaf["s"], "")
        owners.setdefault(leaf["s"], f"memory of result {number}")
        results.append(Result(records.meta(leaf), None, of))
    arguments = records.tensors(record)
    returned = {leaf["is"] for leaf in records.leaves(outcome["out"]) if records.is_tensor(leaf) and "is" in leaf}
    written = [(int(k), Result(records.meta(t))) for k, t in outcome.get("after", {}).items()
               if int(k) not in returned and records.meta(t) != records.meta(arguments[int(k)])]
    return Side(results=tuple(results), written=tuple(sorted(written)))


def sides(record: Record) -> tuple[Side, Side]:
    return side(record, record), side(record, record["fake"])


def difference(eager: Any, fake: Any) -> Difference | None:
    """Returns the first difference, None if both sides are equal. Strides that address no element are ignored."""
    if eager.error or fake.error:
        said = [f"raises {s.error}" if s.error else in_words(s) for s in (eager, fake)]
        # Compares only whether both raise, because compilers do not use the class of a predicted error.
        return Difference("error", said[0], said[1]) if bool(eager.error) != bool(fake.error) else None
    if len(eager.results) != len(fake.results):
        return Difference("count", f"{len(eager.results)} results", f"{len(fake.results)} results")
    pairs = list(zip(eager.results, fake.results))
    for field in (of_metadata, of_number, of_memory):
        for index, (a, b) in enumerate(pairs):
            if name := field(a, b):
                place = f"result {index}" if len(pairs) > 1 else ""
                return Difference(name, str(a), str(b), place, index)
    return of_arguments(dict(eager.written), dict(fake.written))


def in_words(one: Side) -> str:
    """Returns the text of a side, on one line."""
    if one.error:
        return f"raises {one.error}"
    said = ", ".join(map(str, one.results)) or "returns nothing"
    return said + "".join(f"; argument {k} becomes {r}" for k, r in one.written)


def of_metadata(a: Any, b: Any) -> str:
    if (a.meta is None) != (b.meta is None):
        return "undefined"
    if a.meta is None:
        return ""
    for name, key in (("dtype", "dtype"), ("size", "sizes"), ("stride", "significant"), ("offset", "offset"), ("conj", "conj"), ("neg", "neg")):
        if getattr(a.meta, key) != getattr(b.meta, key):
            return name
    return ""


def of_number(a: Any, b: Any) -> str:
    return "number" if a.meta is None and a.number != b.number else ""


def of_memory(a: Any, b: Any) -> str:
    return "memory" if a.of != b.of else ""


def of_arguments(eager: Any, fake: Any) -> Difference | None:
    for k in sorted(eager.keys() | fake.keys()):
        a, b = eager.get(k), fake.get(k)
        if a is None or b is None or of_metadata(a, b):
            return Difference("written", str(a or "as it was"), str(b or "as it was"), f"argument {k} afterwards", k)
    return None
