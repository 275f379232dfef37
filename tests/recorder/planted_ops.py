"""Operators of torch.library with one error each, in the operator or in its fake kernel, and a right one. Each has a sample."""
import torch

LIBRARY = torch.library.Library("planted", "FRAGMENT")


def op(schema, run, fake):
    name = schema.split("(")[0]
    LIBRARY.define(schema)
    LIBRARY.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"planted::{name}", fake, lib=LIBRARY)
    return getattr(torch.ops.planted, name).default


def refuses_empty(x):
    if x.numel() == 0:
        raise ValueError("empty")
    return x.clone()


def refuses_one_row(x):
    torch._check(x.dim() == 0 or x.shape[0] != 1, lambda: "one row")
    return x.clone()


def writes_its_input(x):
    x.data.add_(1)
    return x.clone()


def all_but_the_last(x, out):
    out.reshape(-1)[:-1] = x.reshape(-1)[:-1]


def writes_before_it(x, acc):
    acc.add_(x)
    if acc.storage_offset() > 0:
        torch.empty(0, dtype=acc.dtype).set_(acc.untyped_storage(), 0, (1,), (1,)).add_(1)


def plain_if_channels_last(x):
    by_channel = x.dim() == 4 and x.is_contiguous(memory_format=torch.channels_last) and not x.is_contiguous()
    return x.clone(memory_format=torch.contiguous_format if by_channel else torch.preserve_format)


def twins(x):
    twin = x.clone()
    return twin, twin.view(twin.shape)


def tail(x):
    return x[1:] if x.dim() and x.shape[0] > 1 else x.view(x.shape)


def rows(x):
    return x.view(x.shape) if not x.dim() else x[:2]


# name -> (the op, its sample, the field in which the first wrong record is wrong)
x, y = torch.arange(1.0, 13).reshape(3, 4), torch.ones(3, 4)
PLANTED = {
    "stride": (op("stride(Tensor x) -> Tensor", lambda x: x.contiguous().clone(), torch.empty_like), (x,), "stride"),
    "channels": (op("channels(Tensor x) -> Tensor", lambda x: x.clone(), lambda x: x.new_empty(x.shape)), (x.reshape(1, 3, 2, 2),), "stride"),
    "dtype": (op("dtype(Tensor x, Tensor y) -> Tensor", lambda x, y: x + y, lambda x, y: torch.empty_like(x)), (x, y), "dtype"),
    "size": (op("size(Tensor x) -> Tensor", lambda x: x.sum(-1, keepdim=True), lambda x: x.new_empty(x.shape[:-1])), (x,), "size"),
    "offset": (op("offset(Tensor(a) x) -> Tensor(a)", tail, lambda x: x[:-1] if x.dim() and x.shape[0] > 1 else x.view(x.shape)), (x,), "offset"),
    "alias": (op("alias(Tensor x) -> Tensor", lambda x: x.detach(), torch.clone), (x,), "alias"),
    "copy": (op("copy(Tensor(a) x) -> Tensor(a)", lambda x: x.clone(), lambda x: x.view(x.shape)), (x.contiguous(),), "alias"),
    "write": (op("write(Tensor x) -> Tensor", writes_its_input, torch.clone), (x,), "write"),
    "error": (op("error(Tensor x) -> Tensor", refuses_empty, torch.clone), (x,), "error"),
    "refusal": (op("refusal(Tensor x) -> Tensor", torch.clone, refuses_one_row), (x,), "error"),
    "by_value": (op("by_value(Tensor x) -> Tensor", lambda x: x.reshape(-1)[: int((x != 0).sum())].clone(), lambda x: x.reshape(-1).clone()), (x,), "size"),
    "second": (op("second(Tensor x) -> (Tensor, Tensor)", lambda x: (x.clone(), x.clone()), lambda x: (x.clone(), torch.empty_like(x, dtype=torch.float32))), (x,), "dtype"),
    "count": (op("count(Tensor x) -> Tensor[]", lambda x: [x.clone() for _ in range(min(2, x.numel()))], lambda x: [x.clone(), x.clone()]), (x,), "size"),
    "zero_dim": (op("zero_dim(Tensor x, Tensor s) -> Tensor", torch.add,
                    lambda x, s: torch.empty_like(x, dtype=torch.promote_types(x.dtype, s.dtype))), (x, torch.tensor(2.5, dtype=torch.float64)), "dtype"),
    "channels_only": (op("channels_only(Tensor x) -> Tensor", plain_if_channels_last, torch.clone), (torch.ones(2, 3, 2, 4),), "stride"),
    "empty": (op("empty(Tensor x) -> Tensor", lambda x: x.sum(0) if x.numel() else x.new_zeros(()), lambda x: x.new_empty(x.shape[1:])), (x,), "size"),
    "twins": (op("twins(Tensor x) -> (Tensor, Tensor)", twins, lambda x: (x.clone(), x.clone())), (x,), "alias"),
    "gradient": (op("gradient(Tensor g, Tensor x) -> Tensor", lambda g, x: g.contiguous() * x.contiguous(), lambda g, x: torch.empty_like(x)), (x, y), "stride"),
    "unwritten": (op("unwritten(Tensor x, *, Tensor(a!) out) -> ()", all_but_the_last, lambda x, out: None), ((x,), {"out": y.clone()}), "bytes"),
    "beside": (op("beside(Tensor x, Tensor(a!) acc) -> ()", writes_before_it, lambda x, acc: None), (y, x), "bytes"),
}
RIGHT = {
    "plus": (op("plus(Tensor x, Tensor y) -> Tensor", torch.add, torch.add), (x, y)),
    "view_of": (op("view_of(Tensor(a) x) -> Tensor(a)", rows, rows), (x,)),
    "into": (op("into(Tensor x, *, Tensor(a!) out) -> ()", lambda x, out: [out.copy_(x)] and None, lambda x, out: None), ((x,), {"out": y.clone()})),
    "accumulate": (op("accumulate(Tensor x, Tensor(a!) acc) -> ()", lambda x, acc: [acc.add_(x)] and None, lambda x, acc: None), (y, x)),
}
