"""Records with gradients: a call of the run is repeated on copies of its arguments, above autograd.

The record has the flags of the results, the leaves' gradients for synthetic incoming gradients, and `.grad` after
two backward runs (`rg`, `gout`, `grads`, `acc`: docs/call-records.md)."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from .above_autograd import above_autograd
from .call import FORMAT, OLDER
from .operators import Op
from .spelling import Book, error_of, is_wrapped, leaves_of, listed, meta_of, values_of, with_tensors

_MOST_BYTES = 1 << 26  # most bytes of a call's arguments, because they are copied several times


def grad_mode() -> str:
    """Returns `inference`, `no_grad`, or an empty text if autograd records calls."""
    return "inference" if torch.is_inference_mode_enabled() else "" if torch.is_grad_enabled() else "no_grad"


def flags_of(t: torch.Tensor) -> dict[str, Any]:
    """Returns a tensor's autograd flags in the form of records."""
    return {"rg": int(t.requires_grad), "leaf": int(t.is_leaf), "view": int(t._is_view()),
            "fn": t.grad_fn.name() if t.grad_fn is not None else None, **({"inf": 1} if t.is_inference() else {})}


def tensors_of(args: Any, kwargs: Any) -> list[torch.Tensor]:
    """Returns the tensors of a call, in record order."""
    return [x for x in leaves_of((args, kwargs)) if isinstance(x, torch.Tensor)]


def written_of(op: Op, args: Sequence[Any], kwargs: dict[str, Any]) -> list[bool]:
    """Returns for each tensor whether the schema marks it as written."""
    return [key in op.writes for key, x in (*enumerate(args), *kwargs.items()) for t in leaves_of(x) if isinstance(t, torch.Tensor)]


def why_not(op: Op, args: Any, kwargs: Any) -> str:
    """Returns why a call is not repeated, empty if it is."""
    if op.foreign or op.schema is None:
        return "operators of your own: ersatz.torch.validate(gradients=True) judges their backward" if op.schema else "higher-order operators"
    tensors = tensors_of(args, kwargs)
    if any(is_wrapped(t) or t.layout != torch.strided or t.is_quantized or t.is_nested for t in tensors):
        return "tensor subclasses and layouts that a record cannot hold"
    if any(t.is_conj() or t.is_neg() for t in tensors):
        return "lazy conj or neg bits"
    if any(isinstance(x, torch.Generator) for x in leaves_of((args, kwargs))):
        return "a generator was given"
    if sum(t.untyped_storage().nbytes() for t in tensors) > _MOST_BYTES:
        return "arguments larger than 64 MiB"
    return ""


def _copy(t: torch.Tensor) -> torch.Tensor:
    """Returns a copy with a storage of equal size and with equal layout."""
    storage = t.untyped_storage().clone()
    return torch.empty(0, dtype=t.dtype, device=t.device).set_(storage, t.storage_offset(), t.size(), t.stride())


class Again:
    """A call of the run that is repeated on copies. leaves: numbers of the tensors that require gradients."""

    def __init__(self, func: Any, op: Op, args: Any, kwargs: Any, mode: str, values: int) -> None:
        self.func, self.op, self.values, self.mode = func, op, values, mode
        self.call = args, kwargs
        tensors = tensors_of(args, kwargs)
        written = written_of(op, args, kwargs)
        self.leaves = [k for k, t in enumerate(tensors) if t.requires_grad]
        self.cloned = [k for k in self.leaves if written[k] and not (tensors[k].is_leaf and not self.mode)]
        self.tensors = tensors
        self.kept: list[torch.Tensor] = []

    def keep(self) -> None:
        """Copies the arguments before the call can write them."""
        with above_autograd(), torch.no_grad():
            self.kept = [_copy(t) for t in self.tensors]
        self.tensors = []

    def key(self) -> str:
        """Returns a key that is equal for calls that differ only in values."""
        book = Book()
        spelled = [book.spell(a) for a in self.call[0]], {k: book.spell(v) for k, v in self.call[1].items()}
        return json.dumps([self.op.name, spelled, self.leaves, self.cloned, self.mode])

    def _given(self, leaves: list[torch.Tensor] | None = None) -> tuple[Any, list[torch.Tensor], list[torch.Tensor]]:
        """Returns new arguments (except for given leaves), all their tensors, and the leaves."""
        tensors = [_copy(t) for t in self.kept]
        if leaves is None:
            leaves = [tensors[k].requires_grad_() for k in self.leaves]
        for k, leaf in zip(self.leaves, leaves):
            tensors[k] = leaf.clone() if k in self.cloned else leaf
        return with_tensors(self.call, iter(tensors)), tensors, leaves

    def _made(self, arguments: Any) -> Any:
        modes = {"no_grad": torch.no_grad, "inference": torch.inference_mode}
        with modes[self.mode]() if self.mode else contextlib.nullcontext():
            return self.func(*arguments[0], **arguments[1])

    def record(self, at: str | None) -> dict[str, Any]:
        """Returns the record of the call with gradients."""
        with above_autograd():
            return self._record(at)

    def _record(self, at: str | None) -> dict[str, Any]:
        arguments, tensors, leaves = self._given()
        book = Book()
        written = self.op.writes
        line: dict[str, Any] = {"format": FORMAT, "id": "", "op": self.op.name}
        line["args"] = [book.spell(a, i in written) for i, a in enumerate(arguments[0])]
        line["kwargs"] = {k: book.spell(v, k in written) for k, v in arguments[1].items()}
        self._give_values(book.spelled)
        line["rg"] = self.leaves
        line.update({k: v for k, v in (("clone", self.cloned), ("mode", self.mode)) if v})
        before = [(t.requires_grad, -1 if t.is_inference() else t._version) for t in book.tensors]
        state = torch.get_rng_state()
        try:
            out = self._made(arguments)
        except Exception as e:
            return line | error_of(e)
        first = len(book.spelled)
        line["out"] = book.spell(listed(self.func, out), is_result=True)
        results = [(s, t) for s, t in book.spelled[first:]]
        for spelled, t in results:
            spelled.update(flags_of(t))
        returned = {id(t) for _, t in results}
        after = {k: t for k, t in enumerate(book.tensors)
                 if id(t) not in returned and before[k] != (t.requires_grad, -1 if t.is_inference() else t._version)}
        if after:
            line["after"] = {str(k): book.tensor(t, True) | flags_of(t) for k, t in after.items()}
        outs = [t for _, t in results] if results else list(after.values())
        if not self.mode and any(t.requires_grad for t in outs):
            self._go_back(line, book, outs, leaves, state)
        said = (("tags", [t for t in self.op.tags if t != "data_dependent"]), ("at", at), ("torch", OLDER))
        return line | {k: v for k, v in said if v}

    def _give_values(self, spelled: Sequence[tuple[dict[str, Any], torch.Tensor]]) -> None:
        for s, t in spelled:
            values = values_of(t) if 0 < t.numel() <= self.values and s["t"] else None
            if values is not None:
                s["v"] = values

    def _incoming(self, outs: list[torch.Tensor]) -> list[torch.Tensor | None]:
        """Returns a gradient for each output that requires one: multiples of 1/16, in the output's order of dims."""
        made: list[torch.Tensor | None] = []
        for t in outs:
            numbers = (torch.arange(t.numel(), device=t.device) * 7 % 31 - 15).reshape(t.shape) / 16
            made.append(torch.empty_like(t).detach().copy_(numbers) if t.requires_grad else None)
        return made

    def _go_back(self, line: dict[str, Any], book: Book, outs: list[torch.Tensor], leaves: list[torch.Tensor], state: torch.Tensor) -> None:
        """Adds the results of backward to the record."""
        gouts = self._incoming(outs)
        line["gout"] = [None if g is None else book.tensor(g) for g in gouts]
        self._give_values([(s, g) for s, g in zip(line["gout"], gouts) if g is not None])
        of = [(t, g) for t, g in zip(outs, gouts) if g is not None]
        try:
            grads = torch.autograd.grad([t for t, _ in of], leaves, [g for _, g in of], allow_unused=True)
        except Exception as e:
            line["berr"] = error_of(e)["err"]
            if any("NotImplemented" in (t.grad_fn.name() if t.grad_fn else "") for t in outs):
                line["why"] = "not implemented"
            return
        line["grads"] = [self._gradient(book, g, gouts) for g in grads]
        accumulated = self._accumulated(gouts, state)
        layouts = [g and g["t"] for g in line["grads"]]
        if isinstance(accumulated, dict) or any(of_run != layouts for of_run in accumulated):
            line["acc"] = accumulated

    def _gradient(self, book: Book, g: torch.Tensor | None, gouts: list[torch.Tensor | None]) -> dict[str, Any] | None:
        if g is None:
            return None
        if g._is_zerotensor():
            return {"t": meta_of(g), "s": book.storages.setdefault(-len(book.storages), len(book.storages)), "n": 0, "zero": 1}
        spelled = book.tensor(g.resolve_conj().resolve_neg())
        own = next((k for k, o in enumerate(gouts) if o is g), None)
        if own is not None:
            spelled["is_gout"] = own
        if not self.op.random:
            self._give_values([(spelled, g)])
        return spelled

    def _accumulated(self, gouts: list[torch.Tensor | None], state: torch.Tensor) -> Any:
        """Returns `.grad` of the leaves after one and after two backward runs."""
        passes: list[list[Any]] = []
        leaves: list[torch.Tensor] | None = None
        for number in range(2):
            torch.set_rng_state(state)  # gives equal random numbers, so that the results fit the incoming gradients
            arguments, tensors, leaves = self._given(leaves)
            results = [t for t in tree_leaves(listed(self.func, self._made(arguments))) if isinstance(t, torch.Tensor)]
            outs = results if results else [t for k, t in enumerate(tensors) if k in self.cloned]
            of = [(t, g) for t, g in zip(outs, gouts) if g is not None]
            try:
                torch.autograd.backward([t for t, _ in of], [g for _, g in of])
            except Exception as e:
                return {"err": error_of(e)["err"], "after": number}
            passes.append([None if t.grad is None else meta_of(t.grad) for t in leaves])
        return passes


class GradientRecorder:
    """Repeats each different call of a run with gradients, and counts calls that it leaves out."""

    def __init__(self, values: int, write: Callable[[dict[str, Any]], bool]) -> None:
        self.values, self.write = values, write
        self.recorded = 0
        self.left_out: dict[str, int] = {}  # reason -> number of calls with gradients that are not repeated
        self._seen: set[int] = set()

    def before(self, func: Any, op: Op, args: Any, kwargs: Any, mode: str) -> Again | None:
        """Copies the arguments of a call before it is made. Returns None if no gradient goes through the call, or if an
        equal call is recorded already."""
        if not any(t.requires_grad for t in tensors_of(args, kwargs)):
            return None
        why = why_not(op, args, kwargs)
        if why:
            self.left_out[why] = self.left_out.get(why, 0) + 1
            return None
        again = Again(func, op, args, kwargs, mode, self.values)
        known = hash(again.key())
        if known in self._seen:
            return None
        self._seen.add(known)
        again.keep()
        return again

    def after(self, again: Again, at: str | None) -> None:
        """Repeats the call with gradients, and writes its record."""
        try:
            self.recorded += self.write(again.record(at))
        except Exception as e:
            self.lost(e)

    def lost(self, e: Exception) -> None:
        """Counts a call that could not be repeated."""
        why = f"the second call failed: {error_of(e)['message']}"
        self.left_out[why] = self.left_out.get(why, 0) + 1

    def line(self) -> str:
        """Returns a line like `12 calls with gradients; 3 not (operators of your own: ... 3)`."""
        lost = sum(self.left_out.values())
        reasons = ", ".join(f"{why} {n}" for why, n in sorted(self.left_out.items(), key=lambda row: -row[1]))
        return f"{self.recorded} different calls with gradients" + (f"; {lost} without ({reasons})" if lost else "")
