"""`probe`: one op under layouts, dtypes, sizes and values."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from .call import hidden
from .mode import record
from .operators import Op
from .spelling import leaves_of, with_tensors
from .variants import variants


def overload_of(op: Any) -> Any:
    """The operator's overload: of a packet its first one, of a custom_op its default one."""
    op = getattr(op, "_opoverload", op)
    return getattr(op, op.overloads()[0]) if isinstance(op, torch._ops.OpOverloadPacket) else op


def arguments_of(sample: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Of `(args...)`, of `((args...), {kwargs})`, or of one tensor."""
    if isinstance(sample, torch.Tensor):
        return (sample,), {}
    if len(sample) == 2 and isinstance(sample[0], (tuple, list)) and isinstance(sample[1], dict):
        return tuple(sample[0]), dict(sample[1])
    return tuple(sample), {}


def calls_of(op: Any, samples: Sequence[Any], seed: int) -> Iterator[tuple[tuple[Any, Any], bool, str]]:
    """The arguments of each call, with: is what it raises recorded, and what it is made of."""
    writes = Op(op).writes
    for number, sample in enumerate(samples):
        args, kwargs = arguments_of(sample)
        tensors = [x for x in leaves_of((args, kwargs)) if isinstance(x, torch.Tensor)]
        written = list(leaves_of([x for key, x in itertools.chain(enumerate(args), kwargs.items()) if key in writes]))
        is_written = {i for i, t in enumerate(tensors) if any(t is x for x in written)}
        made = variants([t.detach() for t in tensors], is_written, seed)
        while True:
            with hidden():  # the making of a variant is no call of the run
                variant = next(made, None)
            if variant is None:
                break
            yield with_tensors((args, kwargs), iter(variant[0])), variant[1], f"sample {number}, {variant[2]}"


def probe(op: Any, samples: Sequence[Any], path: str | os.PathLike[str], *, values: int = 64, seed: int = 0, first: int = 0,
          begun: Callable[[int, dict[str, Any]], None] | None = None) -> dict[str, int]:
    """Runs an op on each sample, `(args...)` or `((args...), {kwargs})`, and on variants of it: layouts, dtypes, sizes 0, 1 and
    one more, values. Writes the records, each with what the op's fake kernel predicts and what it is made of (`variant`); memory of the
    arguments is watched, what is to be written is filled with a pattern before, and the kernel runs on memory filled in two ways. That
    the op refuses another dtype than the sample's is no record: a fake kernel need not know which it is compiled for.

    first: the number of the call to begin with. begun: is told of each call before it is made, its number and its record so far.
    Answers how many calls were recorded and how many the op refused."""
    op, refused = overload_of(op), 0
    recorder = record(path, values=values)
    recorder._probes, recorder._only = True, op
    with torch.no_grad(), recorder:
        for number, ((args, kwargs), keep_errors, origin) in enumerate(calls_of(op, samples, seed)):
            if number < first:
                continue
            recorder._keep_errors, recorder._more = keep_errors, {"variant": origin}
            if begun:
                told, at = begun, number
                recorder._begun = lambda line: told(at, line)
            try:
                op(*args, **kwargs)
            except Exception:
                refused += 1
    return {"calls": recorder.recorded, "refused": refused}
