"""A model of custom operators. `WRONG` lists the wrong operators with their errors; all others are right.

    python own_model.py
"""

import ctypes

import torch

LIBRARY = torch.library.Library("own_model", "FRAGMENT")
WORKSPACE = {}  # data that only the model has, and an operator reads

# The wrong operators, in the order of their first calls in the model.
WRONG = {"qkv": "stride", "padded": "unwritten", "scores": "dtype", "noted": "undeclared_write", "merged": "alias", "taken": "size"}
FIRST = "qkv"
OPERATORS = {"qkv", "rope", "padded", "layer", "scores", "kept", "noted", "merged", "taken", "tail", "quantized", "bumped"}


def op(schema, kernel, fake):
    name = schema.split("(")[0]
    LIBRARY.define(schema)
    # The dispatcher does not search dicts for tensors.
    LIBRARY.impl(name, kernel, "CompositeExplicitAutograd" if "Dict" in schema else "CPU")
    torch.library.register_fake(f"own_model::{name}", fake, lib=LIBRARY)
    return getattr(torch.ops.own_model, name)


def half_written(x, rows):
    out = x.new_empty((rows, x.shape[1]))
    out[:x.shape[0]] = x
    return out


def written_in_secret(x):
    ctypes.memset(x.data_ptr(), 0, 4)  # the write does not change the version
    return x.clone()


def quantized_parts(x):
    scale = x.abs().amax(1, keepdim=True)
    return (x / scale).to(torch.float8_e4m3fn), scale


def bump(x):
    x.add_(1)


def unknown():
    return torch.library.get_ctx().new_dynamic_size()


qkv = op("qkv(Tensor x, Tensor w) -> Tensor", lambda x, w: (w @ x.t()).t(), lambda x, w: x.new_empty((x.shape[0], w.shape[0])))
rope = op("rope(Tensor x, float base=10000.0) -> Tensor", lambda x, base=10000.0: x * base ** -.5, lambda x, base=10000.0: torch.empty_like(x))
padded = op("padded(Tensor x, int rows) -> Tensor", half_written, lambda x, rows: x.new_empty((rows, x.shape[1])))
layer = op("layer(Tensor x, str name) -> Tensor", lambda x, name: x @ WORKSPACE[name], lambda x, name: x.new_empty((x.shape[0], 4)))
scores = op("scores(Tensor x) -> Tensor", lambda x: x.double().softmax(-1), lambda x: torch.empty_like(x))
kept = op("kept(Tensor x) -> Tensor", lambda x: x[x[:, 0] > 0].clone(), lambda x: x.new_empty((unknown(), x.shape[1])))
noted = op("noted(Tensor x) -> Tensor", written_in_secret, lambda x: torch.empty_like(x))
merged = op("merged(Tensor x) -> (Tensor, Tensor)", lambda x: (lambda y: (y, y))(x + 1), lambda x: (torch.empty_like(x), torch.empty_like(x)))
taken = op("taken(Dict(str, Tensor) parts) -> Tensor", lambda parts: torch.cat(list(parts.values())),
           lambda parts: torch.empty_like(parts["a"]))
tail = op("tail(Tensor(a) x) -> Tensor(a)", lambda x: x[1:], lambda x: x[1:])
quantized = op("quantized(Tensor x) -> (Tensor, Tensor)", quantized_parts,
               lambda x: (torch.empty_like(x, dtype=torch.float8_e4m3fn), x.new_empty((x.shape[0], 1))))
bumped = op("bumped(Tensor(a!) x) -> ()", bump, lambda x: None)


@torch.no_grad()
def train(steps=3):
    """Returns the model's results after some steps."""
    weight = torch.randn(6, 4)
    WORKSPACE["up"] = torch.randn(6, 4)
    out = []
    for step in range(steps):
        x = rope(qkv(torch.randn(3 + step, 4), weight))
        padded(x.contiguous(), x.shape[0] + 2)
        y = layer(x, "up")
        rows = kept(y)
        out += [scores(y), rows, noted(y), *merged(rows), taken({"a": y, "b": rows}), tail(y), quantized(y)[1]]
        bumped(y)
        out.append(y)
    return out


if __name__ == "__main__":
    train()
    print("done")
