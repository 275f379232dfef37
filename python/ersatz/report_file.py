"""Reports in files, in the form that the file's suffix names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Protocol

from . import _ersatz
from .whole_file import whole_file

__all__ = ["FORMS", "Written", "form_of", "require_writable", "write"]

FORMS = {".html": "html", ".json": "json", ".sarif": "sarif", ".xml": "junit"}
"""Forms of a report by the suffix of its file."""


class Written(Protocol):
    """What can be written: a report, or the reports of a suite as one."""

    def to_json(self) -> str:
        """As one object of JSON, with the keys of `ersatz crosscheck --json`."""

    def to_html(self) -> str:
        """As one page."""


def form_of(path: str) -> str:
    """The form of a report; ValueError where the suffix is none of them."""
    form = FORMS.get(os.path.splitext(path)[1].lower())
    if form is None:
        raise ValueError(f"{path}: a report is one of {', '.join(FORMS)}")
    return form


def require_writable(paths: Iterable[str]) -> None:
    """Raises ValueError for a suffix without a form, OSError for a folder that cannot be written: to be said before a run, not at its end."""
    for path in paths:
        form_of(path)
        if not os.access(os.path.dirname(os.path.abspath(path)), os.W_OK):
            raise OSError(f"{path}: its folder cannot be written")


def write(report: Written, path: str) -> None:
    """Writes the report in the form of the file's suffix; OSError where it cannot be written."""
    form = form_of(path)
    text = report.to_html() if form == "html" else report.to_json() if form == "json" else _ersatz.report_as(report.to_json(), form)
    with whole_file(path) as beside:
        beside.write_text(text, encoding="utf-8")
