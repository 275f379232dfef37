"""Operators of the namespace `audited`, most of them with one fault each."""

import torch

LIBRARY = torch.library.Library("audited", "FRAGMENT")


def op(schema, run=None, fake=None, meta=None):
    name = schema.split("(")[0]
    LIBRARY.define(schema)
    if run:
        LIBRARY.impl(name, run, "CPU")
    if fake:
        torch.library.register_fake(f"audited::{name}", fake, lib=LIBRARY)
    if meta:
        LIBRARY.impl(name, meta, "Meta")


def scaled(x, eps=1e-6, *, k=3):
    return (x * eps * k).to(x.dtype)


op("right(Tensor x, float eps=1e-06, *, int k=3) -> Tensor", scaled, lambda x, eps=1e-6, *, k=3: torch.empty_like(x))
op("no_fake(Tensor x) -> Tensor", torch.clone)
op("no_default(Tensor x, float eps=1e-06) -> Tensor", scaled, lambda x, eps: torch.empty_like(x))
op("other_default(Tensor x, float eps=1e-06) -> Tensor", scaled, lambda x, eps=1.0: torch.empty_like(x))
op("swapped(Tensor x, Tensor y) -> Tensor", lambda x, y: x.clone(), lambda y, x: torch.empty_like(y))
op("wrong_keyword(Tensor x, *, int k=3) -> Tensor", lambda x, *, k=3: x * k, lambda x, *, factor=3: torch.empty_like(x))
op("renamed(Tensor x) -> Tensor", torch.clone, lambda a: torch.empty_like(a))
op("too_few(Tensor x, int k) -> Tensor", lambda x, k: x * k, lambda x: torch.empty_like(x))
op("takes_all(Tensor x, float eps=1e-06) -> Tensor", scaled, lambda *args, **kwargs: torch.empty_like(args[0]))
op("only_fake(Tensor x) -> Tensor", None, torch.empty_like)
op("meta(Tensor x) -> Tensor", torch.clone, meta=torch.empty_like)
op("writes(Tensor x) -> Tensor", lambda x: x.data.add_(1).clone(), torch.empty_like)
op("layout(Tensor x) -> Tensor", lambda x: x.clone(memory_format=torch.contiguous_format), lambda x: torch.empty_like(x))
op("uncalled(Tensor x) -> Tensor", torch.clone, torch.empty_like)


@torch.library.custom_op("audited::custom_no_fake", mutates_args=())
def custom_no_fake(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@torch.library.custom_op("audited::custom", mutates_args=())
def custom(x: torch.Tensor, scale: float = 2.0) -> torch.Tensor:
    return (x * scale).to(x.dtype)


@custom.register_fake
def _(x, scale=2.0):
    return torch.empty_like(x)


LIBRARY.define("composite(Tensor x) -> Tensor")
LIBRARY.impl("composite", lambda x: x.sin().cos(), "CompositeImplicitAutograd")


def call_all():
    """Calls the operators as a test suite does."""
    x, ops = torch.rand(2, 3), torch.ops.audited
    ops.right(x), ops.right(x, 0.5, k=2), ops.right(torch.rand(64, 64))
    ops.no_fake(x), ops.custom_no_fake(x), ops.custom(x), ops.meta(x), ops.composite(x)
    ops.no_default(x, 0.5), ops.other_default(x), ops.swapped(x, x), ops.renamed(x), ops.takes_all(x)
    ops.wrong_keyword(x, k=3), ops.too_few(x, 2)
    ops.writes(x.clone()), ops.layout(x)
