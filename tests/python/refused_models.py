"""Models that torch.export refuses, each for one reason, written as people write them. `given()` returns inputs that show no edge case."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def numbers(seed, *sizes):
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(seed))


class CutBoxes(nn.Module):
    """A cut that a slice makes anyway."""

    def forward(self, boxes, conf):
        keep = torch.nonzero(conf > 0.5).squeeze(1)
        boxes = boxes[keep]
        if boxes.shape[0] > 10:
            boxes = boxes[:10]
        return boxes * 2

    @staticmethod
    def given():
        return [(numbers(i, 30, 4), torch.rand(30, generator=torch.Generator().manual_seed(i)) * 0.4 + 0.35) for i in (1, 2)]


class NeverFound(nn.Module):
    """A detector before its training: no score reaches the threshold, so one side of the branch is all that inputs show."""

    def forward(self, boxes, conf):
        kept = boxes[torch.sigmoid(conf) * 0.01 > 0.5]
        if kept.numel() == 0:
            return boxes.new_zeros(4)
        return kept.amax(0)

    @staticmethod
    def given():
        return [(numbers(1, 30, 4), numbers(2, 30))]


class HalfOf(nn.Module):
    """int() of a product: k was 2, 4, 6."""

    def forward(self, x, t):
        k = int(t.item() * 0.5)
        return x.topk(k).values

    @staticmethod
    def given():
        return [(numbers(n, 20), torch.tensor(n)) for n in (4, 8, 12)]


class GatedRecurrent(nn.Module):
    """Packing, steps first, and no use of the last state."""

    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 6)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, enforce_sorted=False)
        out, _ = self.rnn(packed)
        out, sizes = pad_packed_sequence(out)
        return out, sizes

    @staticmethod
    def given():
        return [(numbers(1, 9, 3, 5), torch.tensor([9, 4, 7])), (numbers(2, 9, 3, 5), torch.tensor([2, 6, 3]))]


class LastState(nn.Module):
    """Packing of which the last state alone is used."""

    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 6, batch_first=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        _, last = self.rnn(packed)
        return last[-1]

    @staticmethod
    def given():
        return [(numbers(1, 3, 9, 5), torch.tensor([9, 4, 7])), (numbers(2, 3, 9, 5), torch.tensor([2, 6, 3]))]


class Counted(nn.Module):
    """A loop over a number from data."""

    def forward(self, x, n):
        i = 0
        while i < n.item():
            x = x * 2
            i += 1
        return x

    @staticmethod
    def given():
        return [(numbers(n, 4), torch.tensor(n)) for n in (2, 3, 5)]


class Rounds(nn.Module):
    """`range` of a number from data."""

    def forward(self, x, n):
        for _ in range(int(n)):
            x = torch.tanh(x)
        return x

    @staticmethod
    def given():
        return [(numbers(n, 4), torch.tensor(n)) for n in (2, 3, 5)]


class Parts(nn.Module):
    """A split by numbers that are read in the call, and a branch on each part."""

    def forward(self, x, sizes):
        parts = x.split(sizes.tolist())
        return [p.sum(0) for p in parts]

    @staticmethod
    def given():
        return [(numbers(1, 12, 3), torch.tensor([3, 4, 5])), (numbers(2, 12, 3), torch.tensor([6, 2, 4]))]


class Window(nn.Module):
    """A slice between two numbers from data, which is added to a ramp of the same length."""

    def forward(self, x, spot):
        start, length = spot.tolist()
        ramp = torch.arange(length)
        return x[start : start + length] + ramp

    @staticmethod
    def given():
        return [(numbers(1, 30), torch.tensor([3, 9])), (numbers(2, 30), torch.tensor([10, 5]))]


class RaisesOnTensor(nn.Module):
    """A branch on a tensor that raises."""

    def forward(self, x):
        if (x < 0).any():
            raise ValueError("negative")
        return x.sqrt()

    @staticmethod
    def given():
        return [(numbers(i, 6).abs(),) for i in (1, 2)]


class AssertsOnTensor(nn.Module):
    """An assert of a tensor, with a message."""

    def forward(self, x, lengths):
        assert lengths.max() <= x.shape[1], "longer than the buffer"
        return x[:, : lengths.max().item()]

    @staticmethod
    def given():
        return [(numbers(1, 3, 9), torch.tensor([4, 9, 2])), (numbers(2, 3, 9), torch.tensor([4, 7, 2]))]


class Ternary(nn.Module):
    """A conditional expression that need not be one."""

    def forward(self, x):
        kept = x[x > 0]
        kept = kept[:4] if kept.shape[0] > 4 else kept
        return kept * 3

    @staticmethod
    def given():
        return [(numbers(i, 20),) for i in (1, 2)]


class Clamped(nn.Module):
    """Two conversions, and a bound in Python."""

    def forward(self, x, share):
        n = math.ceil(float(share) * x.shape[0])
        n = min(n, x.shape[0])
        return x[:n].sum(0)

    @staticmethod
    def given():
        return [(numbers(i, 20, 2), torch.tensor(s)) for i, s in ((1, 0.3), (2, 0.6))]


class Unnamed(nn.Module):
    """A number without a name decides a guard inside of PyTorch."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x, lengths):
        return self.norm(x[:, :, : lengths.max().item()]).amax(2)

    @staticmethod
    def given():
        return [(numbers(1, 3, 4, 9), torch.tensor([4, 9, 2])), (numbers(2, 3, 4, 9), torch.tensor([4, 7, 2]))]


class EitherSide(nn.Module):
    """A branch of which each side does something else."""

    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x - 1

    @staticmethod
    def given():
        return [(numbers(i, 6).abs(),) for i in (1, 2)]


class Fine(nn.Module):
    """Exports as it is."""

    def forward(self, x):
        kept = x[x > 0]
        return kept * 2, torch.zeros((x > 1).sum().item())

    @staticmethod
    def given():
        return [(numbers(i, 20),) for i in (1, 2)]


class Broadcast(nn.Module):
    """Exports, and the program refuses what eager takes: one row goes with any number of rows."""

    def forward(self, x, label):
        return x[label > 0] - x[label < 0]

    @staticmethod
    def given():
        return [(numbers(i, 8, 3), torch.tensor([1, 1, 1, 0, 0, -1, -1, -1])) for i in (1, 2)]


class Asks(nn.Module):
    """Asks for NaN, so NaN is among its inputs."""

    def forward(self, x):
        if torch.isnan(x).any():
            x = torch.nan_to_num(x)
        return x * 2

    @staticmethod
    def given():
        return [(numbers(i, 20),) for i in (1, 2)]


class TooStrong(nn.Module):
    """A torch._check that refuses inputs that the model could take."""

    def forward(self, x):
        kept = x[x > 0]
        torch._check(kept.shape[0] >= 6)
        if kept.shape[0] == 0:
            raise ValueError("nothing is left")
        return kept.mean()

    @staticmethod
    def given():
        return [(numbers(i, 20),) for i in (1, 2, 4)]
