"""Lists the kernels of the CUDA module that ran on the PTX device.

    coverage.py REPORTS LIST

REPORTS is a folder of reports (ERSATZ_PTX_REPORT). LIST names the kernels that no test launches. A line of it is a group: an expression that the
readable name matches, a tab, and the reason. The program fails if a kernel is neither launched nor listed, if a group matches no kernel,
or if a checker of the device found something.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

Row = tuple[int, int, int]  # launches, instructions, those that ran


def counted(reports: Path) -> tuple[dict[tuple[str, str], Row], list[str]]:
    """For each function, the row of the process that ran most of it, in whichever module has it; and the findings of
    checkers."""
    functions: dict[tuple[str, str], Row] = {}
    found: list[str] = []
    for path in sorted(reports.rglob("*.tsv")):
        for line in path.read_text().splitlines():
            if line.startswith("found\t"):
                found.append(line)
                continue
            kind, _, name, launches, total, ran, _ = line.split("\t")
            before = functions.get((kind, name), (0, 0, 0))
            functions[kind, name] = (before[0] + int(launches), max(before[1], int(total)), max(before[2], int(ran)))
    return functions, found


def readable(names: list[str]) -> list[str]:
    made = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return made.stdout.splitlines()


def listed(path: Path) -> list[tuple[re.Pattern[str], str]]:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [(re.compile(expression), reason) for expression, reason in (line.split("\t", 1) for line in lines)]


def main(reports: str, list_path: str) -> int:
    functions, found = counted(Path(reports))
    kernels = {key: row for key, row in functions.items() if key[0] == "kernel"}
    if not kernels:
        print("no report names a kernel: the PTX device did not run")
        return 1
    never = readable(sorted(name for (_, name), row in kernels.items() if row[0] == 0))
    groups = listed(Path(list_path))
    unlisted = [name for name in never if not any(group.search(name) for group, _ in groups)]
    needless = [group.pattern for group, _ in groups if not any(group.search(name) for name in never)]
    launched = [row for row in kernels.values() if row[0] > 0]
    total, ran = (sum(row[k] for row in launched) for k in (1, 2))
    print(f"{len(launched)} of {len(kernels)} kernels launched, {len(never) - len(unlisted)} listed; of their {total} instructions {ran} ran ({100 * ran / total:.1f} %)")
    for what in found:
        print("found by a checker:", what)
    for name in unlisted:
        print("neither launched nor listed:", name)
    for pattern in needless:
        print("the list names kernels that are launched, or are no more:", pattern)
    return 1 if unlisted or needless or found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
