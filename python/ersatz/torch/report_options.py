"""Options of the commands that write one report: its form, and the file that it goes to."""

from __future__ import annotations

import argparse
import os
import sys

from .. import _ersatz
from ..report import AnyReport
from ..whole_file import whole_file

__all__ = ["INTERRUPTED", "UNUSABLE", "add_to", "output_refused", "refused", "written"]

UNUSABLE, INTERRUPTED = 2, 130
_FORMS = ("text", "json", "html", "sarif", "junit")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Adds `--json`, `--html`, `--format` and `-o`."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", dest="form", action="store_const", const="json", help="report as one JSON object: --format json")
    form.add_argument("--html", dest="form", action="store_const", const="html", help="report as a page: --format html")
    form.add_argument("--format", dest="form", choices=_FORMS, help="form of the report; sarif and junit are for CI systems")
    parser.set_defaults(form="text")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report to this file")


def refused(text: str) -> int:
    """Prints why a command cannot be used. Returns its exit status."""
    print(f"ersatz: {text}", file=sys.stderr)
    return UNUSABLE


def output_refused(output: str | None) -> int | None:
    """Returns an exit status, with a message printed, if no report can be written to `output`; otherwise None. Also
    makes the modules of the working folder importable."""
    folder = os.path.dirname(os.path.abspath(output)) if output else None
    if folder and not os.access(folder, os.W_OK):
        return refused(f"{output}: its folder cannot be written")
    sys.path.insert(0, os.getcwd())  # as `python -m` does
    return None


def written(report: AnyReport, options: argparse.Namespace) -> int | None:
    """Writes the report as the options say. Returns None, or an exit status, with a message printed, if that fails."""
    form = options.form
    text = (str(report) if form == "text" else report.to_json() if form == "json" else report.to_html() if form == "html" else
            _ersatz.report_as(report.to_json(), form))
    if options.output and options.output != "-":
        try:
            with whole_file(options.output) as beside:
                beside.write_text(text + "\n", encoding="utf-8")
        except OSError as e:
            return refused(f"{options.output}: {e.strerror}: the report was not written")
        print(report.closing_line)
    else:
        print(text)
    return None
