"""ersatz.torch.validate has the right findings for wrong operators, and none for a right one."""

import json
import os
import unittest
import warnings

try:
    import torch
except ImportError:
    torch = None
else:
    import ersatz.torch
    import wrong_ops


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class Validate(unittest.TestCase):
    def test_twelve_wrong_ops_are_found_by_field(self):
        for name, (op, sample, field) in wrong_ops.WRONG.items():
            with self.subTest(name):
                report = ersatz.torch.validate(op, [sample])
                self.assertIn(field, [f.field for f in report.findings], str(report))
                self.assertEqual(report.status, "findings")

    def test_finds_nothing_in_a_right_op(self):
        op, sample = wrong_ops.RIGHT
        report = ersatz.torch.validate(op, [sample])
        self.assertEqual((report.findings, report.status), ((), "clean"))
        self.assertGreater(report.compared, 50)

    def test_typical_mistakes_have_cause_and_line(self):
        for name, (op, sample, field, words, line) in wrong_ops.FIELD.items():
            with self.subTest(name):
                found = [f for f in ersatz.torch.validate(op, [sample]).findings if f.field == field and words in f.cause]
                self.assertEqual(len(found), 1)
                self.assertIn("wrong_ops.py", found[0].source)
                self.assertIn(line, found[0].source)

    def test_tells_each_wrong_result_by_itself(self):
        op, sample, *_ = wrong_ops.FIELD["product_backward"]
        found = ersatz.torch.validate(op, [sample]).findings
        self.assertEqual([(f.field, f.result) for f in found if f.field == "stride"], [("stride", 1), ("stride", 0)])

    def test_findings_are_shrunk_with_their_needs(self):
        op, sample, _ = wrong_ops.WRONG["stride_transposed"]
        finding, = json.loads(ersatz.torch.validate(op, [sample]).to_json())["findings"]
        self.assertEqual(finding["call"], "wrong.stride_transposed.default(f32[2,2]{1,2}+0@cpu) fill=zeros")
        self.assertIn("only where x is laid out as f32[2,2]{1,2}+0@cpu: row-major, nothing is found", finding["why"])

    def test_page_shows_reason_place_and_call_unfolded(self):
        op, sample, _ = wrong_ops.WRONG["stride_transposed"]
        page = ersatz.torch.validate(op, [sample]).to_html().partition("<details")[0]
        self.assertIn("<title>ersatz validate</title>", page)
        self.assertRegex(page, r"<h1 class=\"bad\">validate: 1 ops, \d+ calls, ")
        self.assertRegex(page, r"<b>To change:</b> <code>[\w/]*wrong_ops\.py:\d+ in ")
        self.assertIn("<b>Smallest call:</b> <code>wrong.stride_transposed.default(f32[2,2]{1,2}+0@cpu) fill=zeros</code>", page)
        self.assertIn("<b>Why:</b> only where x is laid out as f32[2,2]{1,2}+0@cpu: row-major, nothing is found", page)
        self.assertRegex(page, r"in \d+ of \d+ calls, the first: sample 0, ")
        self.assertNotIn("first divergence", page)

    def test_says_that_a_size_depends_on_values(self):
        op, sample, _ = wrong_ops.WRONG["shape_by_values"]
        found = [f for f in ersatz.torch.validate(op, [sample]).findings if f.field == "size"]
        self.assertIn("new_dynamic_size", found[0].cause)

    def test_names_what_only_opcheck_looks_at(self):
        op, sample = wrong_ops.RIGHT
        self.assertIn("torch.library.opcheck", str(ersatz.torch.validate(op, [sample])))

    def test_each_shrinking_step_can_be_described(self):  # one element, expanded, is among them
        op, sample, _ = wrong_ops.WRONG["write_always"]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertTrue(ersatz.torch.validate(op, [sample]).findings)

    def test_isolated_survives_a_crash_and_names_its_call(self):
        def crashes(x):
            if x.numel() == 0:
                os.kill(os.getpid(), 11)
            return x.clone()
        op = wrong_ops.op("crashes(Tensor x) -> Tensor", crashes, torch.clone)
        report = ersatz.torch.validate(op, [(wrong_ops.x,)], isolate=True)
        self.assertEqual([(f.verdict, f.observed) for f in report.findings], [("crash", "died of SIGSEGV")])
        self.assertIn("0", report.findings[0].args[0])

    def test_refuses_to_run_without_samples(self):
        with self.assertRaisesRegex(ValueError, "no samples"):
            ersatz.torch.validate(wrong_ops.RIGHT[0], [])


if __name__ == "__main__":
    unittest.main()
