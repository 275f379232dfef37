"""Calls whose kernels accept unexpected dtypes. ersatz must predict eager's results, without findings."""

from __future__ import annotations

import json
import os
import subprocess
import unittest
import warnings

from own_folder import own_folder

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz.torch

warnings.simplefilter("ignore")
PROGRAM = os.environ.get("ERSATZ_PROGRAM")
f8, f4, u16, c32 = torch.float8_e4m3fn, torch.float4_e2m1fn_x2, torch.uint16, torch.complex32
f32, f64, bf16, i32 = torch.float32, torch.float64, torch.bfloat16, torch.int32


def answer(call):
    """Returns eager's result (dtype and sizes), or the class of its error. A live crosscheck must have no finding."""
    with ersatz.torch.crosscheck(native=False) as report:
        try:
            result = call()
        except (RuntimeError, NotImplementedError) as e:
            said = type(e).__name__
        else:
            result = result[0] if isinstance(result, tuple) else result
            said = f"{str(result.dtype)[6:]}{list(result.shape)}"
    if report.mismatched or not report.compared or "skipped (" in report.closing_line:
        raise AssertionError(f"{said}\n{report}")
    return said


def empty(dtype, *sizes):
    return torch.empty(sizes, dtype=dtype)


def inference(image, variance, *, strided=True, empty_image=False, mean=None):
    """Calls batch norm on images, with this running variance."""
    x = torch.ones(0 if empty_image else 2, 3, 4, dtype=image)[:, :, ::2 if strided else 1]
    stands = torch.ones(3, dtype=mean or image)
    spread = empty(f4, 3) if variance == f4 else torch.ones(3).to(variance)
    return answer(lambda: torch.ops.aten._native_batch_norm_legit_no_training(x, None, None, stands, spread, 0.1, 1e-5))


class VarianceOfStridedImages(unittest.TestCase):
    def test_its_root_is_taken_apart(self):
        for variance in (f32, i32, u16, torch.bool):
            self.assertEqual(inference(f32, variance), "float32[2, 3, 2]")
        for variance in (f8, f4, c32):
            self.assertEqual(inference(f32, variance), "NotImplementedError")
        for image, variance in ((f32, f64), (f32, bf16), (bf16, i32), (f64, f32), (f64, i32)):
            self.assertEqual(inference(image, variance), "RuntimeError")

    def test_the_other_statistics_come_first(self):
        self.assertEqual(inference(f32, f8, mean=f8), "RuntimeError")

    def test_dense_images_want_one_dtype(self):
        for variance in (f8, f4, c32, i32, f64):
            self.assertEqual(inference(f32, variance, strided=False), "RuntimeError")

    def test_nothing_is_read_for_an_empty_image(self):
        for variance in (f8, f4, c32, i32, f64):
            self.assertEqual(inference(f32, variance, empty_image=True), "float32[0, 3, 2]")


@unittest.skipUnless(PROGRAM, "ERSATZ_PROGRAM is not set")
class SignsOfNan(unittest.TestCase):
    def setUp(self):
        self.folder = own_folder(self)

    def judged(self, call, change=lambda record: None):
        """Returns the closing line of a crosscheck of the last recorded call, after `change` has changed its record."""
        file = self.folder / "run.jsonl"
        with ersatz.torch.record(str(file), values=64):
            call()
        record = json.loads(file.read_text().splitlines()[-1])
        change(record)
        file.write_text(json.dumps(record) + "\n")
        return subprocess.run([PROGRAM, "crosscheck", str(file)], capture_output=True, text=True).stdout.splitlines()[-1]

    def test_a_nan_that_a_call_makes_has_none(self):
        x = torch.tensor([-1.5, -0.5, 4.0])
        for op in (torch.log, torch.log2, torch.log10, torch.logit, torch.sqrt, torch.acosh):
            for dtype in (f8, torch.float8_e5m2):
                self.assertEqual(self.judged(lambda: op(x, out=empty(dtype, 3))), "crosscheck: 1 compared, 0 mismatched, 0 skipped", op)

    def test_a_number_is_no_nan(self):
        def change(record):
            for out in (record["out"][0], record["after"]["1"]):
                out["v"] = [1.0, 2.0]
        self.assertIn("1 mismatched", self.judged(lambda: torch.log2(torch.tensor([-1.5, 4.0]), out=empty(f8, 2)), change))

    def test_a_nan_of_an_input_keeps_its_bits(self):
        def change(record):
            record["out"][0]["hex"] = "ff"
        nan = torch.tensor([float("nan")])
        self.assertIn("0 mismatched", self.judged(lambda: nan.to(f8)))
        self.assertIn("1 mismatched", self.judged(lambda: nan.to(f8), change))


if __name__ == "__main__":
    unittest.main()
