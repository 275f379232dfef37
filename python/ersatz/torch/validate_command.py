"""`ersatz validate OP --gradients --samples RUN.jsonl`."""

from __future__ import annotations

import argparse

from . import report_options
from .auditing import load
from .recorded_samples import calls_of_namespace
from .recording.samples import overloads_of
from .report_options import INTERRUPTED, output_refused, refused, written
from .validation import validate


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ersatz validate", allow_abbrev=False,
        description="Calls an operator of PyTorch with the arguments of its calls in recorded runs, as ersatz.torch.validate does. Its fake kernel "
                    "is compared with its kernel, and its registered backward with central differences.",
        epilog="Exit status: 0 gradients were compared and nothing was found, 1 findings or no gradient compared, 2 the input cannot be used or "
               "the report cannot be written, 130 interrupted. Without --gradients, `ersatz validate` is the program's own command.")
    parser.add_argument("op", metavar="OP", help="mylib::my_op, or mylib::my_op.overload")
    parser.add_argument("--gradients", action="store_true", required=True, help="compare the registered backward with central differences")
    parser.add_argument("--samples", action="append", required=True, metavar="RUN.jsonl", help="a recorded run (ersatz record --values)")
    parser.add_argument("--import", dest="modules", action="append", default=[], metavar="MODULE",
                        help="a module, or a library LIB.so, that registers the operator; else the module mylib, if there is one")
    parser.add_argument("--seed", type=int, default=0, help="seed of random values")
    report_options.add_to(parser)
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Runs `ersatz validate ARGUMENTS`. Returns the exit status."""
    options = _parse(arguments)
    unusable = output_refused(options.output)
    if unusable is not None:
        return unusable
    namespace = options.op.replace("::", ".").partition(".")[0]
    try:
        load(namespace, options.modules)
        calls = calls_of_namespace(namespace, options.samples)
        overloads = overloads_of(options.op)
        named = next((o for o in overloads if str(o) in calls), overloads[0])
        samples, why = calls[str(named)].samples(named) if str(named) in calls else ([], "the samples have no call of it")
        if not samples:
            raise ValueError(f"validate: {named}: {why}")
        report = validate(named, samples, seed=options.seed, gradients=True)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as e:
        return refused(f"{e.filename}: {e.strerror}" if e.filename else str(e))
    except (ImportError, TypeError, ValueError) as e:
        return refused(str(e))
    status = written(report, options)
    return status if status is not None else 0 if report.clean else 1
