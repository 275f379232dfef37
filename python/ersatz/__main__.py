"""`ersatz` and `python -m ersatz`: runs the program's commands in this process, and the commands that are written in
Python.

Exit statuses and output are those of the program (docs/jobs, `ersatz --help`).
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

from . import _ersatz


def _of_torch(module: str, what: str) -> Any:
    """Returns a module that needs PyTorch. Without PyTorch, tells the user and returns None; the command then
    returns an exit status."""
    try:
        return importlib.import_module(f".torch.{module}", __package__)
    except ImportError as e:
        print(f"ersatz: {what} needs PyTorch: {e}", file=sys.stderr)
        return None


def _is_text(path: str) -> bool:
    """Returns whether a Python file has printed graphs, like fx_graph_runnable.py. It is then read as a program and
    never run, and a message says so."""
    if not os.path.isfile(path) or not _ersatz.holds_graphs(path):
        return False
    print(f"ersatz: {path} has printed graphs, which are read: nothing of it is run", file=sys.stderr)
    return True


def _crosscheck(arguments: list[str]) -> int | None:
    """crosscheck SCRIPT.py, crosscheck -m MODULE: Run a program of PyTorch and compare each operator call with its prediction"""
    first = next((a for a in arguments if a == "-m" or a.endswith(".py")), None)
    if first is None or first != "-m" and _is_text(first):
        return None
    script = _of_torch("script", "crosscheck of a script")
    if script is None:
        return 2
    return script.main(arguments) if script.is_script(arguments) else None


def _build_glue(arguments: list[str]) -> int:
    """build-glue: Compile the native part of crosscheck for the PyTorch that is installed"""
    glue = _of_torch("glue", "build-glue")
    return 2 if glue is None else int(glue.main(arguments))


def _audit(arguments: list[str]) -> int:
    """audit NAMESPACE --samples RUN.jsonl: Judge each operator of a namespace by its registration and by recorded calls"""
    audit_command = _of_torch("audit_command", "audit")
    return 2 if audit_command is None else int(audit_command.main(arguments))


def _conformance(arguments: list[str]) -> int:
    """conformance [RECORDS] -o FOLDER: Compare PyTorch's own fakes, meta kernels and decompositions with eager mode, call by call"""
    conformance_command = _of_torch("conformance_command", "conformance")
    return 2 if conformance_command is None else int(conformance_command.main(arguments))


def _export(arguments: list[str]) -> int:
    """export MODULE:NAME --inputs NAME: Export a model of PyTorch, with the lines and rewrites that let it pass"""
    export_command = _of_torch("export_command", "export")
    return 2 if export_command is None else int(export_command.main(arguments))


def _record(arguments: list[str]) -> int:
    """record -o RUN.jsonl SCRIPT.py, record -o RUN.jsonl -m MODULE: Write each operator that a program of PyTorch calls to a file"""
    script = _of_torch("script", "record")
    return 2 if script is None else int(script.record_main(arguments))


def _validate(arguments: list[str]) -> int | None:
    """validate OP --gradients --samples RUN.jsonl: Compare an operator of PyTorch, and its registered backward, with numbers"""
    if "--gradients" not in arguments:
        return None
    validate_command = _of_torch("validate_command", "validate --gradients")
    return 2 if validate_command is None else int(validate_command.main(arguments))


def _sweep(arguments: list[str]) -> int:
    """sweep LIST -o FOLDER: Judge many programs, records, models and operators, each in a process of its own"""
    from . import sweep

    return sweep.main(arguments)


COMMANDS: dict[str, Callable[[list[str]], int | None]] = {"audit": _audit, "build-glue": _build_glue, "conformance": _conformance,
                                                          "crosscheck": _crosscheck, "export": _export, "record": _record, "sweep": _sweep, "validate": _validate}
"""The commands written in Python. Each takes the arguments after its name and returns the exit status, or None if
the program has to run its own command of that name. `--help` lists them by their docstrings: usage, a colon, a
description."""

HELP = ("-h", "--help")


def _help_of(names: list[str]) -> str:
    """Returns the lines of `--help` for commands in Python."""
    rows = []
    for name in names:
        called, _, does = (COMMANDS[name].__doc__ or name).strip().partition("\n")[0].partition(": ")
        rows.append(f"  {called:<45} {does}".rstrip())
    return "\nIn Python (ersatz COMMAND --help says more):\n" + "\n".join(rows)


def main(arguments: list[str] | None = None) -> int:
    """Runs a command line, by default the process's own. Returns its exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
    command = COMMANDS.get(arguments[0]) if arguments else None
    status = command(arguments[1:]) if command else None
    if status is not None:
        return status
    sys.stdout.flush()
    _ersatz.watch_signals()
    status = _ersatz.run_command(arguments)
    if arguments[:1] and arguments[0] in HELP:
        print(_help_of(sorted(COMMANDS)))
    elif command and any(a in HELP for a in arguments):
        print(_help_of(arguments[:1]))
    return status


if __name__ == "__main__":
    sys.exit(main())
