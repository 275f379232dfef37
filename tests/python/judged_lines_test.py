"""Calls in which the first program generator found errors of ersatz (wrong metadata, refused valid calls, accepted
invalid calls). ersatz must now predict eager's results, without findings."""

from __future__ import annotations

import unittest
import warnings

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import torch.nn.functional as F

import ersatz.torch

warnings.simplefilter("ignore")
aten = torch.ops.aten
LOW = -2**63


def zeros(*sizes, dtype=torch.float32):
    return torch.zeros(*sizes, dtype=dtype)


def ones(*sizes, dtype=torch.float32):
    return torch.ones(*sizes, dtype=dtype)


def weight_gradient():
    weight = zeros(2, 4).t().unsqueeze(-1).requires_grad_()
    F.conv1d(zeros(0, 4, 4), weight, None, 2, 1, 1, 2).sum().backward()
    return weight.grad


def normed_slice():
    image, one = zeros(80).as_strided((2, 4, 1, 5), (20, 1, 40, 4)), ones(4)  # x.channels_last[:, :, ::2] with one row
    return aten.native_batch_norm(image, ones(1).expand(4), one, zeros(4), one.clone(), True, .1, 1e-5)[0]


def filled(x):
    x[0, 0] = -1e9
    return x


def cat_into_itself():
    a = torch.empty(0)
    return torch.cat([a, torch.randn(4, 6)], out=a)


half, c64, c128, i32, i64, i16, i8 = torch.float16, torch.complex64, torch.complex128, torch.int32, torch.int64, torch.int16, torch.int8
META = [  # eager's results
    ("float32(3, 3)(3, 1)", lambda: F.huber_loss(zeros(1, 3).expand(3, 3), zeros(3, 3).t(), reduction="none")),
    ("int16(3, 2)(2, 1)", lambda: torch.nan_to_num(zeros(2, 3, dtype=i16).t(), out=zeros(0, dtype=i16))),
    ("int32(2,)(1,)", lambda: torch.range(0.5, 1, out=torch.empty(0, dtype=i32))),
    ("float16()()", lambda: torch.dist(ones(2, 3, dtype=half), torch.tensor(1j, dtype=c128))),
    ("int64(15, 2)(1, 15)", lambda: torch.nonzero(ones(3, 5), out=torch.empty(0, dtype=i64))),
    ("float32(4, 2, 1)(1, 4, 1)", weight_gradient),
    ("float32(2, 4, 1, 5)(20, 5, 5, 1)", normed_slice),
]
TAKEN = [
    ("float32(3, 1, 4, 0)(4, 4, 1, 1)", lambda: F.conv_transpose2d(torch.randn(3, 1, 6, 1), torch.randn(1, 1, 1, 2), None, 1, 1)),
    ("bool(3, 4)(1, 0)", lambda: zeros(3, 1, dtype=torch.bool).expand(3, 4).nan_to_num_()),
    ("False", lambda: ones(2).is_pinned()),
    ("float16()()", lambda: torch.scalar_tensor(1.5e10, dtype=half)),
    ("float32(4,)(1,)", lambda: torch.pow(1, ones(4, dtype=c64), out=torch.empty(4))),
    ("complex128()()", lambda: torch.mode(zeros([], dtype=c128))[0]),
    ("float16()()", lambda: F.multilabel_margin_loss(zeros(0, 3, dtype=half), zeros(0, 3, dtype=i64))),
    ("float16()()", lambda: F.multi_margin_loss(zeros(0, 3, dtype=half), zeros(0, dtype=i64))),
    ("complex128(0, 0)(1, 1)", lambda: zeros(0, 0, dtype=c128).scatter_reduce(1, zeros(0, 0, dtype=i64), zeros(0, 1, dtype=c128), "amin")),
    ("complex128(3, 0, 3, 3)(9, 9, 3, 1)", lambda: F.grid_sample(zeros(3, 0, 4, 5, dtype=c128), zeros(3, 3, 3, 2), align_corners=True)),
    ("float32(2, 1, 2)(2, 2, 1)", lambda: zeros(2, 1, 2).index_add(1, zeros(0, dtype=i64), zeros(2, 0, 2), alpha=1 + 2j)),
    ("float32(0, 2)(2, 1)", lambda: torch.addmm(ones(2), ones(0, 0), ones(0, 2), alpha=1 + 2j)),
    ("int64()()", lambda: torch.min(ones(0, dtype=i8), out=ones(0, dtype=i64))),
    ("float32(2,)(1,)", lambda: torch.from_dlpack(ones(2))),
    ("float32(2,)(1,)", lambda: torch._foreach_sqrt([torch.ones(2, device="meta")])[0]),
    ("int64(1,)(1,)", lambda: torch.randint(LOW, 2**63 - 1, (1,))),
    ("int64(1,)(1,)", lambda: aten.randint.low_out(LOW, 2**63 - 1, [1], out=torch.empty(1, dtype=i64))),
    ("int64(1,)(1,)", lambda: torch.tensor([1]).random_(LOW, 5)),
    ("int64(2,)(1,)", lambda: torch.arange(LOW, LOW + 2)),
    ("float32(3,)(1,)", lambda: aten.slice(ones(3), 0, LOW, 2**63 - 1, 1)),
    ("float16(2, 3)(3, 1)", lambda: torch.where(zeros(2, 3, dtype=half) > 0, zeros(2, 3, dtype=half), -1e9)),
    ("float16(2, 3)(3, 1)", lambda: filled(zeros(2, 3, dtype=half))),
    ("float16(1,)(1,)", lambda: torch.full([1], -1e9, dtype=half)),
    ("float16()()", lambda: torch.scalar_tensor(-1e9, dtype=half)),
]
REFUSED = [
    ("RuntimeError", cat_into_itself),
    ("RuntimeError", lambda: torch.isin(torch.randn(4, 2), torch.randn(3, 2).t())),
    ("RuntimeError", lambda: ones(2, dtype=i8).pow(300)),
    ("RuntimeError", lambda: ones(2, dtype=half).pow(1.5e10)),
    ("RuntimeError", lambda: torch.add(zeros(1, dtype=half), zeros(1, dtype=half), alpha=1.5e10)),
    ("RuntimeError", lambda: zeros(3, 1, 3, 2).expand(3, 4, 3, 2).tril_()),
    ("RuntimeError", lambda: zeros(2, dtype=c64).conj().view(c64)),
    ("RuntimeError", lambda: torch.addmm(zeros(1, 2, dtype=i32), zeros(3, 0, dtype=i32), zeros(0, 2, dtype=i32), beta=.5, alpha=3)),
    ("RuntimeError", lambda: aten.rrelu_with_noise_functional(ones(2, dtype=torch.bfloat16), ones(2, dtype=torch.float64), 0, .5, True)),
]


class Lines(unittest.TestCase):
    def judged(self, lines):
        for i, (answer, call) in enumerate(lines):
            with self.subTest(line=i, answer=answer), ersatz.torch.crosscheck(native=False) as report:
                try:
                    out = call()
                    said = f"{str(out.dtype)[6:]}{tuple(out.shape)}{out.stride()}" if isinstance(out, torch.Tensor) else str(out)
                except Exception as e:  # noqa: BLE001 -- its class is what is looked at
                    said = type(e).__name__
                if torch.__version__.startswith("2.15"):
                    self.assertEqual(said, answer)
                self.assertEqual(report.findings, (), str(report))

    def test_metadata_are_eagers(self):
        self.judged(META)

    def test_what_eager_takes_is_taken(self):
        self.judged(TAKEN)

    def test_what_eager_refuses_is_refused(self):
        self.judged(REFUSED)


if __name__ == "__main__":
    unittest.main()
