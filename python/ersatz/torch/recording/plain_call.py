"""Makes a call below a dispatch mode with the result that it has without a mode.

Below a mode, PyTorch excludes the keys that resolve lazy conjugates and negations. A kernel that is made of other
operators (`linalg_pinv`, `linalg_matrix_sqrth`) then misreads its own conjugates. Seen with PyTorch 2.15, for
complex numbers, under any mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._pytree import tree_any

_KEYS = ("Conjugate", "Negative")
_is_kept_out: Callable[[str], bool] | None = getattr(torch._C, "_dispatch_tls_is_dispatch_key_excluded", None)
_keep_out: Callable[[str, bool], None] | None = getattr(torch._C, "_dispatch_tls_set_dispatch_key_excluded", None)


def _is_complex(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and x.is_complex()


@contextmanager
def lazy_bits_resolved() -> Iterator[None]:
    """Enables the keys that resolve lazy bits, as without a mode."""
    if _is_kept_out is None or _keep_out is None:
        yield
        return
    kept_out = [key for key in _KEYS if _is_kept_out(key)]
    for key in kept_out:
        _keep_out(key, False)
    try:
        yield
    finally:
        for key in kept_out:
            _keep_out(key, True)


def plain_call(func: Any, args: Any, kwargs: Any) -> Any:
    """Returns `func(*args, **kwargs)` inside of a dispatch mode."""
    if not tree_any(_is_complex, (args, kwargs)):
        return func(*args, **kwargs)
    with lazy_bits_resolved():
        return func(*args, **kwargs)
