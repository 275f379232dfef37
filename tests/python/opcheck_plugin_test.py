"""pytest --ersatz-opcheck: in a suite that calls torch.library.opcheck, each call also runs ersatz's test."""

import unittest

from pytest_plugin_test import TORCH_PYTHON, pytest, run_suite

OPS = """
    import pytest, torch

    LIBRARY = torch.library.Library("suite", "FRAGMENT")

    def op(name, run, fake):
        LIBRARY.define(f"{name}(Tensor x) -> Tensor")
        LIBRARY.impl(name, run, "CompositeExplicitAutograd")
        torch.library.register_fake(f"suite::{name}", fake, lib=LIBRARY)
        return getattr(torch.ops.suite, name).default

    right = op("right", torch.clone, torch.clone)
    layout = op("layout", lambda x: x.clone(memory_format=torch.contiguous_format), torch.empty_like)
    wrong = op("wrong", lambda x: x.clone(), lambda x: x.new_empty(1))
    x = torch.ones(2, 3)
"""
SUITE = OPS + """
    from torch.library import opcheck

    NAMES = ["test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic"]

    def test_right():
        assert torch.library.opcheck(right, (x,)) == dict.fromkeys(NAMES, "SUCCESS")

    def test_layout():
        assert opcheck(layout, (x,), test_utils="test_schema") == {"test_schema": "SUCCESS"}

    @pytest.mark.ersatz_waive(op="suite.layout.*", field="stride", reason="nobody gives it another layout")
    def test_waived():
        torch.library.opcheck(layout, (x,))

    def test_known_to_be_wrong():
        with pytest.raises(torch.testing._internal.optests.OpCheckError):
            torch.library.opcheck(wrong, (x,))
        assert "test_faketensor" in torch.library.opcheck(wrong, (x,), raise_exception=False)

    def test_raises_itself():
        opcheck(layout, (x,))
        assert 1 == 2

    def test_without_data():
        opcheck(right, (x.to("meta"),))

    def test_calls_none():
        pass
"""


@unittest.skipUnless(pytest, "there is no pytest")
class WithoutTorch(unittest.TestCase):
    def test_the_option_says_so_in_one_line(self):
        status, text = run_suite("def test_it(): pass", "--ersatz-opcheck", beside={"torch": "raise ImportError('none here')"})
        self.assertEqual(status, 4, text)
        self.assertEqual(text.strip().splitlines(), ["ERROR: ersatz: --ersatz-opcheck needs torch, which cannot be imported: none here"])


@unittest.skipUnless(pytest and TORCH_PYTHON, "ERSATZ_TORCH_PYTHON names no Python that has torch")
class OpcheckPlugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.status, cls.text = run_suite(SUITE, "--ersatz-opcheck", python=TORCH_PYTHON)

    def test_only_failures_of_ours_alone_fail_newly(self):
        self.assertIn("2 failed, 5 passed", self.text)
        self.assertIn("FAILED test_suite.py::test_layout", self.text)
        self.assertIn("FAILED test_suite.py::test_raises_itself - assert 1 == 2", self.text)

    def test_failing_test_has_finding_and_line_to_change(self):
        self.assertRegex(self.text, r"ersatz: .*suite\.layout\.default, result 0: stride: predicted f32\[2,2\]\{1,2\}")
        self.assertIn("cause: the kernel's result is contiguous whatever the layout of x", self.text)

    def test_counts_the_calls(self):
        self.assertIn("opcheck: 7 calls; PyTorch's tests found something in 2, ersatz in 2 of them and in 3 others; 1 tests failed for it, "
                      "1 findings waived, 1 calls not judged", self.text)

    def test_call_that_is_not_judged_is_warning(self):
        self.assertIn("--ersatz-opcheck compared nothing of suite.right.default", self.text)

    def test_without_the_option_the_suite_is_unchanged(self):
        _, text = run_suite(SUITE, python=TORCH_PYTHON)
        self.assertIn("1 failed, 6 passed", text)
        self.assertNotIn("ersatz:", text)

    def test_suite_that_calls_it_nowhere_is_told_so(self):
        status, text = run_suite("def test_it(): pass", "--ersatz-opcheck", python=TORCH_PYTHON)
        self.assertEqual(status, 0, text)
        self.assertIn("no test called torch.library.opcheck: nothing was compared", text)


if __name__ == "__main__":
    unittest.main()
