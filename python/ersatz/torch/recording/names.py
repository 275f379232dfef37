"""Names of the values of a run, by which the flow of data from call to call can be told.

`t3.1` is the second value seen on the fourth storage. Tensors with the same metadata on one storage are one value, whatever
objects they are: autograd hands saved tensors out as new ones."""

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
        """A tensor's name, and whether it is new. No storage is kept alive; one that ends takes its names along."""
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
        """Names in the places of the tensors of a result, of those with these ids; null for what is none."""
        if isinstance(out, (list, tuple)):
            return [self.structure(x, held) for x in out]
        return self.of(out)[0] if id(out) in held else None
