import torch
from told import tell


@torch.compile(dynamic=None)
def scaled(x):
    return torch.cat([x, x.mean(0, keepdim=True)]) * x.shape[0]


tell(*(scaled(torch.arange(n * 3.0).reshape(n, 3)) for n in (2, 5, 7, 1)))
