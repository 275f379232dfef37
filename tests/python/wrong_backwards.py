"""Operators with a registered backward that has one fault, and operators with a right one. Each has one sample."""

import torch
from torch.library import custom_op

X = torch.tensor([[1.0, -2.0, 0.5], [3.0, 0.25, -1.5]])
Y = torch.tensor([[2.0, 1.0, -1.0], [0.5, 4.0, 1.0]])
OPS = {}


def op(backward):
    """Defines a product of two tensors with this backward. A backward named `missing` is not registered."""
    name = backward.__name__

    @custom_op(f"wrong_backward::{name}", mutates_args=())
    def product(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x * y

    product.register_fake(lambda x, y: x * y)
    if name != "missing":
        product.register_autograd(backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
    OPS[name] = product
    return backward


@op
def right(ctx, g):
    x, y = ctx.saved_tensors
    return g * y, g * x


@op
def missing(ctx, g):
    raise AssertionError("nobody registers it")


@op
def swapped(ctx, g):
    x, y = ctx.saved_tensors
    return g * x, g * x


@op
def returns_none(ctx, g):
    x, y = ctx.saved_tensors
    return g * y, None


@op
def half_precision(ctx, g):
    x, y = ctx.saved_tensors
    return g * y, (g * x).to(torch.float32 if x.dtype == torch.float64 else torch.float16)


@op
def one_row_more(ctx, g):
    x, y = ctx.saved_tensors
    return (g * y)[None], g * x


@op
def reads_memory(ctx, g):
    x, y = ctx.saved_tensors
    return g.as_strided(y.shape, (y.shape[1], 1)) * y, g * x


@op
def views(ctx, g):
    x, y = ctx.saved_tensors
    return g.view(-1).view(y.shape) * y, g * x


@op
def detaches(ctx, g):
    x, y = ctx.saved_tensors
    return (g * y).detach(), (g * x).detach()


@op
def once(ctx, g):
    return _once(ctx, g)


def _product_once(ctx, g):
    x, y = ctx.saved_tensors
    return g * y, g * x


_once = torch.autograd.function.once_differentiable(_product_once)


@op
def transposes(ctx, g):
    x, y = ctx.saved_tensors
    return (g * y).t().contiguous().t(), g * x


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * x * g


@custom_op("wrong_backward::sign_of", mutates_args=())
def sign_of(x: torch.Tensor) -> torch.Tensor:
    """Its derivative is 0 everywhere, so it needs no backward."""
    return torch.sign(x)


sign_of.register_fake(torch.empty_like)
