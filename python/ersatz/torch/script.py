"""`ersatz crosscheck train.py ...`: a script of PyTorch, unchanged, each of its calls held against ersatz's rules."""

from __future__ import annotations

import argparse
import itertools
import os
import runpy
import sys
import traceback

from ..whole_file import whole_file

USAGE = "ersatz crosscheck [-o FILE] [--json | --html] [--waivers FILE] (SCRIPT.py | -m MODULE) [ARGUMENT...]"
INTERRUPTED, UNUSABLE = 130, 2
_OPTIONS = ("-o", "--output", "--json", "--html", "--waivers")


def _place(arguments: list[str]) -> int:
    """Where the script or the `-m` stands in arguments of `ersatz crosscheck`; -1: they name none."""
    skip = False
    for at, a in enumerate(arguments):
        if skip:
            skip = False
        elif a in ("-o", "--output", "--waivers"):
            skip = True
        elif a == "-m" or a.endswith(".py"):
            return at
        elif not a.startswith("-"):
            return -1
    return -1


def is_script(arguments: list[str]) -> bool:
    """Do arguments of `ersatz crosscheck` name a script or module of Python?"""
    return _place(arguments) >= 0


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ersatz crosscheck", usage=USAGE, allow_abbrev=False,
        description="Runs a Python script as ever and compares each operator of PyTorch that it calls with ersatz's rule. Results, random "
                    "numbers and output of the script are those of a run without it, but that PyTorch compiles nothing meanwhile: a function of "
                    "torch.compile runs as it is written. What follows the script is the script's.",
        epilog="Exit status: the script's where that is not 0; else 0 clean, 1 findings or nothing compared, 2 the script cannot be used or "
               "the report cannot be written, 130 interrupted. The report goes to stderr, or to FILE.")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report to this file instead of stderr")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="report as one JSON object")
    form.add_argument("--html", action="store_true", help="report as a page (with -o)")
    parser.add_argument("--waivers", metavar="FILE", help="findings that have a reason (docs/crosscheck.md)")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("-m", dest="module", nargs=argparse.REMAINDER, metavar="MODULE", help="run a module, as `python -m` does")
    what.add_argument("script", nargs="?", metavar="SCRIPT.py", help="run a script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="the script's own")
    # What stands behind the script is no business of argparse, which would keep a `--` of it.
    at = _place(arguments)
    behind = at + 1 + (arguments[at] == "-m") if at >= 0 else len(arguments)
    options = parser.parse_args(arguments[:behind])
    if options.module:
        options.module += arguments[behind:]
    else:
        options.arguments = arguments[behind:]
    return options


def _say_what_is_the_scripts(name: str, arguments: list[str]) -> None:
    """A word about options that are ours, and that the script gets since they stand behind it."""
    for a in itertools.takewhile(lambda a: a != "--", arguments):
        option = a.partition("=")[0]
        if option in _OPTIONS:
            print(f"ersatz: {option} stands behind {name} and is its own: for the report it stands before: ersatz crosscheck {option} ... {name}",
                  file=sys.stderr)


def _write(text: str, path: str | None) -> bool:
    """False: it could not be written, which has been said."""
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


def _status_of(code: object) -> int:
    """The exit status that `sys.exit(code)` gives."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def main(arguments: list[str]) -> int:
    """Runs `ersatz crosscheck ARGUMENTS` where they name a script. Returns the exit status."""
    options = _parse(arguments)
    name = options.module[0] if options.module else options.script
    if name is None:
        print("ersatz: -m: which module?", file=sys.stderr)
        return UNUSABLE
    if not options.module and not os.path.isfile(name):
        print(f"ersatz: {name}: there is no such script", file=sys.stderr)
        return UNUSABLE
    folder = os.path.dirname(os.path.abspath(options.output)) if options.output else None
    if folder and not os.access(folder, os.W_OK):
        print(f"ersatz: {options.output}: its folder cannot be written", file=sys.stderr)
        return UNUSABLE
    try:
        from .live import crosscheck
    except ImportError as e:
        print(f"ersatz: crosscheck of a script needs PyTorch: {e}", file=sys.stderr)
        return UNUSABLE
    _say_what_is_the_scripts(f"-m {name}" if options.module else name, options.module[1:] if options.module else options.arguments)
    mode = crosscheck(name=name, waivers=options.waivers)
    sys.argv = options.module if options.module else [name, *options.arguments]
    sys.path[0] = os.getcwd() if options.module else os.path.dirname(os.path.abspath(name))
    pid, status = os.getpid(), 0
    try:
        with mode:
            if options.module:
                runpy.run_module(name, run_name="__main__", alter_sys=True)
            else:
                runpy.run_path(name, run_name="__main__")
    except SystemExit as e:
        status = _status_of(e.code)
    except KeyboardInterrupt:
        traceback.print_exc()
        status = INTERRUPTED
    except BaseException as e:
        # As the interpreter shows it: from the script's own first line.
        trace = e.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename.startswith((os.path.dirname(__file__), "<frozen runpy>")):
            trace = trace.tb_next
        traceback.print_exception(type(e), e, trace)
        status = 1
    if os.getpid() != pid:  # a child that the script forked, and that came back here
        sys.stdout.flush()
        os._exit(status)
    report = mode.report.report
    sys.stdout.flush()
    written = _write(report.to_json() if options.json else report.to_html() if options.html else str(report), options.output)
    if status:
        return status
    return UNUSABLE if not written else 0 if report.clean else 1
