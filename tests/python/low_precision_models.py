"""Models in low-precision dtypes: transformer blocks in float8, with 4-bit and microscaled weights, and a
convolution that PT2E quantised."""

import torch
import torch.ao.quantization.fx._decomposed  # registers quantized_decomposed
from torch import nn
from torch.nn import functional as F  # noqa: N812

F8 = torch.float8_e4m3fn
MOST = torch.finfo(F8).max
QD = torch.ops.quantized_decomposed


def scaled_rows(x):
    """Returns rows in float8, and the scale of each row."""
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


class FourBitLinear(nn.Module):
    group = 32

    def __init__(self, inputs, outputs):
        super().__init__()
        weight = torch.randint(0, 16, (outputs, inputs), dtype=torch.int32)
        scales_and_zeros = torch.stack([torch.rand(inputs // self.group, outputs) / 100, torch.zeros(inputs // self.group, outputs)], -1)
        self.register_buffer("weight", torch._convert_weight_to_int4pack_for_cpu(weight, 1))
        self.register_buffer("scales_and_zeros", scales_and_zeros.to(torch.bfloat16))

    def forward(self, x):
        y = torch._weight_int4pack_mm_for_cpu(x.reshape(-1, x.shape[-1]), self.weight, self.group, self.scales_and_zeros)
        return y.reshape(*x.shape[:-1], -1)


def attended(qkv, heads):
    """Computes causal attention of a `[batch, length, 3 * width]` tensor. Returns `[batch, length, width]`."""
    batch, length, width = *qkv.shape[:2], qkv.shape[2] // 3
    q, k, v = qkv.reshape(batch, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, length, width)


class Block(nn.Module):
    """A transformer block whose four matrix products are modules of the class `linear`."""

    example = (2, 8, 32), torch.bfloat16

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.before, self.between = (nn.LayerNorm(width, dtype=torch.bfloat16) for _ in range(2))
        self.qkv, self.out = self.linear(width, 3 * width), self.linear(width, width)
        self.up, self.down = self.linear(width, 4 * width), self.linear(4 * width, width)

    def forward(self, x):
        x = x + self.out(attended(self.qkv(self.before(x)), self.heads))
        return x + self.down(F.gelu(self.up(self.between(x))))


class Float8Block(Block):
    linear = Float8Linear


class FourBitBlock(Block):
    linear = FourBitLinear


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


def microscaled(x):
    """Returns the numbers in float8, and a power-of-two scale for each block of 32 of them (MXFP8)."""
    blocks = x.float().reshape(*x.shape[:-1], -1, 32)
    scale = torch.exp2(torch.floor(torch.log2(blocks.abs().amax(-1, keepdim=True).clamp(min=2.0**-100))) - 8)
    numbers = (blocks / scale).clamp(-MOST, MOST).to(F8)
    return numbers.reshape(x.shape), scale.squeeze(-1).to(torch.float8_e8m0fnu)


class Microscaled(nn.Module):
    example = (3, 64), torch.float32

    def forward(self, x):
        numbers, scale = microscaled(x)
        return numbers.float() * scale.float().repeat_interleave(32, -1), numbers, scale


def in_tiles(scale):
    """Returns the blocks' scales in tiles of 128 rows and 4 blocks, the layout that cuBLAS reads."""
    rows, blocks = scale.shape
    padded = F.pad(scale.view(torch.uint8), (0, -blocks % 4, 0, -rows % 128))
    tiles = padded.reshape(-(-rows // 128), 4, 32, -(-blocks // 4), 4).permute(0, 3, 2, 1, 4)
    return tiles.reshape(-1).view(torch.float8_e8m0fnu)


def microscaled_linear(x, weight, scale):
    rows, scale_of_rows = microscaled(x.reshape(-1, x.shape[-1]))
    y = torch._scaled_mm(rows, weight.t(), scale_a=in_tiles(scale_of_rows), scale_b=scale, out_dtype=torch.bfloat16)
    return y.reshape(*x.shape[:-1], -1)


class MicroscaledBlock(nn.Module):
    """A transformer block in MXFP8. Only CUDA has its matrix product. The weights are inputs, because they are on a GPU
    that this machine lacks, and an archive cannot store their values."""

    width = 128

    def forward(self, x, qkv, out, up, down):
        width = x.shape[-1]
        x = x + microscaled_linear(attended(microscaled_linear(F.layer_norm(x, (width,)), *qkv), 4), *out)
        return x + microscaled_linear(F.gelu(microscaled_linear(F.layer_norm(x, (width,)), *up)), *down)

    @classmethod
    def inputs(cls):
        """REQUIRES: an active FakeTensorMode, or a GPU."""
        def weight(outputs, inputs):
            scales = -(-outputs // 128) * -(-inputs // 128) * 512
            return (torch.empty(outputs, inputs, device="cuda", dtype=F8), torch.empty(scales, device="cuda", dtype=torch.float8_e8m0fnu))
        width, x = cls.width, torch.empty(2, 64, cls.width, device="cuda", dtype=torch.bfloat16)
        return x, weight(3 * width, width), weight(width, width), weight(4 * width, width), weight(width, 4 * width)


MODELS = [Float8Block, FourBitBlock, QuantisedConvolution, Microscaled]


def made(model):
    """Returns the model in eval mode, and its input."""
    torch.manual_seed(0)
    sizes, dtype = model.example
    return model().eval().requires_grad_(False), torch.randn(sizes).to(dtype)
