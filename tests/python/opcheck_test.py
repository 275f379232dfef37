"""ersatz.torch.opcheck runs PyTorch's tests unchanged, and ersatz's test in addition."""

import unittest
import warnings

try:
    import torch
except ImportError:
    torch = None
else:
    import ersatz.torch
    import wrong_ops
    from torch.testing._internal.optests import OpCheckError

    # The fault of this operator shows only if the argument is not contiguous, which PyTorch's tests do not try.
    LAYOUT = wrong_ops.op("opcheck_layout(Tensor x) -> Tensor", wrong_ops.contiguous, wrong_ops.like)
    DRAWS = wrong_ops.op("opcheck_draws(Tensor x) -> Tensor", torch.rand_like, wrong_ops.like)
    ADDS = wrong_ops.op("opcheck_adds(Tensor(a!) x) -> ()", lambda x: (x.add_(1), None)[1], lambda x: None)
    F8 = wrong_ops.op("opcheck_f8(Tensor x) -> Tensor", lambda x: (x + 0).to(torch.float8_e4m3fn), lambda x: torch.empty_like(x, dtype=torch.float8_e4m3fn))

THEIRS = {name: "SUCCESS" for name in ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")}


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class Opcheck(unittest.TestCase):
    def test_of_a_right_op_all_tests_succeed(self):
        op, sample = wrong_ops.RIGHT
        self.assertEqual(ersatz.torch.opcheck(op, sample), {**THEIRS, "test_ersatz": "SUCCESS"})

    def test_finds_what_pytorchs_four_tests_do_not(self):
        results = ersatz.torch.opcheck(LAYOUT, (torch.ones(3, 4),), raise_exception=False)
        found = results.pop("test_ersatz")
        self.assertEqual(results, THEIRS)
        self.assertIsInstance(found, ersatz.errors.MetadataMismatch)
        self.assertEqual((found.finding.op, found.finding.field), ("wrong.opcheck_layout.default", "stride"))

    def test_raises_pytorchs_error_with_the_report(self):
        with self.assertRaisesRegex(OpCheckError, r"test_ersatz failed with .*wrong.opcheck_layout.default, result 0: stride(.|\n)*to change: .*wrong_ops.py"):
            ersatz.torch.opcheck(LAYOUT, (torch.ones(3, 4),))

    def test_pytorchs_finding_is_raised_as_pytorch_does(self):
        op, sample, _ = wrong_ops.WRONG["stride_always"]
        for check in (torch.library.opcheck, ersatz.torch.opcheck):
            with self.assertRaisesRegex(OpCheckError, "test_faketensor failed with .*Stride mismatch"):
                check(op, sample)

    def test_runs_the_tests_that_are_named(self):
        op, sample = wrong_ops.RIGHT
        self.assertEqual(ersatz.torch.opcheck(op, sample, test_utils="test_schema"), {"test_schema": "SUCCESS"})
        self.assertEqual(ersatz.torch.opcheck(op, sample, test_utils="test_ersatz"), {"test_ersatz": "SUCCESS"})
        self.assertEqual([*ersatz.torch.opcheck(op, sample, test_utils=["test_ersatz", "test_faketensor"])], ["test_faketensor", "test_ersatz"])
        self.assertEqual({*ersatz.torch.opcheck(op, sample, test_utils="ALL")}, {*THEIRS, "test_aot_dispatch_static", "test_ersatz"})

    def test_refuses_what_pytorch_refuses_in_its_words(self):
        op, sample = wrong_ops.RIGHT
        for arguments, options, words in [((torch.sin, sample), {}, "must be instance of torch._ops.OpOverload"),
                                          ((op, sample), {"test_utils": "blah"}, "to be subset of"),
                                          ((op, sample), {"test_utils": ["blah", "test_ersatz"]}, "to be subset of"),
                                          ((op, sample), {"rtol": 1.0}, "you must specify both")]:
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                ersatz.torch.opcheck(*arguments, **options)

    def test_takes_packets_lists_and_keywords(self):
        results = ersatz.torch.opcheck(torch.ops.wrong.right, [torch.ones(2)], {"y": torch.ones(2)}, test_utils="test_ersatz")
        self.assertEqual(results, {"test_ersatz": "SUCCESS"})

    def test_float8_results_are_green_only_if_judged(self):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            results = ersatz.torch.opcheck(F8, (torch.rand(2, 3),))
        ours = results.pop("test_ersatz")
        self.assertEqual(results, THEIRS)
        self.assertTrue(ours == "SUCCESS" or ours.startswith("NOT JUDGED: ") and any("opcheck_f8" in str(w.message) for w in warned), ours)

    def test_a_tensor_without_data_is_not_judged(self):
        with self.assertWarnsRegex(UserWarning, "a tensor without data"):
            results = ersatz.torch.opcheck(LAYOUT, (torch.ones(3, 4, device="meta"),))
        self.assertEqual(results["test_ersatz"], "NOT JUDGED: wrong.opcheck_layout.default: a tensor without data was given")

    def test_composite_is_not_judged_since_its_parts_are(self):
        with torch.library._scoped_library("wrong", "FRAGMENT") as library:
            library.define("opcheck_composite(Tensor x) -> Tensor")
            library.impl("opcheck_composite", lambda x: x.sin().cos(), "CompositeImplicitAutograd")
            with self.assertWarnsRegex(UserWarning, "compared nothing of wrong.opcheck_composite.default: .*a composite of other operators"):
                ersatz.torch.opcheck(torch.ops.wrong.opcheck_composite.default, (torch.ones(2),), test_utils="test_ersatz")

    def test_leaves_arguments_and_random_numbers_alone(self):
        x = torch.zeros(3)
        ersatz.torch.opcheck(ADDS, (x,), test_utils="test_ersatz")
        self.assertEqual(x.tolist(), [0, 0, 0])
        torch.manual_seed(3)
        drawn = torch.rand(2).tolist()
        torch.manual_seed(3)
        ersatz.torch.opcheck(DRAWS, (x,), test_utils="test_ersatz")
        self.assertEqual(torch.rand(2).tolist(), drawn)


if __name__ == "__main__":
    unittest.main()
