import torch
from told import tell

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.LayerNorm(8))
compiled = torch.compile(net)
with torch.no_grad():
    tell(*(compiled(torch.randn(3, 4)) for _ in range(2)))
