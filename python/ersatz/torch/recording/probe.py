"""`probe`: runs one op with various layouts, dtypes, sizes, values and other arguments."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from .argument_variants import CHOICE, GUESS, Constants, argument_variants
from .call import hidden
from .mode import record
from .operators import Op
from .samples import arguments_of, listed_samples, overload_for
from .samples import overload_of as overload_of
from .spelling import leaves_of, with_tensors
from .variants import as_given, one_dim_alone, permuted, variants

# Values of a variant's evidence, besides CHOICE and GUESS. The variant is the sample itself, it is like the sample, or
# it has other dtypes. For other dtypes a kernel may be missing.
_GIVEN, _LIKE, _DTYPES = "as given", "like", "dtypes"
_MOST_TOLD = 64  # most calls in the report that only the kernel or only the fake kernel refused


def _tensors(x: Any) -> list[torch.Tensor]:
    """Returns the tensors among the arguments, detached; an object that occurs twice stays one object."""
    plain: dict[int, torch.Tensor] = {}
    return [plain.setdefault(id(t), t.detach()) for t in leaves_of(x) if isinstance(t, torch.Tensor)]


def calls_of(op: Any, samples: Sequence[Any], seed: int) -> Iterator[tuple[tuple[Any, Any], str, str]]:
    """Yields the arguments of each call, with their evidence and description."""
    writes = Op(op).writes

    def made(call: Any, tensors: list[torch.Tensor], says: str, words: str) -> tuple[tuple[Any, Any], str, str]:
        return with_tensors(call, iter(tensors)), says, f"sample {number}, {words}"

    for number, sample in enumerate(samples):
        args, kwargs = arguments_of(sample)
        tensors = _tensors((args, kwargs))
        written = list(leaves_of([x for key, x in itertools.chain(enumerate(args), kwargs.items()) if key in writes]))
        is_written = {i for i, t in enumerate(x for x in leaves_of((args, kwargs)) if isinstance(x, torch.Tensor)) if any(t is w for w in written)}
        yield made((args, kwargs), as_given(tensors), _GIVEN, _GIVEN)
        for changed, is_own_dtype, words in variants(tensors, is_written, seed):
            yield made((args, kwargs), changed, _LIKE if is_own_dtype else _DTYPES, words)
        for changed, words in one_dim_alone(tensors):
            yield made((args, kwargs), changed, GUESS, words)
        for other_args, other_kwargs, says, words in argument_variants(op, samples, number):
            call = other_args, other_kwargs
            theirs = _tensors(call)
            yield made(call, as_given(theirs), says, words)
            if says == CHOICE and (laid := permuted(theirs)) is not None:
                yield made(call, laid, says, words + ", permuted")


class Told:
    """Results that a probe does not record: calls that both sides refuse, and calls that only one side refuses and
    that may be no valid calls of the op."""

    def __init__(self, op: Any, file: str, known: dict[str, Any] | None) -> None:
        self.file = file
        self.refused = 0
        self.constants = Constants(op)
        self.one_sided: list[dict[str, str]] = []
        self.call: tuple[Any, Any] = ((), {})
        self.says, self.origin, self.calls = _GIVEN, "", 0
        if known:
            self.calls, self.refused, self.one_sided, self.constants.seen = known["calls"], known["refused"], known["one_sided"], known["seen"]

    def save(self) -> None:
        """Saves the state for another process that continues if this one dies."""
        if self.file:
            with open(self.file, "w", encoding="utf-8") as f:
                json.dump({"seen": self.constants.seen, **self.summary()}, f)

    def keeps(self, line: dict[str, Any]) -> bool:
        fake = line.get("fake")
        raised = "err" in line
        is_answer = fake == "out" and not raised or isinstance(fake, dict) and "out" in fake
        if raised and self.says == _GIVEN:
            self.calls += 1
            return True
        if raised and not is_answer:
            self.refused += 1
            return False
        is_alone = raised and self.says != _LIKE or not is_answer and self.says == GUESS
        if is_alone and not (isinstance(fake, dict) and "fake_err" in fake):
            self.refused += raised
            if len(self.one_sided) < _MOST_TOLD:
                self.one_sided.append({"variant": self.origin, "says": self.says, "by": "kernel" if raised else "fake",
                                       "message": str((line if raised else fake or {}).get("message", "")),
                                       "dtypes": " and ".join(_dtypes(fake["out"])) if isinstance(fake, dict) and "out" in fake else ""})
            return False
        self.constants.note(*self.call)
        self.calls += 1
        return True

    def summary(self) -> dict[str, Any]:
        return {"calls": self.calls, "refused": self.refused, "constant": self.constants.lines(), "one_sided": self.one_sided}


def _dtypes(out: Any) -> list[str]:
    """Returns the dtypes of the results, each once."""
    return list(dict.fromkeys(t.split("[")[0] for t in _metas(out)))


def _metas(out: Any) -> Iterator[str]:
    for x in out:
        if isinstance(x, list):
            yield from _metas(x)
        elif isinstance(x, dict) and "t" in x:
            yield x["t"]


def probe(op: Any, samples: Sequence[Any], path: str | os.PathLike[str], *, values: int = 64, seed: int = 0, first: int = 0,
          begun: Callable[[int, dict[str, Any]], None] | None = None, known: dict[str, Any] | None = None, told_file: str = "") -> dict[str, Any]:
    """Runs an op on each sample, `(args...)` or `((args...), {kwargs})`, and on variants of it. Variants change
    layouts, dtypes, values and small integers, have sizes 0, 1 and one more, or only one dim. They also flip each bool,
    omit and give optional arguments, and have longer and shorter lists. Writes the records, each with the fake kernel's
    prediction and a description (`variant`). Memory of the arguments is checked, written arguments are filled with a
    pattern before, and the kernel runs on memory filled in two ways. A call that both sides refuse is not recorded. A
    call that only one side refuses is no failure either if it may be no valid call. It may have another dtype, since a
    kernel may support few, or a guessed number.

    op: by any of its names. first: index of the first call. begun: called before each call with its index and its
    record so far. known, told_file: the state of a probe that died, and the file for the state. Returns the number
    of recorded calls, the number that the op refused, arguments that were equal in all calls (`constant`), and calls
    that only one side refused (`one_sided`)."""
    samples = listed_samples(samples)
    op = overload_for(op, samples)
    told = Told(op, told_file, known)
    recorder = record(path, values=values)
    recorder._probes, recorder._only, recorder._keeps = True, op, told.keeps
    calls = enumerate(calls_of(op, samples, seed))
    raised: set[str] = set()  # samples that raise unchanged; their variants are skipped
    with torch.no_grad(), recorder:
        while True:
            with hidden():  # making a variant calls operators, which are no calls of the run
                number, call = next(calls, (-1, None))
            if call is None:
                break
            (args, kwargs), told.says, told.origin = call
            sample = told.origin.split(",")[0]
            if number < first or sample in raised:
                continue
            told.call, recorder._more = (args, kwargs), {"variant": told.origin}
            # For the sample itself, the fake kernel gets fakes on the sample's device instead of meta tensors.
            recorder._asks_on_meta = told.says != _GIVEN
            told.save()
            if begun:
                tell, at = begun, number
                recorder._begun = lambda line: tell(at, line)
            try:
                op(*args, **kwargs)
            except Exception:
                if told.says == _GIVEN:
                    raised.add(sample)
    return told.summary()
