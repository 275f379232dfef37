"""Measures the microseconds a node to propagate metadata through exported graphs, for PyTorch's FakeTensorMode and ersatz, in one run.

    python python/bench/fx_graph.py [resnet50 swin_t ...]

The models are models of torchvision with random weights. Prints thread CPU time, the least of several runs. PyTorch is an
interpreter of torch.fx under FakeTensorMode, with a warm cache and without the cache. ersatz is `fake(program)`, which reads and
runs the graph, and a run of a `Graph` that was read before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import ersatz.torch
from timing import least


def measure(name: str, model: torch.nn.Module, inputs: tuple[Any, ...]) -> str:
    program = torch.export.export(model.eval(), inputs)
    module = program.graph_module
    nodes = len(module.graph.nodes)
    values = [n.meta["val"] for n in module.graph.nodes if n.op == "placeholder"]
    mode: FakeTensorMode = next(v.fake_mode for v in values if hasattr(v, "fake_mode"))

    def torchs(cached: bool) -> Callable[[], Any]:
        def run() -> None:
            mode.cache_enabled = cached
            with mode:
                torch.fx.Interpreter(module).run(*values)

        return run

    with torch.no_grad():
        torchs(True)()
        row = [least(torchs(True), 5)[0], least(torchs(False), 3)[0]]
    graph = ersatz.torch.Graph(program)
    row += [least(lambda: ersatz.torch.fake(program), 10)[0], least(graph, 10)[0]]
    return f"{name:<14} {nodes:>5}  " + "  ".join(f"{s / nodes * 1e6:>12.2f}" for s in row)


def main(names: list[str]) -> None:
    import torchvision

    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, ersatz {ersatz.__version__}; us per node")
    print(f"{'model':<14} {'nodes':>5}  {'torch cached':>12}  {'torch':>12}  {'ersatz':>12}  {'ersatz again':>12}")
    for name in names or ["resnet50", "swin_t", "vit_b_16"]:
        size = 224 if name.startswith("vit") else 64
        print(measure(name, torchvision.models.get_model(name, weights=None), (torch.randn(2, 3, size, size),)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
