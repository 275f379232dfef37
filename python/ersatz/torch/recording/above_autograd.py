"""Makes calls with gradients in places where autograd is off: below autograd, under a dispatch mode, in a `no_grad`."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from .call import hidden


@functools.cache
def _keys_of_a_thread() -> tuple[Any, Any]:
    """Returns the dispatch keys that a new thread includes and excludes."""
    keys: list[Any] = []

    def ask() -> None:
        keys.extend((torch._C._dispatch_tls_local_include_set(), torch._C._dispatch_tls_local_exclude_set()))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    return keys[0], keys[1]


@contextmanager
def above_autograd() -> Iterator[None]:
    """Enables autograd for calls inside of it, and hides them from dispatch modes. Random states are restored at the
    end."""
    with hidden(), torch._C._ForceDispatchKeyGuard(*_keys_of_a_thread()), torch.inference_mode(False), torch.enable_grad(), \
            torch.random.fork_rng(devices=range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []):
        yield
