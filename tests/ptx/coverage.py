"""Lists the kernels of the CUDA module that ran on the PTX device.

    coverage.py REPORTS LIST [--least PERCENT] [--kernels N]

REPORTS is a folder of reports (ERSATZ_PTX_REPORT). LIST names the kernels that no test launches. A line of it is a group: an expression that the
readable name matches, a tab, and the reason. The program fails if a kernel is neither launched nor listed, if a group matches no kernel,
or if a checker of the device found something. It also fails if fewer than PERCENT of the instructions of launched kernels ran in any process.
--kernels prints the N kernels with most instructions that did not run.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Function:
    launches: int = 0
    instructions: int = 0
    ran: int = 0  # bit k: a process has executed instruction k

    @property
    def count_ran(self) -> int:
        return self.ran.bit_count()


def counted(reports: Path) -> tuple[dict[tuple[str, str], Function], list[str]]:
    """The functions by kind and name, with all processes and all modules that have the function together; and the findings
    of checkers."""
    functions: dict[tuple[str, str], Function] = {}
    found: list[str] = []
    for path in sorted(reports.rglob("*.tsv")):
        for line in path.read_text().splitlines():
            if line.startswith("found\t"):
                found.append(line)
                continue
            kind, _, name, launches, total, _, digits = line.split("\t")
            f = functions.setdefault((kind, name), Function())
            f.launches += int(launches)
            f.instructions = max(f.instructions, int(total))
            f.ran |= int(digits[::-1] or "0", 16)
    return functions, found


def readable(names: list[str]) -> list[str]:
    made = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return made.stdout.splitlines()


def listed(path: Path) -> list[tuple[re.Pattern[str], str]]:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [(re.compile(expression), reason) for expression, reason in (line.split("\t", 1) for line in lines)]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("reports", type=Path)
    parser.add_argument("list", type=Path)
    parser.add_argument("--least", type=float, default=0.0)
    parser.add_argument("--kernels", type=int, default=0)
    options = parser.parse_args(arguments)
    functions, found = counted(options.reports)
    kernels = {name: f for (kind, name), f in functions.items() if kind == "kernel"}
    if not kernels:
        print("no report names a kernel: the PTX device did not run")
        return 1
    never = readable(sorted(name for name, f in kernels.items() if f.launches == 0))
    groups = listed(options.list)
    unlisted = [name for name in never if not any(group.search(name) for group, _ in groups)]
    needless = [group.pattern for group, _ in groups if not any(group.search(name) for name in never)]
    launched = {name: f for name, f in kernels.items() if f.launches > 0}
    total, ran = sum(f.instructions for f in launched.values()), sum(f.count_ran for f in launched.values())
    percent = 100 * ran / total
    print(f"{len(launched)} of {len(kernels)} kernels launched, {len(never) - len(unlisted)} listed; of their {total} instructions {ran} ran ({percent:.1f} %)")
    for what in found:
        print("found by a checker:", what)
    for name in unlisted:
        print("neither launched nor listed:", name)
    for pattern in needless:
        print("the list names kernels that are launched, or are no more:", pattern)
    if percent < options.least:
        print(f"less than {options.least} % of the instructions ran: --kernels N prints the kernels with most instructions that did not")
    worst = sorted(launched, key=lambda name: launched[name].count_ran - launched[name].instructions)[:options.kernels]
    for name, words in zip(worst, readable(worst)):
        print(f"{launched[name].instructions - launched[name].count_ran} of {launched[name].instructions} instructions did not run: {words}")
    return 1 if unlisted or needless or found or percent < options.least else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
