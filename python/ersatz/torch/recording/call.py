"""One call while it is being recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

import torch
from torch._ops import _len_torch_dispatch_stack_pre_dispatch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import _disable_current_modes, _pop_mode_temporarily
from torch.utils._pytree import tree_leaves

from .groups import group_of_call
from .memory import Memory, bytes_of, unwritten
from .names import Names
from .operators import Op
from .place import Places
from .prediction import Predictor, version_of
from .spelling import Book, error_of, is_wrapped, leaves_of, listed, values_of, without_idle_strides
from .unknown_sizes import with_values

FORMAT = 2
_VALUES_OF_DATA_DEPENDENT = 4096


class Recorder(Protocol):
    """The interface of the recording mode (`record` in mode.py) for a call."""

    values: int
    most_positions: int
    check_bytes: int
    failed: int
    _program: Any
    _probes: bool
    _others: bool
    _asks_on_meta: bool
    _more: dict[str, Any]
    _begun: Callable[[dict[str, Any]], None] | None
    _predictor: Predictor | None
    _names: Names | None
    _places: Places
    _first_failure: str

    def _op(self, func: Any) -> Op: ...
    def _write(self, line: dict[str, Any]) -> None: ...

OLDER = torch.__version__.partition("+")[0] if torch.torch_version.TorchVersion(torch.__version__) < "2.15.0a0" else ""
"""The version of PyTorch in records. A record without one counts as 2.15."""


class Call:
    def __init__(self, recorder: Recorder, func: Any, args: Any, kwargs: Any) -> None:
        self.recorder, self.func, self.op, self.book = recorder, func, recorder._op(func), Book()
        op, book = self.op, self.book
        self.line: dict[str, Any] = {"format": FORMAT, "id": "", "op": op.name}
        self.line["args"] = [book.spell(a, i in op.writes) for i, a in enumerate(args)]
        self.line["kwargs"] = {k: book.spell(v, k in op.writes) for k, v in kwargs.items()}
        self.arguments = arguments = book.spelled[:]
        group = group_of_call(func, args, kwargs)
        if group:
            self.line["group"] = group
        self.before, self.versions = [book.tensor(t) for t in book.tensors], [version_of(t) for t in book.tensors]
        leaves = list(leaves_of((args, kwargs)) if op.schema else tree_leaves((args, kwargs)))
        # FakeTensor does not count, because its fake mode handles the call. Other subclasses count only if no other
        # dispatch mode is active, which may handle the call first.
        self.has_subclass = not recorder._others and any(is_wrapped(x) and not isinstance(x, FakeTensor) for x in leaves)
        self.notes = ["a generator was given"] if any(isinstance(x, torch.Generator) for x in leaves) else []
        self.prediction: dict[str, Any] | None = None
        self.unknown: dict[str, list[int]] = {}  # flat result -> dims whose size the fake kernel leaves unknown
        self.predict: Callable[[], dict[str, Any]] | None = None
        predictor = recorder._predictor
        if predictor and op.schema and not book.opaque:
            key = json.dumps([self.line["args"], self.line["kwargs"]])
            # If the call cannot change its arguments' metadata, the prediction is made after the call.
            if recorder._probes and recorder._asks_on_meta and not op.writes:
                self.prediction = predictor.shortcut(func, args, kwargs, book, key)
                self.predict = lambda: predictor.predict(func, args, kwargs, book, key)
            else:
                self.prediction = predictor.predict(func, args, kwargs, book, key)
        names = [recorder._names.of(t) for t in book.tensors] if recorder._names else []
        self.names: dict[str, Any] = {"args": [name for name, _ in names]} if recorder._names else {}
        self.left: dict[int, dict[str, int]] = {}
        self.place = recorder._places.innermost()
        self.give_values(arguments, [is_new for _, is_new in names])
        if recorder._begun:
            recorder._begun(self.line | {k: v for k, v in (("schema", op.schema), ("at", self.place)) if v} | recorder._more)
        filled = self.fill(kwargs) if recorder._probes else set()
        self.memory = Memory(book, recorder.check_bytes, filled) if op.foreign and book.tensors else None
        if recorder._probes and self.memory and not book.opaque:
            self.left = self.unwritten(args, kwargs, self.memory)

    def give_values(self, arguments: list[tuple[dict[str, Any], torch.Tensor]], is_new: list[bool]) -> None:
        op, recorder = self.op, self.recorder
        self.all_given, lacks = not op.reads_beside, False
        for k, (spelled, t) in enumerate(arguments):
            needed = op.by_data and (not op.indexed or not t.dtype.is_floating_point)
            most = max(recorder.values, _VALUES_OF_DATA_DEPENDENT if needed else 0)
            # Integers are recorded with their values, because indices and counts have no valid synthetic values.
            if recorder._program and is_new and is_new[k] and not t.dtype.is_floating_point and not t.dtype.is_complex:
                most = max(most, recorder.most_positions)
            values = values_of(t) if 0 < t.numel() <= most else None
            given = t.numel() == 0 or values is not None
            if values is not None:
                spelled["v"] = values
            self.all_given &= given
            lacks |= needed and not given
        self.tags = op.tags + ([] if self.all_given else ["value_dependent"])
        self.more: dict[str, Any] = {"lacks": "values"} if lacks else {}

    def fill(self, kwargs: Any) -> set[int]:
        """Fills arguments that are only written with a pattern. Returns their numbers."""
        given = [x for k, v in kwargs.items() if k in self.op.out for x in leaves_of(v) if isinstance(x, torch.Tensor)]
        filled = {k for k, t in enumerate(self.book.tensors) if any(t is x for x in given) and t.dtype.itemsize > 1}
        for k in filled:
            bytes_of(self.book.tensors[k].untyped_storage()).fill_(0xA5)
        return filled

    def unwritten(self, args: Any, kwargs: Any, memory: Memory) -> dict[int, dict[str, int]]:
        generator = torch.get_rng_state()
        try:
            return unwritten(self.func, args, kwargs, self.book)
        except Exception:
            return {}  # the call itself will raise the exception
        finally:
            torch.set_rng_state(generator)
            memory.restore()

    def raised(self, e: BaseException) -> None:
        if self.predict:
            self.prediction = self.predict()
        self.give_numbers({})
        self.end(error_of(e))

    def returned(self, out: Any) -> None:
        book, op = self.book, self.op
        first = len(book.spelled)
        outcome: dict[str, Any] = {"out": book.spell(listed(self.func, out), is_result=True)}
        results = book.spelled[first:]
        changed, seen = self.memory.changes(book) if self.memory else (set(), {})
        touched = [k for k, t in enumerate(book.tensors)
                   if book.declared[k] or k in changed or version_of(t) != self.versions[k] or book.tensor(t) != self.before[k]]
        after = {}
        for k in sorted({*touched, *self.rewritten()}):
            after[str(k)] = book.tensor(book.tensors[k], True)
            results.append((after[str(k)], book.tensors[k]))
        if after:
            outcome["after"] = after
        self.give_numbers(outcome)
        same = self.prediction == outcome
        # The fast prediction is used if it equals the outcome.
        if self.predict and not same and (self.prediction is None or without_idle_strides(self.prediction) != without_idle_strides(outcome)):
            self.prediction = self.predict()
            self.give_numbers(outcome)
            same = self.prediction == outcome
        if self.all_given and self.recorder.values and not op.random and not op.uninit and not self.left:
            for spelled, t in results:
                values = values_of(t) if 0 < t.numel() <= self.recorder.values else None
                if values is not None:
                    spelled["v"] = values
        if self.recorder._names:
            named = self.recorder._names.structure(listed(self.func, out), {id(t) for _, t in results})
            self.names["out"] = [named] if op.returns_list else named
        self.end(outcome, same, {k: v for k, v in (("bytes", seen), ("unwritten", {str(r): n for r, n in self.left.items()})) if v})

    def give_numbers(self, outcome: dict[str, Any]) -> None:
        """Replaces sizes that the fake does not know by the sizes of the run."""
        if self.prediction is not None and "ranges" in self.prediction:
            self.prediction, self.unknown = with_values(self.prediction, outcome)

    def rewritten(self) -> set[int]:
        """Returns the numbers of the arguments whose values differ from the recorded ones. Some kernels write
        arguments that the schema does not mark (running statistics), or memory that two arguments share, without a
        new version."""
        return {k for k, (spelled, t) in enumerate(self.arguments) if "v" in spelled and spelled["v"] != values_of(t)}

    def end(self, outcome: dict[str, Any], same: bool = False, seen: dict[str, Any] = {}) -> None:
        line = self.line
        line.update(outcome)
        if self.prediction is not None:
            same = same or "err" in outcome and self.prediction.get("err") == outcome["err"]
            line["fake"] = "out" if same else self.prediction
        if self.op.foreign and self.op.schema:
            line["schema"] = self.op.schema
        said = (("tags", self.tags), ("unknown", self.unknown), ("at", self.place), ("notes", self.notes), ("names", self.names), ("torch", OLDER))
        line.update({k: v for k, v in said if v}, **self.more, **seen, **self.recorder._more)
        self.recorder._write(line)


class Undescribed:
    """A call that the recorder could not describe. Its record has the reason, and `ersatz` counts it as skipped."""

    has_subclass = False

    def __init__(self, recorder: Recorder, func: Any, e: BaseException) -> None:
        self.recorder, self.func, self.why = recorder, func, error_of(e)["message"]

    def returned(self, _: Any) -> None:
        recorder = self.recorder
        recorder.failed += 1
        recorder._first_failure = recorder._first_failure or f"{self.func}: {self.why}"
        name = str(self.func) if hasattr(self.func, "_schema") else f"higher_order.{self.func.name()}"
        recorder._write({"format": FORMAT, "id": "", "op": name, "args": [{"opaque": ["not described by the recorder", self.why]}],
                         "kwargs": {}, "out": []})

    raised = returned


class hidden:
    """Hides everything inside of it from other dispatch modes and from autograd."""

    def __enter__(self) -> None:
        others = torch._C._len_torch_dispatch_stack()
        # The usual case, exactly one mode, is tested first, because that test is fast.
        one = others == 1 and not _len_torch_dispatch_stack_pre_dispatch()
        self.modes: Any = _pop_mode_temporarily() if one else _disable_current_modes() if others else None
        if self.modes:
            self.modes.__enter__()
        self.grad = torch.is_grad_enabled()
        torch._C._set_grad_enabled(False)

    def __exit__(self, *error: Any) -> None:
        torch._C._set_grad_enabled(self.grad)
        if self.modes:
            self.modes.__exit__(*error)
