"""Gradients of ersatz's own tensors, real and fake, under the names of PyTorch.

    >>> import ersatz
    >>> w = ersatz.fake("f32[4,3]").requires_grad_()
    >>> loss = ersatz.ops.aten.sum(ersatz.fake("f32[2,4]") @ w)
    >>> loss.grad_fn.name(), loss.is_leaf
    ('SumBackward0', False)
    >>> loss.backward()
    >>> w.grad
    f32[4,3]{3,1}+0@cpu
    >>> with ersatz.no_grad():
    ...     (w * 2).requires_grad
    False

`no_grad`, `enable_grad`, `inference_mode` and `set_grad_enabled` are contexts and decorators that affect their thread.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, TypeVar

from ._ersatz import Node, backward, grad, is_grad_enabled, is_inference_mode_enabled, swap_grad_modes

__all__ = ["Node", "backward", "enable_grad", "grad", "inference_mode", "is_grad_enabled", "is_inference_mode_enabled", "no_grad",
           "set_grad_enabled"]

_F = TypeVar("_F", bound=Callable[..., Any])


class _Modes(contextlib.ContextDecorator):
    """Sets the thread's flags. An object may be entered again inside of itself."""

    def __init__(self, grad_mode: bool, inference: bool | None = None) -> None:
        self._modes = grad_mode, inference
        self._before: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        grad_mode, inference = self._modes
        self._before.append(swap_grad_modes(grad_mode, is_inference_mode_enabled() if inference is None else inference))

    def __exit__(self, *error: object) -> None:
        swap_grad_modes(*self._before.pop())


class no_grad(_Modes):
    """Calls inside of it are not recorded: their results require no gradient."""

    def __init__(self) -> None:
        super().__init__(False)


class enable_grad(_Modes):
    """Calls inside of it are recorded, in a `no_grad` too."""

    def __init__(self) -> None:
        super().__init__(True)


class inference_mode(_Modes):
    """Tensors that are made inside of it never take part in a graph. mode=False ends an inference mode around it."""

    def __init__(self, mode: bool = True) -> None:
        super().__init__(not mode, mode)


class set_grad_enabled(_Modes):
    """Switches the recording at once. It is also a context, which switches back at its end."""

    def __init__(self, mode: bool) -> None:
        super().__init__(mode)
        self._at_once: tuple[bool, bool] | None = swap_grad_modes(mode, is_inference_mode_enabled())

    def __enter__(self) -> None:
        before, self._at_once = self._at_once, None
        if before is None:
            super().__enter__()
        else:
            self._before.append(before)

    def __call__(self, func: _F) -> _F:
        if self._at_once is not None:  # used as a decorator: the switch made at construction is undone
            swap_grad_modes(*self._at_once)
        return _Modes(self._modes[0])(func)
