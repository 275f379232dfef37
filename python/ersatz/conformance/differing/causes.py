"""Causes of wrong fakes. A cause is a condition on the call's metadata, which a reader can check in the row's line.

A call has one cause, the first in CAUSES whose condition is true. The titles describe the metadata, not PyTorch's
source.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from . import records, sides
from .records import Meta, Record


WHOLE = {"bool", "u8", "i8", "i16", "i32", "i64"}


@dataclasses.dataclass
class Call:
    """A call with both sides, and the properties that the conditions test."""
    record: Record
    eager: sides.Side
    fake: sides.Side
    differs: sides.Difference

    def __post_init__(self) -> None:
        self.arguments = [records.meta(t) for t in records.tensors(self.record)]
        self.storages = [t["s"] for t in records.tensors(self.record)]
        self.written = written(self.record)
        values = [t.get("v") is not None and records.meta(t).dtype in WHOLE for t in records.tensors(self.record)]
        self.inputs = [m for k, m in enumerate(self.arguments) if k not in self.written or in_place(self.record["op"])]
        # Inputs with recorded values are indices, lengths or masks. The operator does not compute in their dtype, so
        # they are left out.
        self.computed = [m for k, m in enumerate(self.arguments) if m in self.inputs and (not values[k] or k in self.written)] or self.inputs
        self.values = {m.dtype for k, m in enumerate(self.arguments) if values[k]}
        pair = [s.results[self.differs.index] if 0 <= self.differs.index < len(s.results) else None for s in (self.eager, self.fake)]
        self.metas = [result.meta if result else None for result in pair]

    @property
    def eager_meta(self) -> Meta:
        """Returns the eager metadata of the differing result, which is a tensor on both sides."""
        assert self.metas[0] is not None
        return self.metas[0]

    @property
    def fake_meta(self) -> Meta:
        assert self.metas[1] is not None
        return self.metas[1]

    @property
    def eager_alone_raises(self) -> bool:
        return bool(self.eager.error) and not self.fake.error

    @property
    def fake_alone_raises(self) -> bool:
        return bool(self.fake.error) and not self.eager.error

    def is_field(self, *names: str) -> bool:
        return self.differs.field in names


def call_of(record: Record) -> Call | None:
    """Returns the call, or None if the sides are equal."""
    eager, fake = sides.sides(record)
    differs = sides.difference(eager, fake)
    return Call(record, eager, fake, differs) if differs else None


def in_place(op: str) -> bool:
    name = records.packet(op)
    return name.endswith("_") and not name.startswith("__")


def written(record: Record) -> set[int]:
    """Returns the numbers of the arguments that the call writes: returned ones, changed ones, and the first of an
    in-place operator."""
    found = set()
    for outcome in (record, record["fake"]):
        found |= {t["is"] for t in records.leaves(outcome.get("out", [])) if records.is_tensor(t) and "is" in t}
        found |= {int(k) for k in outcome.get("after", {})}
    if in_place(record["op"]) and record["args"]:
        found |= set(range(sum(records.is_tensor(a) for a in records.leaves(record["args"][0]))))
    # In overloads like `out` and `Scalar_out`, keyword arguments are written.
    if "out" in record["op"].rsplit(".", 1)[1]:
        positional = sum(records.is_tensor(a) for a in records.leaves(record["args"]))
        found |= set(range(positional, len(records.tensors(record))))
    return found


def writes_overlap(c: Call) -> bool:
    return any(records.overlaps(c.arguments[k]) for k in c.written)


def writes_what_it_reads(c: Call) -> bool:
    return any(c.storages.count(c.storages[k]) > 1 for k in c.written)


def other_dtype_of_out(c: Call) -> bool:
    inputs = {m.dtype for m in c.inputs}
    return not in_place(c.record["op"]) and any(c.arguments[k].dtype not in inputs for k in c.written)


def several_dtypes(c: Call) -> bool:
    return len({m.dtype for m in c.computed}) > 1


def no_plain_float(c: Call) -> bool:
    return any(m.dtype in WHOLE | {"c64", "c128"} for m in c.computed)


def grows(c: Call) -> bool:
    """Returns whether the call is in-place and its predicted result has another size than the written argument."""
    k = next(iter(sorted(c.written)), None)
    first = next((r.meta for r in c.fake.results if r.meta), None)
    return in_place(c.record["op"]) and k is not None and first is not None and first.sizes != c.arguments[k].sizes


def resized(c: Call) -> bool:
    """Returns whether the differing result is a written argument whose sizes changed."""
    k = c.differs.index
    flat = [t for t in records.leaves(c.record.get("out", [])) if records.is_tensor(t)]
    return 0 <= k < len(flat) and "is" in flat[k] and records.meta(flat[k]).sizes != c.arguments[flat[k]["is"]].sizes


def order_of_an_argument(m: Meta, arguments: list[Meta]) -> bool:
    """Returns whether an argument that is not row-major has the stride order of `m`."""
    return any(not records.is_row_major(a) and len(a.sizes) == len(m.sizes) and records.memory_order(a) == records.memory_order(m) for a in arguments)


def not_row_major(c: Call) -> bool:
    return any(not records.is_row_major(m) for m in c.inputs)


def eager_row_major(c: Call) -> bool:
    return records.is_row_major(c.eager_meta)


def fake_row_major(c: Call) -> bool:
    return records.is_row_major(c.fake_meta)


def a_size_of_zero(c: Call) -> bool:
    return any(m.numel == 0 for m in c.arguments)


def raised(*classes: str) -> Condition:
    return lambda c: c.fake.error in classes


def always(_: Call) -> bool:
    return True


Condition = Callable[[Call], bool]


@dataclasses.dataclass(frozen=True)
class Cause:
    name: str
    title: str
    says: str  # text for the page; it describes the eager and the predicted metadata
    holds: tuple[Condition, ...]  # the cause applies if all these conditions hold

    @property
    def group(self) -> str:
        return self.name.split(".")[0]

    def __call__(self, c: Call) -> bool:
        return all(condition(c) for condition in self.holds)


def taken(c: Call) -> bool:
    return c.eager_alone_raises


def refused(c: Call) -> bool:
    return c.fake_alone_raises


def field(*names: str) -> Condition:
    return lambda c: c.is_field(*names)


GROUPS = {  # first part of a cause's name -> heading on the page
    "differs": "Both return, with different metadata",
    "refused": "The fake raises, eager returns",
    "taken": "The fake returns, eager raises",
}

CAUSES = [
    Cause("taken.overlap", "the written argument overlaps itself",
          "An argument that the call writes has several elements in one memory (`expand`, stride 0). Eager refuses to write it.",
          (taken, writes_overlap)),
    Cause("taken.shared", "the written argument shares memory with another one",
          "An argument that the call writes and one that it reads are views of one storage. Eager refuses.", (taken, writes_what_it_reads)),
    Cause("taken.out_dtype", "`out=` has another dtype than every input", "Eager refuses the dtype of `out=`.", (taken, other_dtype_of_out)),
    Cause("taken.grows", "an in-place result does not fit `self`", "Eager refuses to change the sizes of `self`; the fake resizes it.", (taken, grows)),
    Cause("taken.pinned", "`pin_memory=True`", "Eager needs an accelerator to pin memory, and there is none.",
          (taken, lambda c: c.record["kwargs"].get("pin_memory") is True)),
    Cause("taken.index", "a dim or an index out of range", "Eager raises an `IndexError`.", (taken, lambda c: c.eager.error == "IndexError")),
    Cause("taken.dtypes", "inputs of several dtypes", "Eager refuses to mix them, or to store the result in the dtype of `self`; its error says which.", (taken, several_dtypes)),
    Cause("taken.dtype", "inputs of bools, integers or complex numbers", "The error of eager says whether it refuses the dtype or something else.",
          (taken, no_plain_float)),
    Cause("taken.sizes", "sizes, strides or numbers that eager refuses", "The error of eager says which.", (taken,)),
    Cause("refused.keyword", "the fake does not take `out=`", "The fake raises a `TypeError` where an argument is written: most often it has no keyword of that name.",
          (refused, raised("TypeError"), lambda c: bool(c.written))),
    Cause("refused.accident", "the fake fails on its way",
          "It raises a `TypeError`, an `AssertionError`, a `ZeroDivisionError`, an `IndexError` or a `NotImplementedError`.",
          (refused, raised("TypeError", "AssertionError", "ZeroDivisionError", "IndexError", "AttributeError", "KeyError", "NotImplementedError"))),
    Cause("refused.positions", "positions, offsets or a mask of another dtype than `int64` and `bool`", "Eager takes the dtype.",
          (refused, lambda c: len(c.arguments) > 1 and bool(c.values - {"i64", "bool"}))),
    Cause("refused.dtypes", "inputs of several dtypes", "Eager mixes them.", (refused, several_dtypes)),
    Cause("refused.out", "a written argument", "Eager writes it or resizes it.", (refused, lambda c: bool(c.written))),
    Cause("refused.dtype", "inputs of bools, integers or complex numbers", "Eager takes the dtype.",
          (refused, no_plain_float)),
    Cause("refused.empty", "a tensor without elements", "Eager takes it.", (refused, a_size_of_zero)),
    Cause("refused.other", "other arguments", "Eager takes them.", (refused,)),
    Cause("differs.undefined", "a result that eager leaves undefined", "Eager returns `None` for it, the fake a tensor.", (field("undefined", "count"),)),
    Cause("differs.dtype", "dtype", "A result has another dtype.", (field("dtype"),)),
    Cause("differs.size_out", "the size of a resized `out=`", "Eager resizes `out=`; the fake leaves it, or resizes it otherwise.",
          (field("size"), resized)),
    Cause("differs.size_empty", "sizes, of tensors without elements", "An argument has no elements.", (field("size"), a_size_of_zero)),
    Cause("differs.size", "sizes", "A result has other sizes.", (field("size"),)),
    Cause("differs.stride_out", "strides of a resized `out=`, row-major in the fake",
          "Eager lays a resized `out=` out otherwise, most often like the result without `out=`.", (field("stride"), resized, fake_row_major)),
    Cause("differs.stride_out_kept", "strides of a resized `out=`, not row-major in the fake", "Eager lays a resized `out=` out otherwise.",
          (field("stride"), resized)),
    Cause("differs.stride_lost", "the order of dims of an input is lost", "Eager gives the result the order of dims in memory that an input has; the fake is row-major.",
          (field("stride"), fake_row_major, lambda c: order_of_an_argument(c.eager_meta, c.inputs))),
    Cause("differs.stride_kept", "the order of dims of an input is kept", "Eager makes the result row-major; the fake keeps the order of dims that an input has.",
          (field("stride"), eager_row_major, lambda c: order_of_an_argument(c.fake_meta, c.inputs))),
    Cause("differs.stride_input", "other strides, for inputs that are not row-major", "The two sides choose another order of dims, or one of them keeps gaps.",
          (field("stride"), not_row_major)),
    Cause("differs.stride", "other strides, for row-major inputs", "Nothing about the inputs asks for it: one of the sides permutes.", (field("stride"),)),
    Cause("differs.offset", "the storage offset", "The result begins elsewhere in its storage.", (field("offset"),)),
    Cause("differs.flag", "the conj or neg bit", "One side returns a lazy conjugate or negation.", (field("conj", "neg"),)),
    Cause("differs.number", "a number", "The result is another number.", (field("number"),)),
    Cause("differs.own", "an argument is returned", "One side returns an argument, or a view of it; the other a tensor of its own.", (field("memory"),)),
    Cause("differs.written", "arguments afterwards", "An argument has other metadata after the call.", (field("written"),)),
]


def cause_of(call: Call) -> Cause:
    return next(cause for cause in CAUSES if cause(call))
