"""Measures the cost of checking a model as it compiles, and compares the backend `ersatz` with PyTorch's own crosscheck of
fakes.

    PYTHONPATH=build/python python python/bench/compiled_models.py watch [--only NAME ...] [--rounds N]
    PYTHONPATH=build/python python python/bench/compiled_models.py backend [--only NAME ...]

`watch`: seconds that inductor takes for the forward and backward graphs of one training step, without and with `watch_compiles()`: thread CPU
time, the least of the rounds, which take turns. The C++ compiler is another process, and the first round, which is not counted, has filled
the cache of its results; caches of graphs are off. "us a node" is what the judgement of a graph takes, and "of it printing" PyTorch's
`print_readable`.

`backend`: one training step compiled by the backends `aot_eager_decomp_partition_crossref` and `ersatz`, seconds of thread CPU time with
compiling, and whether loss and gradients have the bits of eager. The models are those of models.py.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

for _cache in ("TORCHINDUCTOR_FX_GRAPH_CACHE", "TORCHINDUCTOR_AUTOGRAD_CACHE"):
    os.environ.setdefault(_cache, "0")

import torch
import transformers

import ersatz.torch
from ersatz.torch import watched_compiles
from models import MODELS


class Judged:
    """Seconds of the whole process that are spent on comparing graphs."""

    def __init__(self) -> None:
        self.seconds = self.printing = 0.0
        self.nodes = 0
        judge, printed = watched_compiles.watch_compiles._judge, torch.fx.GraphModule.print_readable

        def timed_print(*args: Any, **kwargs: Any) -> Any:
            begin = time.thread_time()
            text = printed(*args, **kwargs)
            self.printing += time.thread_time() - begin
            return text

        def timed(watch: Any, stage: str, graph: torch.fx.Graph) -> None:
            torch.fx.GraphModule.print_readable = timed_print
            begin = time.thread_time()
            judge(watch, stage, graph)
            self.seconds += time.thread_time() - begin
            torch.fx.GraphModule.print_readable = printed
            self.nodes += len(graph.nodes)
        watched_compiles.watch_compiles._judge = timed


def step(model: torch.nn.Module, loss_of: Callable[[torch.nn.Module], torch.Tensor], backend: Any = None) -> tuple[list[torch.Tensor], float]:
    """Returns loss and gradients, and the seconds."""
    torch._dynamo.reset()
    model.zero_grad()
    torch.manual_seed(1)
    begin = time.thread_time()
    loss = loss_of(torch.compile(model, backend=backend) if backend else model)
    loss.backward()
    seconds = time.thread_time() - begin
    return [loss.detach(), *(p.grad.clone() for p in model.parameters() if p.grad is not None)], seconds


def watch(names: list[str], rounds: int) -> bool:
    judged = Judged()
    print("| model | graphs | nodes | compared | differ | s without | s with | more | us a node | of it printing |\n|---|" + "--:|" * 9)
    same = True
    for name in names:
        torch.manual_seed(0)
        model, loss_of = MODELS[name]()
        first, _ = step(model, loss_of, "inductor")
        times: dict[bool, float] = {}
        judged.seconds, judged.printing, judged.nodes = 0.0, 0.0, 0
        for _ in range(rounds):
            for watched in (False, True):
                with ersatz.torch.watch_compiles() if watched else nullcontext() as report:
                    results, seconds = step(model, loss_of, "inductor")
                times[watched] = min(times.get(watched, seconds), seconds)
                same &= len(results) == len(first) and all(map(torch.equal, results, first))
        each = 1e6 / judged.nodes
        print(f"| {name} | {len(report.graphs)} | {judged.nodes // rounds} | {report.compared} | {report.mismatched} | {times[False]:.2f} | {times[True]:.2f} "
              f"| {100 * (times[True] / times[False] - 1):+.1f} % | {judged.seconds * each:.0f} | {judged.printing * each:.0f} |", flush=True)
        if not report.clean:
            print(report, file=sys.stderr)
    return same


def backend(names: list[str]) -> bool:
    print("| model | s crossref | crossref | s ersatz | graphs | compared | differ | bits |\n|---|" + "--:|" * 7)
    equal = True
    for name in names:
        torch.manual_seed(0)
        model, loss_of = MODELS[name]()
        eager, _ = step(model, loss_of)
        begin = time.thread_time()
        try:
            theirs, _ = step(model, loss_of, "aot_eager_decomp_partition_crossref")
            said = "passes" if len(theirs) == len(eager) and all(map(torch.equal, theirs, eager)) else "passes, other bits"
        except Exception as e:
            said = f"{type(e).__name__}: {str(e).strip().splitlines()[0]}"[:100].replace("|", "/")
        crossref = time.thread_time() - begin
        ours = ersatz.torch.Backend()
        results, seconds = step(model, loss_of, ours)
        bits = len(results) == len(eager) and all(map(torch.equal, results, eager))
        equal &= bits
        report = ours.report
        print(f"| {name} | {crossref:.1f} | {said} | {seconds:.1f} | {ours.graphs} | {report.compared} | {report.mismatched} | {'equal' if bits else 'DIFFER'} |", flush=True)
        if not report.clean:
            print(report, file=sys.stderr)
    return equal


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["watch", "backend"])
    parser.add_argument("--only", nargs="*", choices=[*MODELS], default=[*MODELS])
    parser.add_argument("--rounds", type=int, default=2, help="of which the least time counts")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, ersatz {ersatz.__version__}\n")
    return 0 if (watch(options.only, options.rounds) if options.what == "watch" else backend(options.only)) else 1


if __name__ == "__main__":
    sys.exit(main())
