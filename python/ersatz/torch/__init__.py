"""Programs of PyTorch, checked while they run.

    with ersatz.torch.crosscheck() as report:
        model(x).sum().backward()
    print(report)

    with ersatz.torch.record("run.jsonl"):          # for `ersatz crosscheck run.jsonl`, where there is no Python
        model(x).sum().backward()

    torch.compile(model, backend="ersatz")(x)       # AOTAutograd's graphs, run node by node under a crosscheck
    with ersatz.torch.watch_compiles() as report:   # inductor's prediction for each node, before its code runs
        torch.compile(model)(x)

    ersatz.torch.propagate(model, inputs, more_inputs)          # data-dependent shapes, their observed values, origins of NaN
    ersatz.torch.export(model, inputs, more_inputs)             # torch.export, with the changes that a refused model needs

    ersatz.torch.validate(torch.ops.mylib.my_op, samples)      # compares the author's register_fake with the author's kernel
    ersatz.torch.opcheck(torch.ops.mylib.my_op, args)          # torch.library.opcheck, together with validate
"""

from __future__ import annotations

import warnings as _warnings

import torch as _torch

from .._ersatz import KeptRun as _KeptRun
from ..sweep import SweepReport, sweep

_FIRST, _LAST = (2, 9), (2, 15)  # the oldest and the newest version of PyTorch that is supported
_TRIED = f"PyTorch {_FIRST[0]}.{_FIRST[1]} to {_LAST[0]}.{_LAST[1]}"
_version = str(getattr(_torch, "__version__", "of unknown version"))
try:
    from .answers import Answers, answering
    from .auditing import AuditedOp, AuditFinding, AuditReport, audit
    from .beside_opcheck import opcheck
    from .compiling import Backend, backend
    from .exporting import ExportFinding, ExportReport, export
    from .graph import Graph, GraphMetadata, fake
    from .live import LiveReport, crosscheck
    from .propagation import DataPoint, PropagateFinding, PropagateReport, propagate
    from .recording import facts, prediction as _prediction, probe, record, write_program
    from .validation import validate
    from .watched_compiles import CompileReport, WatchedGraph, watch_compiles
except (AttributeError, ImportError) as e:
    raise ImportError(f"torch {_version}: {e}; ersatz.torch is made for {_TRIED}") from e

_prediction.kept_run = _KeptRun

_this = tuple(int(n) if n.isdecimal() else 0 for n in _version.split(".")[:2])
if not _FIRST <= _this <= _LAST:
    _why = "what it cannot read is skipped, by reason" if _this > _LAST else "its library lacks what a crosscheck reads, which is refused"
    _warnings.warn(f"ersatz.torch is made for {_TRIED}, and this is {_version}: {_why}",
                   RuntimeWarning, stacklevel=2)

__all__ = ["Answers", "AuditFinding", "AuditReport", "AuditedOp", "Backend", "CompileReport", "DataPoint", "ExportFinding", "ExportReport", "Graph", "GraphMetadata", "LiveReport",
           "PropagateFinding", "PropagateReport", "SweepReport", "WatchedGraph", "answering", "audit", "backend", "crosscheck", "export", "facts", "fake", "opcheck", "probe", "propagate", "record",
           "sweep", "validate", "watch_compiles", "write_program"]
