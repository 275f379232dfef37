"""`validate`: an author's fake kernel held against the author's kernel."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from typing import Any

from .. import _ersatz
from ..report import Report
from .fake_kernels import line_of_result, place_of
from .isolation import Isolated
from .recording.probe import overload_of, probe
from .remade import Remade

_MOST_SMALLER = 300  # calls that making one finding small may take; a tenth where each needs a process
_OF_THE_KERNEL = ("unwritten", "undeclared_write", "out_of_bounds")
_ONLY_OPCHECK = ("Not looked at: whether autograd is registered as it should be, and whether the op works under AOTDispatcher with "
                 "symbolic sizes. torch.library.opcheck does both.\n")


def validate(op: Any, samples: Sequence[Any], *, seed: int = 0, values: int = 64, isolate: bool = False) -> Report:
    """Calls an operator of PyTorch with each sample and some tens of variants of it, and holds what its fake kernel says against what
    its kernel did: metadata, shared memory, writes that the schema does not declare, elements that are not written, errors.

        >>> report = ersatz.torch.validate(torch.ops.mylib.my_op, [(x, y), ((x,), {"scale": 2.0})])   # doctest: +SKIP
        >>> report.raise_if_findings()                                                                # doctest: +SKIP

    op: an overload, a packet (its first overload) or what `torch.library.custom_op` returned. samples: `(args...)`, or
    `((args...), {kwargs})`. isolate: the calls are made in a child process, and one that ends it is a finding; the op's code must
    not have used a GPU before. Each finding has the smallest call that shows it, a cause, and the line to change."""
    op = overload_of(op)
    if not samples:
        raise ValueError(f"validate: no samples: nobody says what a call of {op} looks like")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calls.jsonl")
        isolated = Isolated(op, folder) if isolate else None
        if isolated:
            isolated.probe(samples, path, values=values, seed=seed)
        else:
            probe(op, samples, path, values=values, seed=seed)
        with open(path, encoding="utf-8") as lines:
            records = list(lines)
        judged = _ersatz.TorchValidation(path)
        for number, (first, field, result) in enumerate(judged.found()):
            record = json.loads(records[first])
            remade = Remade(op, record)
            if isolated:
                judged.make_small(number, isolated.call(remade), _MOST_SMALLER // 10)
            else:
                judged.make_small(number, remade.record_of, _MOST_SMALLER)
            judged.place(number, record["variant"], _line_to_change(op, remade, judged.record(number), field, result))
    name = str(op)
    return Report.of(judged.json(name), judged.text(_ONLY_OPCHECK), judged.html(name))


def _line_to_change(op: Any, remade: Remade, line: str, field: str, result: int) -> str:
    if field in _OF_THE_KERNEL:
        return ""  # the cause says what of kernel or schema
    if field == "error":
        return place_of(op)
    made = remade.arguments(json.loads(line), "recorded")
    return place_of(op) if made is None else line_of_result(op, *made, result)

