"""`ersatz audit NAMESPACE`."""

from __future__ import annotations

import argparse
import os
import sys

from ..report import AnyReport
from ..whole_file import whole_file
from .auditing import audit, load

UNUSABLE, INTERRUPTED = 2, 130


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ersatz audit", allow_abbrev=False,
        description="Checks each operator that is registered under NAMESPACE: whether it has a fake kernel with the signature of the schema. "
                    "Operators that a recorded run calls are validated as by ersatz.torch.validate.",
        epilog="Exit status: 0 every operator was compared and nothing was found, 1 findings or nothing compared, 2 the input cannot be used or "
               "the report cannot be written, 130 interrupted.")
    parser.add_argument("namespace", metavar="NAMESPACE", help="the namespace: mylib for torch.ops.mylib")
    parser.add_argument("--import", dest="modules", action="append", default=[], metavar="MODULE",
                        help="a module, or a library LIB.so, that registers the operators; else the module NAMESPACE, if there is one")
    parser.add_argument("--samples", action="append", default=[], metavar="RUN.jsonl", help="a recorded run (ersatz record --values)")
    parser.add_argument("--seed", type=int, default=0, help="seed of random values")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="report as one JSON object")
    form.add_argument("--html", action="store_true", help="report as a page (with -o)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report to this file")
    return parser.parse_args(arguments)


def _refused(text: str) -> int:
    print(f"ersatz: {text}", file=sys.stderr)
    return UNUSABLE


def output_refused(output: str | None) -> int | None:
    """Returns an exit status, with a message printed, if no report can be written to `output`; otherwise None. Also
    makes the modules of the working folder importable."""
    folder = os.path.dirname(os.path.abspath(output)) if output else None
    if folder and not os.access(folder, os.W_OK):
        return _refused(f"{output}: its folder cannot be written")
    sys.path.insert(0, os.getcwd())  # like `python -m`
    return None


def written(report: AnyReport, options: argparse.Namespace) -> int | None:
    """Writes the report as the options say. Returns None, or an exit status, with a message printed, if that fails."""
    text = report.to_json() if options.json else report.to_html() if options.html else str(report)
    if options.output and options.output != "-":
        try:
            with whole_file(options.output) as beside:
                beside.write_text(text + "\n", encoding="utf-8")
        except OSError as e:
            return _refused(f"{options.output}: {e.strerror}: the report was not written")
        print(report.closing_line)
    else:
        print(text)
    return None


def main(arguments: list[str]) -> int:
    """Runs `ersatz audit ARGUMENTS`. Returns the exit status."""
    options = _parse(arguments)
    refused = output_refused(options.output)
    if refused is not None:
        return refused
    try:
        load(options.namespace, options.modules)
        report = audit(options.namespace, options.samples, seed=options.seed)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as e:
        return _refused(f"{e.filename}: {e.strerror}" if e.filename else str(e))
    except (ImportError, ValueError) as e:
        return _refused(str(e))
    status = written(report, options)
    return status if status is not None else 0 if report.clean else 1
