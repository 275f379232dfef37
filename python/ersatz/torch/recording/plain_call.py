"""A call below a dispatch mode that gives what it gives without one.

PyTorch keeps the keys that resolve lazy conjugates and negations out of what runs below a mode. A kernel that is made of other operators
(`linalg_pinv`, `linalg_matrix_sqrth`) then reads the conjugates that it makes itself as if they were none: seen with PyTorch 2.15, of
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
    """The keys that resolve lazy bits work inside of it, as they do without a mode."""
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
    """`func(*args, **kwargs)` of a dispatch mode."""
    if not tree_any(_is_complex, (args, kwargs)):
        return func(*args, **kwargs)
    with lazy_bits_resolved():
        return func(*args, **kwargs)
