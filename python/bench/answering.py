"""Measures the time of one operator under PyTorch's FakeTensorMode: with its cache, without it, and with ersatz's rules.

    python python/bench/answering.py

Prints microseconds of thread CPU time for a call, the least of several runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import ersatz.torch
from timing import least

CALLS = 200


def microseconds(call: Callable[[], Any], rounds: int = 7) -> float:
    return least(call, rounds, CALLS)[0] * 1e6


def main() -> None:
    aten = torch.ops.aten
    mode = FakeTensorMode()
    with mode, torch.no_grad():
        x, w, b = torch.empty(8, 16), torch.empty(16, 32), torch.empty(16)
        image, kernel = torch.empty(2, 3, 32, 32), torch.empty(8, 3, 3, 3)
        calls: dict[str, Callable[[], Any]] = {
            "add": lambda: aten.add.Tensor(x, x),
            "mm": lambda: aten.mm.default(x, w),
            "conv2d": lambda: aten.convolution.default(image, kernel, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1),
            "layer_norm": lambda: aten.native_layer_norm.default(x, [16], b, b, 1e-5),
            "transpose": lambda: aten.t.default(x),
            "relu_": lambda: aten.relu_.default(x),
        }
        print(f"torch {torch.__version__}, ersatz {ersatz.__version__}; us per call under FakeTensorMode")
        print(f"{'':<12}{'cached':>10}{'uncached':>10}{'answered':>10}")
        for name, call in calls.items():
            mode.cache_enabled = True
            row = [microseconds(call)]
            mode.cache_enabled = False
            row.append(microseconds(call, 3))
            with ersatz.torch.answering() as answers:
                row.append(microseconds(call))
            assert answers.answered == answers.asked, str(answers)
            print(f"{name:<12}" + "".join(f"{us:>10.1f}" for us in row), flush=True)


if __name__ == "__main__":
    main()
