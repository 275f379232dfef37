"""PyTorch's own database of operators (OpInfo) under a live crosscheck: compared calls, findings and cost.

    python python/bench/opinfo.py [--dtypes f32 i64] [--only NAME] [--transposed] [--every N [--first K]] [--crosscheck-only] [-o FILE.json]

Each sample of each operator is called plainly, under an empty dispatch mode and under `ersatz.torch.crosscheck` (with --crosscheck-only,
there only), as given and, with --transposed, with its tensors' dims reversed in memory. FILE has the counts and the report. Needs torch,
numpy and expecttest.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections import Counter

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_map_only
from torch.utils._python_dispatch import TorchDispatchMode

import ersatz.torch

DTYPES = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "i64": torch.int64, "bool": torch.bool, "c64": torch.complex64}


class Empty(TorchDispatchMode):
    """A dispatch mode that does nothing, to measure the cost of any mode."""

    calls = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        Empty.calls += 1
        return func(*args, **(kwargs or {}))


def reversed_in_memory(x: torch.Tensor) -> torch.Tensor:
    if x.dim() < 2 or x.layout != torch.strided:
        return x
    dims = list(range(x.dim()))[::-1]
    return x.detach().permute(dims).contiguous().permute(dims).requires_grad_(x.requires_grad)


def timed(call, mode=None):
    start = time.perf_counter()
    try:
        if mode is None:
            call()
        else:
            with mode:
                call()
    except Exception:
        pass
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dtypes", nargs="*", default=list(DTYPES), choices=list(DTYPES))
    parser.add_argument("--only")
    parser.add_argument("--transposed", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="each Nth operator only")
    parser.add_argument("--first", type=int, default=0, help="with --every: begin at this operator, so that N runs see all")
    parser.add_argument("--crosscheck-only", action="store_true", help="measure nothing")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    crosscheck = ersatz.torch.crosscheck()
    seconds: Counter[str] = Counter()
    samples = operators = 0
    for info in op_db[options.first :: options.every]:
        if options.only and info.name != options.only:
            continue
        operators += 1
        for name in options.dtypes:
            if DTYPES[name] not in info.supported_dtypes("cpu"):
                continue
            try:
                inputs = list(info.sample_inputs("cpu", DTYPES[name]))
            except Exception as e:
                print(f"{info.name} {name}: no samples: {e}", file=sys.stderr)
                continue
            for sample in inputs:
                given = (sample.input, sample.args, sample.kwargs)
                if options.transposed:
                    given = tree_map_only(torch.Tensor, reversed_in_memory, given)
                first, args, kwargs = given
                call = lambda: info.op(first, *args, **kwargs)  # noqa: E731
                samples += 1
                if not options.crosscheck_only:
                    seconds["plain"] += timed(call)
                    seconds["empty"] += timed(call, Empty())
                seconds["crosscheck"] += timed(call, crosscheck)
        print(f"\r{samples} samples, {info.name}          ", end="", file=sys.stderr)
    print(file=sys.stderr)
    report = crosscheck.report
    print(report)
    if options.crosscheck_only:
        print(f"{samples} samples of {operators} operators")
    else:
        print(f"{samples} samples, {Empty.calls} calls; plain {seconds['plain']:.1f} s, empty mode {seconds['empty']:.1f} s, "
              f"crosscheck {seconds['crosscheck']:.1f} s, {seconds['crosscheck'] / seconds['empty']:.2f} x the empty mode")
    if options.output:
        whole = json.loads(report.to_json())
        counts = {"operators": operators, "samples": samples, "compared": report.compared, "mismatched": whole["mismatched"],
                  "skipped": sum(whole["skipped"].values()), "differing": [f.op for f in report.findings]}
        with open(options.output, "w") as out:
            json.dump({**counts, "report": whole}, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
