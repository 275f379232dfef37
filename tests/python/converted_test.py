"""`FakeMode.from_tensor` for tensors with autograd state, of ersatz and of PyTorch."""

from __future__ import annotations

import array
import unittest

import ersatz

try:
    import torch
except ImportError:
    torch = None


def flags(t):
    return t.is_fake, t.requires_grad, t.is_leaf, t._is_view(), t.is_inference(), t.is_parameter


class OfErsatz(unittest.TestCase):
    def setUp(self):
        self.mode = ersatz.FakeMode()
        self.x = ersatz.from_dlpack(array.array("f", [1, 2, 3, 4])).requires_grad_()

    def test_leaf_stays_leaf_and_computed_tensor_is_none(self):  # CONV-08
        self.assertEqual(flags(self.mode.from_tensor(self.x)), (True, True, True, False, False, False))
        y = self.x * 2
        fake = self.mode.from_tensor(y)
        self.assertEqual(flags(fake), (True, True, False, False, False, False))
        self.assertEqual(fake.grad_fn.name(), "torch::autograd::Error")
        self.assertEqual(flags(self.mode.from_tensor(y.detach())), (True, False, True, False, False, False))

    def test_backward_through_a_converted_non_leaf_is_refused(self):  # CONV-08
        fake = self.mode.from_tensor(self.x * 2)
        with self.assertRaisesRegex(RuntimeError, "the graph behind it was not converted"):
            ersatz.ops.aten.sum(fake * fake).backward()

    def test_grad_is_converted_too(self):  # CONV-09
        ersatz.ops.aten.sum(self.x * self.x).backward()
        fake = self.mode.from_tensor(self.x)
        self.assertEqual((fake.grad.is_fake, repr(fake.grad)), (True, "f32[4]{1}+0@cpu"))

    def test_view_of_a_leaf_follows_its_base(self):  # CONV-10
        view = self.x[1:3]
        fake = self.mode.from_tensor(view)
        base = self.mode.from_tensor(self.x)
        self.assertEqual((flags(fake), fake.shares_storage(base)), ((True, True, False, True, False, False), True))
        ersatz.ops.aten.sum(fake * 2).backward()
        self.assertEqual(repr(base.grad), "f32[4]{1}+0@cpu")

    def test_inference_tensors_stay_that(self):  # CONV-21
        with ersatz.inference_mode():
            made = ersatz.ops.aten.ones.default([2])
        self.assertTrue(self.mode.from_tensor(made).is_inference())


@unittest.skipIf(torch is None, "needs torch")
class OfPyTorch(unittest.TestCase):
    def setUp(self):
        self.mode = ersatz.FakeMode()

    def test_leaf_stays_leaf_and_computed_tensor_is_none(self):  # CONV-08
        x = torch.ones(2, 3, requires_grad=True)
        self.assertEqual(flags(self.mode.from_tensor(x)), (True, True, True, False, False, False))
        fake = self.mode.from_tensor((x * 2).t().clone())
        self.assertEqual((flags(fake), repr(fake)), ((True, True, False, False, False, False), "f32[3,2]{1,3}+0@cpu grad"))
        self.assertEqual(flags(self.mode.from_tensor(torch.ones(2))), (True, False, True, False, False, False))

    def test_grad_is_converted_too(self):  # CONV-09
        x = torch.ones(2, 3).t().contiguous().t().requires_grad_()
        (x * 2).sum().backward()
        fake = self.mode.from_tensor(x)
        self.assertEqual((fake.grad.is_fake, repr(fake.grad), repr(fake)), (True, "f32[2,3]{1,2}+0@cpu", "f32[2,3]{1,2}+0@cpu grad"))

    def test_parameter_is_one_and_its_view_is_none(self):  # CONV-10
        parameter = torch.nn.Parameter(torch.ones(4, 3))
        view = self.mode.from_tensor(parameter[1:3])
        self.assertEqual((flags(view), repr(view)), ((True, True, False, True, False, False), "f32[2,3]{3,1}+3@cpu grad"))
        self.assertEqual((flags(view._base), view._base.shape), ((True, True, True, False, False, True), (4, 3)))
        self.assertEqual(flags(self.mode.from_tensor(parameter)), (True, True, True, False, False, True))

    def test_inference_tensors_stay_that(self):  # CONV-21
        with torch.inference_mode():
            made = torch.ones(2)
        self.assertEqual(flags(self.mode.from_tensor(made)), (True, False, True, False, True, False))


if __name__ == "__main__":
    unittest.main()
