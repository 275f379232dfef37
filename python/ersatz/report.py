"""The report of a crosscheck, one class for programs, recorded calls and live runs. `AnyReport` is the base of all reports.

    >>> report = Report.of(
    ...     '{"command": "crosscheck", "input": "live", "device": "cpu", "status": "findings", "nodes": 1, "results": 1,'
    ...     ' "compared": 1, "mismatched": 1, "skipped": {"random": 0}, "findings": [{"node": "", "op": "mine.mix.default",'
    ...     ' "result": 0, "field": "stride", "predicted": "f32[2,3]{3,1}+0@cpu", "observed": "f32[2,3]{1,2}+0@cpu",'
    ...     ' "witness": "eager", "verdict": "significant", "words": "", "cause": "", "source": "train.py:12", "args": [],'
    ...     ' "repro": ""}]}',
    ...     text="crosscheck: 1 compared, 1 mismatched, 0 skipped\\n",
    ...     html="<!DOCTYPE html>")
    >>> report
    <Report of live: crosscheck: 1 compared, 1 mismatched, 0 skipped>
    >>> report.findings[0].field
    'stride'
    >>> report.raise_if_findings()
    Traceback (most recent call last):
    ersatz.errors.MetadataMismatch: mine.mix.default, result 0: stride: predicted f32[2,3]{3,1}+0@cpu, eager says f32[2,3]{1,2}+0@cpu (train.py:12)
"""

from __future__ import annotations

import html as markup
from collections.abc import Callable

from . import _ersatz, errors
from .finding import Finding

__all__ = ["AnyReport", "Finding", "Report"]


class AnyReport:
    """The base of all reports: findings, text with a summary in its last line, JSON, a page, and an error for tests."""

    findings: tuple[Finding, ...]
    _error = errors.Findings

    @property
    def clean(self) -> bool:
        """Whether the report has no finding."""
        return not self.findings

    @property
    def unjudged(self) -> bool:
        """Whether a report without findings is not clean: nothing was compared, or calls of the user's own operators were not."""
        return not self.findings and not self.clean

    @property
    def closing_line(self) -> str:
        """The last line of the text."""
        raise NotImplementedError

    def raise_if_findings(self) -> None:
        """Raises an error with the first finding if there is one, `errors.MetadataMismatch` for a crosscheck. Raises
        `errors.Unjudged` if the report has no finding and is not clean."""
        if self.findings:
            raise self._error.of(self)
        if self.unjudged:
            raise errors.Unjudged.of(self)

    def to_json(self) -> str:
        """Returns the report as one JSON object."""
        raise NotImplementedError

    def to_html(self) -> str:
        """Returns the report as one page without scripts and network access."""
        document = self._document()
        return document.page(document.closing.partition(":")[0], "clean" if self.clean else "findings")

    def _document(self) -> _ersatz.Document:
        """Returns the report's lines, from which text and page are made."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self._document().text().removesuffix("\n")

    def _repr_html_(self) -> str:
        # The frame isolates the page's style from the notebook.
        return (f'<iframe srcdoc="{markup.escape(self.to_html())}" sandbox style="width:100%;height:32rem;border:0" '
                f'title="{markup.escape(self.closing_line)}"></iframe>')


class Report(_ersatz.Report, AnyReport):  # type: ignore[override]
    """The report of a crosscheck: counts and findings. `str(report)` is the report as text; its last line is a summary.

    Reports are equal if their JSON is. They can be pickled."""

    _error = errors.MetadataMismatch

    @classmethod
    def of(cls, json: str, text: str, html: str | Callable[[], str]) -> Report:
        """Returns the report with this JSON, text and page."""
        page = html
        return cls(json, text, (lambda: page) if isinstance(page, str) else page)

    @property
    def clean(self) -> bool:
        """Whether something was compared, nothing was found, and all calls of the user's own operators were compared."""
        return self.status == "clean"

    def to_json(self) -> str:
        """Returns the report in the form of `ersatz crosscheck --json`, with every finding and count."""
        return self.json

    def to_html(self) -> str:
        """Returns the report as one page without scripts and network access."""
        return self.html

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<Report of {self.input}: {self.closing_line}>"

    def __eq__(self, other: object) -> bool:
        return self.json == other.json if isinstance(other, Report) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.json)

    def __reduce__(self) -> tuple[Callable[..., Report], tuple[str, str, str]]:
        return Report.of, (self.json, self.text, self.to_html())
