import torch
from told import tell

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
compiled = torch.compile(net)
with torch.autocast("cpu", torch.bfloat16):
    out = compiled(torch.randn(3, 8))
out.float().sum().backward()
tell(out, *(p.grad for p in net.parameters()))
