"""`validate`: compares an author's fake kernel with the author's kernel."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from typing import Any

import torch

from .. import _ersatz
from ..report import Report
from .recording.fake_kernels import line_of_result, place_of
from .gradient_checks import checked
from .isolation import Isolated, Workers, checked_apart, why_not_contained
from .not_looked_at import not_looked_at
from .recording.probe import probe
from .recording.samples import listed_samples, overload_for
from .remade import Remade

_MOST_SMALLER = 300  # most calls for shrinking one finding
_OF_THE_KERNEL = ("unwritten", "undeclared_write", "out_of_bounds")


def validate(op: Any, samples: Sequence[Any], *, seed: int = 0, values: int = 64, isolate: bool | None = None,
             gradients: bool = False) -> Report:
    """Calls an operator with each sample and some tens of variants of it, and compares its fake kernel with its kernel:
    metadata, shared memory, undeclared writes, unwritten elements, errors.

        >>> report = ersatz.torch.validate(torch.ops.mylib.my_op, [(x, y), ((x,), {"scale": 2.0})])   # doctest: +SKIP
        >>> report.raise_if_findings()                                                                # doctest: +SKIP

    op: an overload, a packet (its first overload that takes the samples), the result of `torch.library.custom_op`, a
    name (`"mylib::my_op"`), or a function of PyTorch that is an operator (`torch.nansum`). samples: `(args...)`,
    `((args...), {kwargs})`, or only keywords; a sample that does not fit the op raises TypeError. isolate: make the
    calls in a child process, so a call that ends it is a finding; the op's code must not have used a GPU or threads
    before. By default this is done where it is cheap, and the report says if it was not. gradients: compare the
    registered backward with central differences in double precision, and its gradients' metadata with the arguments'.
    The backward is that of `torch.library.register_autograd`, or of an `autograd.Function`, which may be `op` itself. A
    report in which no gradient was compared is not clean. Each finding has the smallest call that shows it, a cause,
    and the line to change."""
    samples = listed_samples(samples)
    if not samples:
        raise ValueError(f"validate: no samples: nobody says what a call of {op} looks like")
    is_function = isinstance(op, type) and issubclass(op, torch.autograd.Function)
    if is_function and not gradients:
        raise TypeError(f"validate: {op.__name__} is an autograd.Function: it has no fake kernel, and gradients=True compares its backward")
    op = op if is_function else overload_for(op, samples)
    not_contained = why_not_contained(samples) if isolate is None else ""
    is_isolated = not not_contained if isolate is None else isolate
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calls.jsonl")
        isolated = Isolated(op, folder) if is_isolated else None
        told = (_no_calls(path) if is_function else isolated.probe(samples, path, values=values, seed=seed) if isolated else
                probe(op, samples, path, values=values, seed=seed))
        with open(path, encoding="utf-8") as lines:
            records = list(lines)
        judged = _ersatz.TorchValidation(path)
        for number, (first, field, result) in enumerate(judged.found()):
            record = json.loads(records[first])
            remade = Remade(op, record)
            with Workers(remade.record_of, is_isolated) as make:
                judged.make_small(number, make, _MOST_SMALLER)
            judged.place(number, record["variant"], _line_to_change(op, remade, judged.record(number), field, result))
    name = op.__name__ if is_function else str(op)
    note = "" if is_function else not_looked_at(op, told, not_contained, gradients)
    if gradients:
        apart = checked_apart(op, name, samples) if is_isolated else None
        made, told_lines = apart or checked(op, name, samples)
        if is_isolated and apart is None:
            note += "Not looked at: whether a backward run ends the process: this one has run backward before, which does not survive a fork.\n"
        judged.add_gradients(made)
        note = told_lines + note
    return Report(judged.report(name, note))


def _no_calls(path: str) -> dict[str, Any]:
    with open(path, "w", encoding="utf-8"):
        return {"calls": 0, "refused": 0, "constant": [], "one_sided": []}


def _line_to_change(op: Any, remade: Remade, line: str, field: str, result: int) -> str:
    if field in _OF_THE_KERNEL:
        return ""  # the cause concerns the kernel or the schema, not a line of the fake kernel
    if field == "error":
        return place_of(op)
    made = remade.arguments(json.loads(line), "recorded")
    return place_of(op) if made is None else line_of_result(op, *made, result)
