import os
import socket
import sys

import torch
import torch.distributed as dist
from told import tell


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = torch.nn.Linear(4, 600), torch.nn.Linear(600, 600), torch.nn.Linear(600, 2)

    def forward(self, x):
        return self.third(self.second(self.first(x).relu()).relu())


def train(rank):
    torch.manual_seed(rank)
    net = Net()
    model = torch.compile(torch.nn.parallel.DistributedDataParallel(net, bucket_cap_mb=1))  # two buckets, two graphs
    model(torch.randn(3, 4)).sum().backward()
    tell(*(p.grad for p in net.parameters()))


def run(rank, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo")
    dist.init_process_group("gloo", rank=rank, world_size=2)
    train(rank)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(1, int(sys.argv[1]))
    else:
        import subprocess

        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        other = subprocess.Popen([sys.executable, "-W", "ignore", __file__, str(port)], stdout=subprocess.DEVNULL)
        run(0, port)
        sys.exit(other.wait())
