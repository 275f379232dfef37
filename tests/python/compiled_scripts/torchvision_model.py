import torch
import torchvision
from told import tell

torch.manual_seed(0)
net = torchvision.models.resnet18(num_classes=5).eval()
with torch.no_grad():
    tell(torch.compile(net)(torch.randn(1, 3, 32, 32)))
