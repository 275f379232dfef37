"""One finding of a report."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from . import _ersatz

__all__ = ["Finding"]


@dataclass(frozen=True)
class Finding:
    """One field in which a prediction and what was observed differ."""

    op: str
    """The operator's canonical name, `aten.add.Tensor`."""
    node: str
    """The call's name in its program; empty in a live run."""
    result: int
    """Which result, counted flat; -1: the call as a whole, or an argument."""
    field: str
    """`dtype`, `size`, `stride`, `offset`, `device`, `alias`, `mutation`, `error`, `unwritten`, `undeclared_write`, ..."""
    predicted: str
    """What the rule, or the fake, says; metadata in canonical spelling."""
    observed: str
    """What the witness says."""
    witness: str
    """Who saw it: `eager`, `kernel`, `record`, `device`, `declaration`."""
    verdict: str
    """`significant`, or in words what is wrong."""
    words: str
    """The same as users of PyTorch know it; empty for other fields."""
    cause: str
    """Who answered, which operand decided, what the witness saw; empty where that is not known."""
    source: str
    """The user's line: `train.py:12 in forward: y = mix(x)`; empty where it is not known."""
    args: tuple[str, ...]
    """The call's arguments in canonical spelling."""
    repro: str
    """A call record or a program of text form that `ersatz crosscheck` takes, and that shows the finding again; may be empty."""
    times: int = 1
    """How often it was found at this place."""

    def __str__(self) -> str:
        return _ersatz.finding_text(json.dumps(asdict(self)))
