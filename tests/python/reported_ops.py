"""Small operators like those in public reports by authors of fake kernels. The comment of each names its fault."""

import torch

LIBRARY = torch.library.Library("reported", "FRAGMENT")


def op(schema, run, fake):
    name = schema.split("(")[0]
    LIBRARY.define(schema)
    LIBRARY.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"reported::{name}", fake, lib=LIBRARY)
    return getattr(torch.ops.reported, name).default


def unknown():
    return torch.library.get_ctx().new_dynamic_size()


def rows(x):
    return x.nonzero().to(torch.int32)


def twice(q):
    e = q.new_zeros(4)
    return q * 2, e, e


def quant(x, group):
    s = x.view(x.shape[0], -1, group).abs().amax(-1)
    return (x / s.repeat_interleave(group, 1)).to(torch.float8_e4m3fn), s.t().contiguous().t()


def quant_fake(x, group):
    return torch.empty_like(x, dtype=torch.float8_e4m3fn), x.new_empty((x.shape[0], x.shape[1] // group))


def quant_right(x, group):
    return torch.empty_like(x, dtype=torch.float8_e4m3fn), x.new_empty((x.shape[1] // group, x.shape[0])).t()


# The fake is wrong only for need_x=False.
bool_flag = op("bool_flag(Tensor grad, Tensor w, bool need_x) -> Tensor",
               lambda grad, w, need_x: grad @ w.t() if need_x else grad.new_empty(0),
               lambda grad, w, need_x: grad.new_empty((grad.shape[0], w.shape[0])))
# Returns one empty tensor twice.
alias_between_results = op("alias_between_results(Tensor q) -> (Tensor, Tensor, Tensor)", twice,
                           lambda q: (torch.empty_like(q), q.new_empty(4), q.new_empty(4)))
# The fake kernel knows that the number of rows depends on data, but its dtype and number of columns are wrong.
dynamic_size = op("dynamic_size(Tensor x) -> Tensor", rows, lambda x: x.new_empty((unknown(), x.dim() + 1), dtype=torch.int64))
dynamic_right = op("dynamic_right(Tensor x) -> Tensor", rows,
                   lambda x: x.new_empty((x.dim(), unknown()), dtype=torch.int32).t())
# Two results have one data-dependent size in the fake, but different sizes in the kernel.
dynamic_pair = op("dynamic_pair(Tensor x) -> (Tensor, Tensor)", lambda x: (x[x > 0].clone(), x[x <= 0].clone()),
                  lambda x: (lambda n: (x.new_empty(n), x.new_empty(n)))(unknown()))
# The fake reports an unknown size for a dim that is always the first dim of x.
dynamic_known = op("dynamic_known(Tensor x) -> Tensor", lambda x: x.sum(1), lambda x: x.new_empty(unknown()))
# The fake kernel allows at most two rows, and the kernel may return more.
dynamic_bounded = op("dynamic_bounded(Tensor x) -> Tensor", lambda x: x[x > 0].clone(),
                     lambda x: x.new_empty(torch.library.get_ctx().new_dynamic_size(min=0, max=2)))
masked = op("masked(Tensor x, Tensor mask) -> Tensor", lambda x, mask: x[mask].clone(), lambda x, mask: x.new_empty(unknown()))
# The kernel's scales are column-major, the fake's are row-major.
fp8 = op("fp8(Tensor x, int group) -> (Tensor, Tensor)", quant, quant_fake)
fp8_right = op("fp8_right(Tensor x, int group) -> (Tensor, Tensor)", lambda x, group: tuple(t for t in quant(x, group)), quant_right)
fp8_other = op("fp8_other(Tensor x) -> Tensor", lambda x: x.to(torch.float8_e5m2), lambda x: torch.empty_like(x, dtype=torch.float8_e4m3fn))


def composite():
    LIBRARY.define("composite(Tensor x) -> Tensor")
    LIBRARY.impl("composite", lambda x: x.relu() + 1, "CompositeImplicitAutograd")
    return torch.ops.reported.composite.default


def without_fake():
    LIBRARY.define("without_fake(Tensor x) -> Tensor")
    LIBRARY.impl("without_fake", lambda x: torch.from_numpy(x.numpy() * 2), "CPU")
    return torch.ops.reported.without_fake
