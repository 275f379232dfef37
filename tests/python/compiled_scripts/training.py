import torch
from told import tell

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Dropout(0.5), torch.nn.Linear(8, 2))
optimizer = torch.optim.AdamW(net.parameters())
compiled = torch.compile(net)
losses = []
for _ in range(3):
    optimizer.zero_grad()
    losses.append(torch.nn.functional.cross_entropy(compiled(torch.randn(5, 4)), torch.tensor([0, 1, 1, 0, 1])))
    losses[-1].backward()
    optimizer.step()
tell(*losses, *net.parameters())
