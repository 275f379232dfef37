"""Models that torch.export refuses, each for one reason. `given()` of a model returns inputs without edge cases."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def numbers(seed, *sizes):
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(seed))


class CutBoxes(nn.Module):
    """Cuts a tensor in a branch, although the slice alone would do."""

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
    """A detector before its training. No score reaches the threshold, so the inputs take only one side of the branch."""

    def forward(self, boxes, conf):
        kept = boxes[torch.sigmoid(conf) * 0.01 > 0.5]
        if kept.numel() == 0:
            return boxes.new_zeros(4)
        return kept.amax(0)

    @staticmethod
    def given():
        return [(numbers(1, 30, 4), numbers(2, 30))]


class HalfOf(nn.Module):
    """int() of a product; the inputs give 2, 4 and 6."""

    def forward(self, x, t):
        k = int(t.item() * 0.5)
        return x.topk(k).values

    @staticmethod
    def given():
        return [(numbers(n, 20), torch.tensor(n)) for n in (4, 8, 12)]


class GatedRecurrent(nn.Module):
    """Packs a sequence, with steps as the first dim, and does not use the last state."""

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
    """Packs a sequence and uses only the last state."""

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
    """Has a loop over a number that depends on data."""

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
    """Has a `range` of a number that depends on data."""

    def forward(self, x, n):
        for _ in range(int(n)):
            x = torch.tanh(x)
        return x

    @staticmethod
    def given():
        return [(numbers(n, 4), torch.tensor(n)) for n in (2, 3, 5)]


class Parts(nn.Module):
    """Splits by numbers that the forward call reads, and branches on each piece."""

    def forward(self, x, sizes):
        parts = x.split(sizes.tolist())
        return [p.sum(0) for p in parts]

    @staticmethod
    def given():
        return [(numbers(1, 12, 3), torch.tensor([3, 4, 5])), (numbers(2, 12, 3), torch.tensor([6, 2, 4]))]


class Window(nn.Module):
    """Slices between two numbers that depend on data, and adds a ramp of the slice's length."""

    def forward(self, x, spot):
        start, length = spot.tolist()
        ramp = torch.arange(length)
        return x[start : start + length] + ramp

    @staticmethod
    def given():
        return [(numbers(1, 30), torch.tensor([3, 9])), (numbers(2, 30), torch.tensor([10, 5]))]


class RaisesOnTensor(nn.Module):
    """Branches on a tensor, and raises on one side."""

    def forward(self, x):
        if (x < 0).any():
            raise ValueError("negative")
        return x.sqrt()

    @staticmethod
    def given():
        return [(numbers(i, 6).abs(),) for i in (1, 2)]


class AssertsOnTensor(nn.Module):
    """Asserts a tensor, with a message."""

    def forward(self, x, lengths):
        assert lengths.max() <= x.shape[1], "longer than the buffer"
        return x[:, : lengths.max().item()]

    @staticmethod
    def given():
        return [(numbers(1, 3, 9), torch.tensor([4, 9, 2])), (numbers(2, 3, 9), torch.tensor([4, 7, 2]))]


class Ternary(nn.Module):
    """Has a conditional expression that is not needed."""

    def forward(self, x):
        kept = x[x > 0]
        kept = kept[:4] if kept.shape[0] > 4 else kept
        return kept * 3

    @staticmethod
    def given():
        return [(numbers(i, 20),) for i in (1, 2)]


class Clamped(nn.Module):
    """Converts two tensors to numbers, and bounds them in Python."""

    def forward(self, x, share):
        n = math.ceil(float(share) * x.shape[0])
        n = min(n, x.shape[0])
        return x[:n].sum(0)

    @staticmethod
    def given():
        return [(numbers(i, 20, 2), torch.tensor(s)) for i, s in ((1, 0.3), (2, 0.6))]


class Unnamed(nn.Module):
    """A number without a name decides a guard inside of a PyTorch function."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x, lengths):
        return self.norm(x[:, :, : lengths.max().item()]).amax(2)

    @staticmethod
    def given():
        return [(numbers(1, 3, 4, 9), torch.tensor([4, 9, 2])), (numbers(2, 3, 4, 9), torch.tensor([4, 7, 2]))]


class EitherSide(nn.Module):
    """Branches, and computes something else on each side."""

    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x - 1

    @staticmethod
    def given():
        return [(numbers(i, 6).abs(),) for i in (1, 2)]


class Fine(nn.Module):
    """Exports without a change."""

    def forward(self, x):
        kept = x[x > 0]
        return kept * 2, torch.zeros((x > 1).sum().item())

    @staticmethod
    def given():
        return [(numbers(i, 20),) for i in (1, 2)]


class Broadcast(nn.Module):
    """Exports, but the program refuses a call that eager accepts: one row, which broadcasts with any number of rows."""

    def forward(self, x, label):
        return x[label > 0] - x[label < 0]

    @staticmethod
    def given():
        return [(numbers(i, 8, 3), torch.tensor([1, 1, 1, 0, 0, -1, -1, -1])) for i in (1, 2)]


class Asks(nn.Module):
    """Tests for NaN, so NaN is among its inputs."""

    def forward(self, x):
        if torch.isnan(x).any():
            x = torch.nan_to_num(x)
        return x * 2

    @staticmethod
    def given():
        return [(numbers(i, 20),) for i in (1, 2)]


class TooStrong(nn.Module):
    """Has a torch._check that refuses inputs with which the model works."""

    def forward(self, x):
        kept = x[x > 0]
        torch._check(kept.shape[0] >= 6)
        if kept.shape[0] == 0:
            raise ValueError("nothing is left")
        return kept.mean()

    @staticmethod
    def given():
        return [(numbers(i, 20),) for i in (1, 2, 4)]
