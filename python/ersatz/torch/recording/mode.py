"""`record`: a dispatch mode that records each call."""

from __future__ import annotations

import json
import os
import threading
import warnings
from collections.abc import Callable
from typing import Any

import torch

from . import compiled_code, dispatch_stack
from .call import Call, Undescribed, hidden
from .gradients import Again, GradientRecorder, grad_mode
from .names import Names
from .operators import Op
from .place import Places
from .plain_call import plain_call
from .prediction import Predictor
from .program import write_program
from .record_file import KeptRecords, RecordFile

_VALUES = 4096  # if values=True: most elements of a tensor that is recorded with values


class record(dispatch_stack.BesideCompiling):
    """A context manager that writes the operator calls inside of it, backward included, to the file `path`, one line
    each.

    values: tensors of at most that many elements are recorded with their values (0: none; True: 4096). program: at the
    end, also write the calls as one program in the text form: True for `path` with the suffix `.txt`, or a path.
    Integers and bools among its inputs are recorded with values, up to `most_positions` elements per tensor. fake:
    record the prediction of torch's fake mode for each call. max_bytes: limit of the file. Recording ends before it is
    exceeded, and the run continues; a warning and the last record say so. check_bytes: memory of a foreign op's
    arguments up to this size is compared before and after the call. unique: a call that is recorded already, with an
    equal outcome, is not recorded again. gradients: each different call with gradients is repeated on copies, and
    recorded in a line of its own. The line has the flags of its results and its gradients (`rg`, `gout`, `grads`,
    `acc`). `gradients.recorded` and `gradients.left_out` count these calls. `recorded`, `dropped` and `failed` count
    calls; `failed` are calls that the recorder could not describe. `compiled_runs` counts runs of inductor's code
    (`torch.compile`), which calls no operators and is not recorded. Profiler marks are no calls of the run.
    """

    supports_higher_order_operators = True

    def __init__(self, path: str | os.PathLike[str], *, values: int = 0, program: bool | str | os.PathLike[str] = False, fake: bool = True,
                 max_bytes: int = 1 << 30, check_bytes: int = 1 << 24, unique: bool = False, gradients: bool = False) -> None:
        super().__init__()
        if program and unique:
            raise ValueError("record: a program has every call of the run; unique=True leaves calls out")
        self.path, self.max_bytes, self.check_bytes = path, int(max_bytes), int(check_bytes)
        self.values = _VALUES if values is True else int(values)
        self.most_positions = 1 << 16
        self.recorded = self.dropped = self.repeated = self.failed = self.compiled_runs = 0
        self._program = os.path.splitext(os.fspath(path))[0] + ".txt" if program is True else program
        self._unique = unique
        self._seen: set[int] = set()
        self._only: Any = None  # the only operator whose calls are recorded; None: all are recorded
        self._probes, self._others = False, False
        # A probe first calls the fake kernel on meta tensors, which is fast but hides the device.
        self._asks_on_meta = True
        self._keeps: Callable[[dict[str, Any]], bool] = lambda line: True  # decides whether a record is written
        self._more: dict[str, Any] = {}  # keys that are added to every record
        # Called with the record of a call before the call is made.
        self._begun: Callable[[dict[str, Any]], None] | None = None
        self._predictor = Predictor() if fake else None
        self.gradients = GradientRecorder(self.values, self._write_gradients) if gradients else None
        self._names: Names | None = None
        self._ops: dict[Any, Op] = {}
        self._places = Places()
        self._opened: Callable[[], RecordFile | KeptRecords] = lambda: RecordFile(self.path, self.max_bytes)
        self._file: RecordFile | KeptRecords | None = None
        self._depth = 0
        self._first_failure = ""  # first error of the recorder itself
        self._lock, self._local, self._process = threading.Lock(), threading.local(), os.getpid()

    def __enter__(self) -> record:
        if self._depth == 0:
            self._file = self._opened()
            self._process = os.getpid()
            self._names = None if self._probes else Names()
            self._seen.clear()
            self.recorded = self.dropped = self.repeated = self.failed = self.compiled_runs = 0
            compiled_code.watch()
        self._depth += 1
        super().__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        dispatch_stack.leave(self)
        self._depth -= 1
        if self._depth > 0 or self._file is None or os.getpid() != self._process:
            return
        file, self._file = self._file, None
        file.close()
        if self.dropped:
            warnings.warn(f"{self.path}: {self.dropped} calls are not recorded, {file.end}", stacklevel=2)
        if self.failed:
            warnings.warn(f"{self.path}: {self.failed} calls could not be described, the first: {self._first_failure}", stacklevel=2)
        if self.compiled_runs:
            warnings.warn(f"{self.path}: {self.compiled_runs} runs of compiled code are not recorded: inductor's code calls no operators", stacklevel=2)
        if self._program:
            write_program(self.path, self._program)

    def compiled_code_runs(self, code: Any, inputs: Any) -> None:
        """Counts a run of inductor's code."""
        self.compiled_runs += self._depth > 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "namespace", "") == "profiler":
            return func(*args, **kwargs)
        # The subclass handles this call, which arrives here a second time.
        if getattr(self._local, "handed_on", None) is func:
            self._local.handed_on = None
            return NotImplemented
        if os.getpid() != self._process or self._file is None or self.dropped or (self._only and func is not self._only):
            self.dropped += bool(self.dropped) and os.getpid() == self._process
            return plain_call(func, args, kwargs)
        self._others = torch._C._len_torch_dispatch_stack() > 0
        mode = grad_mode() if self.gradients is not None else ""
        with hidden():
            try:
                call: Call | Undescribed = Call(self, func, args, kwargs)
            except Exception as e:
                call = Undescribed(self, func, e)
            again = self._again(call, func, args, kwargs, mode) if self.gradients is not None else None
        try:
            if call.has_subclass:
                self._local.handed_on = func
                with self:  # so that the calls that the subclass makes are recorded too
                    out = func(*args, **kwargs)
            else:
                out = plain_call(func, args, kwargs)
        except Exception as e:
            self._finish(call, call.raised, e)
            raise
        finally:
            self._local.handed_on = None
        self._finish(call, call.returned, out)
        if again is not None and self.gradients is not None and isinstance(call, Call):
            self.gradients.after(again, call.place)
        return out

    def _again(self, call: Call | Undescribed, func: Any, args: Any, kwargs: Any, mode: str) -> Again | None:
        """Returns the call, to be repeated with gradients, or None if it is not."""
        if self.gradients is None or call.has_subclass or isinstance(call, Undescribed):
            return None
        try:
            return self.gradients.before(func, call.op, args, kwargs, mode)
        except Exception as e:
            self.gradients.lost(e)
            return None

    def _write_gradients(self, line: dict[str, Any]) -> bool:
        with self._lock:
            return self._file is not None and self._file.add(line)

    def _finish(self, call: Call | Undescribed, how: Callable[[Any], None], outcome: Any) -> None:
        """Writes the record of a call. An exception in this is the recorder's own and never reaches the run."""
        with hidden():
            try:
                how(outcome)
            except Exception as e:
                Undescribed(self, call.func, e).returned(None)

    def _op(self, func: Any) -> Op:
        if func not in self._ops:
            self._ops[func] = Op(func)
        return self._ops[func]

    def _write(self, line: dict[str, Any]) -> None:
        if not self._keeps(line):
            return
        with self._lock:
            if self._unique:
                known = hash(json.dumps({k: v for k, v in line.items() if k not in ("id", "at", "names")}))
                if known in self._seen:
                    self.repeated += 1
                    return
                self._seen.add(known)
            if self._file is None or not self._file.add(line):
                self.dropped += 1
            else:
                self.recorded += 1
