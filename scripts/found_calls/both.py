"""Functions for the lines of docs/found.md: start `python -i scripts/found_calls/both.py` and paste a line.

Each function prints both sides of a call on two lines. Calls of operators are those of python/ersatz/conformance/differing/shown.py.
"""
import pathlib
import sys

import torch
from torch.utils._pytree import tree_leaves

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python" / "ersatz" / "conformance"))
from differing.shown import aten, both, decomposition, meta, prims, rand, said, spelled  # noqa: E402, F401


def under_mode(op, *args):
    """Prints the difference between two calls of `op`, and between a call alone and a call under a mode that only
    passes calls on."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class PassesOn(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))

    def off():
        results = zip(tree_leaves(op(*args)), alone)
        return "off by " + ", ".join(f"{(a - b).abs().max().item():.3g}" for a, b in results)

    alone = tree_leaves(op(*args))
    again = off()
    with PassesOn():
        said(again, off(), "under the mode")


def of_two(collective, x):
    """Prints a tensor of the first of two processes after an in-place collective, once for a dense tensor and once for
    `x`. The two processes are threads, each with a gloo group, and hold x and x + 10."""
    import threading
    from torch.distributed import BroadcastOptions, HashStore, ProcessGroupGloo

    def held(layout):
        store, tensors = HashStore(), [layout(x), layout(x)]
        tensors[1] += 10

        def rank(n):
            group = ProcessGroupGloo(store, n, 2)
            options = BroadcastOptions()
            options.rootRank = 1
            work = group.allreduce([tensors[n]]) if collective == "allreduce" else group.broadcast([tensors[n]], options)
            work.wait()

        threads = [threading.Thread(target=rank, args=(n,)) for n in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        return str(tensors[0].tolist())

    def with_gaps(x):
        whole = torch.zeros(x.untyped_storage().nbytes() // x.itemsize).as_strided(x.shape, x.stride(), x.storage_offset())
        return whole.copy_(x)

    said(held(torch.Tensor.contiguous if not x.is_contiguous() else torch.clone), held(with_gaps), "gloo")


def exported(f, *args, decomposed=False):
    """Prints the result of `f`, and torch.export's record of it."""
    program = torch.export.export(module_of(f), args, strict=False)
    if decomposed:
        program = program.run_decompositions()
    results = next(n for n in program.graph.nodes if n.op == "output").args[0]
    said(", ".join(map(spelled, tree_leaves(f(*args)))), ", ".join(spelled(n.meta["val"]) for n in results), "recorded")


def other_sizes(f, example, other):
    """Prints the results for `other`: of `f`, and of the program that torch.export made with `example` and dynamic
    dims."""
    dims = tuple({d: torch.export.Dim.AUTO for d in range(x.dim())} for x in example)
    program = torch.export.export(module_of(f), example, dynamic_shapes=(dims,), strict=False)
    unguarded = torch.fx.Interpreter(program.graph_module).run(*program.state_dict.values(), *other)
    eager = ", ".join(map(spelled, tree_leaves(f(*other))))
    without = ", ".join(map(spelled, tree_leaves(unguarded)))
    try:
        program.module()(*other)
        does = "takes it"
    except Exception as error:  # an exception of any class is the answer
        does = f"raises {type(error).__name__}: {error}; its graph alone returns {'what eager does' if without == eager else without}"
    said(eager, does, "program")


def gradients(f, *args):
    """Prints the largest element of each gradient of `f`: by autograd, and by the decomposed joint graph of
    AOTAutograd."""
    from torch._decomp import core_aten_decompositions
    from torch._functorch.aot_autograd import aot_export_joint_simple
    args = [x.requires_grad_() for x in args]
    graph = aot_export_joint_simple(lambda *a: (f(*a),), args, trace_joint=True, decompositions=core_aten_decompositions())
    out = f(*args)
    coming = torch.ones_like(out)
    joint = graph([x.detach() for x in args], [coming])
    sides = [torch.autograd.grad(out, args, coming), tree_leaves(joint)[1:]]
    said(*["largest elements " + ", ".join(f"{x.abs().max().item():.3g}" for x in side) for side in sides], "joint graph")


def module_of(f):
    module = torch.nn.Module()
    module.forward = lambda *args: f(*args)
    return module
