"""Operators that ersatz has no rule of, in a live crosscheck: what their authors' fake kernels say of a call, and what the call did to bytes.

A fake kernel is asked by the call's record (docs/call-records.md), so it never sees the run's tensors: it gets fakes made from metadata.
What it raises, draws or switches stays inside."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._pytree import tree_any

from .fake_kernels import fake_kernel, line_of_result, place_of
from .recording.call import hidden
from .recording.memory import Memory
from .recording.operators import Op
from .recording.prediction import Predictor
from .recording.spelling import Book
from .recording.unknown_sizes import with_values
from .remade import META, Remade, numbers

_OF_THE_KERNEL = ("unwritten", "undeclared_write", "out_of_bounds", "value")


def operator_of(name: str) -> Any:
    """The overload that a record names `mylib.scale.default`."""
    space, _, rest = name.partition(".")
    packet, _, overload = rest.rpartition(".")
    return getattr(getattr(getattr(torch.ops, space), packet), overload)


def has_fake(op: Any) -> bool:
    """Did somebody say what a call of it returns: `register_fake`, a Meta kernel, or a kernel that runs on the meta device too?"""
    name = op._schema.name
    custom = torch._library.custom_ops.OPDEFS.get(name)
    if custom is not None:  # PyTorch registers something for each of these, which raises where the author gave nothing
        trivial: Callable[[Any], bool] = torch._library.utils.can_generate_trivial_fake_impl
        return custom._abstract_fn is not None or trivial(op)
    has: Callable[[str, str], bool] = torch._C._dispatch_has_kernel_for_dispatch_key
    return fake_kernel(op) is not None or any(has(op.name(), key) for key in ("Meta", "CompositeExplicitAutograd"))


class _FakeArguments(Remade):
    """The arguments of a record as fakes, which have its metadata and no data."""

    def __init__(self, mode: FakeTensorMode, writes: set[int | str]) -> None:
        self.mode, self.writes, self.values = mode, writes, []
        self.book = Book()

    def of(self, record: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        made: list[torch.Tensor] = []
        storages: dict[int, torch.UntypedStorage] = {}

        def argument(key: int | str, x: Any) -> Any:
            value = self._made(x, "", made, storages)
            self.book.tensors += made[len(self.book.tensors):]
            self.book.declared += [key in self.writes] * (len(made) - len(self.book.declared))
            return value
        args = tuple(argument(i, x) for i, x in enumerate(record["args"]))
        return args, {k: argument(k, x) for k, x in record["kwargs"].items()}

    def _made(self, x: Any, fill: str, made: list[torch.Tensor], storages: dict[int, torch.UntypedStorage]) -> Any:
        if not isinstance(x, dict) or "t" not in x or "is" in x:
            return super()._made(x, fill, made, storages)
        spelled = META.match(x["t"])
        if spelled is None:
            raise ValueError(x["t"])
        name, sizes, strides, offset, device = spelled.groups()
        storage = storages.setdefault(x["s"], torch.UntypedStorage(max(x["n"], 0), device="meta"))
        meta = torch.empty(0, dtype=self._literal("dtype", name), device="meta").set_(storage, int(offset), numbers(sizes), numbers(strides))
        for bit in ("conj", "neg"):
            if x.get(bit):
                getattr(torch._C, f"_set_{bit}")(meta, True)
        made.append(FakeTensor(self.mode, meta, torch.device(device)))
        return made[-1]


class _Untouched:
    """While it lasts a fake kernel may draw, switch and raise as it likes: random states and modes of the run are put back."""

    def __enter__(self) -> None:
        self.random, self.drawn = random.getstate(), torch.get_rng_state()
        self.dtype, self.grad = torch.get_default_dtype(), torch.is_grad_enabled()
        torch.set_grad_enabled(False)

    def __exit__(self, *error: Any) -> None:
        torch.set_grad_enabled(self.grad)
        if random.getstate() != self.random:
            random.setstate(self.random)
        if not torch.equal(torch.get_rng_state(), self.drawn):
            torch.set_rng_state(self.drawn)
        if torch.get_default_dtype() != self.dtype:
            torch.set_default_dtype(self.dtype)


class Watch:
    """The bytes of a call's arguments, before it and after it; of storages of up to `most` bytes."""

    def __init__(self, op: Any, args: Any, kwargs: Any, most: int) -> None:
        self.book = Book()
        writes = Op(op).writes
        for key, x in (*enumerate(args), *kwargs.items()):
            self.book.spell(x, key in writes)
        self.memory = Memory(self.book, most, set())

    def changed(self) -> list[int]:
        """Numbers of the tensor arguments of which an element has changed."""
        with hidden():
            return sorted(self.memory.changes(self.book)[0])


class OwnCalls:
    """What the session of a live crosscheck (python/module/live.cpp) asks of Python."""

    def __init__(self, mode: Any) -> None:
        self.mode = mode
        self.predictor = Predictor()
        self.shown = FakeTensorMode(allow_fallback_kernels=False)  # of the fakes that stand for a record's arguments
        self.operators: dict[str, tuple[Any, set[int | str], bool]] = {}

    def has_parts(self, op: Any) -> bool:
        return bool(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), "CompositeImplicitAutograd"))

    def by_parts(self, op: Any, args: Any, kwargs: Any) -> Any:
        """A composite that came whole, as in inference mode: its parts are calls of the run."""
        with self.mode():
            return op.decompose(*args, **kwargs)

    def watch(self, op: Any, args: Any, kwargs: Any, most: int) -> Watch | None:
        if not tree_any(lambda x: isinstance(x, torch.Tensor), (args, kwargs)):
            return None
        with hidden():
            return Watch(op, args, kwargs, most)

    def predict(self, line: str, has_returned: bool) -> tuple[str, str, bool]:
        """(the record with its member `fake`, why there is none, do sizes follow from data?) of a record's call. Sizes that follow from
        data are those of the record's results, where the call has returned.

        Before the call the fake kernel is called on tensors of the meta device where that is possible, at a tenth of the time. What it
        says there is believed where the call does the same; else the session asks once more, behind the call, and gets what
        FakeTensorMode says."""
        record = json.loads(line)
        op, writes, has_one = self.operator(record["op"])
        none = f'no fake kernel: @torch.library.register_fake("{op._schema.name}")'
        if not has_one:
            return "", none, False
        with hidden(), _Untouched():
            arguments = _FakeArguments(self.shown, writes)
            try:
                args, kwargs = arguments.of(record)
            except (RuntimeError, ValueError, KeyError) as e:
                return "", f"no fakes of its arguments can be made: {e}", False
            said = None if has_returned else self.predictor.on_meta(op, args, kwargs, arguments.book)
            said = said or self.predictor.run(op, args, kwargs, arguments.book)
        if "fake_err" in said:
            return "", none if said["fake_err"] == "UnsupportedOperatorException" else f"its fake kernel raises {said['fake_err']}", False
        if "ranges" in said:
            if not has_returned:
                return "", "", True
            said, unknown = with_values(said, record)
            record.update({"unknown": unknown} if unknown else {})
        record["fake"] = said
        return json.dumps(record), "", False

    def operator(self, name: str) -> tuple[Any, set[int | str], bool]:
        """The overload that records name so, the arguments that it writes, and whether it has a fake kernel."""
        known = self.operators.get(name)
        if known is None:
            op = operator_of(name)
            known = self.operators[name] = op, Op(op).writes, has_fake(op)
        return known

    def to_change(self, line: str, field: str, result: int) -> str:
        """The line of the fake kernel that makes what was found; empty where the kernel or the schema is at fault, or nobody knows."""
        record = json.loads(line)
        op = operator_of(record["op"])
        if field in _OF_THE_KERNEL:
            return ""
        with hidden(), _Untouched():
            if field == "error" or result < 0:
                return place_of(op)
            try:
                args, kwargs = _FakeArguments(self.shown, set()).of(record)
            except (RuntimeError, ValueError, KeyError):
                return place_of(op)
            return line_of_result(op, args, kwargs, result)
