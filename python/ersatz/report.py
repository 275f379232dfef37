"""What a crosscheck found: one class for programs, recorded calls and live runs. What all reports have is `AnyReport`.

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
    """What every report has: findings, text whose last line sums up, JSON, a page, and an error for tests."""

    findings: tuple[Finding, ...]
    _error = errors.Findings

    @property
    def clean(self) -> bool:
        """Nothing was found."""
        return not self.findings

    @property
    def unjudged(self) -> bool:
        """Nothing was found, and the report is not clean: nothing was compared, or something of the user's own was not judged."""
        return not self.findings and not self.clean

    @property
    def closing_line(self) -> str:
        """The last line of the text."""
        raise NotImplementedError

    def raise_if_findings(self) -> None:
        """Raises an error with the first finding, if there is one: `errors.MetadataMismatch` of a crosscheck. Raises `errors.Unjudged`
        where nothing was found and the report is not clean."""
        if self.findings:
            raise self._error.of(self)
        if self.unjudged:
            raise errors.Unjudged.of(self)

    def to_json(self) -> str:
        """The report as one object of JSON."""
        raise NotImplementedError

    def to_html(self) -> str:
        """The report as one page that needs no network and no script."""
        document = self._document()
        return document.page(document.closing.partition(":")[0], "clean" if self.clean else "findings")

    def _document(self) -> _ersatz.Document:
        """The report in lines, which text and page are made of."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self._document().text().removesuffix("\n")

    def _repr_html_(self) -> str:
        # In a frame of its own, so that its style does not reach the notebook.
        return (f'<iframe srcdoc="{markup.escape(self.to_html())}" sandbox style="width:100%;height:32rem;border:0" '
                f'title="{markup.escape(self.closing_line)}"></iframe>')


class Report(_ersatz.Report, AnyReport):  # type: ignore[override]
    """What was compared, what differs, and what was left out. `str(report)` is the report as text; its last line sums up.

    Reports are equal where their JSON is. They can be pickled."""

    _error = errors.MetadataMismatch

    @classmethod
    def of(cls, json: str, text: str, html: str | Callable[[], str]) -> Report:
        """The report of which this is the JSON, the text and the page."""
        page = html
        return cls(json, text, (lambda: page) if isinstance(page, str) else page)

    @property
    def clean(self) -> bool:
        """Something was compared, nothing was found, and nothing of the user's own was left unjudged."""
        return self.status == "clean"

    def to_json(self) -> str:
        """The report that `ersatz crosscheck --json` writes: every finding and every count."""
        return self.json

    def to_html(self) -> str:
        """The report as one page that needs no network and no script."""
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
