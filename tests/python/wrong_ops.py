"""Twelve operators of torch.library with one error each, a right one, and four small operators with errors that were found in
published ones. Each has one sample.
"""

import torch

LIBRARY = torch.library.Library("wrong", "FRAGMENT")


def op(schema, run, fake):
    name = schema.split("(")[0]
    LIBRARY.define(schema)
    LIBRARY.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"wrong::{name}", fake, lib=LIBRARY)
    return getattr(torch.ops.wrong, name).default


def contiguous(x):
    return x.clone(memory_format=torch.contiguous_format)


def like(x):
    return torch.empty_like(x)


def writes(x):
    x.data.add_(1)
    return x.clone()


def writes_for_negatives(x):
    if bool((x < 0).any()):
        x.data.abs_()
    return x.clone()


def leaves_a_row(x):
    out = torch.empty_like(x)
    if x.dim() and len(x) > 1:
        out[:-1] = x[:-1]
    else:
        out.copy_(x)
    return out


def positive(x):
    return x.reshape(-1)[(x > 0).reshape(-1)].clone()


def checks(x):
    if x.dim() and x.shape[-1] == 1:
        raise ValueError("a last dim of one element")
    return x.clone()


def tail(x):
    return x[1:] if x.dim() and len(x) > 1 else x.view(x.shape)


def head(x):
    return x[:-1] if x.dim() and len(x) > 1 else x.view(x.shape)


def padded(x):
    room = x.new_empty((*x.shape[:-1], x.shape[-1] + 4))
    room.narrow(-1, 0, x.shape[-1]).copy_(x)
    return room.narrow(-1, 0, x.shape[-1])


def product_backward(grad, x, w):
    return grad @ w, (x.t() @ grad).t().contiguous().t()


def product_backward_fake(grad, x, w):
    grad_x = torch.empty_like(x)
    grad_w = x.new_empty((x.shape[1], grad.shape[1]))
    return grad_x, grad_w


def conv(x, w):
    # Behaves like a library with channels-last memory: the result has the order of dims of the input.
    out = torch.nn.functional.conv1d(x.contiguous(), w)
    return out if x.is_contiguous() else out.permute(0, 2, 1).contiguous().permute(0, 2, 1)


def conv_fake(x, w):
    return x.new_empty((x.shape[0], w.shape[0], x.shape[2] - w.shape[2] + 1))


x, y = torch.arange(1.0, 13).reshape(3, 4), torch.ones(3, 4)
# The values are (the op, its sample, the field of the finding).
WRONG = {
    "stride_always": (op("stride_always(Tensor x) -> Tensor", lambda x: contiguous(x.t()).t() if x.dim() == 2 else x.clone(), lambda x: x.new_empty(x.shape)), (x,), "stride"),
    "stride_transposed": (op("stride_transposed(Tensor x) -> Tensor", contiguous, like), (x,), "stride"),
    "mixed_dtypes": (op("mixed_dtypes(Tensor x, Tensor y) -> Tensor", lambda x, y: x + y, lambda x, y: like(x)), (x, y), "dtype"),
    "alias_in_kernel": (op("alias_in_kernel(Tensor x) -> Tensor", lambda x: x.view(x.shape), lambda x: x.clone()), (x,), "alias"),
    "alias_in_both": (op("alias_in_both(Tensor x) -> Tensor", lambda x: x.view(x.shape), lambda x: x.view(x.shape)), (x,), "alias"),
    "write_always": (op("write_always(Tensor x) -> Tensor", writes, torch.clone), (x,), "undeclared_write"),
    "write_negatives": (op("write_negatives(Tensor x) -> Tensor", writes_for_negatives, torch.clone), (x,), "undeclared_write"),
    "unwritten_row": (op("unwritten_row(Tensor x) -> Tensor", leaves_a_row, like), (x,), "unwritten"),
    "shape_by_values": (op("shape_by_values(Tensor x) -> Tensor", positive, lambda x: x.new_empty(x.numel())), (x,), "size"),
    "squeezes": (op("squeezes(Tensor x) -> Tensor", lambda x: x.squeeze().clone(memory_format=torch.contiguous_format), lambda x: x.new_empty(x.shape)), (x,), "size"),
    "offset": (op("offset(Tensor(a) x) -> Tensor(a)", tail, head), (x,), "offset"),
    "missing_check": (op("missing_check(Tensor x) -> Tensor", checks, torch.clone), (x,), "error"),
}
RIGHT = op("right(Tensor x, Tensor y) -> Tensor", torch.add, torch.add), (x, y)
# The values are (the op, its sample, the field, words of the cause, text of the line to change).
FIELD = {
    "padded_output": (op("padded_output(Tensor x) -> Tensor", padded, lambda x: x.new_empty(x.shape)), (x,), "stride", "padded: its rows of 4 elements lie 8 apart in the first call", "x.new_empty(x.shape)"),
    "contiguous_result": (op("contiguous_result(Tensor x) -> Tensor", contiguous, lambda x: torch.empty_like(x)), (x,), "stride", "contiguous whatever the layout of x", "torch.empty_like(x)"),
    "product_backward": (op("product_backward(Tensor grad, Tensor x, Tensor w) -> (Tensor, Tensor)", product_backward, product_backward_fake),
                         (torch.ones(2, 5), torch.ones(2, 3), torch.ones(5, 3)), "stride", "the transpose", "grad_w = x.new_empty"),
    "conv_of_permuted": (op("conv_of_permuted(Tensor x, Tensor w) -> Tensor", conv, conv_fake), (torch.ones(2, 3, 8), torch.ones(4, 3, 3)), "stride", "a permutation of contiguous memory", "return x.new_empty"),
}
