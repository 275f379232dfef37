"""One of the two processes of a tensor-parallel MLP: training steps, functional collectives, gradients of collectives.

    python two_ranks.py STORE             RANK is the number of this process, STORE a file that both processes name
    python two_ranks.py STORE strided     rank 0 reduces a tensor with gaps in place
"""

import datetime
import os
import sys

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as functional
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


class Mlp(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(8, 16), torch.nn.Linear(16, 8)

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))


def train():
    torch.manual_seed(0)
    model = parallelize_module(Mlp(), init_device_mesh("cpu", (2,)), {"up": ColwiseParallel(), "down": RowwiseParallel()})
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(4, 8, generator=torch.Generator().manual_seed(1))
    for _ in range(2):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
    return loss.item()


def collectives(rank):
    x = torch.arange(6.0).view(2, 3) + rank
    ours = [functional.all_reduce(x, "sum", dist.group.WORLD), functional.all_gather_tensor(x, 0, dist.group.WORLD),
            functional.reduce_scatter_tensor(x, "sum", 0, dist.group.WORLD), functional.broadcast(x, 0, dist.group.WORLD),
            functional.all_to_all_single(x, [1, 1], [1, 1], dist.group.WORLD)]
    w = x.clone().requires_grad_()
    functional.all_gather_tensor_autograd(w, 0, dist.group.WORLD).pow(2).sum().backward()
    return [t.sum().item() for t in (*ours, w.grad)]


def main(store, what="train"):
    rank = int(os.environ["RANK"])
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2, timeout=datetime.timedelta(seconds=120))
    if what == "strided":
        x = torch.arange(8.0).view(2, 4)[:, ::2]
        x = x if rank == 0 else x.contiguous()
        torch.ops._c10d_functional.wait_tensor(torch.ops._c10d_functional.all_reduce_(x, "sum", "0"))
    else:
        print(rank, train(), *collectives(rank))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
