"""Records PyTorch's layouts of convolutions, attention and batch norms on this GPU, whose strides libraries choose.

    layout_problems.py OUT.jsonl [--device cuda] [--part 0/4]

A line of OUT is a call record (docs/call-records.md) without values: `out` is the result on the CPU, `cuda_fake` the result on this GPU.
The first line has the GPU and the libraries. To compare the rules with the records, remove this line and run
`ersatz crosscheck OUT --device cuda --no-real --backend sm_90,cublas=...,cudnn=...`. Each problem is run forward and backward by itself;
if it raises, its record has the error. If OUT exists, the run continues it. If a problem makes the device unusable for the process, the
script ends with status 3: start it again.
"""
import argparse
import itertools
import json
import pathlib
import sys

from record_cuda_facts import Poisoned, replay


def tensor(number, dtype, sizes, order=None):
    """A dense argument of a record, with dims in the stride order `order`, outermost first."""
    strides, step = [0] * len(sizes), 1
    for dim in reversed(order or range(len(sizes))):
        strides[dim], step = step, step * sizes[dim]
    size = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2}[dtype]
    commas = lambda x: ",".join(map(str, x))  # noqa: E731
    return {"t": f"{dtype}[{commas(sizes)}]{{{commas(strides)}}}+0@cpu", "s": number, "n": step * size}


def channels_last(rank):
    return [0, *range(2, rank), 1]


def convolutions():
    """dtype, dims, layouts of image and weight, groups, stride, dilation, transposed, bias."""
    for dtype, dims in itertools.product(["f32", "f16", "bf16", "f64"], [1, 2, 3]):
        rank = dims + 2
        for image, weight in itertools.product([None, channels_last(rank)], repeat=2):
            for groups, stride, dilation, transposed in itertools.product([1, 2, 8], [1, 2], [1, 2], [False, True]):
                for batch in [2, 1]:
                    x = tensor(0, dtype, [batch, 8, *[9] * dims], image)
                    w = tensor(1, dtype, [8, 16 // groups if transposed else 8 // groups, *[3] * dims], weight)
                    arguments = [[stride] * dims, [1] * dims, [dilation] * dims, transposed, [0] * dims, groups]
                    yield "aten.convolution.default", [x, w, None, *arguments]
                    if batch == 2 and dims == 2 and dtype in ("f32", "f16"):
                        out = (9 - 1) * stride - 2 + dilation * 2 + 1 if transposed else (9 + 2 - dilation * 2 - 1) // stride + 1
                        channels = 16 if transposed else 8
                        for order in (None, channels_last(rank)):
                            grad = tensor(2, dtype, [batch, channels, *[out] * dims], order)
                            yield "aten.convolution_backward.default", [grad, x, w, None, *arguments, [True, True, False]]
    for dtype, size in itertools.product(["f32", "f16"], [1, 3]):  # kernels of one element, images of one
        for x, w in itertools.product([None, channels_last(4)], repeat=2):
            yield "aten.convolution.default", [tensor(0, dtype, [2, 8, size, size], x), tensor(1, dtype, [4, 8, 1, 1], w), None,
                                               [1, 1], [0, 0], [1, 1], False, [0, 0], 1]


def attentions():
    """dtype, width, layouts of query, key and value, uneven lengths, bias, causal, shared heads."""
    orders = [None, [0, 2, 1, 3], [2, 0, 1, 3]]
    for dtype, width in itertools.product(["f16", "bf16", "f32"], [8, 40, 64, 72, 128, 192, 256, 264]):
        for order, (queries, keys), causal in itertools.product(orders, [(64, 64), (1, 64), (37, 61)], [False, True]):
            for bias in [None, "row", "full"] if not causal else [None]:
                q, k, v = (tensor(n, dtype, [2, 4, length, width], order) for n, length in [(0, queries), (1, keys), (2, keys)])
                mask = bias and tensor(3, dtype, [2, 4, queries, keys] if bias == "full" else [1, 1, queries, keys])
                yield "aten.scaled_dot_product_attention.default", [q, k, v, mask, 0.0, causal]
    for dtype, order in itertools.product(["f16", "bf16"], orders):
        q, k, v = (tensor(n, dtype, [2, heads, 64, 64], order) for n, heads in [(0, 8), (1, 2), (2, 2)])
        yield "aten.scaled_dot_product_attention.default", [q, k, v, None, 0.0, False, None, True]


def batch_norms():
    """dtype of image and parameters, dims, layout, training."""
    for dtype, same, dims, training in itertools.product(["f32", "f16", "bf16", "f64"], [True, False], [0, 1, 2, 3], [True, False]):
        for order in [None, channels_last(dims + 2)] if dims else [None]:
            parameters = dtype if same or dtype == "f64" else "f32"
            x = tensor(0, dtype, [4, 8, *[5] * dims], order)
            w, b, mean, variance = (tensor(n, parameters, [8]) for n in range(1, 5))
            yield "aten.native_batch_norm.default", [x, w, b, mean, variance, training, 0.1, 1e-5]
            yield "aten._batch_norm_with_update.default" if training else "aten._batch_norm_no_update.default", [x, w, b, mean, variance, 0.1, 1e-5]
            grad = tensor(5, dtype, [4, 8, *[5] * dims], order)
            saved = [tensor(n, "f32" if dtype != "f64" else "f64", [8]) for n in (6, 7)]
            yield "aten.native_batch_norm_backward.default", [grad, x, w, mean, variance, *saved, training, 1e-5, [True, True, True]]


def problems():
    for family, calls in [("convolution", convolutions()), ("attention", attentions()), ("batch_norm", batch_norms())]:
        for number, (op, args) in enumerate(calls):
            kwargs = {}
            if op.startswith("aten.scaled_dot") and len(args) > 6:
                args, kwargs = args[:6], {"scale": args[6], "enable_gqa": args[7]}
            yield {"id": f"layout_{family}/{number:06}", "op": op, "args": args, "kwargs": kwargs, "out": []}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--part", default="0/1", help="N/M: the problems N, N + M, N + 2 M, ...")
    options = parser.parse_args()
    import torch

    head = {"torch": torch.__version__}
    if options.device != "cpu":
        head |= {"card": torch.cuda.get_device_name(), "capability": torch.cuda.get_device_capability(), "cuda": torch.version.cuda,
                 "cudnn": torch.backends.cudnn.version()}
    part, parts = map(int, options.part.split("/"))
    out = pathlib.Path(options.out)
    done = out.read_text().count("\n") - 1 if out.exists() else -1  # the first line is the header
    counts = {"asked": 0, "layouts differ from the CPU": 0, "raise": 0}
    with open(out, "a") as file:
        if done < 0:
            file.write(json.dumps(head) + "\n")
        for record in itertools.islice(problems(), part + parts * max(done, 0), None, parts):
            counts["asked"] += 1
            poisoned = ""
            cpu = replay(torch, record, "cpu") or {"err": "RuntimeError"}
            try:
                here = replay(torch, record, options.device) or {"err": "RuntimeError"}
            except Poisoned as e:
                poisoned = str(e).splitlines()[0][:150]
                here = {"err": "RuntimeError", "poisoned": poisoned}
            counts["raise"] += "err" in here
            counts["layouts differ from the CPU"] += texts(cpu) != texts(here)
            del record["out"]
            file.write(json.dumps(record | cpu | {"cuda_fake": here}) + "\n")
            file.flush()
            if poisoned:
                print(f"{record['id']}: {poisoned}")
                sys.exit(3)
    print(json.dumps(counts))


def texts(answer):
    return json.dumps(answer).replace("@cuda:0", "@cpu")


if __name__ == "__main__":
    main()
