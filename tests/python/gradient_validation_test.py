"""`ersatz.torch.validate(gradients=True)` and `ersatz validate OP --gradients` compare a backward that an author
registered with central differences."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz
import ersatz.torch
from ersatz.__main__ import main
from ersatz.torch import gradient_checks, isolation

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import wrong_backwards  # noqa: E402
from wrong_backwards import OPS, X, Y  # noqa: E402


def found(name):
    return ersatz.torch.validate(OPS[name], [(X, Y)], gradients=True).findings


class Wrong(unittest.TestCase):
    def test_right_backward_is_clean_with_compared_parts(self):
        report = ersatz.torch.validate(OPS["right"], [(X, Y)], gradients=True)
        self.assertTrue(report.clean, str(report))
        counts = json.loads(report.to_json())["gradients"]
        self.assertGreater(counts["numbers"], 80)
        self.assertGreater(counts["second_order"], 30)
        self.assertGreater(counts["metadata"], 10)
        self.assertIn(f"{counts['numbers']} numbers compared with central differences", str(report))

    def test_wrong_backward_names_operator_argument_and_line(self):
        finding, = found("swapped")
        self.assertEqual((finding.op, finding.field, finding.predicted, finding.observed),
                         ("wrong_backward.swapped.default", "value", "-1.875 at x[0, 0] by central differences", "-0.9375"))
        self.assertEqual(finding.cause, "the gradient of x that backward returns is not the derivative")
        self.assertRegex(finding.source, r"wrong_backwards\.py:\d+ in swapped")

    def test_missing_backward_is_finding_with_way_to_one(self):
        finding, = found("missing")
        self.assertEqual((finding.field, finding.predicted), ("requires_grad", "a gradient of x: at x[0, 0] it is -1.875 by central differences"))
        self.assertIn('torch.library.register_autograd("wrong_backward::missing"', finding.cause)

    def test_none_for_argument_that_results_depend_on(self):
        finding, = found("returns_none")
        self.assertEqual((finding.field, finding.observed), ("value", "None"))
        self.assertEqual(finding.cause, "backward returns None for y, and the results depend on it")

    def test_a_gradient_of_another_dtype(self):
        fields = {(f.field, f.cause) for f in found("half_precision")}
        self.assertIn(("dtype", "the gradient of y has another dtype than y: PyTorch casts it"), fields)

    def test_a_gradient_of_other_sizes(self):
        fields = {(f.field, f.predicted, f.observed) for f in found("one_row_more")}
        self.assertIn(("size", "f64[2,3]{3,1}+0@cpu, as x", "f64[1,2,3]{6,3,1}+0@cpu"), fields)

    def test_backward_that_takes_incoming_gradient_for_contiguous(self):
        self.assertIn(("value", "the gradient of x that backward returns is not the derivative"), {(f.field, f.cause) for f in found("reads_memory")})
        report = json.loads(ersatz.torch.validate(OPS["views"], [(X, Y)], gradients=True).to_json())
        errors = [f for f in report["findings"] if f["field"] == "error"]
        self.assertEqual(len(errors), 1)
        self.assertIn("incoming gradient permuted", errors[0]["first"])
        self.assertIn("view size is not compatible", errors[0]["observed"])

    def test_a_second_backward_that_is_silently_wrong(self):
        finding, = found("detaches")
        self.assertEqual((finding.field, finding.observed), ("value", "0 by a second backward run"))
        self.assertIn("once_differentiable says so", finding.cause)

    def test_backward_declared_not_differentiable(self):
        report = ersatz.torch.validate(OPS["once"], [(X, Y)], gradients=True)
        self.assertEqual(report.findings, ())
        self.assertIn("second derivatives: backward is marked once_differentiable", str(report))

    def test_another_layout_is_told_as_a_copy(self):
        report = ersatz.torch.validate(OPS["transposes"], [(X, Y)], gradients=True)
        self.assertTrue(report.clean, str(report))
        self.assertRegex(str(report), r"the gradient of x is copied into the parameter's layout in 5 calls: it arrives as f64\[2,3\]\{1,2\}\+0@cpu, "
                                      r"and f64\[2,3\]\{3,1\}\+0@cpu is kept")


class Kinds(unittest.TestCase):
    def test_an_autograd_function(self):
        report = ersatz.torch.validate(wrong_backwards.Cube, [(X,)], gradients=True)
        self.assertEqual([(f.op, f.field) for f in report.findings], [("Cube", "value")])
        self.assertIn("at argument 0[0, 0] by central differences", report.findings[0].predicted)
        with self.assertRaisesRegex(TypeError, "Cube is an autograd.Function"):
            ersatz.torch.validate(wrong_backwards.Cube, [(X,)])

    def test_operators_of_pytorch(self):
        for op, sample in ((torch.ops.aten.mm.default, (X, Y.t())), (torch.ops.aten.relu.default, (X,)), (torch.ops.aten.cat.default, ([X, Y], 1)),
                           (torch.ops.aten._fft_r2c.default, (X, [1], 0, True))):
            with self.subTest(str(op)):
                report = ersatz.torch.validate(op, [sample], gradients=True)
                self.assertEqual([f for f in report.findings if f.field in ("value", "requires_grad")], [], str(report))

    def test_report_without_a_gradient_is_not_clean(self):
        report = ersatz.torch.validate(wrong_backwards.sign_of, [(X,)], gradients=True)
        self.assertEqual((report.findings, report.clean), ((), False))
        self.assertIn("no gradient was compared: the report is not clean", str(report))
        with self.assertRaises(ersatz.errors.Unjudged):
            report.raise_if_findings()
        self.assertTrue(ersatz.torch.validate(wrong_backwards.sign_of, [(X,)]).clean)

    def test_the_process_is_as_before(self):
        state = torch.get_rng_state()
        backward = OPS["swapped"]._backward_fn
        ersatz.torch.validate(OPS["swapped"], [(X, Y)], gradients=True, isolate=False)
        self.assertTrue(torch.equal(state, torch.get_rng_state()))
        self.assertIs(OPS["swapped"]._backward_fn, backward)
        self.assertFalse(X.requires_grad)


    def test_process_that_cannot_fork_runs_backward_itself(self):
        words = "Unable to handle autograd's threading in combination with fork-based multiprocessing"
        parent = os.getpid()

        def checked(*arguments):
            return (words, "") if os.getpid() != parent else gradient_checks.checked(*arguments)

        with unittest.mock.patch.object(isolation, "checked", checked):
            report = ersatz.torch.validate(OPS["right"], [(X, Y)], gradients=True, isolate=True)
        self.assertTrue(report.clean, str(report))
        self.assertIn("Not looked at: whether a backward run ends the process", str(report))


class Commands(unittest.TestCase):
    def test_the_command_takes_samples_of_a_recorded_run(self):
        with tempfile.TemporaryDirectory() as folder:
            run, out = os.path.join(folder, "run.jsonl"), os.path.join(folder, "report.json")
            with ersatz.torch.record(run, values=True):
                OPS["swapped"](X, Y)
                OPS["right"](X, Y)
            for name, status in (("swapped", 1), ("right", 0)):
                with contextlib.redirect_stdout(io.StringIO()):
                    self.assertEqual(main(["validate", f"wrong_backward::{name}", "--gradients", "--samples", run, "--import", "wrong_backwards",
                                           "--json", "-o", out]), status, pathlib.Path(out).read_text())
                self.assertEqual(len(json.loads(pathlib.Path(out).read_text())["findings"]), status)
            with contextlib.redirect_stderr(io.StringIO()) as err:
                self.assertEqual(main(["validate", "wrong_backward::views", "--gradients", "--samples", run, "--import", "wrong_backwards"]), 2)
            self.assertIn("the samples have no call of it", err.getvalue())


if __name__ == "__main__":
    unittest.main()
