"""Compares the operators that ran on the PTX device with docs/data/cuda_ptx.csv.

    operators.py RAN TABLE

RAN is the file that test_cuda wrote (ERSATZ_PTX_OPERATORS). The program prints each operator that only one of the files has, and then
fails.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(ran_path: str, table_path: str) -> int:
    ran, table = (set(Path(path).read_text().splitlines()[1:]) for path in (ran_path, table_path))
    for op in sorted(ran - table):
        print(f"{op} ran as PTX and agreed with the CPU, and {table_path} lacks it")
    for op in sorted(table - ran):
        print(f"{op} is in {table_path}, and no call of it ran as PTX and agreed with the CPU")
    if ran != table:
        print(f"If this is right: cp {ran_path} {table_path} && scripts/ops_table")
    print(f"{len(ran)} operators ran as PTX and agreed with the CPU")
    return 1 if ran != table else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
