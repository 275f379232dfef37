"""The report of an export: needed changes, tries, and the comparison of the program with eager mode."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from ... import _ersatz
from ...report import AnyReport, Finding
from .changes import Change
from .source_copy import SourceCopy

__all__ = ["ExportFinding", "ExportReport", "Try"]


@dataclass(frozen=True)
class Try:
    """A change that was tried, and its result."""

    number: int
    change: str
    at: str
    came_of_it: str
    seconds: float

    def __str__(self) -> str:
        return (
            f"try {self.number}: {f'{self.change}  # {self.at}' if self.change else 'the model as it is'}: {self.came_of_it} ({self.seconds:.1f} s)"
        )


class ExportFinding(Finding):
    """A difference between the exported program and eager mode: `field` is `raises` or `differs`."""

    _inputs = ""

    @property
    def inputs(self) -> str:
        """The name of the set of inputs: `given 1`, `further 3`, `drawn 17`."""
        return self._inputs

    @classmethod
    def of(cls, field: str, message: str, inputs: str, times: int) -> ExportFinding:
        finding = cls(
            op="",
            node="",
            result=-1,
            field=field,
            predicted="",
            observed=message,
            witness="eager",
            verdict="significant",
            words="",
            cause="",
            source="",
            args=(),
            repro="",
            times=times,
        )
        finding._inputs = inputs
        return finding

    def __str__(self) -> str:
        more = f", and so of {self.times - 1} more" if self.times > 1 else ""
        return f"{self.field}: the exported program beside eager, inputs {self.inputs}{more}: {self.observed}"


@dataclass(frozen=True)
class ExportReport(AnyReport):
    """`program` is the exported program, or None if no change made the export pass; `reason` then explains that.
    `str(report)` is the report as text; its last line is a summary."""

    program: Any
    """The torch.export.ExportedProgram; None: the export is refused."""
    changes: tuple[Change, ...]
    """The changes that made it pass, in order. Empty: the model exports unchanged, or nothing helps."""
    reason: str
    tries: tuple[Try, ...]
    guards: tuple[str, ...]
    """The guards that failed, in order: `boxes.shape[0] > 10` with its line, and its values in each run."""
    assumptions: tuple[str, ...]
    """Assumptions beyond the model's source."""
    findings: tuple[ExportFinding, ...]
    remarks: tuple[str, ...]
    beside: str
    """The comparison of the program: `equal on 4 given, 0 further, 87 drawn sets of inputs`."""
    seconds: float
    copy: SourceCopy
    guard_function: str
    """Python code for callers of the program: a function `takes(...)` that raises ValueError for arguments that the
    program does not accept."""
    dims: tuple[str, ...]
    """Ranges of dynamic sizes, as lines of torch.export.Dim."""
    draft: tuple[str, ...] = ()
    """Decisions of draft_export by the values of the first inputs, and the comparison of its program. Empty: it was
    not run."""
    input: str = ""
    """The model's name."""

    @property
    def exports(self) -> bool:
        return self.program is not None

    @property
    def clean(self) -> bool:
        """Whether there is a program without findings."""
        return self.exports and not self.findings

    @property
    def status(self) -> str:
        """`clean`, or `findings` if the export is refused or its program differs."""
        return "clean" if self.clean else "findings"

    @property
    def patch(self) -> str:
        """Returns the changes as a unified diff, empty if there are none."""
        return self.copy.patch() if self.exports else ""

    def pasted(self, path: str | os.PathLike[str]) -> str:
        """Returns the text of a file of the model with the changes that passed."""
        same = next((file for file in self.copy.texts if os.path.realpath(file) == os.path.realpath(path)), None)
        if same is not None and self.exports:
            return self.copy.texts[same]
        with open(path, encoding="utf-8") as f:
            return f.read()

    def to_json(self) -> str:
        return json.dumps(
            {
                "format": 1,
                "command": "export",
                "input": self.input,
                "device": "cpu",
                "status": self.status,
                "exports": self.exports,
                "error": None if self.exports else self.reason,
                "reason": self.reason,
                "guards": list(self.guards),
                "changes": [
                    {"kind": c.kind, "code": c.code, "why": c.why, "assumption": c.assumption, "file": c.file, "line": c.line} for c in self.changes
                ],
                "lines": [{"file": c.file, "after": c.line - 1, "code": c.code, "guard": c.guard} for c in self.changes if c.kind == "check"],
                "assumptions": list(self.assumptions),
                "beside": self.beside,
                "tries": [
                    {"number": t.number, "change": t.change, "at": t.at, "came_of_it": t.came_of_it, "seconds": round(t.seconds, 3)}
                    for t in self.tries
                ],
                "findings": [{"field": f.field, "message": f.observed, "inputs": f.inputs, "times": f.times} for f in self.findings],
                "remarks": list(self.remarks),
                "patch": self.patch,
                "guard_function": self.guard_function,
                "dims": list(self.dims),
                "draft": list(self.draft),
                "seconds": round(self.seconds, 3),
            }
        )

    @property
    def closing_line(self) -> str:
        """Returns a line like `export: passes with 1 change, 3 tries, 2.1 s, 0 findings`."""
        how = f"passes with {_count(len(self.changes), 'change')}" if self.changes else "passes as it is"
        return (
            f"export: {how if self.exports else 'refused'}, {_count(len(self.tries), 'try', 'tries')}, {self.seconds:.1f} s, "
            f"{_count(len(self.findings), 'finding')}"
        )

    def _document(self) -> _ersatz.Document:
        document = _ersatz.Document()
        lines = [str(f) for f in self.findings]
        lines += [f"guard: {g}" for g in self.guards]
        lines += [f"draft: {d}" for d in self.draft]
        for line in [*lines, *map(str, self.tries)]:
            document.add(line)
        for c in self.changes:
            where = "before" if c.kind == "check" else "in place of"
            document.add(f"{c.kind} {where} {os.path.basename(c.file)}:{c.line}: {c.why}")
            for row in c.code.splitlines():
                document.add_code((row.strip() if c.kind == "check" else row) or "\n")
        lines = [f"assumed: {a}" for a in self.assumptions]
        lines += [f"no line can help: {self.reason}"] if self.reason and not self.exports else []
        lines += [f"program: {self.beside}"] if self.beside else []
        lines += [f"dims: {d}" for d in self.dims]
        lines += [f"remark: {r}" for r in self.remarks]
        for line in lines:
            document.add(line)
        document.closing = self.closing_line
        return document

    def __repr__(self) -> str:
        return f"<ExportReport: {self.closing_line}>"


def _count(n: int, what: str, several: str = "") -> str:
    return f"{n} {what}" if n == 1 else f"{n} {several or what + 's'}"
