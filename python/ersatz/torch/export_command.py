"""`ersatz export MODULE:NAME`."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import importlib.util
import os
import sys
from typing import Any

import torch

from ..whole_file import whole_file
from . import report_options
from .exporting import export
from .report_options import INTERRUPTED, output_refused, refused, written


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ersatz export",
        allow_abbrev=False,
        description="Exports a model with torch.export. If the export is refused, the command names the guard, its line and its value in each run. It tries "
        "lines of torch._check and rewrites in a copy of the source until the export passes. The source itself is not changed.",
        epilog="Exit status: 0 the model exports and the results of the program are those of eager, 1 the export is refused, or the program differs, "
        "2 the input cannot be used or a file cannot be written, 130 interrupted.",
    )
    parser.add_argument("model", metavar="MODULE:NAME", help="a module or FILE.py, and the name of a model in it, or of a function without arguments that returns one")
    parser.add_argument(
        "--inputs",
        action="append",
        required=True,
        metavar="NAME",
        help="a name in that module: a tuple of arguments, a list of tuples, or a function that returns either; or a FILE.pt; may be given several times",
    )
    parser.add_argument(
        "--more", metavar="NAME", help="a name in that module: further sets, which the export does not use: a list, or a function that returns one for a number"
    )
    parser.add_argument("--dynamic-shapes", metavar="NAME", help="a name in that module: dynamic_shapes of torch.export, or a function that returns them")
    parser.add_argument("--strict", action="store_true", help="torch.export with strict=True")
    parser.add_argument(
        "--draft", action="store_true", help="if the export is refused, also run torch.export.draft_export, and report its decisions and the results of its program"
    )
    parser.add_argument("--tries", type=int, default=40, metavar="N", help="the largest number of exports (40)")
    parser.add_argument("--seconds", type=float, default=120.0, metavar="S", help="limit of time in seconds (120)")
    parser.add_argument("--write", metavar="PATCH", help="write the changes to this file, as a unified diff")
    parser.add_argument("--save", metavar="FILE.pt2", help="write the exported program to this file")
    report_options.add_to(parser)
    return parser.parse_args(arguments)


def _module(name: str) -> Any:
    if not name.endswith(".py"):
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(os.path.basename(name)[:-3], name)
    if spec is None or spec.loader is None or not os.path.isfile(name):
        raise ImportError(f"{name}: no such file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)
    spec.loader.exec_module(module)
    return module


def _named(module: Any, name: str, call: bool = True) -> Any:
    value = module
    for part in name.split("."):
        value = getattr(value, part)
    makes = isinstance(value, type) or (callable(value) and not isinstance(value, torch.nn.Module))
    return value() if call and makes else value


def _sets(module: Any, name: str) -> list[Any]:
    value = torch.load(name, weights_only=True) if name.endswith(".pt") else _named(module, name)
    return value if isinstance(value, list) else [value]


def main(arguments: list[str]) -> int:
    """Runs `ersatz export ARGUMENTS`. Returns the exit status."""
    options = _parse(arguments)
    unusable = output_refused(options.output)
    if unusable is not None:
        return unusable
    source, colon, name = options.model.rpartition(":")
    if not colon:
        return refused(f"{options.model}: a module, a colon and a name are needed, as in model.py:make_model")
    try:
        module = _module(source)
        model = _named(module, name)
        sets = [one for given in options.inputs for one in _sets(module, given)]
        more = _named(module, options.more, call=False) if options.more else ()
        shapes = _named(module, options.dynamic_shapes) if options.dynamic_shapes else None
        report = export(
            model,
            *sets,
            dynamic_shapes=shapes,
            strict=options.strict,
            more=more,
            tries=options.tries,
            seconds=options.seconds,
            draft=options.draft,
        )
    except KeyboardInterrupt:
        return INTERRUPTED
    except (AttributeError, ImportError, OSError, ValueError) as e:
        return refused(str(e))
    try:
        if options.write:
            with whole_file(options.write) as beside:
                beside.write_text(report.patch, encoding="utf-8")
        if options.save and report.program is not None:
            torch.export.save(report.program, options.save)
    except OSError as e:
        return refused(f"{e.filename or options.write}: {e.strerror}: it was not written")
    status = written(dataclasses.replace(report, input=options.model), options)
    return status if status is not None else 0 if report.clean else 1
