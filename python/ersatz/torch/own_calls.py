"""Operators that ersatz has no rule of, in a live crosscheck: what their authors' fake kernels say of a call, and what the call did to bytes.

A fake kernel is asked by the call's record (docs/call-records.md), so it never sees the run's tensors: it gets fakes made from metadata.
What it raises, draws or switches stays inside."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._pytree import tree_any

from .._ersatz import KeptRun
from .recording.fake_kernels import has_fake, line_of_result, place_of
from .recording.call import hidden
from .recording.memory import Filled, Memory
from .recording.mode import record
from .recording.operators import Op
from .recording.plain_call import plain_call
from .recording.prediction import Predictor
from .recording.record_file import KeptRecords
from .recording.spelling import Book, with_tensors
from .recording.unknown_sizes import with_values
from .remade import Remade, metadata

_OF_THE_KERNEL = ("unwritten", "undeclared_write", "out_of_bounds", "value")


def operator_of(name: str) -> Any:
    """The overload that a record names `mylib.scale.default`."""
    space, _, rest = name.partition(".")
    packet, _, overload = rest.rpartition(".")
    return getattr(getattr(getattr(torch.ops, space), packet), overload)


def no_fake_kernel(op: Any) -> str:
    return f'no fake kernel: @torch.library.register_fake("{op._schema.name}")'


def outcome_of(function: Any, *args: Any, **kwargs: Any) -> tuple[Any, Exception | None]:
    """What a call returns, and what it raises."""
    try:
        return function(*args, **kwargs), None
    except Exception as e:
        return None, e


class _MetaArguments(Remade):
    """The arguments of a record on the meta device, which have its metadata and no data."""

    def __init__(self, writes: set[int | str]) -> None:
        self.writes, self.values = writes, []
        self.book = Book()
        self.devices: list[str] = []  # where the tensors of the book are

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
        dtype, sizes, strides, offset, device = metadata(x["t"])
        storage = storages.get(x["s"])
        if storage is None:
            storage = storages[x["s"]] = torch.UntypedStorage(max(x["n"], 0), device="meta")
        meta = torch.empty(0, dtype=dtype, device="meta").set_(storage, offset, sizes, strides)
        for bit in ("conj", "neg"):
            if x.get(bit):
                getattr(torch._C, f"_set_{bit}")(meta, True)
        made.append(meta)
        self.devices.append(device)
        return meta

    def fakes(self, mode: FakeTensorMode, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """The same as fakes of that mode; the book has these then."""
        fake_of: dict[int, FakeTensor] = {}
        for meta, device in zip(self._once(), self.devices):
            fake_of[id(meta)] = FakeTensor(mode, meta, torch.device(device))
        self.book.tensors = [fake_of[id(t)] for t in self.book.tensors]
        made: tuple[Any, Any] = with_tensors((args, kwargs), iter(self.book.tensors))
        return made

    def _once(self) -> list[torch.Tensor]:
        return list({id(t): t for t in self.book.tensors}.values())


class Watch:
    """A call that is made while its memory is watched: bytes of its arguments, before it and after it, of storages of up to `most` bytes,
    and elements of its results that nobody writes."""

    def __init__(self, op: Any, args: Any, kwargs: Any, most: int) -> None:
        self.op, self.book = op, Book()
        writes = Op(op).writes
        for key, x in (*enumerate(args), *kwargs.items()):
            self.book.spell(x, key in writes)
        self.memory = Memory(self.book, most, set())
        self.filled = Filled(most)

    def kernel(self) -> Any:
        """The dispatch key of the kernel that the call reaches; None: it is not told by the arguments alone, or is one of PyTorch's own,
        some of which return memory that they do not write."""
        if self.op.namespace in ("aten", "prims"):
            return None
        keys = {t.device.type.upper() for t in self.book.tensors}
        if len(keys) != 1 or any(t.is_conj() or t.is_neg() for t in self.book.tensors):
            return None
        key = keys.pop()
        has: Callable[[str, str], bool] = torch._C._dispatch_has_computed_kernel_for_dispatch_key
        return torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key)) if has(self.op.name(), key) else None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        kernel = self.kernel()
        if kernel is None:
            return self.op(*args, **kwargs)
        with self.filled:  # the kernel's own calls come there, the call itself does not
            return self.op.redispatch(kernel, *args, **kwargs)

    def changed(self) -> list[int]:
        """Numbers of the tensor arguments of which an element has changed."""
        with hidden():
            return sorted(self.memory.changes(self.book)[0])

    def unwritten(self, results: Any) -> list[tuple[int, int, int]]:
        with hidden():
            return self.filled.left(results, self.book)


class OwnCalls:
    """What the session of a live crosscheck (python/module/live.cpp) asks of Python."""

    def __init__(self, mode: Any) -> None:
        self.mode = mode
        self.predictor = Predictor()
        self.recorder: record | None = None
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
        """(the record with its member `fake`, why there is none, do sizes follow from data?) of a record's call, as FakeTensorMode says
        it. Sizes that follow from data are those of the record's results, where the call has returned."""
        record = json.loads(line)
        op, writes, has_one = self.operator(record["op"])
        none = no_fake_kernel(op)
        if not has_one:
            return "", none, False
        with hidden():
            arguments = _MetaArguments(writes)
            try:
                args, kwargs = arguments.fakes(self.shown, *arguments.of(record))
            except (RuntimeError, ValueError, KeyError) as e:
                return "", f"no fakes of its arguments can be made: {e}", False
            said = self.predictor.run(op, args, kwargs, arguments.book)
        if "fake_err" in said:
            return "", none if said["fake_err"] == "UnsupportedOperatorException" else f"its fake kernel raises {said['fake_err']}", False
        if "ranges" in said:
            if not has_returned:
                return "", "", True
            said, unknown = with_values(said, record)
            record.update({"unknown": unknown} if unknown else {})
        record["fake"] = said
        return json.dumps(record), "", False

    def enter(self) -> None:
        """Calls of this thread that come to Python are the run's, until `leave`: the glue hands one over."""
        torch.utils._python_dispatch.TorchDispatchMode.__enter__(self.mode())

    def leave(self) -> None:
        torch.utils._python_dispatch.TorchDispatchMode.__exit__(self.mode(), None, None, None)

    def by_record(self, op: Any, args: Any, kwargs: Any, most: int) -> tuple[Any, Exception | None, str, str]:
        """Makes a call that only a record can hold, as one with a dict: (result, what it raised, its record, why it has no prediction)."""
        if not self.operator(Op(op).name)[2]:
            return *outcome_of(plain_call, op, args, kwargs), "", no_fake_kernel(op)
        kept = KeptRecords()
        if self.recorder is None:
            self.recorder = record("", check_bytes=most)
            self.recorder._predictor = self.predictor
        self.recorder._opened = lambda: kept
        with self.recorder:
            result, error = outcome_of(op, *args, **kwargs)
        return result, error, kept.lines[0].decode() if kept.lines else "", ""

    def operator(self, name: str) -> tuple[Any, set[int | str], bool]:
        """The overload that records name so, the arguments that it writes, and whether it has a fake kernel."""
        known = self.operators.get(name)
        if known is None:
            op = operator_of(name)
            known = self.operators[name] = op, Op(op).writes, has_fake(op)
        return known

    def with_fake(self, name: str) -> Any:
        """The overload of that name; None: it has no fake kernel."""
        op, _, has_one = self.operator(name)
        return op if has_one else None

    def to_change(self, line: str, field: str, result: int) -> str:
        """The line of the fake kernel that makes what was found; empty where the kernel or the schema is at fault, or nobody knows."""
        record = json.loads(line)
        op = operator_of(record["op"])
        if field in _OF_THE_KERNEL:
            return ""
        with hidden(), KeptRun():
            if field == "error" or result < 0:
                return place_of(op)
            arguments = _MetaArguments(set())
            try:
                fakes = arguments.fakes(self.shown, *arguments.of(record))
            except (RuntimeError, ValueError, KeyError):
                return place_of(op)
            return line_of_result(op, *fakes, result)
