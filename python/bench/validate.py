"""Compares `ersatz.torch.validate` with `torch.library.opcheck` on the operators of tests/python/wrong_ops.py, with one sample
each: findings, and the cost of a call. Thread CPU time, the smallest of `--rounds`.

    PYTHONPATH=build/python python python/bench/validate.py
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import tempfile
import warnings
from typing import Any

import torch

import ersatz.torch
from timing import least

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/python"))
import wrong_ops  # noqa: E402


def opcheck(op: Any, sample: Any) -> str:
    """Returns the name of the failing test, empty if none fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = torch.library.opcheck(op, tuple(x.clone() for x in sample), raise_exception=False)
    except Exception as e:
        return type(e).__name__
    return next((test.removeprefix("test_") for test, said in results.items() if said != "SUCCESS"), "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    cases = {**{n: (op, s) for n, (op, s, _) in wrong_ops.WRONG.items()}, "right": wrong_ops.RIGHT,
             **{n: case[:2] for n, case in wrong_ops.FIELD.items()}}
    print("| op | validate finds | opcheck, one sample | calls | us a call | opcheck, us |")
    print("|---|---|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calls.jsonl")
        for name, (op, sample) in cases.items():
            fields = list(dict.fromkeys(f.field for f in ersatz.torch.validate(op, [sample]).findings))

            def judged() -> int:
                calls = ersatz.torch.probe(op, [sample], path)["calls"]
                ersatz._ersatz.TorchValidation(path)
                return calls

            seconds, calls = least(judged, rounds)
            theirs, failed = least(lambda: opcheck(op, sample), rounds)
            print(f"| {name} | {', '.join(fields) or '-'} | {failed or '-'} | {calls} | {seconds / calls * 1e6:.0f} | {theirs * 1e6:.0f} |", flush=True)


if __name__ == "__main__":
    main()
