"""`ersatz crosscheck train.py ...` and `ersatz record -o run.jsonl train.py ...`: runs an unchanged PyTorch script
under a mode that sees its calls."""

from __future__ import annotations

import argparse
import functools
import io
import itertools
import multiprocessing.process
import os
import runpy
import subprocess
import sys
import threading
import traceback
import types
from collections.abc import Callable
from typing import Any

from .. import errors, report_file
from ..whole_file import whole_file

USAGE = "ersatz crosscheck [-o FILE] [--json | --html] [--report FILE]... [--waivers FILE] [--device NAME=RULES] [--gradients] (SCRIPT.py | -m MODULE) [ARGUMENT...]"
RECORD_USAGE = "ersatz record -o FILE [--values] [--program] [--gradients] (SCRIPT.py | -m MODULE) [ARGUMENT...]"
INTERRUPTED, UNUSABLE = 130, 2
_OPTIONS = ("-o", "--output", "--json", "--html", "--report", "--waivers", "--device", "--gradients")


def _place(arguments: list[str]) -> int:
    """Returns the index of the script or of `-m` in the arguments of `ersatz crosscheck`, -1 if there is none."""
    skip = False
    for at, a in enumerate(arguments):
        if skip:
            skip = False
        elif a in ("-o", "--output", "--report", "--waivers", "--device"):
            skip = True
        elif a == "-m" or a.endswith(".py"):
            return at
        elif not a.startswith("-"):
            return -1
    return -1


def is_script(arguments: list[str]) -> bool:
    """Returns whether the arguments of `ersatz crosscheck` name a Python script or module."""
    return _place(arguments) >= 0


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ersatz crosscheck", usage=USAGE, allow_abbrev=False,
        description="Runs a Python script unchanged and compares each PyTorch operator call with ersatz's rule. Results, random "
                    "numbers and output of the script are those of a run without ersatz. Graphs that torch.compile's inductor compiles are compared "
                    "when they are compiled. All arguments after the script are the script's.",
        epilog="Exit status: the script's if it is not 0; else 0 clean, 1 findings, nothing compared, or an operator of your own or compiled code not compared, "
               "2 the script cannot be used or the report cannot be written, 130 interrupted. The report goes to stderr, or to FILE. `{rank}` in a FILE is this process's rank.")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report to this file instead of stderr")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="report as one JSON object")
    form.add_argument("--html", action="store_true", help="report as a page (with -o)")
    parser.add_argument("--report", metavar="FILE", action="append", default=[],
                        help="write the report to this file too, in the form of its suffix: .html, .json, .sarif, .junit.xml; may be given several times")
    parser.add_argument("--waivers", metavar="FILE", help="FILE of findings that you accept, with reasons (docs/crosscheck.md)")
    parser.add_argument("--device", metavar="NAME=RULES", default="",
                        help="tensors on NAME (xpu, npu, mps, musa, mtia, hpu, privateuseone) are predicted as those of cpu or cuda, or with the "
                             "strides recorded in a file; default: as those of cuda")
    parser.add_argument("--gradients", action="store_true",
                        help="also compare requires_grad, leaves and grad_fn of results, and name your operators without a backward")
    return _parsed(parser, arguments)


def _add_script(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("-m", dest="module", nargs=argparse.REMAINDER, metavar="MODULE", help="run a module, as `python -m` does")
    what.add_argument("script", nargs="?", metavar="SCRIPT.py", help="run a script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="the script's own arguments")


def _parsed(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    """Parses the arguments before the script. argparse would consume a `--` among the script's own arguments."""
    _add_script(parser)
    at = _place(arguments)
    behind = at + 1 + (arguments[at] == "-m") if at >= 0 else len(arguments)
    options = parser.parse_args(arguments[:behind])
    if options.module:
        options.module += arguments[behind:]
    else:
        options.arguments = arguments[behind:]
    return options


def _say_what_is_the_scripts(name: str, arguments: list[str]) -> None:
    """Warns about ersatz options after the script's name, which the script receives."""
    for a in itertools.takewhile(lambda a: a != "--", arguments):
        option = a.partition("=")[0]
        if option in _OPTIONS:
            print(f"ersatz: {option} stands behind {name} and is its own: for the report it stands before: ersatz crosscheck {option} ... {name}",
                  file=sys.stderr)


def _write(text: str, path: str | None) -> bool:
    """Writes the text. Returns False, with a message printed, if that fails."""
    if not path or path == "-":
        print(text, file=sys.stderr)
        return True
    try:
        with whole_file(path) as beside:
            beside.write_text(text + "\n", encoding="utf-8")
        return True
    except OSError as e:
        print(f"ersatz: {path}: {e.strerror}: the report was not written", file=sys.stderr)
        return False


def _write_files(report: report_file.Written, paths: list[str]) -> bool:
    """Writes the reports. Returns False, with a message printed, if one fails."""
    for path in paths:
        try:
            report_file.write(report, path)
        except OSError as e:
            print(f"ersatz: {path}: {e.strerror}: the report was not written", file=sys.stderr)
            return False
    return True


def _of_rank(path: str) -> str:
    """Returns the path with `{rank}` replaced by this process's rank, which launchers (torchrun) set in RANK."""
    return path.replace("{rank}", os.environ.get("RANK", "0"))


def _status_of(code: object) -> int:
    """Returns the exit status of `sys.exit(code)`."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def _usable(options: argparse.Namespace) -> str | None:
    """Returns the name of the script or module. None, with a message printed, if it cannot be run or the output
    cannot be written."""
    name: str | None = options.module[0] if options.module else options.script
    if name is None:
        print("ersatz: -m: which module?", file=sys.stderr)
        return None
    if not options.module and not os.path.isfile(name):
        print(f"ersatz: {name}: there is no such script", file=sys.stderr)
        return None
    folder = os.path.dirname(os.path.abspath(options.output)) if options.output else None
    if folder and not os.access(folder, os.W_OK):
        print(f"ersatz: {options.output}: its folder cannot be written", file=sys.stderr)
        return None
    return name


class _Started:
    """Counts the threads and Python processes that a script starts, whose calls are not seen; a line of the report
    says so."""

    def __init__(self) -> None:
        self.counts = {"thread": 0, "process": 0}
        for what, of, starts in (("thread", threading.Thread, "start"), ("process", multiprocessing.process.BaseProcess, "start"),
                                 ("process", subprocess.Popen, "__init__")):
            setattr(of, starts, self._counted(what, getattr(of, starts)))

    def _counted(self, what: str, start: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(start)
        def counted(*args: Any, **kwargs: Any) -> Any:
            command = args[1] if len(args) > 1 else kwargs.get("args", "python")  # the command of a subprocess
            first = command[0] if isinstance(command, (list, tuple)) and command else command
            self.counts[what] += "python" in str(first)
            return start(*args, **kwargs)
        return counted

    def line(self, name: str) -> str:
        """Returns `not seen: calls of 2 threads and 1 process that train.py started, ...`, empty if it started none."""
        counts = [f"{n} {what}{'' if n == 1 else 's' if what == 'thread' else 'es'}" for what, n in self.counts.items() if n]
        return f"not seen: calls of {' and '.join(counts)} that {name} started, unless they enter a crosscheck of their own" if counts else ""


def _run_file(name: str) -> None:
    """Runs a script like the interpreter: `__file__` is absolute and `sys.argv[0]` is as given (runpy makes both
    equal)."""
    path = os.path.join(os.getcwd(), name)
    with io.open_code(path) as file:
        code = compile(file.read(), path, "exec")
    before, module = sys.modules["__main__"], types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)
    finally:
        sys.modules["__main__"] = before


def _run(name: str, options: argparse.Namespace, mode: Any) -> int:
    """Runs the script under the mode like the interpreter would. Returns its exit status."""
    sys.argv = options.module if options.module else [name, *options.arguments]
    sys.path[0] = os.getcwd() if options.module else os.path.dirname(os.path.realpath(name))
    pid, status = os.getpid(), 0
    try:
        with mode:
            if options.module:
                runpy.run_module(name, run_name="__main__", alter_sys=True)
            else:
                _run_file(name)
    except SystemExit as e:
        status = _status_of(e.code)
    except KeyboardInterrupt:
        traceback.print_exc()
        status = INTERRUPTED
    except BaseException as e:
        from .explained import explained, traceback_of

        print(traceback_of(e), end="", file=sys.stderr)  # as the interpreter prints it, from the script's first line on
        why = explained(e, getattr(mode, "_pieces", None))
        if why:
            print(why, file=sys.stderr)
        status = 1
    if os.getpid() != pid:  # this is a forked child of the script
        sys.stdout.flush()
        os._exit(status)
    sys.stdout.flush()
    return status


def main(arguments: list[str]) -> int:
    """Runs `ersatz crosscheck ARGUMENTS` for a script. Returns the exit status."""
    options = _parse(arguments)
    options.output, options.report = options.output and _of_rank(options.output), [_of_rank(path) for path in options.report]
    name = _usable(options)
    if name is None:
        return UNUSABLE
    try:
        report_file.require_writable(options.report)
    except (OSError, ValueError) as e:
        print(f"ersatz: {e}", file=sys.stderr)
        return UNUSABLE
    try:
        from .live import crosscheck
    except ImportError as e:
        print(f"ersatz: crosscheck of a script needs PyTorch: {e}", file=sys.stderr)
        return UNUSABLE
    _say_what_is_the_scripts(f"-m {name}" if options.module else name, options.module[1:] if options.module else options.arguments)
    try:
        mode = crosscheck(name=name, waivers=options.waivers, device=options.device, compiled=True, gradients=options.gradients)
    except errors.Error as e:
        print(f"ersatz: {e}", file=sys.stderr)
        return UNUSABLE
    started = _Started()
    status = _run(name, options, mode)
    not_seen = started.line(name)
    report = mode.report.report
    if not_seen:
        print(not_seen, file=sys.stderr)
    written = _write_files(report, options.report)
    written &= _write(report.to_json() if options.json else report.to_html() if options.html else str(report), options.output)
    if status:
        return status
    return UNUSABLE if not written else 0 if report.clean else 1


def record_main(arguments: list[str]) -> int:
    """Runs `ersatz record ARGUMENTS`. Returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="ersatz record", usage=RECORD_USAGE, allow_abbrev=False,
        description="Runs a Python script unchanged and writes each PyTorch operator call to FILE, one line of JSON each, for "
                    "ersatz crosscheck FILE, ersatz validate FILE and ersatz audit --samples FILE. All arguments after the script are the script's. "
                    "If another program starts Python, use ERSATZ_RECORD=FILE python SCRIPT.py. Graphs that torch.compile's inductor "
                    "compiles are compared with the rules, and differences are printed on stderr.",
        epilog="Exit status: the script's where that is not 0; else 0, or 2 where the script cannot be used, the file cannot be written or "
               "nothing was recorded, 130 interrupted. `{rank}` in FILE is this process's rank.")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the file of the records")
    parser.add_argument("--values", action="store_true", help="also record the values of tensors with up to 4096 elements")
    parser.add_argument("--program", action="store_true", help="at the end also write the calls as one program, to FILE with the suffix .txt")
    parser.add_argument("--gradients", action="store_true",
                        help="repeat each different call through which a gradient goes, on copies, and record it with its gradients")
    options = _parsed(parser, arguments)
    options.output = _of_rank(options.output)
    name = _usable(options)
    if name is None:
        return UNUSABLE
    try:
        from .recording import record
        from .watched_compiles import watch_compiles
    except ImportError as e:
        print(f"ersatz: record needs PyTorch: {e}", file=sys.stderr)
        return UNUSABLE
    recorder = record(options.output, values=options.values, program=options.program, gradients=options.gradients)
    try:
        # Opened now, so that an unusable path does not fail after hours.
        os.close(os.open(options.output, os.O_WRONLY | os.O_CREAT, 0o666))
    except OSError as e:
        print(f"ersatz: {options.output}: {e.strerror}", file=sys.stderr)
        return UNUSABLE
    watch = watch_compiles()
    watch.start_when_imported()
    status = _run(name, options, recorder)
    watch.stop()
    lost = recorder.dropped + recorder.failed
    left_out = f", {lost} not" if lost else ""
    left_out += f"; {recorder.compiled_runs} runs of compiled code are not in it" if recorder.compiled_runs else ""
    if watch.report.graphs:
        print(watch.report.closing_line if watch.report.clean else watch.report, file=sys.stderr)
    print(f"record: {recorder.recorded} calls in {options.output}{left_out}", file=sys.stderr)
    if recorder.gradients is not None:
        print(f"record: {recorder.gradients.line()}", file=sys.stderr)
    return status or (0 if recorder.recorded else UNUSABLE)
