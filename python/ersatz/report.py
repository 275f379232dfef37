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
import json as decoder
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from . import _ersatz, errors
from .finding import Finding

__all__ = ["AnyReport", "Finding", "Report"]


def _finding(row: Mapping[str, Any], times: int) -> Finding:
    members = {member.name: row[member.name] for member in fields(Finding) if member.name != "times"}
    return Finding(**{**members, "args": tuple(row["args"])}, times=times)


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


@dataclass(frozen=True, eq=False, repr=False)
class Report(AnyReport):
    """What was compared, what differs, and what was left out. `str(report)` is the report as text; its last line sums up.

    Reports are equal where their JSON is. They can be pickled."""

    input: str
    """What was checked: a path, or a name for the live run."""
    device: str
    status: str
    """`clean`, `findings`, or `unjudged`: nothing was found, and nothing was compared or something of the user's own was not judged;
    `unusable` where operators are missing, `bug` where ersatz is at fault."""
    nodes: int
    """Calls that were seen and judged."""
    results: int
    """Tensors and numbers that they returned: those compared and those skipped."""
    compared: int
    mismatched: int
    """Of those compared."""
    cosmetic: int
    """Of those compared: strides that differ without effect."""
    waived: int
    values_compared: int
    """Results whose values were compared too."""
    skipped: Mapping[str, int]
    """Results that were not compared, by reason: `unsupported`, `data_dependent`, `random`, `tainted`, `unwitnessed`, ..."""
    own_judged: int
    """Calls of operators that ersatz has no rule of, compared with what their own fake kernels predict."""
    own_unjudged: Mapping[str, int]
    """Calls of the user's own operators that nothing judged, by operator."""
    skipped_calls: Mapping[str, Mapping[str, int]]
    """Calls of a live run that were not compared, by reason in words (`sparse layout`) and by operator."""
    findings: tuple[Finding, ...]
    text: str
    """The report as text; its last line is `closing_line`."""
    json: str
    """The report that `ersatz crosscheck --json` writes."""
    html: str | Callable[[], str]
    """The report as a page, or what makes it: `to_html()` gives it."""

    _error = errors.MetadataMismatch

    @classmethod
    def of(cls, json: str, text: str, html: str | Callable[[], str]) -> Report:
        """The report of which this is the JSON, the text and the page."""
        row = decoder.loads(json)
        times = row.get("times") or [1] * len(row["findings"])
        return cls(
            input=row["input"], device=row["device"], status=row["status"], nodes=row["nodes"], results=row["results"],
            compared=row["compared"], mismatched=row["mismatched"], cosmetic=row.get("cosmetic", 0), waived=row.get("waived", 0),
            values_compared=row.get("values_compared", 0), skipped={why: n for why, n in row["skipped"].items() if n},
            own_judged=row.get("own", {}).get("judged", 0), own_unjudged=row.get("own", {}).get("unjudged", {}),
            skipped_calls=row.get("skipped_calls", {}),
            findings=tuple(_finding(f, n) for f, n in zip(row["findings"], times, strict=True)), text=text, json=json, html=html)

    @property
    def clean(self) -> bool:
        """Something was compared, nothing was found, and nothing of the user's own was left unjudged."""
        return self.status == "clean"

    @property
    def closing_line(self) -> str:
        """`crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)`."""
        return self.text.rstrip("\n").rpartition("\n")[2]

    def to_json(self) -> str:
        """The report that `ersatz crosscheck --json` writes: every finding and every count."""
        return self.json

    def to_html(self) -> str:
        """The report as one page that needs no network and no script."""
        return self.html if isinstance(self.html, str) else self.html()

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
