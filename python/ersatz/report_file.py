"""Writes reports to files, in the form that the file's suffix selects."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Protocol

from . import _ersatz
from .whole_file import whole_file

__all__ = ["FORMS", "Written", "form_of", "require_writable", "write"]

FORMS = {".html": "html", ".json": "json", ".sarif": "sarif", ".xml": "junit"}
"""Report forms by file suffix."""


class Written(Protocol):
    """A report, or the reports of a suite as one."""

    def to_json(self) -> str:
        """Returns one JSON object with the keys of `ersatz crosscheck --json`."""

    def to_html(self) -> str:
        """Returns one page."""


def form_of(path: str) -> str:
    """Returns the form of a report. Raises ValueError for an unknown suffix."""
    form = FORMS.get(os.path.splitext(path)[1].lower())
    if form is None:
        raise ValueError(f"{path}: a report is one of {', '.join(FORMS)}")
    return form


def require_writable(paths: Iterable[str]) -> None:
    """Raises ValueError for a suffix without a form, OSError for a folder that cannot be written. Called before a
    run, so the run is not in vain."""
    for path in paths:
        form_of(path)
        if not os.access(os.path.dirname(os.path.abspath(path)), os.W_OK):
            raise OSError(f"{path}: its folder cannot be written")


def write(report: Written, path: str) -> None:
    """Writes the report in the form of the file's suffix. Raises OSError if it cannot be written."""
    form = form_of(path)
    text = report.to_html() if form == "html" else report.to_json() if form == "json" else _ersatz.report_as(report.to_json(), form)
    with whole_file(path) as beside:
        beside.write_text(text, encoding="utf-8")
