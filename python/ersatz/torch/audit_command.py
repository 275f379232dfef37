"""`ersatz audit NAMESPACE`."""

from __future__ import annotations

import argparse

from . import report_options
from .auditing import audit, load
from .report_options import INTERRUPTED, output_refused, refused, written


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
    report_options.add_to(parser)
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Runs `ersatz audit ARGUMENTS`. Returns the exit status."""
    options = _parse(arguments)
    unusable = output_refused(options.output)
    if unusable is not None:
        return unusable
    try:
        load(options.namespace, options.modules)
        report = audit(options.namespace, options.samples, seed=options.seed)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as e:
        return refused(f"{e.filename}: {e.strerror}" if e.filename else str(e))
    except (ImportError, ValueError) as e:
        return refused(str(e))
    status = written(report, options)
    return status if status is not None else 0 if report.clean else 1
