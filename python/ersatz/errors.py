"""The errors of ersatz. Each is an `Error` and, by its family, an `IndexError`, `TypeError`, `ValueError`,
`RuntimeError` or `NotImplementedError`, like PyTorch's error for the same call."""

from __future__ import annotations

import builtins
from typing import Protocol

from .finding import Finding

__all__ = ["Error", "Findings", "IndexError", "MetadataMismatch", "NotImplementedError", "RuntimeError", "TypeError", "Unjudged", "ValueError"]


class Reported(Protocol):
    """The properties that every report has."""

    @property
    def findings(self) -> tuple[Finding, ...]: ...
    @property
    def clean(self) -> bool: ...
    @property
    def unjudged(self) -> bool: ...
    @property
    def closing_line(self) -> str: ...
    def raise_if_findings(self) -> None: ...
    def to_json(self) -> str: ...
    def to_html(self) -> str: ...


class Error(Exception):
    """An error of ersatz: one line with the problem, its place and a remedy."""

    kind: str = "InvalidArgument"
    """The kind of error: `InvalidArgument`, `NotSupported`, `DataDependentOutput`, `InternalError`, ..."""
    op: str = ""
    """The operator's base name, `cat`; empty outside of calls."""
    label: str = ""
    """The constraint's label, `cat.C2`; empty if there is none."""
    arguments: tuple[str, ...] = ()
    """The call's arguments in canonical spelling."""
    suggestion: str = ""
    """A call that would work, if one is known."""


class IndexError(Error, builtins.IndexError):
    """An index or a dim that is out of range."""


class TypeError(Error, builtins.TypeError):
    """An argument of another type than the schema's."""


class ValueError(Error, builtins.ValueError):
    """A value that an argument must not have."""


class RuntimeError(Error, builtins.RuntimeError):
    """A call that is refused for another reason."""


class NotImplementedError(Error, builtins.NotImplementedError):
    """A valid call without an implementation: no kernel for a dtype or a device."""


class Findings(RuntimeError):
    """A report has findings. `raise_if_findings` raises it."""

    kind = "Findings"
    report: Reported
    """The report with all findings."""
    finding: Finding
    """The first finding."""

    @classmethod
    def of(cls, report: Reported) -> Findings:
        first, more = report.findings[0], len(report.findings) - 1
        line = " ".join(text.strip() for text in str(first).splitlines())
        error = cls(line + (f"; and {more} more finding{'s' if more > 1 else ''}" if more else ""))
        error.op, error.arguments = first.op, first.args
        error.report, error.finding = report, first
        return error


class MetadataMismatch(Findings):
    """A prediction and the observed result differ. `Report.raise_if_findings` raises it."""

    kind = "MetadataMismatch"


class Unjudged(RuntimeError):
    """A report without findings that is not clean: nothing was compared, or calls of the user's own operators were
    not compared. `raise_if_findings` raises it."""

    kind = "Unjudged"
    report: Reported

    @classmethod
    def of(cls, report: Reported) -> Unjudged:
        error = cls(report.closing_line)
        error.report = report
        return error
