"""The memory of a call: bytes of its arguments before and after it, and unwritten elements of its results."""

from __future__ import annotations

import warnings
from typing import Any

import torch
import torch.utils.deterministic
from torch.utils._python_dispatch import TorchDispatchMode

from .plain_call import plain_call
from .spelling import Book

_DETERMINISTIC: Any = torch.utils.deterministic


def bytes_of(storage: torch.UntypedStorage) -> torch.Tensor:
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage, 0, (storage.nbytes(),), (1,))


def _elements(storage: torch.UntypedStorage, dtype: torch.dtype, offset: Any, sizes: Any, strides: Any) -> torch.Tensor:
    view = torch.empty(0, dtype=dtype, device=storage.device).set_(storage, offset, sizes, strides)
    flat = view.contiguous().reshape(-1)
    if flat.stride(0) != 1:  # the tensor has a single element that is expanded
        flat = flat.clone(memory_format=torch.contiguous_format)
    return flat.view(torch.uint8).reshape(-1, dtype.itemsize)


class Memory:
    """The bytes of a call's arguments before it, for a comparison after it."""

    def __init__(self, book: Book, most: int, filled: set[int]) -> None:
        self.before: dict[int, tuple[torch.UntypedStorage, torch.Tensor]] = {}
        self.filled = filled
        for t in book.tensors:
            storage = t.untyped_storage()
            if storage._cdata in self.before or storage.nbytes() > most:
                continue
            try:
                self.before[storage._cdata] = (storage, bytes_of(storage).clone())
            except NotImplementedError:  # the device's backend lacks an operator, so its memory is not checked
                continue
        self.shown = [(t, t.untyped_storage()._cdata, t.dtype, t.storage_offset(), t.size(), t.stride()) for t in book.tensors]

    def restore(self) -> None:
        for storage, copy in self.before.values():
            now = bytes_of(storage)
            if now.numel() == copy.numel() and not torch.equal(now, copy):
                now.copy_(copy)

    def changes(self, book: Book) -> tuple[set[int], dict[str, Any]]:
        """Returns the numbers of the arguments with a changed element, and the record's member `bytes`."""
        changed: set[int] = set()
        said: dict[str, Any] = {}
        same = {cdata for cdata, (storage, copy) in self.before.items()
                if storage.nbytes() == copy.numel() and torch.equal(bytes_of(storage), copy)}
        for k, (t, cdata, dtype, offset, sizes, strides) in enumerate(self.shown):
            if cdata not in self.before or t.untyped_storage()._cdata != cdata or cdata in same and not book.declared[k]:
                continue
            storage, copy = self.before[cdata]
            if storage.nbytes() < copy.numel():
                continue
            view = (dtype, offset, sizes, strides)
            differs = (_elements(storage, *view) != _elements(copy.untyped_storage(), *view)).any(1)
            count = int(differs.sum())
            if count:
                changed.add(k)
            if book.declared[k]:
                said[str(k)] = {"untouched": differs.numel() - count, "of": differs.numel(), **({"filled": True} if k in self.filled else {})}
        for cdata, (storage, copy) in self.before.items():
            now = bytes_of(storage)
            if cdata in same or now.numel() != copy.numel():
                continue
            hidden = now != copy
            owners = [k for k, shown in enumerate(self.shown) if shown[1] == cdata]
            for k in owners:
                _, _, dtype, offset, sizes, strides = self.shown[k]
                step = dtype.itemsize
                seen = [1 if stride == 0 else n for n, stride in zip(sizes, strides)]
                hidden.as_strided((*seen, step), (*(s * step for s in strides), 1), offset * step).fill_(False)
            beside = int(hidden.sum())
            if beside:
                said.setdefault(str(owners[0]), {})["beside"] = beside
        return changed, said


class _initialised:
    """Fills memory that kernels allocate with a pattern: NaN, or the largest integer."""

    def __enter__(self) -> None:
        self.before = (torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled(),
                       _DETERMINISTIC.fill_uninitialized_memory)
        torch._C._set_deterministic_algorithms(True, warn_only=True)
        _DETERMINISTIC.fill_uninitialized_memory = True
        self.warnings = warnings.catch_warnings()
        self.warnings.__enter__()
        warnings.simplefilter("ignore")  # operators without a deterministic kernel warn

    def __exit__(self, *error: Any) -> None:
        self.warnings.__exit__(None, None, None)
        torch._C._set_deterministic_algorithms(self.before[0], warn_only=self.before[1])
        _DETERMINISTIC.fill_uninitialized_memory = self.before[2]


def _pattern(dtype: torch.dtype) -> torch.Tensor:
    with _initialised():
        return torch.empty(1, dtype=dtype).view(torch.uint8)


_PATTERNS: dict[torch.dtype, torch.Tensor] = {}


def _own_results(results: Any, book: Book) -> dict[int, torch.Tensor]:
    """Returns the tensors of a result outside of the arguments' memory, by flat number."""
    flat = [x for r in (results if isinstance(results, (list, tuple)) else [results]) for x in (r if isinstance(r, (list, tuple)) else [r])]
    arguments = {t.untyped_storage()._cdata for t in book.tensors}
    return {k: t for k, t in enumerate(flat)
            if isinstance(t, torch.Tensor) and t.layout == torch.strided and t.numel() and t.untyped_storage()._cdata not in arguments}


_ALLOCATES = {torch.ops.aten.empty.memory_format, torch.ops.aten.empty_strided.default, torch.ops.aten.empty_like.default,
              torch.ops.aten.empty_permuted.default, torch.ops.aten.new_empty.default, torch.ops.aten.new_empty_strided.default}
_NOISE: list[torch.Tensor] = []


def _noise(count: int) -> torch.Tensor:
    """Returns pseudorandom bytes, always the same."""
    if not _NOISE or _NOISE[0].numel() < count:
        _NOISE[:] = [torch.randint(0, 256, (max(count, 4096),), dtype=torch.uint8, generator=torch.Generator().manual_seed(41))]
    return _NOISE[0][:count]


class Filled(TorchDispatchMode):
    """Fills memory that a kernel allocates through torch's operators with noise. Elements of results that still have
    the noise at the end were not written. The kernel runs once, unchanged.

    most: bounds the bytes of all filled storages; storages beyond are not filled."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.storages: dict[int, torch.UntypedStorage] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = plain_call(func, args, kwargs or {})
        if func in _ALLOCATES and type(out) is torch.Tensor and out.layout == torch.strided and not out.is_meta:
            storage = out.untyped_storage()
            if 0 < storage.nbytes() <= self.most:
                self.most -= storage.nbytes()
                bytes_of(storage).copy_(_noise(storage.nbytes()))
                self.storages[storage._cdata] = storage
        return out

    def left(self, results: Any, book: Book) -> list[tuple[int, int, int]]:
        """Returns (flat result, number of unwritten elements, number of elements) for results with some."""
        found = []
        for k, t in _own_results(results, book).items():
            storage = t.untyped_storage()
            # Skips a storage that was not filled, or that the kernel enlarged after it was filled.
            if storage._cdata not in self.storages or storage.nbytes() > _NOISE[0].numel():
                continue
            noise = _elements(_noise(storage.nbytes()).clone().untyped_storage(), t.dtype, t.storage_offset(), t.size(), t.stride())
            same = (_bytes_of_elements(t).cpu() == noise).all(1)
            # A small element may equal the noise by chance, so only several in a row count as unwritten. An element of
            # 4 or more bytes counts alone.
            run = min(max(1, 8 // t.dtype.itemsize), len(same)) if t.dtype.itemsize < 4 else 1
            if bool(same.unfold(0, run, 1).all(1).any()):
                found.append((k, int(same.sum()), len(same)))
        return found


def _random_states(book: Book) -> list[tuple[Any, torch.Tensor]]:
    """Returns the states of the generators on the call's devices, each with the function that restores it."""
    states: list[tuple[Any, torch.Tensor]] = [(torch.set_rng_state, torch.get_rng_state())]
    for device in {t.device for t in book.tensors if t.is_cuda}:
        states.append((lambda state, device=device: torch.cuda.set_rng_state(state, device), torch.cuda.get_rng_state(device)))
    return states


def _bytes_of_elements(t: torch.Tensor) -> torch.Tensor:
    return _elements(t.untyped_storage(), t.dtype, t.storage_offset(), t.size(), t.stride())


def unwritten(func: Any, args: Any, kwargs: Any, book: Book) -> dict[int, dict[str, int]]:
    """Returns, by flat result, elements that still have the old bytes of memory in two runs: one on memory filled
    with a pattern, one on other bytes. The caller restores the memory that the runs write. Memory that a kernel
    allocates without torch's operators is not seen."""
    random = _random_states(book)
    with _initialised():
        first = _own_results(func(*args, **kwargs), book)
    left: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
    for k, t in first.items():
        pattern = _PATTERNS.get(t.dtype)
        if pattern is None:
            pattern = _PATTERNS[t.dtype] = _pattern(t.dtype)
        held = _bytes_of_elements(t).cpu()
        filled = (held == pattern).all(1)
        if bool(filled.any()):
            left[k] = (filled, held)
    if not left:
        return {}
    sizes = [first[k].untyped_storage().nbytes() for k in left]
    first.clear()
    for size in 2 * sizes:  # the allocator reuses memory that was freed last
        torch.full((size,), 0x5A, dtype=torch.uint8)
    for set_state, state in random:  # gives equal random numbers, so that both runs differ only in memory
        set_state(state)
    second = _own_results(func(*args, **kwargs), book)
    found = {}
    for k, (filled, held) in left.items():
        now = _bytes_of_elements(second[k]).cpu() if k in second else held
        if now.shape == held.shape:
            count = int((filled & (now != held).any(1)).sum())
            if count:
                found[k] = {"untouched": count, "of": len(held)}
    return found
