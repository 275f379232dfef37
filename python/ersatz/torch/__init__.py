"""Programs of PyTorch, checked while they run.

    with ersatz.torch.crosscheck() as report:
        model(x).sum().backward()
    print(report)

    with ersatz.torch.record("run.jsonl"):          # for `ersatz crosscheck run.jsonl`, where there is no Python
        model(x).sum().backward()

    ersatz.torch.propagate(model, inputs, more_inputs)          # where shapes depend on data, what was seen there, where NaN begins

    ersatz.torch.validate(torch.ops.mylib.my_op, samples)      # the author's register_fake against the author's kernel
"""

from __future__ import annotations

from ..sweep import SweepReport, sweep
from .answers import Answers, answering
from .graph import Graph, GraphMetadata, fake
from .live import LiveReport, crosscheck
from .propagation import DataPoint, PropagateFinding, PropagateReport, propagate
from .recording import facts, probe, record, write_program
from .validation import validate

__all__ = ["Answers", "DataPoint", "Graph", "GraphMetadata", "LiveReport", "PropagateFinding", "PropagateReport", "SweepReport", "answering",
           "crosscheck", "facts", "fake", "probe", "propagate", "record", "sweep", "validate", "write_program"]
