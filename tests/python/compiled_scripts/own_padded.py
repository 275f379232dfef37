import torch


@torch.library.custom_op("scripts::padded", mutates_args=())
def padded(x: torch.Tensor) -> torch.Tensor:
    rows = torch.zeros(x.shape[0], (x.shape[1] + 7) // 8 * 8)
    rows[:, : x.shape[1]] = x
    return rows[:, : x.shape[1]]


@padded.register_fake
def _(x):
    return x.new_empty(x.shape)


@torch.compile
def use(x):
    return padded(x * 2).relu()


with torch.no_grad():
    use(torch.ones(3, 5))
print("not reached")
