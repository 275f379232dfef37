"""Functions for the lines of docs/found.md: start `python -i scripts/found_calls/both.py` and paste a line.

Each function prints both sides of a call on two lines.
"""
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_leaves, tree_map_only

aten = torch.ops.aten
SHORT = {torch.bool: "bool", torch.uint8: "u8", torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64",
         torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64", torch.complex64: "c64",
         torch.complex128: "c128"}


def spelled(x):
    """f32[2,3]{3,1}+4: dtype, sizes, strides, storage offset."""
    if not isinstance(x, torch.Tensor):
        return str(x)
    sizes, strides, offset = ",".join(map(str, x.shape)), ",".join(map(str, x.stride())), x.storage_offset()
    flags = " conj" * x.is_conj() + " neg" * x.is_neg()
    return f"{SHORT.get(x.dtype, x.dtype)}[{sizes}]{{{strides}}}" + (f"+{offset}" if offset else "") + flags


def called(op, args, kwargs):
    """Text of the call's results or exception, and of its arguments afterwards."""
    arguments = [x for x in tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
    before = [spelled(x) for x in arguments]
    memory = {}
    for k, x in enumerate(arguments):
        memory.setdefault(x.untyped_storage()._cdata, f" (memory of argument {k})")
    try:
        out = op(*args, **kwargs)
    except Exception as error:  # an exception of any class is the answer
        return f"raises {type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}".rstrip(": ")
    texts, returned = [], set()
    for number, x in enumerate(tree_leaves(out) if out is not None or op._schema.returns else []):
        of = [k for k, a in enumerate(arguments) if a is x]
        returned.update(of)
        shared = ""
        if of:
            shared = f" (argument {of[0]})"
        elif isinstance(x, torch.Tensor):
            shared = memory.setdefault(x.untyped_storage()._cdata, "")
            memory[x.untyped_storage()._cdata] = shared or f" (memory of result {number})"
        texts.append(spelled(x) + shared)
    after = [f"; argument {k} becomes {spelled(x)}" for k, x in enumerate(arguments) if k not in returned and spelled(x) != before[k]]
    return (", ".join(texts) or "returns nothing") + "".join(after)


def both(op, *args, **kwargs):
    """Prints the results of `op` under FakeTensorMode and in eager mode, on the CPU."""
    with FakeTensorMode() as mode:
        fake = called(op, *tree_map_only(torch.Tensor, mode.from_tensor, (args, kwargs)))
    eager = called(op, args, kwargs)
    said(eager, fake, "fake")


def said(eager, other, name):
    """Prints both sides on two lines."""
    width = max(len(name), len("eager"))
    for side, text in (("eager", eager), (name, other)):
        print(f"{side:{width}}  {' '.join(text.split())}")


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


def rand(*sizes, **options):
    """Random numbers that are equal in each call."""
    return torch.randn(*sizes, **options, generator=torch.Generator().manual_seed(0))
