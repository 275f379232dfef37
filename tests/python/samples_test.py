"""ersatz.torch.validate: the operators that it takes, the samples that it accepts, and the variants that it tries."""

import unittest

try:
    import torch
except ImportError:
    torch = None
else:
    import ersatz.torch
    from ersatz.torch import validate
    from varied_ops import OPS, context_op, crashing_op, calls_of

    x = torch.arange(1.0, 13).reshape(3, 4)


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class ASample(unittest.TestCase):
    def refused(self, words, op, samples, error=TypeError):
        with self.assertRaises(error) as raised:
            validate(op, samples)
        self.assertIn(words, str(raised.exception))

    def test_non_call_is_an_error_that_names_it(self):
        rms = OPS["rms"]
        self.refused("sample 0: rms takes no argument 'epsilon' (x, eps, reuse)", rms, [((x,), {"epsilon": 1e-5})])
        self.refused("sample 1: rms takes 3 positional arguments and was given 4 (x, eps, reuse)", rms, [(x,), (x, 1.0, True, 1)])
        self.refused("sample 0: rms was given 'eps' twice", rms, [((x, 1.0), {"eps": 1.0})])
        self.refused("sample 0: rms takes a Tensor as 'x', and that is a str", rms, [("x",)])
        self.refused("sample 0: rms takes a Tensor as 'x', and that is a int", rms, [(3,)])
        self.refused("sample 0: rms lacks its argument 'x' (x, eps, reuse)", rms, [()])
        self.refused("sample 0: a sample is (args...) or ((args...), {kwargs}), and this one is a int", rms, [3])
        self.refused("samples is a list of samples, and this is a dict", rms, {"x": x})

    def test_may_be_one_tensor_or_keywords_alone(self):
        for samples in (x, [x], [{"x": x, "eps": 1.0}], [[x, 1.0]]):
            self.assertEqual(validate(OPS["rms"], samples).status, "clean")

    def test_sample_refused_by_its_kernel_is_no_fault(self):
        report = validate(context_op(), [(x,)])
        self.assertEqual((report.findings, report.clean), ((), False))
        self.assertIn("the kernel raised for the sample as given: nothing was compared; does it read something outside of its arguments? "
                      "ersatz.torch.record around the model", str(report))
        self.assertIn("sample 0, as given (RuntimeError: no layer is current)", str(report))


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class AnOperator(unittest.TestCase):
    def test_is_known_by_any_of_its_names(self):
        for op in ("varied::rms", "varied.rms", "varied::rms.default", torch.ops.varied.rms, torch.ops.varied.rms.default):
            self.assertEqual(validate(op, [(x,)]).input, "varied.rms.default")
        self.assertEqual(validate(torch.nansum, [(x,)]).input, "aten.nansum.default")
        self.assertEqual(validate(torch.nn.functional.relu, [(x,)]).input, "aten.relu.default")

    def test_overload_that_takes_the_samples_is_used(self):
        self.assertEqual(validate(torch.ops.aten.sum, [(x, [1], True)]).input, "aten.sum.dim_IntList")
        self.assertEqual(validate(torch.eq, [(x, 1)]).input, "aten.eq.Scalar")  # eq has an overload that takes a number
        self.assertEqual(validate(torch.add, [(x, 1)]).input, "aten.add.Tensor")  # add has only an overload that takes a tensor, and it accepts a number

    def test_non_sample_is_refused_with_an_example(self):
        for op, error, words in ((3, TypeError, "3 is no operator of PyTorch's dispatcher: that is an overload (torch.ops.mylib.op.default)"),
                                 (lambda x: x, TypeError, "is no operator"), ("varied::rmss", ValueError, "did you mean 'varied::rms'?"), ("rms", ValueError, "did you mean 'varied::rms'?"),
                                 ("varied::rms.out", ValueError, "no overload 'out': it has default")):
            with self.assertRaises(error) as raised:
                validate(op, [(x,)])
            self.assertIn(words, str(raised.exception))


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class WhatIsTried(unittest.TestCase):
    def test_finds_what_shows_for_other_arguments_only(self):
        for name, sample, field in (("flag", (x, True), "size"), ("optional_in", (x, x), "dtype"), ("mode_none", (x, 1), "size"), ("axis", (x, 0), "size"),
                                    ("negative", (x, 1), "size"), ("equal_dims", (x[:, :3].clone(), x[:, :3].clone()), "size"), ("joined", ([x, x],), "size"), ("kept_dtype", (x, torch.float32), "dtype"),
                                    ("laid", (x.reshape(1, 3, 2, 2), torch.contiguous_format), "stride"), ("taken", ({"a": x, "b": x},), "size")):
            with self.subTest(name):
                report = validate(OPS[name], [sample])
                self.assertEqual([f.field for f in report.findings], [field], str(report))

    def test_takes_values_from_other_samples(self):
        self.assertEqual(validate(OPS["mode"], [(x, "sum"), (x[:2].clone(), "mean")]).findings, ())
        report = validate(OPS["both"], [(x, "sum", None), (x[:2].clone(), "none", x[:2].clone())])
        self.assertEqual([f.field for f in report.findings], ["size"])  # no sample has "none" without a bias

    def test_lists_the_arguments_that_stayed_the_same(self):
        text = str(validate(OPS["mode"], [(x, "sum")]))
        self.assertIn('Not looked at: mode was "sum" in all calls.', text)
        self.assertNotIn("x was", text)
        text = str(validate(OPS["flag"], [(x, True)]))
        self.assertNotIn("flag was", text)

    def test_counts_nothing_of_call_that_both_sides_refuse(self):
        before = len(calls_of)
        report = validate(OPS["refuses"], [(x, 2)], isolate=False)
        self.assertEqual((report.findings, report.status), ((), "clean"))
        self.assertIn("0 refused alike", report.closing_line)
        self.assertGreater(sum(n == 0 for n in calls_of[before:]), 0)  # n=0 was tried
        self.assertNotIn("Not looked at: n was", str(report))

    def test_one_sided_refusal_of_variants_is_no_finding(self):
        report = validate(OPS["unchecked"], [(x, 2)])
        self.assertEqual((report.findings, report.status), ((), "clean"))
        self.assertIn("with arguments that no sample has, which the kernel refuses and its fake takes; the first is sample 0, n=0 (ValueError: n is 0)", str(report))

    def test_random_element_is_not_unwritten(self):
        report = validate(OPS["mask"], [(x, .5)])
        self.assertEqual((report.findings, report.status), ((), "clean"), str(report))

    def test_takes_no_broadcast_by_chance_for_a_fault(self):
        report = validate(OPS["weighted"], [(x, torch.ones(4))])
        self.assertEqual((report.findings, report.status), ((), "clean"), str(report))

    def test_survives_a_crash_without_being_asked_to(self):
        report = validate(crashing_op(), [(x, 1)])
        if "whether a call ends the process" in str(report):
            self.skipTest("this process has threads")
        self.assertEqual([(f.verdict, f.observed) for f in report.findings], [("crash", "died of SIGSEGV")])

    def test_findings_are_lines_of_pytorch(self):
        report = validate(OPS["flag"], [(x, True)])
        lines = str(report).split("in PyTorch (--json has the call as a record for ersatz validate):\n")[1].split("\nvaried.flag")[0]
        printed = []
        exec("\n".join(line.strip() for line in lines.splitlines()), {"print": lambda *a: printed.append(a)})
        self.assertEqual(len(printed), 2)
        self.assertNotEqual(*printed)
        self.assertNotIn('{"format"', str(report))
        self.assertIn('"op":"varied.flag.default"', report.findings[0].repro)


if __name__ == "__main__":
    unittest.main()
