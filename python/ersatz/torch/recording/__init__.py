"""Live runs of PyTorch as calls that `ersatz` replays and judges; docs/recorder.md shows its use.

    with record("run.jsonl"):                                  # every call of an operator, one JSON line each
        model(x).sum().backward()
    probe(torch.ops.mine.mix.default, [(x, y)], "mix.jsonl")   # one op under layouts, dtypes, sizes and values
    facts("model.pt2", (x,), "folder")                         # what an exported program's nodes are in eager mode

Lines are of the format of docs/call-records.md. The run is not changed: not its results, random numbers or gradients. What the
recorder itself computes is not seen by other dispatch modes, and stays in bounds that the arguments name.

Of ersatz nothing but this folder is needed, and beside it torch.
"""

from __future__ import annotations

from .call import FORMAT
from .facts import facts
from .mode import record
from .probe import probe
from .program import program_text, write_program

__all__ = ["FORMAT", "facts", "probe", "program_text", "record", "write_program"]
