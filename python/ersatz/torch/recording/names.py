"""Names for the values of a run, from which the flow of data between calls follows.

`t3.1` is the second value on the fourth storage. Tensors with equal metadata on one storage are one value, even if
they are different objects: autograd returns saved tensors as new objects."""

from __future__ import annotations

import weakref
from typing import Any

import torch

from .spelling import meta_of


class Names:
    def __init__(self) -> None:
        self.storages: dict[int, tuple[int, dict[Any, str], Any]] = {}
        self.count = 0

    def of(self, t: torch.Tensor) -> tuple[str, bool]:
        """Returns a tensor's name, and whether it is new. No storage is kept alive; the names of a freed storage are
        dropped."""
        storage = t.untyped_storage()
        address = storage._cdata
        known = self.storages.get(address)
        if known is None:
            ended = weakref.ref(storage, lambda _: self.storages.pop(address, None))
            known = self.storages[address] = (self.count, {}, ended)
            self.count += 1
        number, names, _ = known
        key = (meta_of(t), t.is_conj(), t.is_neg())
        name = names.get(key)
        if name is not None:
            return name, False
        name = names[key] = f"t{number}.{len(names)}"
        return name, True

    def structure(self, out: Any, held: set[int]) -> Any:
        """Returns the structure of `out` with each tensor in `held` (by id) replaced by its name and every other
        leaf by None."""
        if isinstance(out, (list, tuple)):
            return [self.structure(x, held) for x in out]
        return self.of(out)[0] if id(out) in held else None
