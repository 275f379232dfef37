"""ersatz.torch.validate on operators like those in public reports. Earlier versions missed these faults, or reported
them wrongly."""

import unittest

try:
    import torch
except ImportError:
    torch = None
else:
    import ersatz.torch
    import reported_ops


def found(report):
    return [(f.result, f.field) for f in report.findings]


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class Reported(unittest.TestCase):
    def test_a_flag_is_flipped(self):
        report = ersatz.torch.validate(reported_ops.bool_flag, [(torch.rand(3, 5), torch.rand(4, 5), True)])
        self.assertEqual(found(report), [(0, "size")])
        self.assertIn("has 1 dim, the prediction 2", report.findings[0].cause)
        self.assertIn("only where need_x is False", str(report))

    def test_two_results_on_one_memory_are_reported(self):
        report = ersatz.torch.validate(reported_ops.alias_between_results, [(torch.rand(3, 4),)])
        self.assertEqual(found(report), [(2, "alias")])
        self.assertIn("results 1 and 2 of the kernel are one memory", report.findings[0].cause)
        self.assertNotIn("of its own, the", report.findings[0].cause)

    def test_data_dependent_size_hides_no_other_field(self):
        report = ersatz.torch.validate(reported_ops.dynamic_size, [((torch.rand(4, 5) > .5).float(),)])
        self.assertEqual(found(report), [(0, "dtype"), (0, "size")])
        self.assertIn("dim 1 of the kernel's result is 2", report.findings[1].cause)
        self.assertIn("in <lambda>: dynamic_size = op(", report.findings[1].source)
        self.assertIn("the kernel's result is i32, whatever the arguments' dtypes are; the prediction is i64", report.findings[0].cause)

    def test_right_fake_of_data_dependent_size_is_clean(self):
        report = ersatz.torch.validate(reported_ops.dynamic_right, [((torch.rand(4, 5) > .5).float(),)])
        self.assertEqual((found(report), report.status), ([], "clean"), str(report))

    def test_one_symbol_has_one_value(self):
        report = ersatz.torch.validate(reported_ops.dynamic_pair, [(torch.tensor([1., -1, 2, 3]),)])
        self.assertEqual(found(report), [(1, "size")])
        self.assertIn("is outside of the bounds that the fake gives for it, or is not that of the other dims", report.findings[0].cause)

    def test_size_beyond_bounds_of_its_fake_is_found(self):
        report = ersatz.torch.validate(reported_ops.dynamic_bounded, [(torch.tensor([1., -1, 2, 3]),)])
        self.assertEqual(found(report), [(0, "size")])
        self.assertNotIn("depends on values", report.findings[0].cause)

    def test_a_mask_stays_a_mask(self):
        x = torch.rand(3, 4)
        self.assertEqual(ersatz.torch.validate(reported_ops.masked, [(x, x > .5)]).status, "clean")

    def test_op_of_other_ops_is_not_clean(self):
        report = ersatz.torch.validate(reported_ops.composite(), [(torch.rand(3),)])
        self.assertFalse(report.clean)
        self.assertIn("reported.composite.default itself: no call of it reached its kernel", str(report))

    def test_op_without_a_fake_kernel_gets_advice(self):
        report = ersatz.torch.validate(reported_ops.without_fake(), [(torch.rand(3),)])
        self.assertFalse(report.clean)
        self.assertIn('Not looked at: a fake kernel, which reported.without_fake.default has not: '
                      '@torch.library.register_fake("reported::without_fake") is the way to one.', str(report))

    def test_size_argument_s_is_no_unknown_one(self):
        report = ersatz.torch.validate(reported_ops.dynamic_known, [(torch.rand(4, 5),)])
        self.assertEqual(found(report), [(0, "dynamic_size")])
        self.assertEqual(report.findings[0].predicted, "dim 0 not known")
        self.assertIn("x.shape[0]", report.findings[0].cause)

    def test_dtypes_only_the_fake_accepts_are_listed(self):
        text = str(ersatz.torch.validate(torch.ops.aten.mm.default, [(torch.rand(3, 4), torch.rand(4, 5))]))
        self.assertRegex(text, r"Not looked at: \d+ calls of other dtypes than the samples', which the kernel refuses and its fake takes; "
                               r"the fake names f64, f32, .* the first is sample 0, float64, tensor 0 alone \(RuntimeError: expected m1 and m2")

    def test_beside_a_float8_result_the_others_are_judged(self):
        report = ersatz.torch.validate(reported_ops.fp8, [(torch.rand(6, 8) + .1, 4)])
        self.assertEqual(found(report)[0], (1, "stride"))

    def test_float8_results_are_judged_by_name_and_layout(self):
        report = ersatz.torch.validate(reported_ops.fp8_other, [(torch.rand(6, 8),)])
        self.assertEqual(found(report), [(0, "dtype")])
        self.assertIn("f8e4m3fn[", report.findings[0].predicted)
        self.assertIn("f8e5m2[", report.findings[0].observed)
        self.assertNotIn((1, "stride"), found(ersatz.torch.validate(reported_ops.fp8_right, [(torch.rand(6, 8) + .1, 4)])))


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class ReportedWhereItIsCalled(unittest.TestCase):
    """The faults are also found in a live program that calls the operators."""

    def found(self, op, *calls):
        with ersatz.torch.crosscheck() as live:
            for args in calls:
                op(*args)
        return found(live.report)

    def test_each_is_found(self):
        x = torch.rand(3, 4)
        self.assertEqual(self.found(reported_ops.bool_flag, (torch.rand(3, 5), torch.rand(4, 5), False)), [(0, "size")])
        self.assertEqual(self.found(reported_ops.bool_flag, (torch.rand(3, 5), torch.rand(4, 5), True)), [])
        self.assertEqual(self.found(reported_ops.alias_between_results, (x,)), [(2, "alias")])
        self.assertEqual(self.found(reported_ops.dynamic_size, (torch.eye(4),)), [(0, "dtype"), (0, "size")])
        self.assertEqual(self.found(reported_ops.dynamic_right, (torch.eye(4),), (torch.eye(3),), (torch.eye(5),), (torch.ones(2, 2),)), [])
        self.assertEqual(self.found(reported_ops.dynamic_pair, (torch.tensor([1., -1, 2, 3]),)), [(1, "size")])
        self.assertEqual(self.found(reported_ops.dynamic_bounded, (torch.tensor([1., -1, 2, 3]),)), [(0, "size")])
        self.assertEqual(self.found(reported_ops.dynamic_known, *[(torch.rand(n, 5),) for n in (2, 3, 4, 6)]), [(0, "dynamic_size")])
        self.assertEqual(self.found(reported_ops.fp8, (torch.rand(6, 8) + .1, 4)), [(1, "stride")])
        self.assertEqual(self.found(reported_ops.fp8_right, (torch.rand(6, 8) + .1, 4)), [])
        self.assertEqual(self.found(reported_ops.fp8_other, (torch.rand(6, 8),)), [(0, "dtype")])


if __name__ == "__main__":
    unittest.main()
