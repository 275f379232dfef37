import torch


@torch.library.custom_op("scripts::attention", mutates_args=())
def attention(x: torch.Tensor) -> torch.Tensor:
    return x.transpose(0, 1).contiguous().transpose(0, 1)


@attention.register_fake
def _(x):
    return torch.empty_like(x)


def first(x):
    return x * 2


def second(y):
    return y.exp() + 1


x = torch.ones(5, 3, 8)
a, b = (torch.compile(piece, options={"guard_filter_fn": lambda guards: [False for _ in guards]}) for piece in (first, second))
with torch.no_grad():
    b(torch.empty_like(a(x)))  # compiles `second` for the layout that the fake kernel predicts
    b(attention(a(x)))
print("not reached")
