"""Calls with gradients, made where autograd is switched off: below it, under a dispatch mode, in a `no_grad`."""

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
    """The dispatch keys that a thread which has just begun includes and leaves out."""
    keys: list[Any] = []

    def ask() -> None:
        keys.extend((torch._C._dispatch_tls_local_include_set(), torch._C._dispatch_tls_local_exclude_set()))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    return keys[0], keys[1]


@contextmanager
def above_autograd() -> Iterator[None]:
    """Calls inside of it are recorded for gradients, and no dispatch mode sees them. Random numbers are drawn on a side."""
    with hidden(), torch._C._ForceDispatchKeyGuard(*_keys_of_a_thread()), torch.inference_mode(False), torch.enable_grad(), \
            torch.random.fork_rng(devices=range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []):
        yield
