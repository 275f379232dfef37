"""An operator with a float8 result whose fake kernel forgets a layout, and an exported program with float8 weights.

Runs each command that takes them, and `torch.library.opcheck` on the operator.
"""

import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz.torch
import reported_ops
from ersatz import _ersatz

SCHEMA = "(Tensor x, int group) -> (Tensor, Tensor)"
wrong = reported_ops.op(f"quantised{SCHEMA}", reported_ops.quant, reported_ops.quant_fake)
right = reported_ops.op(f"quantised_right{SCHEMA}", reported_ops.quant, reported_ops.quant_right)
F32 = [torch.float32]


def sample():
    return torch.rand(6, 8, generator=torch.Generator().manual_seed(0)) + 0.1, 4


class Weights(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(8, 8).to(torch.float8_e4m3fn), requires_grad=False)

    def forward(self, x):
        return x @ self.weight.to(torch.float32).t()


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def told(self, *arguments):
        """Returns the exit status of a command, and its JSON report."""
        out = self.folder / "report.json"
        status = _ersatz.run_command([*map(str, arguments), "--json", "-o", str(out)])
        return status, json.loads(out.read_text())


    def text(self, *arguments):
        """Returns a command's text output."""
        out = self.folder / "report.txt"
        self.assertEqual(_ersatz.run_command([*map(str, arguments), "-o", str(out)]), 0)
        return out.read_text()


class Operator(Folder):
    def recorded(self, op):
        path = self.folder / "run.jsonl"
        with ersatz.torch.record(path):
            op(*sample())
        return path

    def test_validate_finds_the_stride_of_the_scales(self):
        report = ersatz.torch.validate(wrong, [sample()])
        self.assertIn((1, "stride"), [(f.result, f.field) for f in report.findings])
        finding = next(f for f in report.findings if f.field == "stride")
        self.assertIn("the kernel's result is the transpose of contiguous memory", finding.cause)
        self.assertIn("torch.empty_permuted(out.shape, (1, 0)", finding.cause)
        self.assertNotIn("unsupported", str(report))
        with self.assertRaises(ersatz.errors.Error):
            report.raise_if_findings()

    def test_a_right_fake_has_no_finding_about_strides(self):
        report = ersatz.torch.validate(right, [sample()])
        self.assertNotIn("stride", [f.field for f in report.findings])

    def test_opcheck_finds_it_too(self):
        said = torch.library.opcheck(wrong, sample(), raise_exception=False)
        self.assertIn("Stride mismatch", str(said["test_faketensor"]))
        ours = ersatz.torch.opcheck(wrong, sample(), raise_exception=False)
        self.assertEqual({k: str(v) for k, v in ours.items() if k != "test_ersatz"}.keys(), said.keys())
        self.assertIn("result 1: stride", str(ours["test_ersatz"]))

    def test_a_live_call_is_judged(self):
        with ersatz.torch.crosscheck(native=False) as report:
            wrong(*sample())
            right(*sample())
        self.assertEqual([(f.op, f.result, f.field) for f in report.findings], [("reported.quantised.default", 1, "stride")])
        # There are calls of three operators: the cast to float8, and the two operators under test.
        self.assertEqual((report.mismatched, report.report.own_judged, dict(report.report.own_unjudged)), (1, 2, {}))

    def test_records_of_it_are_judged_without_pytorch(self):
        for command in ("validate", "crosscheck"):
            status, report = self.told(command, self.recorded(wrong))
            self.assertEqual(status, 1, report)
            self.assertEqual([(f["result"], f["field"]) for f in report["findings"]], [(1, "stride")])
            status, report = self.told(command, self.recorded(right))
            self.assertEqual((status, report["findings"]), (0, []))


class Archive(Folder):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "f8.pt2"
        torch.export.save(torch.export.export(Weights(), (torch.randn(2, 8),)), self.path)

    def test_crosscheck_compares_every_result(self):
        status, report = self.told("crosscheck", self.path)
        self.assertEqual((status, report["mismatched"], sum(report["skipped"].values())), (0, 0, 0))
        self.assertGreaterEqual(report["compared"], 3)

    def test_fake_counts_a_byte_an_element(self):
        status, report = self.told("fake", self.path)
        self.assertEqual((status, report["status"]), (0, "clean"))
        self.assertIn("parameters 64 B", self.text("fake", self.path))

    def test_show_prints_the_weight(self):
        self.assertIn('f8e4m3fn[8,8]{8,1}+0@cpu = parameter "weight"', self.text("show", self.path))

    def test_validate_says_that_it_takes_operators_and_records(self):
        with contextlib.redirect_stderr(io.StringIO()):
            status = _ersatz.run_command(["validate", str(self.path)])
        self.assertEqual(status, 2)


if __name__ == "__main__":
    unittest.main()
