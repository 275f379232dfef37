"""Makes random programs of PyTorch: 5 to 30 calls over random layouts, which take the results of earlier calls.

    ersatz crosscheck python/bench/random_programs.py 0 500              # the programs of seeds 0 to 499
    python python/bench/random_programs.py 0 20000 -o FOLDER [--each 500] [--jobs 2]

The second form runs the seeds as a sweep, with 500 seeds an item. The sweep continues after an interruption, and Ray distributes
its items. It prints findings by operator and field, each with the smallest call that still shows it. If a call raises, the error is
compared too, and the program continues.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

import random_layers
import swept_seeds
from random_calls import MOST_ELEMENTS, Draw, tensors_of

# Left out are operators that may end the process, need files or devices, or use memory in proportion to an argument.
# Internal operators are left out too.
LEFT_OUT = ("cudnn", "miopen", "mkldnn", "mps", "sparse", "quant", "nested", "cuda", "dlpack", "from_file", "set_", "print", "assert", "vulkan",
            "record_stream", "backward", "fbgemm", "choose_qparams", "refine_names", "names", "retain_grad", "requires_grad", "data", "is_pinned",
            "pin_memory", "storage", "to_padded", "ccol_indices", "crow_indices", "col_indices", "row_indices", "values", "indices", "coalesce",
            "chalf", "segment_reduce", "sym_", "empty", "resize", "as_strided", "new_empty", "q_", "int_repr", "fused_moving_avg", "fake_quantize",
            "rand", "bernoulli", "normal", "rnn_", "lstm", "gru", "unsafe", "align", "rename", "output_nr", "version", "leaf", "stft", "istft",
            "linalg_eig", "powsum", "_foreach_copy", "embedding_bag", "batch_norm_gather", "thnn", "slow_conv", "conv_depthwise", "glu_jvp",
            "as_tensor", "noise",
            "binomial",  # for a NaN count it does not end
            # Its `out=` overload writes beyond an argument of another dtype or size; the process then ends much later.
            "native_batch_norm")
# These overloads write beyond the argument `out` or `buffer` if it is not row-major.
OVERLOADS_LEFT_OUT = ("aten.tril.out", "aten.triu.out", "aten.log_sigmoid_forward.output",
                      "aten.range.out")  # it divides by a step that becomes 0 in the dtype of `out`


@functools.cache
def operators() -> list[Any]:
    """Returns PyTorch's overloads that a program may call with random arguments."""
    found = []
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space != "aten" or (name.startswith("_") and not name.startswith("_foreach_")) or any(word in name for word in LEFT_OUT):
            continue
        with contextlib.suppress(AttributeError, RuntimeError):
            op = getattr(getattr(torch.ops.aten, name), schema.overload_name or "default")
            if schema.overload_name.startswith("prim_"):
                continue
            if str(op) in OVERLOADS_LEFT_OUT:
                continue
            if any("Tensor" in str(a.type) for a in schema.arguments) and not any("Dict" in str(a.type) for a in schema.arguments):
                found.append(op)
    return sorted(found, key=str)


class Program:
    """One program, with the tensors that it may use."""

    def __init__(self, seed: int) -> None:
        self.draw = Draw(seed)
        self.pool = [self.draw.tensor() for _ in range(3)]

    def run(self) -> None:
        with torch.set_grad_enabled(self.draw.often(0.25)):
            for _ in range(self.draw.randint(5, 30)):
                with contextlib.suppress(Exception):  # exceptions are compared too
                    self.keep(self.step())
            if torch.is_grad_enabled():
                self.backward()

    def step(self) -> Any:
        d = self.draw
        how = d.random()
        if how < 0.6:
            op = d.choice(operators())
            args, kwargs = d.call(op, self.pool)
            return op(*args, **kwargs)
        if how < 0.72:
            return self.index()
        layer: Callable[[Draw], Any] = d.choice(random_layers.LAYERS)
        return layer(d)

    def index(self) -> Any:
        """Draws mixed indexing, as a read or a write."""
        d, t = self.draw, self.draw.choice(self.pool)
        key: list[Any] = []
        for n in t.shape:
            key.append(d.choice((slice(None), slice(d.choice((None, 0, 1, -1)), d.choice((None, 1, -1, 9)), d.choice((None, 1, 2))),
                                 d.randrange(-n, n) if n else slice(None), d.positions(n, d.sizes(d.randint(0, 2))), None,
                                 torch.rand(n) > 0.5)))
        if key and d.often(0.3):
            key[d.randrange(len(key)):] = [...]
        if d.often(0.15) and t.dim():
            key = [torch.rand(t.shape) > 0.5]
        if d.often(0.6):
            return t[tuple(key)]
        with torch.no_grad():
            t[tuple(key)] = d.choice((1, -2.5, True, d.tensor([])))
        return t

    def keep(self, out: Any) -> None:
        d = self.draw
        for t in tensors_of(out):
            if t.layout == torch.strided and not t.is_quantized and t.numel() <= MOST_ELEMENTS and t.dim() <= 6:
                if t.is_floating_point() and t.is_leaf and torch.is_grad_enabled() and d.often(0.3):
                    t.requires_grad_()
                self.pool.append(t)
        while len(self.pool) > 10:
            self.pool.pop(d.randrange(len(self.pool)))

    def backward(self) -> None:
        with contextlib.suppress(Exception):
            ends = [t.abs().sum() for t in self.pool if t.requires_grad]
            torch.autograd.backward(ends)


def main(first: int, last: int) -> None:
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for seed in range(first, last):
        Program(seed).run()


if __name__ == "__main__":
    sys.exit(swept_seeds.run(__doc__, __file__, main))
