"""Models in the dtypes of today: a transformer block in float8, weights of 4 bits, a convolution quantised by PT2E, microscaling."""

import torch
import torch.ao.quantization.fx._decomposed  # registers quantized_decomposed
from torch import nn
from torch.nn import functional as F  # noqa: N812

F8 = torch.float8_e4m3fn
MOST = torch.finfo(F8).max
QD = torch.ops.quantized_decomposed


def scaled_rows(x):
    """Rows in float8, and what each is to be multiplied by."""
    scale = x.abs().amax(dim=-1, keepdim=True).clamp(min=1e-12) / MOST
    return (x / scale).clamp(-MOST, MOST).to(F8), scale.float()


class Float8Linear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        weight, scale = scaled_rows(torch.randn(outputs, inputs) / inputs**0.5)
        self.register_buffer("weight", weight)
        self.register_buffer("scale", scale)
        self.register_buffer("bias", torch.zeros(outputs, dtype=torch.bfloat16))

    def forward(self, x):
        rows, scale = scaled_rows(x.reshape(-1, x.shape[-1]).float())
        y = torch._scaled_mm(rows, self.weight.t(), scale_a=scale, scale_b=self.scale.t(), bias=self.bias, out_dtype=torch.bfloat16)
        return y.reshape(*x.shape[:-1], -1)


class Float8Block(nn.Module):
    example = (2, 8, 32), torch.bfloat16

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.before, self.between = (nn.LayerNorm(width, dtype=torch.bfloat16) for _ in range(2))
        self.qkv, self.out = Float8Linear(width, 3 * width), Float8Linear(width, width)
        self.up, self.down = Float8Linear(width, 4 * width), Float8Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        heads = self.qkv(self.before(x)).reshape(batch, length, 3, self.heads, width // self.heads)
        q, k, v = heads.permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.between(x))))


class FourBitWeights(nn.Module):
    example = (5, 64), torch.bfloat16

    def __init__(self, inputs=64, outputs=32, group=32):
        super().__init__()
        self.group = group
        weight = torch.randint(0, 16, (outputs, inputs), dtype=torch.int32)
        self.register_buffer("weight", torch._convert_weight_to_int4pack_for_cpu(weight, 1))
        self.register_buffer("scales_and_zeros", torch.randn(inputs // group, outputs, 2).to(torch.bfloat16))

    def forward(self, x):
        return F.relu(torch._weight_int4pack_mm_for_cpu(x, self.weight, self.group, self.scales_and_zeros))


class QuantisedConvolution(nn.Module):
    example = (2, 3, 9, 9), torch.float32

    def __init__(self):
        super().__init__()
        self.last, weight = nn.Linear(8, 4), torch.randn(8, 3, 3, 3) / 5
        scales, zeros = (weight.abs().amax(dim=(1, 2, 3)) / 127).double(), torch.zeros(8, dtype=torch.int64)
        self.register_buffer("scales", scales)
        self.register_buffer("zeros", zeros)
        self.register_buffer("weight", QD.quantize_per_channel(weight, scales, zeros, 0, -127, 127, torch.int8))

    @staticmethod
    def rounded(x, scale, zero):
        quantised = QD.quantize_per_tensor(x, scale, zero, 0, 255, torch.uint8)
        return QD.dequantize_per_tensor(quantised, scale, zero, 0, 255, torch.uint8)

    def forward(self, x):
        weight = QD.dequantize_per_channel(self.weight, self.scales, self.zeros, 0, -127, 127, torch.int8)
        y = F.relu(F.conv2d(self.rounded(x, 0.05, 128), weight))
        return self.last(self.rounded(y, 0.02, 0).mean(dim=(2, 3)))


class Microscaled(nn.Module):
    """Blocks of 32 numbers in float8 with a power of two each (MXFP8)."""

    example = (3, 64), torch.float32

    def forward(self, x):
        blocks = x.reshape(*x.shape[:-1], -1, 32)
        scale = torch.exp2(torch.floor(torch.log2(blocks.abs().amax(-1, keepdim=True).clamp(min=2.0**-100))) - 8)
        numbers, scale = (blocks / scale).clamp(-MOST, MOST).to(F8), scale.to(torch.float8_e8m0fnu)
        return (numbers.float() * scale.float()).reshape(x.shape), numbers.reshape(x.shape), scale.squeeze(-1)


MODELS = [Float8Block, FourBitWeights, QuantisedConvolution, Microscaled]


def made(model):
    """The model in eval mode and its input."""
    torch.manual_seed(0)
    sizes, dtype = model.example
    return model().eval().requires_grad_(False), torch.randn(sizes).to(dtype)
