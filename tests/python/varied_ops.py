"""Operators whose faults show only with other arguments than those of the sample, and right operators."""

import os

import torch

LIBRARY = torch.library.Library("varied", "FRAGMENT")
calls_of = []  # the numbers with which `refuses` was called


def op(schema, run, fake):
    name = schema.split("(")[0]
    LIBRARY.define(schema)
    LIBRARY.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"varied::{name}", fake, lib=LIBRARY)
    OPS[name] = getattr(torch.ops.varied, name).default
    return OPS[name]


OPS = {}


def refuses(x, n):
    calls_of.append(n)
    torch._check(n > 0, lambda: "n is not positive")
    return x.clone()


def refuses_fake(x, n):
    if n <= 0:
        raise ValueError("n")
    return torch.empty_like(x)


def unchecked(x, n):
    if n <= 0:
        raise ValueError(f"n is {n}")
    return x.clone()


def modes(x, mode):
    return x.sum(0) if mode == "sum" else x.mean(0)


def both(x, mode, bias):
    out = x.sum(0) if mode == "sum" else x.clone()
    return out if bias is None else out + bias.sum(0).to(out.dtype)


def both_fake(x, mode, bias):
    return x.new_empty(x.shape[1:]) if mode == "sum" or bias is None else torch.empty_like(x)


def laid_fake(x, memory_format):
    return x.new_empty(x.shape)


op("rms(Tensor x, float eps=1e-5, bool reuse=False) -> Tensor", lambda x, eps=1e-5, reuse=False: x.clone(), lambda x, eps=1e-5, reuse=False: torch.empty_like(x))
op("flag(Tensor x, bool flag) -> Tensor", lambda x, flag: x.clone() if flag else x.sum(0), lambda x, flag: torch.empty_like(x))
op("optional_in(Tensor x, Tensor? y=None) -> Tensor", lambda x, y=None: x.clone() if y is not None else x.double(),
   lambda x, y=None: torch.empty_like(x))
op("mode_none(Tensor x, int? dim=None) -> Tensor", lambda x, dim=None: x.clone() if dim else x.sum().reshape(1), lambda x, dim=None: torch.empty_like(x))
op("axis(Tensor x, int n) -> Tensor", lambda x, n: x.new_ones(n), lambda x, n: x.new_empty(0))
op("negative(Tensor x, int dim) -> Tensor", lambda x, dim: x.sum(dim), lambda x, dim: x.new_empty([n for d, n in enumerate(x.shape) if d != dim]))
op("equal_dims(Tensor x, Tensor y) -> Tensor", lambda x, y: x.new_ones(x.shape[1], *y.shape[:1]), lambda x, y: x.new_empty(x.shape[0], y.shape[0]))
op("joined(Tensor[] xs) -> Tensor", lambda xs: torch.cat(xs), lambda xs: torch.cat(xs[:2]))
op("kept_dtype(Tensor x, ScalarType dtype) -> Tensor", lambda x, dtype: x.to(dtype, copy=True), lambda x, dtype: torch.empty_like(x, dtype=torch.float32))
op("laid(Tensor x, MemoryFormat memory_format) -> Tensor", lambda x, memory_format: x.clone(memory_format=memory_format), laid_fake)
op("taken(Dict(str, Tensor) d) -> Tensor", lambda d: torch.cat(list(d.values())), lambda d: torch.cat(list(d.values()) * (1 if len(d) == 2 else 2)))
op("mode(Tensor x, str mode) -> Tensor", modes, lambda x, mode: x.new_empty(x.shape[1:]))
op("both(Tensor x, str mode, Tensor? bias) -> Tensor", both, both_fake)
op("refuses(Tensor x, int n) -> Tensor", refuses, refuses_fake)
op("unchecked(Tensor x, int n) -> Tensor", unchecked, lambda x, n: torch.empty_like(x))
op("mask(Tensor x, float p) -> Tensor", lambda x, p: torch.rand_like(x.real, dtype=torch.float32) > p, lambda x, p: torch.empty_like(x, dtype=torch.bool))
op("weighted(Tensor x, Tensor w) -> Tensor", lambda x, w: (x * w).contiguous(), lambda x, w: x.new_empty(x.shape, dtype=torch.promote_types(x.dtype, w.dtype)))


def context_op():
    def run(x):
        raise RuntimeError("no layer is current")
    return OPS.get("context") or op("context(Tensor x) -> Tensor", run, torch.empty_like)


def crashing_op():
    def run(x, n):
        if n < 0:
            os.kill(os.getpid(), 11)
        return x.clone()
    return OPS.get("crashes") or op("crashes(Tensor x, int n) -> Tensor", run, lambda x, n: torch.empty_like(x))
