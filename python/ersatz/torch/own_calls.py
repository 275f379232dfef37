"""Operators that ersatz has no rule of, in a live crosscheck: what their authors' fake kernels say of a call, and what the call did to bytes.

A fake kernel is asked by the call's record (docs/call-records.md), so it never sees the run's tensors: it gets fakes made from metadata.
What it raises, draws or switches stays inside."""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils._pytree import tree_any

from .fake_kernels import fake_kernel, line_of_result, place_of
from .recording.call import hidden
from .recording.memory import Memory
from .recording.operators import Op
from .recording.prediction import _NO_PREDICTION, version_of
from .recording.spelling import Book, error_of, listed
from .remade import Remade

_Said = tuple[dict[str, Any], list[tuple[dict[str, Any], torch.Tensor]]]
_WATCHED_BYTES = 1 << 24  # of an argument; larger ones are not compared
_OF_THE_KERNEL = ("unwritten", "undeclared_write", "out_of_bounds", "value")
_META = re.compile(r"(\w+)\[([\d,]*)\]\{([\d,]*)\}\+(\d+)@(.*)")


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
    """The arguments of a record as fakes of a mode; without one as tensors of the meta device, which `book` spells with theirs."""

    def __init__(self, mode: FakeTensorMode | None, writes: set[int | str], device: str = "") -> None:
        self.mode, self.writes, self.values = mode, writes, []
        self.book = Book(device)

    def of(self, record: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        made: list[torch.Tensor] = []
        storages: dict[int, torch.UntypedStorage] = {}

        def argument(key: int | str, x: Any) -> Any:
            value = self._made(x, "", made, storages)
            self.book.tensors += made[len(self.book.tensors):]
            self.book.declared += [key in self.writes] * (len(made) - len(self.book.declared))
            return value
        args = tuple(argument(i, x) for i, x in enumerate(record["args"]))
        kwargs = {k: argument(k, x) for k, x in record["kwargs"].items()}
        for t in self.book.tensors:
            self.book.storage(t)
        return args, kwargs

    def _made(self, x: Any, fill: str, made: list[torch.Tensor], storages: dict[int, torch.UntypedStorage]) -> Any:
        if not isinstance(x, dict) or "t" not in x or "is" in x:
            return super()._made(x, fill, made, storages)
        spelled = _META.fullmatch(x["t"])
        if spelled is None:
            raise ValueError(x["t"])
        name, sizes, strides, offset, device = spelled.groups()
        storage = storages.setdefault(x["s"], torch.UntypedStorage(max(x["n"], 0), device="meta"))
        numbers = [[int(n) for n in text.split(",")] if text else [] for text in (sizes, strides)]
        meta = torch.empty(0, dtype=self._literal("dtype", name), device="meta").set_(storage, int(offset), *numbers)
        for bit in ("conj", "neg"):
            if x.get(bit):
                getattr(torch._C, f"_set_{bit}")(meta, True)
        made.append(FakeTensor(self.mode, meta, torch.device(device)) if self.mode else meta)
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
    """The bytes of a call's arguments, before it and after it."""

    def __init__(self, op: Any, args: Any, kwargs: Any) -> None:
        self.book = Book()
        writes = Op(op).writes
        for key, x in (*enumerate(args), *kwargs.items()):
            self.book.spell(x, key in writes)
        self.memory = Memory(self.book, _WATCHED_BYTES, set())

    def changed(self) -> list[int]:
        """Numbers of the tensor arguments of which an element has changed."""
        with hidden():
            return sorted(self.memory.changes(self.book)[0])


class OwnCalls:
    """What the session of a live crosscheck (python/module/live.cpp) asks of Python."""

    def __init__(self, mode: Any) -> None:
        self.mode = mode
        self.fakes: FakeTensorMode | None = None
        self.asked = 0
        self.operators: dict[str, tuple[Any, set[int | str], bool]] = {}

    def has_parts(self, op: Any) -> bool:
        return bool(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), "CompositeImplicitAutograd"))

    def by_parts(self, op: Any, args: Any, kwargs: Any) -> Any:
        """A composite that came whole, as in inference mode: its parts are calls of the run."""
        with self.mode():
            return op.decompose(*args, **kwargs)

    def watch(self, op: Any, args: Any, kwargs: Any) -> Watch | None:
        if not tree_any(lambda x: isinstance(x, torch.Tensor), (args, kwargs)):
            return None
        with hidden():
            return Watch(op, args, kwargs)

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
            answer = None if has_returned else self.on_meta(op, record, writes)
            said, results = answer or self.as_fakes(op, record, writes)
        if said.get("fake_err"):
            return "", none if said["fake_err"] == "UnsupportedOperatorException" else f"its fake kernel raises {said['fake_err']}", False
        if any(_is_symbolic(t) for _, t in results):
            if not has_returned:
                return "", "", True
            bind(results, record["out"])
        record["fake"] = said
        return json.dumps(record), "", False

    def operator(self, name: str) -> tuple[Any, set[int | str], bool]:
        """The overload that records name so, the arguments that it writes, and whether it has a fake kernel."""
        known = self.operators.get(name)
        if known is None:
            op = operator_of(name)
            known = self.operators[name] = op, Op(op).writes, has_fake(op)
        return known

    def on_meta(self, op: Any, record: dict[str, Any], writes: set[int | str]) -> _Said | None:
        """What the fake kernel says of tensors on the meta device; None where it raises, or where devices may decide."""
        devices = {t["t"].rpartition("@")[2] for t in _tensors([record["args"], *record["kwargs"].values()])}
        if len(devices) != 1:
            return None
        said = self.answer(op, record, _FakeArguments(None, writes, devices.pop()), contextlib.nullcontext())
        return None if "err" in said[0] or "fake_err" in said[0] else said

    def as_fakes(self, op: Any, record: dict[str, Any], writes: set[int | str]) -> _Said:
        """What the fake kernel says under FakeTensorMode. Unsupported is an operator that has none after all."""
        self.asked += 1
        if self.fakes is None or self.asked % 1000 == 0:  # a mode keeps each symbol that was made in it
            self.fakes = FakeTensorMode(allow_fallback_kernels=False, shape_env=ShapeEnv())
            self.fakes.cache_enabled = False
        return self.answer(op, record, _FakeArguments(self.fakes, writes), self.fakes)

    def answer(self, op: Any, record: dict[str, Any], arguments: _FakeArguments, mode: AbstractContextManager[Any]) -> _Said:
        """What a call of an operator says, as a record spells outcomes; each tensor among its results, as it is spelled there and
        itself."""
        try:
            args, kwargs = arguments.of(record)
        except (RuntimeError, ValueError, KeyError) as e:
            return {"fake_err": f"no fake of its arguments can be made: {e}"}, []
        book = arguments.book
        before = [(book.tensor(t), version_of(t)) for t in book.tensors]
        try:
            with mode:
                out = op(*args, **kwargs)
        except Exception as e:
            return ({"fake_err": type(e).__name__} if type(e).__name__ in _NO_PREDICTION else error_of(e)), []
        first = len(book.spelled)
        answer: dict[str, Any] = {"out": book.spell(listed(out), is_result="fake")}
        results = book.spelled[first:]
        after = {str(k): book.tensor(t, True) for k, t in enumerate(book.tensors)
                 if book.declared[k] or version_of(t) != before[k][1] or book.tensor(t) != before[k][0]}
        if after:
            answer["after"] = after
        return answer, results

    def to_change(self, line: str, field: str, result: int) -> str:
        """The line of the fake kernel that makes what was found; empty where the kernel or the schema is at fault, or nobody knows."""
        record = json.loads(line)
        op = operator_of(record["op"])
        if field in _OF_THE_KERNEL:
            return ""
        with hidden(), _Untouched():
            if field == "error" or result < 0 or self.fakes is None:
                return place_of(op)
            try:
                args, kwargs = _FakeArguments(self.fakes, set()).of(record)
            except (RuntimeError, ValueError, KeyError):
                return place_of(op)
            return line_of_result(op, args, kwargs, result)


def _is_symbolic(t: torch.Tensor) -> bool:
    return any(isinstance(n, torch.SymInt) for n in (*t.size(), *t.stride(), t.storage_offset()))


def bind(predicted: list[tuple[dict[str, Any], torch.Tensor]], observed: list[Any]) -> None:
    """Gives each symbol of a prediction the size that the call's results have in its place, and spells the prediction with numbers. A
    symbol that no result tells keeps what its hint is, 0 without one."""
    known: dict[Any, int] = {}
    for (_, fake), seen in zip(predicted, _tensors(observed)):
        spelled = _META.fullmatch(seen["t"])
        for size, is_ in zip(fake.size(), spelled[2].split(",") if spelled and spelled[2] else []):
            if isinstance(size, torch.SymInt) and size.node.expr.is_Symbol:
                known.setdefault(size.node.expr, int(is_))

    def number(n: Any) -> int:
        if not isinstance(n, torch.SymInt):
            return int(n)
        bound = n.node.expr.subs(known)
        return int(bound) if bound.is_number else 0
    for spelled_so, fake in predicted:
        numbers = [",".join(str(number(n)) for n in part) for part in (fake.size(), fake.stride())]
        dtype, place = spelled_so["t"].partition("[")[0], spelled_so["t"].rpartition("@")[2]
        spelled_so["t"] = f"{dtype}[{numbers[0]}]{{{numbers[1]}}}+{number(fake.storage_offset())}@{place}"
        spelled_so["n"] = number(spelled_so["n"])


def _tensors(x: Any) -> list[dict[str, Any]]:
    """The tensors among results as a record spells them, lists flattened."""
    if isinstance(x, list):
        return [t for item in x for t in _tensors(item)]
    return [x] if isinstance(x, dict) and "t" in x else []
