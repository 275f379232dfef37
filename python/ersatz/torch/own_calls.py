"""Operators without a rule in ersatz, in a live crosscheck: predictions by their authors' fake kernels, and the bytes
that a call changed.

A fake kernel is called with fakes from the call's record (docs/call-records.md), never with the run's tensors. Its
exceptions, random draws and mode changes do not affect the run."""

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
    """Returns the overload for a name in a record, `mylib.scale.default`."""
    space, _, rest = name.partition(".")
    packet, _, overload = rest.rpartition(".")
    return getattr(getattr(getattr(torch.ops, space), packet), overload)


def no_fake_kernel(op: Any) -> str:
    return f'no fake kernel: @torch.library.register_fake("{op._schema.name}")'


def outcome_of(function: Any, *args: Any, **kwargs: Any) -> tuple[Any, Exception | None]:
    """Returns the result of a call, and its exception."""
    try:
        return function(*args, **kwargs), None
    except Exception as e:
        return None, e


class _MetaArguments(Remade):
    """The arguments of a record on the meta device, with its metadata and without data."""

    def __init__(self, writes: set[int | str]) -> None:
        self.writes, self.values = writes, []
        self.book = Book()
        self.devices: list[str] = []  # device of each tensor in the book

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
        """Returns the arguments as fakes of that mode, and registers these in the book."""
        fake_of: dict[int, FakeTensor] = {}
        for meta, device in zip(self._once(), self.devices):
            fake_of[id(meta)] = FakeTensor(mode, meta, torch.device(device))
        self.book.tensors = [fake_of[id(t)] for t in self.book.tensors]
        made: tuple[Any, Any] = with_tensors((args, kwargs), iter(self.book.tensors))
        return made

    def _once(self) -> list[torch.Tensor]:
        return list({id(t): t for t in self.book.tensors}.values())


class Watch:
    """Makes a call and checks its memory: the bytes of its arguments' storages up to `most` bytes before and after,
    and elements of its results that are not written."""

    def __init__(self, op: Any, args: Any, kwargs: Any, most: int) -> None:
        self.op, self.book = op, Book()
        writes = Op(op).writes
        for key, x in (*enumerate(args), *kwargs.items()):
            self.book.spell(x, key in writes)
        self.memory = Memory(self.book, most, set())
        self.filled = Filled(most)

    def kernel(self) -> Any:
        """Returns the dispatch key of the kernel that the call reaches. None if the arguments do not determine it,
        and for PyTorch's own operators, some of which return unwritten memory."""
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
        with self.filled:  # this mode gets the calls that the kernel makes, not the call itself
            return self.op.redispatch(kernel, *args, **kwargs)

    def changed(self) -> list[int]:
        """Returns the indices of the tensor arguments with a changed element."""
        with hidden():
            return sorted(self.memory.changes(self.book)[0])

    def unwritten(self, results: Any) -> list[tuple[int, int, int]]:
        with hidden():
            return self.filled.left(results, self.book)


class OwnCalls:
    """The Python functions that the session of a live crosscheck (python/module/live.cpp) calls."""

    def __init__(self, mode: Any) -> None:
        self.mode = mode
        self.predictor = Predictor()
        self.recorder: record | None = None
        # The mode for fakes that are made from the arguments of a record.
        self.shown = FakeTensorMode(allow_fallback_kernels=False)
        self.operators: dict[str, tuple[Any, set[int | str], bool]] = {}

    def has_parts(self, op: Any) -> bool:
        return bool(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), "CompositeImplicitAutograd"))

    def by_parts(self, op: Any, args: Any, kwargs: Any) -> Any:
        """Decomposes a composite that arrived undecomposed, as in inference mode. Its calls belong to the run."""
        with self.mode():
            return op.decompose(*args, **kwargs)

    def watch(self, op: Any, args: Any, kwargs: Any, most: int) -> Watch | None:
        if not tree_any(lambda x: isinstance(x, torch.Tensor), (args, kwargs)):
            return None
        with hidden():
            return Watch(op, args, kwargs, most)

    def predict(self, line: str, has_returned: bool) -> tuple[str, str, bool]:
        """Returns (the record of a call with the member `fake`, why there is none, whether sizes depend on data),
        from a call under FakeTensorMode. Data-dependent sizes are those of the record's results, if the call has
        returned."""
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
        """Passes this thread's calls to the Python mode until `leave`; used by the glue for a single call."""
        torch.utils._python_dispatch.TorchDispatchMode.__enter__(self.mode())

    def leave(self) -> None:
        torch.utils._python_dispatch.TorchDispatchMode.__exit__(self.mode(), None, None, None)

    def by_record(self, op: Any, args: Any, kwargs: Any, most: int) -> tuple[Any, Exception | None, str, str]:
        """Makes a call that only a record can describe, for example with a dict. Returns (result, exception, record,
        why it has no prediction)."""
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
        """Returns the overload of that name, the arguments that it writes, and whether it has a fake kernel."""
        known = self.operators.get(name)
        if known is None:
            op = operator_of(name)
            known = self.operators[name] = op, Op(op).writes, has_fake(op)
        return known

    def with_fake(self, name: str) -> Any:
        """Returns the overload of that name, None if it has no fake kernel."""
        op, _, has_one = self.operator(name)
        return op if has_one else None

    def to_change(self, line: str, field: str, result: int) -> str:
        """Returns the fake kernel's line that causes the finding. Empty if the kernel or the schema is the cause, or
        if it is unknown."""
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
