"""`answering`: PyTorch's FakeTensorMode with ersatz's rules. Experimental."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from .. import _ersatz, errors

__all__ = ["Answers", "answering"]


class Answers:
    """Counts of the calls that reached FakeTensorMode's rules, by who answered them."""

    def __init__(self) -> None:
        self._session = _ersatz.TorchAnswers()

    @property
    def asked(self) -> int:
        """Calls for which FakeTensorMode needed a rule."""
        return self._session.asked

    @property
    def answered(self) -> int:
        """Calls that ersatz answered."""
        return self._session.answered

    @property
    def refused(self) -> Mapping[str, int]:
        """Calls that PyTorch answered, by reason: `symbolic sizes`, `data-dependent`, `higher-order operator`, ..."""
        return dict(self._session.refused)

    @property
    def by_op(self) -> Mapping[str, int]:
        """Calls that ersatz answered, by operator."""
        return dict(self._session.answered_by_op())

    def __str__(self) -> str:
        lines = [f"answering: {self.asked} asked, {self.answered} answered"]
        lines += [f"  {n:>7} left to PyTorch: {why}" for why, n in sorted(self.refused.items(), key=lambda row: (-row[1], row[0]))]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Answers: {self.asked} asked, {self.answered} answered>"


_active: list[answering] = []
# Stack of the original FakeTensorMode._dispatch_impl, one for each active context.
_torchs: list[Callable[..., Any]] = []
_UNANSWERED = object()


def _dispatch_impl(mode: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    if not mode.propagate_real_tensors:
        out = _active[-1]._answer(mode, func, args, kwargs, _UNANSWERED)
        if out is not _UNANSWERED:
            return out
    return _torchs[0](mode, func, types, args, kwargs)


class answering:
    """A context in which FakeTensorMode takes static metadata from ersatz's rules.

        with ersatz.torch.answering() as answers:
            with FakeTensorMode():
                model(x)
        print(answers)

    PyTorch answers every call that more than metadata decides: symbolic sizes, values, tensor subclasses,
    higher-order operators. It also answers calls that ersatz refuses or does not know, so errors are PyTorch's. The
    context affects all threads. Contexts nest, and the innermost one answers.
    """

    def __init__(self) -> None:
        if not hasattr(FakeTensorMode, "_dispatch_impl"):
            raise errors.NotImplementedError(f"answering: FakeTensorMode of torch {torch.__version__} has no _dispatch_impl; it has been "
                                             "tried with PyTorch 2.15")
        self.answers = Answers()
        self._answer = self.answers._session.answer

    def __enter__(self) -> Answers:
        if not _active:
            _torchs.append(FakeTensorMode._dispatch_impl)
            FakeTensorMode._dispatch_impl = _dispatch_impl
        _active.append(self)
        return self.answers

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not _active or _active[-1] is not self:
            raise errors.RuntimeError("answering: another context was entered later and is still active: contexts are left in the reverse "
                                      "order")
        _active.pop()
        if not _active:
            FakeTensorMode._dispatch_impl = _torchs.pop()
