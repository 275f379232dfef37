"""`ersatz conformance`."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import shlex
import sys
from collections.abc import Sequence

import torch

from ..conformance import written
from ..sweep import SweepReport, kept, sweep
from ..whole_file import whole_file
from .conforming import calls
from .conforming.witnesses import cpp_fakes

UNUSABLE, INTERRUPTED = 2, 130
_EPILOG = """examples:
  ersatz conformance -o found                          all samples of PyTorch's own database of operators (OpInfo)
  ersatz conformance recorded/ --no-opinfo -o found    recorded calls: `ersatz record -o recorded/run.jsonl SCRIPT.py` writes them
  ersatz conformance --opinfo add --opinfo var.unbiased -o found

DIR has found.md (the findings by cause), scripts/ (one for each, which needs PyTorch alone), report.json, found.tsv, and swept/ (the reports
of the items). The command with the same DIR goes on where it was ended. Items are judged in processes of their own, on a Ray
cluster where RAY_ADDRESS names one. An item that PyTorch ends is judged again in parts.

exit status: 0 something was compared and nothing is wrong, 1 wrong predictions, nothing compared, or items that could not be judged,
2 the arguments or DIR cannot be used, 130 interrupted: DIR has what was found so far."""


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ersatz conformance", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=_EPILOG,
        description="Makes calls of PyTorch's operators in eager mode on the CPU and compares the results with PyTorch's predictions: those of\n"
                    "FakeTensorMode, of meta kernels and of decompositions. Wrong predictions are sorted by cause.")
    parser.add_argument("records", metavar="RECORDS", nargs="*", help="recorded calls: a *.jsonl file or a folder with some")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder of the findings")
    parser.add_argument("--opinfo", action="append", metavar="NAME", help="only this entry of OpInfo (add, var.unbiased); may be given several times")
    parser.add_argument("--no-opinfo", action="store_true", help="only recorded calls")
    parser.add_argument("--dtypes", nargs="+", metavar="DTYPE", default=list(calls.DTYPES), choices=list(calls.DTYPES),
                        help=f"dtypes of OpInfo's samples ({' '.join(calls.DTYPES)})")
    parser.add_argument("--each", type=int, default=12, metavar="N", help="files or entries of an item (12): with fewer, work is divided better; with more, fewer processes start")
    parser.add_argument("--jobs", type=int, help="items at a time on this machine (default: one a core)")
    parser.add_argument("--timeout", type=float, default=1800, metavar="S", help="seconds for an item (1800)")
    parser.add_argument("--memory", type=float, metavar="GIB", help="address space of an item")
    return parser.parse_args(arguments)


def _parts(options: argparse.Namespace) -> dict[str, list[str]]:
    """Returns the items to judge, by kind. Raises OSError or ValueError for an item that does not exist."""
    if options.each < 1:
        raise ValueError(f"--each {options.each}: an item has at least one file or entry")
    if options.opinfo and options.no_opinfo:
        raise ValueError("--opinfo and --no-opinfo contradict each other")
    files = sorted({str(path.resolve()) for given in options.records for path in calls.files_of(given)})
    if options.no_opinfo:
        if not files:
            raise ValueError("nothing to judge: --no-opinfo needs RECORDS")
        return {"records": files}
    try:
        known = calls.op_info_names()
    except ImportError as e:
        raise ValueError(f"PyTorch's database of operators needs a package that is not here: {e}; --no-opinfo judges RECORDS alone") from None
    unknown = sorted(set(options.opinfo or ()) - set(known))
    if unknown:
        like = [name for name in known if name.startswith(unknown[0].split(".")[0][:4])][:5]
        raise ValueError(f"--opinfo {unknown[0]}: OpInfo has no entry of this name" + (f"; it has {', '.join(like)}" if like else ""))
    return {"records": files, f"opinfo:{','.join(options.dtypes)}": sorted(set(options.opinfo or known))}


def _items(kind: str, parts: Sequence[str], each: int) -> list[str]:
    return [f"conformance:{kind} {shlex.join(parts[at:at + each])}" for at in range(0, len(parts), each)]


def _halves(item: str) -> list[str]:
    """Returns the two halves of the item, or only the item if it has one part."""
    kind, *parts = shlex.split(item)
    middle = (len(parts) + 1) // 2
    return [f"{kind} {shlex.join(half)}" for half in (parts[:middle], parts[middle:]) if half] if len(parts) > 1 else [item]


def _require_own_folder(folder: pathlib.Path) -> None:
    """Raises ValueError if the folder has reports of another PyTorch, because these must not be mixed."""
    mark, told = folder / "run.json", {"format": 1, "torch": torch.__version__}
    (folder / "swept").mkdir(parents=True, exist_ok=True)
    if mark.exists():
        before = json.loads(mark.read_text(encoding="utf-8"))
        if before != told:
            raise ValueError(f"{folder}: its reports are of PyTorch {before.get('torch')}, this one is {torch.__version__}: name another folder with -o")
        return
    with whole_file(mark) as beside:
        beside.write_text(json.dumps(told), encoding="utf-8")


def _swept(items: list[str], folder: pathlib.Path, options: argparse.Namespace) -> tuple[list[str], bool]:
    """Judges the items. If PyTorch ended an item's process, judges its halves. Returns the items that count, and
    whether the run was interrupted."""
    while True:
        try:
            report: SweepReport = sweep(items, out=folder / "swept", jobs=options.jobs, timeout=options.timeout, memory=options.memory,
                                        progress=lambda line: print(f"ersatz: {line}", file=sys.stderr))
        except KeyboardInterrupt:
            return items, True
        ended = {i.item for i in report.items if i.status in ("crashed", "timeout", "memory")}
        halved = [part for item in items for part in (_halves(item) if item in ended else [item])]
        if halved == items:
            return items, False
        items = halved


def main(arguments: list[str]) -> int:
    """Runs `ersatz conformance ARGUMENTS`. Returns the exit status."""
    options = _parse(arguments)
    folder = pathlib.Path(options.output)
    try:
        parts = _parts(options)
        _require_own_folder(folder)
        items = [item for kind, of in parts.items() for item in _items(kind, of, options.each)]
        items, interrupted = _swept(items, folder, options)
        run = written.Run(f"ersatz conformance {shlex.join(arguments)}", torch.__version__, kept(items, folder / "swept").items, len(items), cpp_fakes())
        written.write(run, folder)
    except (OSError, ValueError) as e:
        reason = f"{e.filename}: {e.strerror}" if isinstance(e, OSError) and e.filename and e.strerror else e
        print(f"ersatz: conformance: {reason}", file=sys.stderr)
        return UNUSABLE
    print(run.closing_line)
    print(f"{folder / 'found.md'} has the findings, {folder / 'scripts'}{os.sep} a script for each")
    if interrupted:
        print("ersatz: interrupted; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    return 0 if run.clean else 1
