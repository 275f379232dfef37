"""Operators with one planted error each, and words that the cause in the report must have or must not have.

name -> (op, sample, field, words that the cause must have, words that are false and must be absent). For the operators in `PASTED`, the
advice is an expression of the fake kernel's `out` and of the arguments, which computes the kernel's result.
"""

import torch

LIBRARY = torch.library.Library("planted_cause", "FRAGMENT")


def op(schema, run, fake):
    name = schema.split("(")[0]
    LIBRARY.define(schema)
    LIBRARY.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"planted_cause::{name}", fake, lib=LIBRARY)
    return getattr(torch.ops.planted_cause, name).default


def contiguous(x):
    return x.clone(memory_format=torch.contiguous_format)


def transposed(x):
    return contiguous(x.permute(*range(x.dim())[::-1])).permute(*range(x.dim())[::-1])


def middle_last(x):
    return contiguous(x.permute(0, 2, 1)).permute(0, 2, 1)


def like(x):
    return torch.empty_like(x)


def rows(x):
    return x.new_empty(x.shape)


def keeps_order_of_other_sizes(x):
    out = x.new_zeros(*x.shape[:-1], 2)
    order = sorted(range(x.dim()), key=x.stride, reverse=True)
    back = [order.index(d) for d in range(x.dim())]
    return contiguous(out.permute(order)).permute(back)


def padded(x):
    return x.new_zeros(*x.shape[:-1], x.shape[-1] + 4)[..., :x.shape[-1]]


def squeezed(x):
    return contiguous(x.squeeze())


def written(x):
    x.data.add_(1)
    return x


x, y = torch.arange(1.0, 13).reshape(3, 4), torch.ones(3, 4)
cube = torch.arange(24.0).reshape(2, 3, 4)
half = torch.ones(3, 4, dtype=torch.float16)
CAUSES = {
    # strides
    "contiguous": (op("contiguous(Tensor x) -> Tensor", contiguous, like), (x,), "stride", ["contiguous whatever the layout of x"], ["in the calls that differ"]),
    "contiguous_doubles": (op("contiguous_doubles(Tensor x) -> Tensor", lambda x: contiguous(x) if x.dtype == torch.float64 or x.dim() and x.shape[0] == 4 else x.clone(), like), (x,), "stride",
                           ["contiguous in the calls that differ, in others it is not"], ["whatever the layout"]),
    "order_of_x": (op("order_of_x(Tensor x) -> Tensor", torch.clone, rows), (x,), "stride", ["keeps the order of x's dims"], ["transpose", "permutation"]),
    "order_of_y": (op("order_of_y(Tensor x, Tensor y) -> Tensor", lambda x, y: y.clone(), lambda x, y: torch.empty_like(x, dtype=y.dtype) if x.shape == y.shape else like(y)), (cube, cube + 1), "stride", ["keeps the order of y's dims; the prediction keeps that of x's"], ["result keeps the order of x's", "whatever the layout of x"]),
    "order_of_other_sizes": (op("order_of_other_sizes(Tensor x) -> Tensor", keeps_order_of_other_sizes, lambda x: x.new_empty(*x.shape[:-1], 2)), (cube,), "stride", ["keeps the order of x's dims"], ["empty_like(x"]),
    "transposed": (op("transposed(Tensor x) -> Tensor", transposed, rows), (x,), "stride", ["the transpose of contiguous memory"], ["keeps the order", "whatever the layout"]),
    "permuted": (op("permuted(Tensor x) -> Tensor", middle_last, rows), (cube,), "stride", ["a permutation of contiguous memory", "(0, 2, 1)"], ["keeps the order", "transpose"]),
    "padded": (op("padded(Tensor x) -> Tensor", padded, rows), (x,), "stride", ["is padded: "], ["transpose"]),
    # dtypes
    "promoted": (op("promoted(Tensor x, Tensor y) -> Tensor", lambda x, y: x + y, lambda x, y: (x + y).to(x.dtype)), (x, y), "dtype", ["the dtype that all arguments promote to", "takes that of x"], ["the dtype of y;"]),
    "of_y": (op("of_y(Tensor x, Tensor y) -> Tensor", lambda x, y: y.clone(), lambda x, y: torch.empty_like(y, dtype=x.dtype)), (x, y), "dtype", ["has the dtype of y; the prediction takes that of x"], ["promote"]),
    "always_f32": (op("always_f32(Tensor x) -> Tensor", lambda x: (x.real if x.is_complex() else x).to(torch.float32, copy=True), like), (x,), "dtype",
                   ["is f32, whatever the arguments' dtypes are; the prediction takes that of x"], ["has the dtype of x"]),
    "always_f32_of_half": (op("always_f32_of_half(Tensor x) -> Tensor", lambda x: torch._check(x.dtype == torch.float16) or x.to(torch.float32), like), (half,), "dtype",
                           ["is f32; the prediction"], ["whatever", "has the dtype of x"]),
    # sizes
    "squeezed": (op("squeezed(Tensor x) -> Tensor", squeezed, rows), (x,), "size", ["drops a dim of size 1"], ["has 1 dim,"]),
    "summed": (op("summed(Tensor x) -> Tensor", lambda x: x.sum(0), rows), (x,), "size", ["has 1 dim, the prediction 2"], ["of size 1"]),
    "turned": (op("turned(Tensor x) -> Tensor", lambda x: contiguous(x.t()), lambda x: x.new_empty(x.shape)), (x,), "size",
               ["dim 0 of the kernel's result is the size of dim 1 of x; the prediction says the size of dim 0 of x"], ["depends on values"]),
    "two_columns": (op("two_columns(Tensor x) -> Tensor", lambda x: x.new_ones(x.shape[0], 2), lambda x: x.new_empty(x.shape[0], 3)), (x,), "size",
                    ["dim 1 of the kernel's result is 2; the prediction says 3"], ["the size of dim"]),
    "one_more": (op("one_more(Tensor x) -> Tensor", lambda x: x.new_ones(x.shape[0] + 1), lambda x: x.new_empty(x.shape[0])), (x,), "size",
                 ["is the size of dim 0 of x plus 1; the prediction says the size of dim 0 of x"], ["the first call"]),
    "by_values": (op("by_values(Tensor x) -> Tensor", lambda x: x.reshape(-1)[(x > 0).reshape(-1)].clone(), lambda x: x.new_empty(x.numel())), (x,), "size", ["depends on values"], []),
    "by_number": (op("by_number(Tensor x, int n) -> Tensor", lambda x, n: x.new_ones(max(n, 0)), lambda x, n: x.new_empty(4)), (x, 3), "size", ["dim 0 of the kernel's result"], ["depends on values"]),
    # memory
    "view": (op("view(Tensor x) -> Tensor", lambda x: x.view(x.shape), torch.clone), (x,), "alias", ["the kernel returns memory of x, and the schema does not say so", "x.clone()"], ["in others not"]),
    "itself_or_copy": (op("itself_or_copy(Tensor x) -> Tensor", lambda x: x.contiguous(), contiguous), (x,), "alias", ["the kernel returns x itself in the calls that differ, in others not"], ["of its own"]),
    "written": (op("written(Tensor x) -> Tensor", written, torch.clone), (x,), "alias", ["the kernel writes x and returns x itself"], []),
    "own": (op("own(Tensor(a) x) -> Tensor(a)", contiguous, lambda x: x.view(x.shape)), (x,), "alias", ["memory of its own, the prediction's is memory of x"], ["one memory", "in others not"]),
    "parts_of_one": (op("parts_of_one(Tensor x) -> Tensor[]", lambda x: list((x * 2).chunk(2, 1)), lambda x: [torch.empty_like(c, memory_format=torch.contiguous_format) for c in x.chunk(2, 1)]), (torch.rand(4, 4),), "alias", ["results 0 and 1 of the kernel are one memory"], []),
    "on_meta": (op("on_meta(Tensor x) -> Tensor", torch.clone, lambda x: torch.empty_like(x, device="meta")), (x,), "device", ["the kernel's result is on cpu, the prediction on meta"], []),
    "none": (op("none(Tensor x) -> (Tensor, Tensor?)", lambda x: (x.clone(), None), lambda x: (like(x), like(x))), (x,), "dtype", ["the kernel returns None, where the prediction is a tensor"], []),
    "same_twice": (op("same_twice(Tensor x) -> (Tensor, Tensor)", lambda x: (lambda e: (e, e))(x.clone()), lambda x: (like(x), like(x))), (x,), "alias", ["results 0 and 1 of the kernel are one memory"], ["of its own, the"]),
}
PASTED = ("contiguous", "order_of_x", "order_of_y", "order_of_other_sizes", "transposed", "permuted")
