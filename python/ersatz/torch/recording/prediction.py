"""The predictions of torch's own fake kernels."""

from __future__ import annotations

import collections
import contextlib
import logging
from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from .fake_kernels import has_fake
from .spelling import Book, device_name, error_of, listed, with_tensors

kept_run: Callable[[], Any] = contextlib.nullcontext
"""A context around each call of a fake kernel. The package sets one that restores the random states, so the run is
unchanged. The recorder's folder alone has none."""

# If fake mode raises one of these exceptions, it makes no prediction.
_NO_PREDICTION = {"DataDependentOutputException", "DynamicOutputShapeException", "UnsupportedOperatorException",
                  "UnsupportedFakeTensorException", "UnsupportedMutationAliasingException", "GuardOnDataDependentSymNode"}
_LOG = logging.getLogger("torch._subclasses.fake_tensor")
MOST_PREDICTIONS = 16 << 20  # most characters of all remembered predictions together


def version_of(t: torch.Tensor) -> int | None:
    return None if t.is_inference() else t._version


def _is_own(func: Any) -> bool:
    """Returns whether the operator is not PyTorch's."""
    return getattr(func, "namespace", "aten") not in ("aten", "prims")


class Predictor:
    def __init__(self) -> None:
        self.mode: Any = FakeTensorMode(allow_fallback_kernels=False)
        self.mode.cache_enabled = False  # this class has its own cache, which is limited
        self.known: collections.OrderedDict[Any, dict[str, Any] | None] = collections.OrderedDict()
        self.characters = 0

    def predict(self, func: Any, args: Any, kwargs: Any, book: Book, key: str) -> dict[str, Any]:
        prediction = self.remembered((self.mode, func, torch.get_default_dtype(), key), lambda: self.run(func, args, kwargs, book))
        assert prediction is not None
        return prediction

    def shortcut(self, func: Any, args: Any, kwargs: Any, book: Book, key: str) -> dict[str, Any] | None:
        """Returns the fake kernel's prediction on meta tensors, in a tenth of the time. If it equals the call's
        outcome, the fake mode would predict the same. Otherwise the fake mode must be asked."""
        return self.remembered((None, func, torch.get_default_dtype(), key), lambda: self.on_meta(func, args, kwargs, book))

    def remembered(self, known: tuple[Any, ...], ask: Callable[[], dict[str, Any] | None]) -> dict[str, Any] | None:
        if known in self.known:
            self.known.move_to_end(known)
            return self.known[known]
        prediction = self.known[known] = ask()
        self.characters += len(known[-1])
        while self.characters > MOST_PREDICTIONS:
            self.characters -= len(self.known.popitem(last=False)[0][-1])
        return prediction

    def run(self, func: Any, args: Any, kwargs: Any, book: Book) -> dict[str, Any]:
        silent, _LOG.disabled = _LOG.disabled, True  # fake mode would log each refusal
        try:
            answer = self.with_fakes(func, args, kwargs, book, self.mode)
            return self.with_symbols(func, args, kwargs, book) if "fake_err" in answer and _is_own(func) else answer
        except Exception as e:
            return {"fake_err": type(e).__name__, "message": error_of(e)["message"]}
        finally:
            _LOG.disabled = silent

    def with_symbols(self, func: Any, args: Any, kwargs: Any, book: Book) -> dict[str, Any]:
        """Returns the prediction of a fake kernel with data-dependent sizes: these are symbols, and `ranges` has
        their constraints."""
        shapes = ShapeEnv()
        mode: Any = FakeTensorMode(shape_env=shapes, allow_fallback_kernels=False)
        mode.cache_enabled = False
        answer = self.with_fakes(func, args, kwargs, book, mode)
        return {**answer, "ranges": dict(shapes.var_to_range)} if "out" in answer else answer

    def on_meta(self, func: Any, args: Any, kwargs: Any, book: Book) -> dict[str, Any] | None:
        devices = {t.device for t in book.tensors}
        # The dispatcher does not search dicts for tensors.
        if len(devices) != 1 or any(isinstance(x, dict) for x in (*args, *kwargs.values())):
            return None
        device = device_name(devices.pop())
        return self.of_metas(func, *self.faked(args, kwargs, book, Book(device), lambda _, meta: meta))

    def of_metas(self, func: Any, args: Any, kwargs: Any, metas: Book) -> dict[str, Any] | None:
        """Returns the fake kernel's prediction for arguments on the meta device. `metas` has their tensors and their
        devices."""
        try:
            answer = self.answer(func, args, kwargs, metas, contextlib.nullcontext())
        except Exception:
            return None
        return None if "err" in answer or "fake_err" in answer else answer

    def with_fakes(self, func: Any, args: Any, kwargs: Any, book: Book, mode: Any) -> dict[str, Any]:
        return self.answer(func, *self.faked(args, kwargs, book, Book(), lambda t, meta: FakeTensor(mode, meta, t.device)), mode)

    def faked(self, args: Any, kwargs: Any, book: Book, fakes: Book,
              make: Callable[[torch.Tensor, torch.Tensor], Any]) -> tuple[Any, Any, Book]:
        """Returns the call with fakes in place of its tensors, and registers them in `fakes`."""
        storages: dict[int, Any] = {}
        fake_of: dict[int, Any] = {}
        for t in book.tensors:
            if id(t) not in fake_of:
                fake_of[id(t)] = make(t, self.meta(t, storages))
            fakes.tensors.append(fake_of[id(t)])
        fakes.declared = book.declared
        args, kwargs = with_tensors((args, kwargs), iter(fakes.tensors))
        return args, kwargs, fakes

    def answer(self, func: Any, args: Any, kwargs: Any, fakes: Book, mode: Any) -> dict[str, Any]:
        """Returns the results of the call with these fakes, and their metadata after it."""
        before = [(fakes.tensor(t), version_of(t)) for t in fakes.tensors]
        try:
            with kept_run() if _is_own(func) else contextlib.nullcontext(), mode:
                out = func(*args, **kwargs)
        except Exception as e:
            if _is_own(func) and not has_fake(func):  # then PyTorch's exception asks the author for a fake kernel
                return {"fake_err": "UnsupportedOperatorException"}
            if type(e).__name__ not in _NO_PREDICTION:
                return error_of(e)
            return {"fake_err": type(e).__name__, **({"message": error_of(e)["message"]} if _is_own(func) else {})}
        answer = {"out": fakes.spell(listed(func, out), is_result="fake")}
        after = {str(k): fakes.tensor(t, True) for k, t in enumerate(fakes.tensors)
                 if fakes.declared[k] or version_of(t) != before[k][1] or fakes.tensor(t) != before[k][0]}
        return {**answer, **({"after": after} if after else {})}

    def meta(self, t: torch.Tensor, storages: dict[int, Any]) -> torch.Tensor:
        storage = t.untyped_storage()
        known = storages.get(storage._cdata)
        if known is None:
            known = storages[storage._cdata] = torch.UntypedStorage(storage.nbytes(), device="meta")
        meta = torch.empty(0, dtype=t.dtype, device="meta").set_(known, t.storage_offset(), t.size(), t.stride())
        if t.is_conj():
            torch._C._set_conj(meta, True)
        if t.is_neg():
            torch._C._set_neg(meta, True)
        return meta
