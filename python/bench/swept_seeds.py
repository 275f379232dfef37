"""Runs seeds as a sweep, and prints findings by operator and field, and the call that ended an item's process."""

from __future__ import annotations

import argparse
import collections
import pathlib
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import smallest_call

LAST_CALL = pathlib.Path(__file__).resolve().with_name("last_call.py")


def run(doc: str | None, script: str, main: Callable[[int, int], None]) -> int:
    """Runs the command line of a script that makes the calls of seeds: directly, or with -o as a sweep."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int, help="the seed after the last one")
    parser.add_argument("-o", "--output", help="folder of the sweep's reports")
    parser.add_argument("--each", type=int, default=500, help="seeds an item")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--memory", type=float, default=8, metavar="GIB", help="address space of an item; errors of PyTorch because of it are not compared")
    options = parser.parse_args()
    if not options.output:
        main(options.first, options.last)
        return 0
    from ersatz.sweep import sweep

    path = shlex.quote(str(pathlib.Path(script).resolve()))
    items = [f"{path} {at} {min(at + options.each, options.last)}" for at in range(options.first, options.last, options.each)]
    report = sweep(items, out=options.output, jobs=options.jobs, memory=options.memory, progress=lambda line: print(line, file=sys.stderr))
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = collections.defaultdict(list)
    for item in report.items:
        if item.status not in ("clean", "findings", "unjudged"):
            print(f"{item.item}: {item.status}: {item.message}")
        if item.status == "crashed":
            command = [sys.executable, "-W", "ignore", str(LAST_CALL), *shlex.split(item.item), str(options.memory)]
            named = subprocess.run(command, capture_output=True, text=True).stdout
            print(named.rstrip() or "    no seed ends its process alone")
        for f in item.findings:
            groups[f["op"], f["field"], f["predicted"].split(":")[0] if f["field"] == "error" else ""].append(f)
    for (op, field, _), found in sorted(groups.items(), key=lambda group: -len(group[1])):
        f = smallest_call.of(min(found, key=lambda f: len(f["repro"])))
        print(f"{op} {field} ({len(found)})  {f['line']}\n    ersatz {f['predicted'][:160]} | eager {f['observed'][:160]}")
    compared, seeds = sum(i.compared for i in report.items), options.last - options.first
    print(f"{seeds} seeds, {compared} results compared, {sum(i.mismatched for i in report.items)} differ, of {len(groups)} kinds")
    return 0 if report.clean else 1
