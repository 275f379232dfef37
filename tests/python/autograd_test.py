"""Gradients of ersatz's own tensors from Python, without PyTorch: names and defaults are PyTorch's."""

from __future__ import annotations

import array
import unittest

import ersatz
from ersatz import autograd

aten = ersatz.ops.aten


def real(values, *sizes):
    t = ersatz.from_dlpack(array.array("f", values))
    return aten.view.default(t, list(sizes)) if sizes else t


def values(t):
    return [aten.select.int(aten.reshape.default(t.detach(), [-1]), 0, i).item() for i in range(t.numel)]


class Flags(unittest.TestCase):
    def test_new_tensor_is_leaf_that_wants_no_gradient(self):
        x = ersatz.fake("f32[2,3]")
        self.assertEqual((x.requires_grad, x.is_leaf, x.grad_fn, x.grad, x.retains_grad, x.is_inference()), (False, True, None, None, False, False))

    def test_requires_grad_is_set_by_name_or_method(self):
        x = ersatz.fake("f32[2,3]")
        x.requires_grad = True
        self.assertTrue(x.requires_grad)
        self.assertFalse(x.requires_grad_(False).requires_grad)
        self.assertTrue(x.requires_grad_().requires_grad)

    def test_integers_are_refused(self):
        with self.assertRaisesRegex(RuntimeError, "only tensors of floating point and complex dtype can require gradients"):
            ersatz.fake("i64[2]").requires_grad_()

    def test_a_result_names_its_node(self):
        x = ersatz.fake("f32[2,3]").requires_grad_()
        y = x * 2 + x
        self.assertEqual((y.requires_grad, y.is_leaf, y.grad_fn.name(), repr(y.grad_fn)), (True, False, "AddBackward0", "<AddBackward0>"))
        mul, accumulate = (node for node, _ in y.grad_fn.next_functions)
        self.assertEqual((mul.name(), accumulate.name()), ("MulBackward0", "AccumulateGrad"))
        self.assertEqual(mul.next_functions[0], (accumulate, 0))
        self.assertEqual(accumulate.variable.shape, (2, 3))
        self.assertIsNone(mul.variable)

    def test_a_view_has_its_base(self):
        x = ersatz.fake("f32[2,3]")
        self.assertIsNone(x._base)
        self.assertEqual((x[0]._is_view(), x[0]._base.shape, x._is_view()), (True, (2, 3), False))

    def test_computed_tensors_requires_grad_cannot_be_cleared(self):
        y = ersatz.fake("f32[2]").requires_grad_() * 2
        with self.assertRaisesRegex(RuntimeError, "detach it instead"):
            y.requires_grad = False
        self.assertEqual((y.detach().requires_grad, y.detach().is_leaf), (False, True))


class Backward(unittest.TestCase):
    def test_gradients_of_real_tensors_add_up(self):
        w = real([1, 2, 3, 4], 2, 2).detach().requires_grad_()
        for expected in ([2, 4, 6, 8], [4, 8, 12, 16]):
            aten.sum(w * w).backward()
            self.assertEqual(values(w.grad), expected)
        w.grad = None
        self.assertIsNone(w.grad)

    def test_gradients_of_fakes_have_layout_of_run(self):  # GRAD-03
        w = ersatz.fake("f32[3,4]{1,3}@cuda:0").requires_grad_()
        x = ersatz.fake("f32[2,3]@cuda:0")
        for _ in range(2):
            aten.sum(x @ w).backward()
            self.assertEqual(repr(w.grad), "f32[3,4]{1,3}+0@cuda:0")

    def test_an_incoming_gradient_may_be_given(self):
        w = real([1, 2]).requires_grad_()
        (w * 3).backward(real([10, 100]))
        self.assertEqual(values(w.grad), [30, 300])

    def test_no_scalar_and_no_gradient_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "grad can be implicitly created only for scalar outputs"):
            (ersatz.fake("f32[2]").requires_grad_() * 2).backward()

    def test_a_second_run_needs_the_graph(self):
        w = real([1, 2]).requires_grad_()
        loss = aten.sum(w * w)
        loss.backward(retain_graph=True)
        loss.backward()
        with self.assertRaises(RuntimeError):
            loss.backward()

    def test_grad_changes_no_leaf_and_differentiates_twice(self):
        w = real([1, 2]).requires_grad_()
        (first,) = autograd.grad(aten.sum(w * w * w), w, create_graph=True)
        (second,) = autograd.grad([first], [w], grad_outputs=[real([1, 1])])
        self.assertEqual((values(first), values(second), w.grad), ([3, 12], [6, 12], None))

    def test_unused_input_is_refused_unless_it_is_allowed(self):
        w, unused = real([1, 2]).requires_grad_(), real([1, 2]).requires_grad_()
        with self.assertRaises(RuntimeError):
            autograd.grad(aten.sum(w * w), [w, unused])
        gradients = autograd.grad(aten.sum(w * w), [w, unused], allow_unused=True)
        self.assertEqual((values(gradients[0]), gradients[1]), ([2, 4], None))

    def test_a_tensor_between_keeps_its_gradient_when_asked(self):
        w = real([1, 2]).requires_grad_()
        y = w * 3
        y.retain_grad()
        autograd.backward([aten.sum(y * y)])
        self.assertEqual((values(y.grad), y.retains_grad, values(w.grad)), ([6, 12], True, [18, 36]))

    def test_what_is_no_tensor_is_a_type_error(self):
        with self.assertRaisesRegex(TypeError, "backward: a tensor or a sequence of tensors is wanted, not int"):
            autograd.backward(3)
        with self.assertRaisesRegex(TypeError, "grad: a tensor or None is wanted, not int"):
            ersatz.fake("f32[2]").grad = 3

    def test_tensor_requiring_grad_does_not_cross_libraries(self):
        w = real([1, 2]).requires_grad_()
        with self.assertRaisesRegex(RuntimeError, "call detach\\(\\) first"):
            w.__dlpack__()
        w.detach().__dlpack__()


class Modes(unittest.TestCase):
    def setUp(self):
        self.x = ersatz.fake("f32[2]").requires_grad_()

    def flags(self):
        y = self.x * 2
        return y.requires_grad, y.is_inference()

    def test_modes_are_contexts_and_nest(self):  # GRAD-04
        self.assertEqual((ersatz.is_grad_enabled(), ersatz.is_inference_mode_enabled()), (True, False))
        with ersatz.no_grad():
            self.assertEqual(self.flags(), (False, False))
            with ersatz.enable_grad():
                self.assertEqual(self.flags(), (True, False))
            with ersatz.inference_mode():
                self.assertEqual(self.flags(), (False, True))
                self.assertTrue(ersatz.is_inference_mode_enabled())
            self.assertFalse(ersatz.is_grad_enabled())
        self.assertEqual(self.flags(), (True, False))

    def test_modes_are_decorators(self):
        self.assertEqual(ersatz.no_grad()(self.flags)(), (False, False))
        self.assertEqual(ersatz.set_grad_enabled(False)(self.flags)(), (False, False))
        self.assertEqual(self.flags(), (True, False))

    def test_set_grad_enabled_works_directly_and_as_context(self):
        try:
            ersatz.set_grad_enabled(False)
            self.assertEqual(self.flags(), (False, False))
        finally:
            ersatz.set_grad_enabled(True)
        with ersatz.set_grad_enabled(False):
            self.assertEqual(self.flags(), (False, False))
        self.assertEqual(self.flags(), (True, False))

    def test_an_error_inside_leaves_the_mode(self):
        with self.assertRaises(ZeroDivisionError), ersatz.no_grad():
            1 / 0
        self.assertTrue(ersatz.is_grad_enabled())


if __name__ == "__main__":
    unittest.main()
