"""PyTorch's predictions for a call, one for each way in which PyTorch predicts."""

from __future__ import annotations

import contextlib
import copy
import logging
import re
from collections.abc import Callable
from typing import Any

import torch
from torch._decomp import decomposition_table

from ..recording.prediction import Predictor
from ..recording.spelling import Book

SOURCES = ("fake", "meta", "decomposition")
"""FakeTensorMode; tensors of the meta device; the decomposition that compilers use, run on copies of the arguments."""

CPP_KEY = "Fake"
_WANTS_DATA = re.compile(r"\bmeta\b|data is not allocated", re.IGNORECASE)
"""In messages of kernels that were run on tensors without data: they name the device that the caller's tensors do not have."""
_LOG = logging.getLogger("torch._subclasses.fake_tensor")


def cpp_fakes() -> str:
    """Returns why PyTorch's fakes in C++ are not used."""
    if not hasattr(torch._C, "_is_fake_tensor"):
        return f"this version has no dispatch key {CPP_KEY}"
    rows = torch._C._dispatch_dump_table("aten::add.Tensor").splitlines()
    if not any(row.startswith(f"{CPP_KEY}:") for row in rows):
        return f"this version has the dispatch key {CPP_KEY} and registers no kernel for it: every call under it raises NotImplementedError"
    return f"this version has kernels for the dispatch key {CPP_KEY}; Python cannot turn the key on"


class _Decomposed:
    """Calls a decomposition instead of its operator."""

    def __init__(self, op: Any, function: Callable[..., Any]) -> None:
        self._schema, self.namespace, self.function = op._schema, op.namespace, function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


def _prediction(answer: dict[str, Any]) -> dict[str, Any]:
    """Returns the answer, or none if a kernel that needs data was run without data."""
    return {"fake_err": "it depends on data"} if "err" in answer and _WANTS_DATA.search(answer["message"]) else answer


class Witnesses(Predictor):
    """Predicts each call in each way before the call is made. `said` has the predictions for the last call, in the form
    of records. A way without a prediction has `fake_err` there."""

    def __init__(self, sources: tuple[str, ...] = SOURCES) -> None:
        super().__init__()
        self.sources = sources
        self.said: dict[str, dict[str, Any]] = {}

    def predict(self, func: Any, args: Any, kwargs: Any, book: Book, key: str) -> dict[str, Any]:
        silent, _LOG.disabled = _LOG.disabled, True
        asks = {"fake": self._fake, "meta": self._meta, "decomposition": self._decomposition}
        try:
            with torch.random.fork_rng(devices=[]):
                self.said = {source: asks[source](func, args, kwargs, book) for source in self.sources}
        finally:
            _LOG.disabled = silent
        return {"fake_err": "is in `said`"}

    def _fake(self, func: Any, args: Any, kwargs: Any, book: Book) -> dict[str, Any]:
        return _prediction(self.run(func, args, kwargs, book))

    def _meta(self, func: Any, args: Any, kwargs: Any, book: Book) -> dict[str, Any]:
        devices = {t.device for t in book.tensors}
        named = any(isinstance(x, torch.device) for x in (*args, *kwargs.values()))
        if len(devices) != 1 or named:
            return {"fake_err": "no tensor says that the call is one of the meta device"}
        answer = self.answer(func, *self.faked(args, kwargs, book, Book("cpu"), lambda _, meta: meta), contextlib.nullcontext())
        return {"fake_err": "there is no meta kernel"} if answer.get("err") == "NotImplementedError" else _prediction(answer)

    def _decomposition(self, func: Any, args: Any, kwargs: Any, book: Book) -> dict[str, Any]:
        function = decomposition_table.get(func)
        if function is None:
            return {"fake_err": "there is no decomposition"}
        memo: dict[int, Any] = {}
        copies = self.faked(args, kwargs, book, Book(), lambda t, _: copy.deepcopy(t, memo))
        answer = self.answer(_Decomposed(func, function), *copies, contextlib.nullcontext())
        return {"fake_err": "it is not for such a call"} if answer.get("out") == [{"opaque": ["NotImplementedType", ""]}] else answer
