"""Records live runs of PyTorch as calls that `ersatz` can replay and compare; docs/recorder.md shows its use.

    with record("run.jsonl"):                                  # every call of an operator, one JSON line each
        model(x).sum().backward()
    probe(torch.ops.mine.mix.default, [(x, y)], "mix.jsonl")   # one op under layouts, dtypes, sizes and values
    facts("model.pt2", (x,), "folder")                         # results of an exported program's nodes in eager mode

docs/call-records.md describes the lines. The run's results, random numbers and gradients are unchanged. Other dispatch
modes do not see the recorder's own computations, and arguments bound their cost.

This folder needs torch and nothing else of ersatz.
"""

from __future__ import annotations

from .call import FORMAT
from .facts import facts
from .mode import record
from .probe import probe
from .program import program_text, write_program

__all__ = ["FORMAT", "facts", "probe", "program_text", "record", "write_program"]
