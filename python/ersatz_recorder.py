"""Records live PyTorch runs as calls that `ersatz` replays and judges. One file, nothing beside torch; docs/recorder.md shows its use.

    with ersatz_recorder.record("run.jsonl"):                      # every call of an operator, one JSON line each
        model(x).sum().backward()
    ersatz_recorder.probe(torch.ops.mine.mix.default, [(x, y)], "mix.jsonl")    # one op under layouts, dtypes, sizes and values
    ersatz_recorder.facts("model.pt2", (x,), "folder")             # what an exported program's nodes are in eager mode

Lines are of the format of docs/call-records.md. The run is not changed: not its results, random numbers or gradients. What the
recorder itself computes is not seen by other dispatch modes, and stays in bounds that the arguments name.
"""
import collections
import io
import itertools
import json
import linecache
import logging
import math
import os
import pathlib
import re
import stat
import sys
import threading
import warnings
import zipfile

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

FORMAT = 2
_FAMILIES = (NotImplementedError, IndexError, TypeError, ValueError, RuntimeError)
# Exceptions by which a fake mode says that it does not predict.
_NO_PREDICTION = {"DataDependentOutputException", "DynamicOutputShapeException", "UnsupportedOperatorException",
                  "UnsupportedFakeTensorException", "UnsupportedMutationAliasingException"}
_UNINITIALISED = re.compile(r"aten\.(new_)?empty(_like|_strided|_permuted|_quantized)?\.|aten\.resize_")
_READS_BESIDE = re.compile(r"aten\.(_?as_strided|_reshape_alias|set_|resize_)")
_INDEXED = re.compile(r"aten\.(index|index_put_?|_index_put_impl_?|_unsafe_index|_unsafe_index_put|masked_select|repeat_interleave)\.")
_LOG = logging.getLogger("torch._subclasses.fake_tensor")
_TORCH = os.path.dirname(torch.__file__) + os.sep
_MOST_PREDICTIONS = 16 << 20  # characters of remembered predictions
_VALUES_OF_DATA_DEPENDENT = 4096


def _dtype_name(dtype):
    if dtype == torch.bool:
        return "bool"
    name = str(dtype).removeprefix("torch.")
    short = re.fullmatch(r"(bfloat|float|int|uint|complex)(\d+)", name)
    return {"bfloat": "bf", "float": "f", "int": "i", "uint": "u", "complex": "c"}[short[1]] + short[2] if short else name


_DTYPES = {d: _dtype_name(d) for d in vars(torch).values() if isinstance(d, torch.dtype)}


def _device_name(device):
    return device.type if device.type in ("cpu", "meta") else f"{device.type}:{device.index or 0}"


def _meta(t):
    sizes, strides = ",".join(map(str, t.size())), ",".join(map(str, t.stride()))
    return f"{_DTYPES[t.dtype]}[{sizes}]{{{strides}}}+{t.storage_offset()}@{_device_name(t.device)}"


def _wrapper(t):
    """What a tensor is that a record cannot hold, or None."""
    if type(t) not in (torch.Tensor, torch.nn.Parameter) and type(t).__torch_dispatch__ is not torch.Tensor.__torch_dispatch__:
        return type(t).__name__
    if t.layout != torch.strided:
        return str(t.layout).removeprefix("torch.") + " layout"
    if t.device.type not in ("cpu", "cuda"):
        return f"device {t.device.type}"
    if t.is_nested:
        return "nested tensor"
    if t.is_quantized:
        return "quantized tensor"
    if torch._is_functional_tensor(t):
        return "functional wrapper"
    return "functorch wrapper" if torch._C._functorch.is_functorch_wrapped_tensor(t) else None


def _number(x):
    """A Python number as JSON holds it."""
    if isinstance(x, (bool, int)):
        return x
    if isinstance(x, complex):
        return {"complex": [_element(x.real), _element(x.imag)]}
    return x if math.isfinite(x) else {"nan": 1} if x != x else {"inf": 1 if x > 0 else -1}


def _element(x):
    if isinstance(x, complex):
        return [_element(x.real), _element(x.imag)]
    return x if not isinstance(x, float) or math.isfinite(x) else "nan" if x != x else "inf" if x > 0 else "-inf"


def _values(t):
    return [_element(x) for x in t.detach().cpu().reshape(-1).tolist()]


class _Book:
    """The tensors of one call, real or fake, and names of their storages."""

    def __init__(self):
        self.tensors, self.storages, self.opaque, self.held = [], {}, [], []
        self.spelled = []  # (what stands in the record, the tensor) in the order of spelling
        self.declared = []  # per tensor argument: does the schema say that it is written

    def storage(self, t):
        storage = t.untyped_storage()
        self.held.append(storage)  # so that no other storage gets its address during the call
        return self.storages.setdefault(storage._cdata, len(self.storages)), storage.nbytes()

    def tensor(self, t, is_result=False):
        name, nbytes = self.storage(t)
        spelled = {"t": _meta(t), "s": name, "n": nbytes}
        if is_result:
            for k, argument in enumerate(self.tensors):
                if argument is t:
                    spelled["is"] = k
                    break
        if t.is_conj():
            spelled["conj"] = True
        if t.is_neg():
            spelled["neg"] = True
        return spelled

    def spell(self, x, written=False, is_result=False):
        """An argument or a result as a record has it."""
        if isinstance(x, torch.Tensor):
            wrapper = None if isinstance(x, FakeTensor) and is_result == "fake" else _wrapper(x)
            if wrapper:
                # A nested tensor of strided layout has no shape to tell.
                return self.not_held(wrapper, "" if x.is_nested else str(tuple(x.shape)) if x.layout != torch.strided else _meta(x))
            if not is_result:
                self.tensors.append(x)
                self.declared.append(written)
            self.spelled.append((self.tensor(x, is_result), x))
            return self.spelled[-1][0]
        if x is None or isinstance(x, str):
            return x
        if isinstance(x, (bool, int, float, complex)):
            return _number(x)
        if isinstance(x, (list, tuple)):
            return [self.spell(item, written, is_result) for item in x]
        if isinstance(x, torch.dtype):
            return {"dtype": _DTYPES[x]}
        if isinstance(x, torch.layout):
            return {"layout": str(x).removeprefix("torch.")}
        if isinstance(x, torch.device):
            return {"device": _device_name(x)}
        if isinstance(x, torch.memory_format):
            return {"memory_format": str(x).removeprefix("torch.").removesuffix("_format")}
        if isinstance(x, torch.Generator):
            return None
        return self.not_held(type(x).__name__, "")

    def not_held(self, name, text):
        self.opaque.append(name)
        return {"opaque": [name, text]}


class _Op:
    """What a record says of an operator whatever its arguments are."""

    def __init__(self, func):
        schema = getattr(func, "_schema", None)
        if schema is None:  # a higher-order operator
            self.name, self.schema, self.tags, tags = f"higher_order.{func.name()}", None, [], ()
            self.writes, self.out = (), ()
        else:
            self.name = schema.name.replace("::", ".") + "." + (schema.overload_name or "default")
            self.schema, tags = str(schema), func.tags
            written = [(i, a) for i, a in enumerate(schema.arguments) if a.alias_info is not None and a.alias_info.is_write]
            self.writes = {key for i, a in written for key in (i, a.name)}
            self.out = {a.name for _, a in written if a.kwarg_only}
        self.foreign = not self.name.startswith(("aten.", "prims.", "higher_order."))
        self.random = torch.Tag.nondeterministic_seeded in tags
        self.by_data = torch.Tag.data_dependent_output in tags or torch.Tag.dynamic_output_shape in tags
        self.uninit = bool(_UNINITIALISED.match(self.name))
        self.tags = [t for t, is_so in (("random", self.random), ("uninit", self.uninit), ("data_dependent", self.by_data)) if is_so]
        self.indexed, self.reads_beside = bool(_INDEXED.match(self.name)), bool(_READS_BESIDE.match(self.name))


class _Memory:
    """The bytes of a call's arguments before it, to be compared with those after it."""

    def __init__(self, book, most, filled):
        self.before, self.filled = {}, filled
        for t in book.tensors:
            storage = t.untyped_storage()
            if storage._cdata not in self.before and storage.nbytes() <= most:
                self.before[storage._cdata] = (storage, _bytes(storage).clone())
        self.shown = [(t, t.untyped_storage()._cdata, t.dtype, t.storage_offset(), t.size(), t.stride()) for t in book.tensors]

    def changes(self, book):
        """Numbers of the arguments of which an element has changed, and the record's member `bytes`."""
        changed, said = set(), {}
        for k, (t, cdata, *view) in enumerate(self.shown):
            if cdata not in self.before or t.untyped_storage()._cdata != cdata:
                continue
            storage, copy = self.before[cdata]
            if storage.nbytes() < copy.numel():
                continue
            differs = (_elements(storage, *view) != _elements(copy.untyped_storage(), *view)).any(1)
            count = int(differs.sum())
            if count:
                changed.add(k)
            if book.declared[k]:
                said[str(k)] = {"untouched": differs.numel() - count, "of": differs.numel(), **({"filled": True} if k in self.filled else {})}
        for cdata, (storage, copy) in self.before.items():
            now = _bytes(storage)
            if now.numel() != copy.numel():
                continue
            hidden = now != copy
            owners = [k for k, (_, c, *_) in enumerate(self.shown) if c == cdata]
            for k in owners:
                _, _, dtype, offset, sizes, strides = self.shown[k]
                step = dtype.itemsize
                sizes = [1 if stride == 0 else n for n, stride in zip(sizes, strides)]
                hidden.as_strided((*sizes, step), (*(s * step for s in strides), 1), offset * step).fill_(False)
            beside = int(hidden.sum())
            if beside:
                said.setdefault(str(owners[0]), {})["beside"] = beside
        return changed, said


def _bytes(storage):
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage, 0, (storage.nbytes(),), (1,))


def _elements(storage, dtype, offset, sizes, strides):
    view = torch.empty(0, dtype=dtype, device=storage.device).set_(storage, offset, sizes, strides)
    return view.contiguous().reshape(-1).view(torch.uint8).reshape(-1, dtype.itemsize)


def _error(e):
    family = next((f.__name__ for f in _FAMILIES if isinstance(e, f)), "RuntimeError")
    return {"err": family, "message": f"{type(e).__name__}: {str(e).strip().splitlines()[0] if str(e).strip() else ''}"[:300]}


def _version(t):
    return None if t.is_inference() else t._version


class _Predictor:
    """What torch's own fake kernels say of a call."""

    def __init__(self):
        self.mode = FakeTensorMode(allow_fallback_kernels=False)
        self.mode.cache_enabled = False  # predictions are remembered here, in bounds
        self.known, self.characters = collections.OrderedDict(), 0

    def predict(self, func, args, kwargs, book, key):
        key = (func, torch.get_default_dtype(), key)
        if key in self.known:
            self.known.move_to_end(key)
            return self.known[key]
        prediction = self.run(func, args, kwargs, book)
        self.known[key] = prediction
        self.characters += len(key[-1])
        while self.characters > _MOST_PREDICTIONS:
            self.characters -= len(self.known.popitem(last=False)[0][-1])
        return prediction

    def run(self, func, args, kwargs, book):
        try:
            fakes, storages, fake_of = _Book(), {}, {}
            for t in book.tensors:
                fake_of[id(t)] = fake_of[id(t)] if id(t) in fake_of else self.fake(t, storages)
                fakes.tensors.append(fake_of[id(t)])
                fakes.storage(fakes.tensors[-1])
            before = [(fakes.tensor(t), _version(t)) for t in fakes.tensors]
            leaves, spec = tree_flatten((args, kwargs))
            args, kwargs = tree_unflatten([fake_of.get(id(x), x) if isinstance(x, torch.Tensor) else x for x in leaves], spec)
        except Exception as e:
            return {"fake_err": type(e).__name__, "message": _error(e)["message"]}
        silent, _LOG.disabled = _LOG.disabled, True  # it logs each refusal
        try:
            with self.mode:
                out = func(*args, **kwargs)
        except Exception as e:
            if type(e).__name__ in _NO_PREDICTION:
                return {"fake_err": type(e).__name__}
            return _error(e)
        finally:
            _LOG.disabled = silent
        answer = {"out": fakes.spell(_listed(out), is_result="fake")}
        after = {str(k): fakes.tensor(t, True) for k, t in enumerate(fakes.tensors)
                 if book.declared[k] or _version(t) != before[k][1] or fakes.tensor(t) != before[k][0]}
        return {**answer, **({"after": after} if after else {})}

    def fake(self, t, storages):
        storage = t.untyped_storage()
        known = storages.get(storage._cdata)
        if known is None:
            known = storages[storage._cdata] = torch.UntypedStorage(storage.nbytes(), device="meta")
        meta = torch.empty(0, dtype=t.dtype, device="meta").set_(known, t.storage_offset(), t.size(), t.stride())
        if t.is_conj():
            torch._C._set_conj(meta, True)
        if t.is_neg():
            torch._C._set_neg(meta, True)
        return FakeTensor(self.mode, meta, t.device)


def _listed(out):
    return [] if out is None else list(out) if isinstance(out, (list, tuple)) else [out]


class record(TorchDispatchMode):
    """A context manager: calls of operators inside of it, backward included, are written to the file `path`, one line each.

    values: tensors of at most that many elements are recorded with their values (0: none).
    fake: record what torch's fake mode predicts for the same call.
    max_bytes: of the file. The recording ends before it is exceeded, the run goes on; a warning and the last record say so.
    check_bytes: memory of a foreign op's arguments up to that size is compared before and after the call.
    unique: a call that was recorded before, with the same outcome, is not recorded again.
    `recorded`, `dropped` and `failed` count calls: the last are those that the recorder itself could not describe.
    """

    supports_higher_order_operators = True
    _recording = set()  # (device, inode) of the regular files that are being written

    def __init__(self, path, *, values=0, fake=True, max_bytes=1 << 30, check_bytes=1 << 24, unique=False, fill_out=False):
        super().__init__()
        self.path, self.values, self.max_bytes, self.check_bytes = path, int(values), int(max_bytes), int(check_bytes)
        self.recorded = self.dropped = self.repeated = self.failed = 0
        self._fill_out, self._unique, self._seen = fill_out, unique, set()
        self._only, self._keep_errors, self._others = None, True, False
        self._predictor = _Predictor() if fake else None
        self._ops, self._places, self._own = {}, {}, {}
        self._file, self._identity, self._written, self._last, self._depth = None, None, 0, None, 0
        self._end = self._first_failure = ""  # why the recording has ended; the first exception of the recorder's own
        self._lock, self._local, self._process = threading.Lock(), threading.local(), os.getpid()

    def __enter__(self):
        if self._depth == 0:
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o666)
            status = os.fstat(file)
            self._identity = (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
            if self._identity in self._recording:
                os.close(file)
                raise ValueError(f"{self.path}: another record() is writing this file; give each its own")
            if self._identity:
                self._recording.add(self._identity)
                os.ftruncate(file, 0)
            self._file, self._written, self._last, self._process = file, 0, None, os.getpid()
            self._seen.clear()
            self.recorded = self.dropped = self.repeated = self.failed = 0
        self._depth += 1
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self._depth -= 1
        if self._depth == 0:
            os.close(self._file)
            self._file = None
            self._recording.discard(self._identity)
            if self.dropped:
                warnings.warn(f"{self.path}: {self.dropped} calls are not recorded, {self._end}", stacklevel=2)
            if self.failed:
                warnings.warn(f"{self.path}: {self.failed} calls could not be described, the first: {self._first_failure}", stacklevel=2)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if getattr(self._local, "handed_on", None) is func:  # the call of a subclass comes again: the subclass handles it
            self._local.handed_on = None
            return NotImplemented
        if os.getpid() != self._process or self._file is None or self.dropped or (self._only and func is not self._only):
            self.dropped += bool(self.dropped) and os.getpid() == self._process
            return func(*args, **kwargs)
        self._others = torch._C._len_torch_dispatch_stack() > 0
        with _hidden():
            try:
                call = _Call(self, func, args, kwargs)
            except Exception as e:
                call = _Undescribed(self, func, e)
        try:
            if call.has_subclass:
                self._local.handed_on = func
                with self:  # so that the calls which the subclass makes are recorded, too
                    out = func(*args, **kwargs)
            else:
                out = func(*args, **kwargs)
        except Exception as e:
            self._finish(call, call.raised, e)
            raise
        finally:
            self._local.handed_on = None
        self._finish(call, call.returned, out)
        return out

    def _finish(self, call, how, outcome):
        """Writes the record of a call. What fails in this is the recorder's affair, never the run's."""
        with _hidden():
            try:
                how(outcome)
            except Exception as e:
                _Undescribed(self, call.func, e).returned(None)

    def _op(self, func):
        if func not in self._ops:
            self._ops[func] = _Op(func)
        return self._ops[func]

    def _place(self):
        frame = sys._getframe(4)
        while frame is not None:
            file = frame.f_code.co_filename
            own = self._own.get(file)
            if own is None:
                own = self._own[file] = not file.startswith((_TORCH, "<")) and file != __file__
            if own:
                key = (frame.f_code, frame.f_lineno)
                if key not in self._places:
                    _, packages, shown = file.rpartition("site-packages" + os.sep)
                    if not packages:
                        shown = os.path.relpath(file) if file.startswith(os.getcwd() + os.sep) else os.sep.join(file.split(os.sep)[-3:])
                    text = linecache.getline(file, frame.f_lineno).strip()[:200]
                    self._places[key] = f"{shown}:{frame.f_lineno} in {frame.f_code.co_name}" + (f": {text}" if text else "")
                return self._places[key]
            frame = frame.f_back
        return None

    def _write(self, line):
        with self._lock:
            if self._unique:
                known = hash(json.dumps({k: v for k, v in line.items() if k not in ("id", "at")}))
                if known in self._seen:
                    self.repeated += 1
                    return
                self._seen.add(known)
            line["id"] = str(self.recorded)
            text = json.dumps(line, separators=(",", ":")).encode() + b"\n"
            room = self.max_bytes - self._written - 200
            self._end = f"its file would exceed {self.max_bytes} bytes (max_bytes)" if len(text) > room else \
                "a record is longer than 16 MiB" if len(text) > 16 << 20 else self._put(self._written, text)
            if self._end:
                self.dropped += 1
                if self._last:
                    at, line = self._last
                    line["notes"] = line.get("notes", []) + ["the recording ends here: " + self._end]
                    self._put(at, json.dumps(line, separators=(",", ":")).encode() + b"\n")
                return
            self._last = (self._written, line)
            self._written += len(text)
            self.recorded += 1

    def _put(self, at, text):
        """Writes a whole line or none; why none, in words."""
        try:
            if self._identity is None:  # a pipe or a device
                while text:
                    text = text[os.write(self._file, text):]
                return ""
            if os.pwrite(self._file, text, at) == len(text):
                return ""
            why = "it cannot be written whole"
        except OSError as e:
            why = f"it cannot be written: {e.strerror}"
        if self._identity is not None:
            os.ftruncate(self._file, at)
        return why


class _Undescribed:
    """A call that the recorder could not describe: its record says so, `ersatz` counts it as skipped."""

    has_subclass = False

    def __init__(self, recorder, func, e):
        self.recorder, self.func, self.why = recorder, func, _error(e)["message"]

    def returned(self, _):
        recorder = self.recorder
        recorder.failed += 1
        recorder._first_failure = recorder._first_failure or f"{self.func}: {self.why}"
        name = str(self.func) if hasattr(self.func, "_schema") else f"higher_order.{self.func.name()}"
        recorder._write({"format": FORMAT, "id": "", "op": name, "args": [{"opaque": ["not described by the recorder", self.why]}],
                         "kwargs": {}, "out": []})

    raised = returned


class _Call:
    """One call while it is recorded."""

    def __init__(self, recorder, func, args, kwargs):
        self.recorder, self.func, self.op, self.book = recorder, func, recorder._op(func), _Book()
        op, book = self.op, self.book
        self.line = {"format": FORMAT, "id": "", "op": op.name}
        self.line["args"] = [book.spell(a, i in op.writes) for i, a in enumerate(args)]
        self.line["kwargs"] = {k: book.spell(v, k in op.writes) for k, v in kwargs.items()}
        arguments = book.spelled[:]
        self.before, self.versions = [dict(a) for a, _ in arguments], [_version(t) for t in book.tensors]
        leaves = tree_leaves((args, kwargs))
        # Fake tensors are their mode's affair, as is every subclass where another mode may want the call.
        self.has_subclass = not recorder._others and any(
            isinstance(x, torch.Tensor) and not isinstance(x, FakeTensor) and type(x).__torch_dispatch__ is not torch.Tensor.__torch_dispatch__ for x in leaves)
        self.notes = ["a generator was given"] if any(isinstance(x, torch.Generator) for x in leaves) else []
        self.prediction = None
        if recorder._predictor and op.schema and not book.opaque:
            key = json.dumps([self.line["args"], self.line["kwargs"]])
            self.prediction = recorder._predictor.predict(func, args, kwargs, book, key)
        filled = self.fill(kwargs) if recorder._fill_out else ()
        self.memory = _Memory(book, recorder.check_bytes, filled) if op.foreign and book.tensors else None
        self.all_given, lacks = not op.reads_beside, False
        for spelled, t in arguments:
            needed = op.by_data and (not op.indexed or not t.dtype.is_floating_point)
            given = t.numel() <= max(recorder.values, _VALUES_OF_DATA_DEPENDENT if needed else 0)
            if given and t.numel():
                spelled["v"] = _values(t)
            self.all_given &= given
            lacks |= needed and not given
        self.tags = op.tags + ([] if self.all_given else ["value_dependent"])
        self.more = {"lacks": "values"} if lacks else {}
        self.place = recorder._place()

    def fill(self, kwargs):
        """Puts a pattern into arguments that are there to be written; their numbers."""
        given = [x for k, v in kwargs.items() if k in self.op.out for x in tree_leaves(v) if isinstance(x, torch.Tensor)]
        filled = {k for k, t in enumerate(self.book.tensors) if any(t is x for x in given) and t.dtype.itemsize > 1}
        for k in filled:
            _bytes(self.book.tensors[k].untyped_storage()).fill_(0xA5)
        return filled

    def raised(self, e):
        if self.recorder._keep_errors:
            self.end(_error(e))

    def returned(self, out):
        book, op = self.book, self.op
        first = len(book.spelled)
        outcome = {"out": book.spell(_listed(out), is_result=True)}
        results = book.spelled[first:]
        changed, seen = self.memory.changes(book) if self.memory else ((), {})
        after = {}
        for k, t in enumerate(book.tensors):
            if book.declared[k] or k in changed or _version(t) != self.versions[k] or book.tensor(t) != self.before[k]:
                after[str(k)] = book.tensor(t, True)
                results.append((after[str(k)], t))
        if after:
            outcome["after"] = after
        same = self.prediction == outcome
        if self.all_given and self.recorder.values and not op.random and not op.uninit:
            for spelled, t in results:
                if 0 < t.numel() <= self.recorder.values:
                    spelled["v"] = _values(t)
        self.end(outcome, same, {"bytes": seen} if seen else {})

    def end(self, outcome, same=False, seen={}):
        line = self.line
        line.update(outcome)
        if self.prediction is not None:
            same = same or "err" in outcome and self.prediction.get("err") == outcome["err"]
            line["fake"] = "out" if same else self.prediction
        if self.op.foreign and self.op.schema:
            line["schema"] = self.op.schema
        line.update({k: v for k, v in (("tags", self.tags), ("at", self.place), ("notes", self.notes)) if v}, **self.more, **seen)
        self.recorder._write(line)


class _hidden:
    """Nothing of what is done inside is seen by other dispatch modes or recorded for gradients."""

    def __enter__(self):
        self.modes = _disable_current_modes() if torch._C._len_torch_dispatch_stack() else None
        if self.modes:
            self.modes.__enter__()
        self.grad = torch.is_grad_enabled()
        torch._C._set_grad_enabled(False)

    def __exit__(self, *error):
        torch._C._set_grad_enabled(self.grad)
        if self.modes:
            self.modes.__exit__(*error)


def _laid_out(t, layout):
    """The values of `t` in another layout; None where it has none of that kind."""
    rank = t.dim()
    if layout == "contiguous":
        return t.clone(memory_format=torch.contiguous_format)
    if layout == "permuted" and rank > 1:
        order = tuple(reversed(range(rank)))
        return t.permute(order).clone(memory_format=torch.contiguous_format).permute(order)
    if layout == "gapped" and rank:
        room = torch.zeros((*t.shape[:-1], 2 * t.shape[-1] + 1), dtype=t.dtype, device=t.device)
        return room[..., 1::2].copy_(t)
    if layout == "offset":
        return torch.zeros(t.numel() + 6, dtype=t.dtype, device=t.device)[3:t.numel() + 3].view(t.shape).copy_(t)
    if layout == "expanded" and rank and t.shape[0] > 1:
        return t[:1].clone(memory_format=torch.contiguous_format).expand(t.shape)
    if layout == "channels_last" and rank in (4, 5):
        return t.clone(memory_format=torch.channels_last if rank == 4 else torch.channels_last_3d)
    return None


def _resized(t, old, new):
    """Each dim of size `old` gets size `new`, its values repeated."""
    for dim, size in enumerate(t.shape):
        if size == old:
            t = t.index_select(dim, torch.arange(new, device=t.device) % max(old, 1)) if old else t.new_zeros([*t.shape[:dim], new, *t.shape[dim + 1:]])
    return t.clone(memory_format=torch.contiguous_format)


_LAYOUTS = ("contiguous", "permuted", "gapped", "expanded", "offset", "channels_last")
_FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64)
_INTEGERS = (torch.int64, torch.int32, torch.uint8, torch.bool)


def _cast(t, dtype):
    return (t.real if t.is_complex() and not dtype.is_complex else t).to(dtype, copy=True)


def _filled(t, fill, generator):
    if fill == "zeros" or fill == "ones":
        return torch.full_like(t, fill == "ones", memory_format=torch.contiguous_format)
    if not t.dtype.is_floating_point and not t.dtype.is_complex:  # other positions and counts may not be legal ones
        return t.reshape(-1)[torch.randperm(t.numel(), generator=generator)].reshape(t.shape)
    wide = torch.complex128 if t.dtype.is_complex else torch.float64
    return (torch.randn(t.shape, dtype=wide, generator=generator) * 2).to(t.device, t.dtype)


def _variants(tensors, written, seed):
    """Lists of tensors to stand in the places of these, which are those of a sample, each with: are its dtypes the sample's?"""
    every = range(len(tensors))

    def each(change):  # all of them changed, then one at a time
        changed = [change(t, i) for i, t in enumerate(tensors)]
        if all(c is None for c in changed):
            return
        yield [_laid_out(t, "contiguous") if c is None else c for t, c in zip(tensors, changed)]
        for i in every if len(tensors) > 1 else ():
            if changed[i] is not None:
                yield [change(t, k) if k == i else _laid_out(t, "contiguous") for k, t in enumerate(tensors)]

    for layout in _LAYOUTS:
        yield from zip(each(lambda t, i: None if layout == "expanded" and i in written else _laid_out(t, layout)), itertools.repeat(True))
    for dtypes in (_FLOATS, _INTEGERS):
        for dtype in dtypes:
            changed = each(lambda t, i: _cast(t, dtype) if t.dtype in dtypes and t.dtype != dtype else None)
            yield from zip(changed, itertools.repeat(False))
    yield from zip(each(lambda t, i: _cast(t, torch.int64) if t.dtype in _FLOATS else None), itertools.repeat(False))
    for old in sorted({n for t in tensors for n in t.shape}):
        for new in (0, 1, old + 1):
            for layout in ("contiguous", "permuted"):
                resized = [_resized(t, old, new) for t in tensors]
                yield [r if laid is None else laid for r, laid in ((r, _laid_out(r, layout)) for r in resized)], True
    generator = torch.Generator().manual_seed(seed)
    for fill in ("zeros", "ones", "random", "random"):
        yield from zip(each(lambda t, i: _filled(t, fill, generator)), itertools.repeat(True))


def probe(op, samples, path, *, values=64, seed=0):
    """Runs an op on each sample, `(args...)` or `((args...), {kwargs})`, and on variants of it: layouts, dtypes, sizes 0, 1 and
    one more, values. Writes the records, each with what the op's fake kernel predicts; memory of the arguments is watched,
    and what is to be written is filled with a pattern before. That the op refuses another dtype than the sample's is no record: a
    fake kernel need not know which it is compiled for. Answers how many calls were recorded and how many the op refused."""
    op = getattr(op, "_opoverload", op)
    if isinstance(op, torch._ops.OpOverloadPacket):
        op = getattr(op, op.overloads()[0])
    writes, refused = _Op(op).writes, 0
    with torch.no_grad(), record(path, values=values, fill_out=True) as recorder:
        recorder._only = op
        for sample in samples:
            args, kwargs = sample if len(sample) == 2 and isinstance(sample[0], tuple) and isinstance(sample[1], dict) else (sample, {})
            leaves, spec = tree_flatten((tuple(args), dict(kwargs)))
            at = [i for i, x in enumerate(leaves) if isinstance(x, torch.Tensor)]
            written = [x for key, x in itertools.chain(enumerate(args), kwargs.items()) if key in writes]
            written = {i for i, at_i in enumerate(at) if any(leaves[at_i] is x for x in tree_leaves(written))}
            with _hidden():
                variants = _variants([leaves[i].detach() for i in at], written, seed)
            while True:
                with _hidden():  # the making of a variant is no call of the run
                    tensors, recorder._keep_errors = next(variants, (None, None))
                if tensors is None:
                    break
                for i, t in zip(at, tensors):
                    leaves[i] = t
                try:
                    op(*tree_unflatten(leaves, spec)[0], **tree_unflatten(leaves, spec)[1])
                except Exception:
                    refused += 1
    return {"calls": recorder.recorded, "refused": refused}


class _Interpreter(torch.fx.Interpreter):
    def __init__(self, module, see):
        super().__init__(module)
        self.see = see

    def run_node(self, node):
        result = super().run_node(node)
        self.see(node.name, result)
        return result


def facts(program, inputs=None, folder=None, seed=0):
    """Runs an exported program node by node with real tensors and answers what docs/program-data.md calls facts.

    program: an ExportedProgram, or the path of a `.pt2` file. inputs: positional ones (a tuple), by default its example inputs.
    folder: `facts.json`, `inputs_outputs.json` and `values.bin` are written there, where `ersatz crosscheck` finds them."""
    archive = program
    if isinstance(program, torch.export.ExportedProgram):
        archive = io.BytesIO()
        torch.export.save(program, archive)
    else:
        program = torch.export.load(program)
    with zipfile.ZipFile(archive) as opened:
        graph = json.loads(opened.read(next(n for n in opened.namelist() if "/models/" in n)))["graph_module"]["graph"]
    given = iter(tree_leaves(program.example_inputs if inputs is None else inputs))
    stored, specs = {**program.state_dict, **program.constants}, program.graph_signature.input_specs
    fixed = {s.arg.name for s in specs if isinstance(s.arg, torch.export.graph_signature.ConstantArgument)}
    named = {s.arg.name: _copied(stored[s.target] if s.target else next(given)) for s in specs}
    owner, held, rows, data = {}, [], [], bytearray()

    def fact(name, v):
        if not isinstance(v, torch.Tensor):
            return {"value": name, **({"real": v} if isinstance(v, (bool, int, float)) else {})}
        held.append(v.untyped_storage())
        first = owner.setdefault(held[-1]._cdata, name)
        return {"value": name, "real": _meta(v), **({"alias": first} if first != name else {})}

    def value(name, v):
        if not isinstance(v, torch.Tensor):
            return {"name": name, "value": v}
        raw = v.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
        data.extend(raw)
        return {"name": name, "meta": _meta(v), "offset": len(data) - len(raw), "bytes": len(raw)}

    def see(name, v):  # at once: a later node may change what this one returned
        node = nodes.get(name)
        if node is not None:
            names = re.findall(r'"(?:as_)?name": "(.*?)"', json.dumps(node["outputs"]))
            answers = [x for x in tree_leaves(v) if x is not None]
            rows.append({"node": name, "target": node["target"], "outputs": [fact(n, x) for n, x in zip(names, answers)]})
        if name in wanted:
            results[name] = v

    nodes, wanted, results = {n["name"]: n for n in graph["nodes"]}, set(program.graph_signature.user_outputs), {}
    values = {"file": "values.bin", "inputs": [value(s.arg.name, named[s.arg.name]) for s in specs if not s.target and s.arg.name not in fixed]}
    rows += [{"node": n, "target": "placeholder", "outputs": [fact(n, v)]} for n, v in named.items() if n not in fixed]
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        _Interpreter(program.graph_module, see).run(*named.values())
    answer = {"torch": torch.__version__, "seed": seed, "nodes": rows}
    if folder is not None:
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        values["outputs"] = [value(n, results[n]) for n in program.graph_signature.user_outputs if n in results]
        (folder / "facts.json").write_text(json.dumps(answer, indent=1))
        (folder / "inputs_outputs.json").write_text(json.dumps(values, indent=1))
        (folder / "values.bin").write_bytes(data)
    return answer


def _copied(v):
    """A tensor of its own with the same layout: the run may write it."""
    if not isinstance(v, torch.Tensor):
        return v
    return v.detach().clone() if v.is_contiguous() else torch.empty_strided(v.size(), v.stride(), dtype=v.dtype, device=v.device).copy_(v.detach())
