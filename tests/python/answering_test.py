"""`ersatz.torch.answering`: with ersatz's rules, FakeTensorMode returns the same results as without them. Calls that
ersatz predicted are counted."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import pathlib
import subprocess
import sys
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

import ersatz.torch
from own_folder import own_folder

aten = torch.ops.aten
SUITE = os.environ.get("ERSATZ_TORCH_TESTS", "")


def uncached(**options):
    mode = FakeTensorMode(**options)
    mode.cache_enabled = False
    return mode


def told(out):
    """Returns all metadata that users of FakeTensorMode can see."""
    if isinstance(out, (list, tuple)):
        return type(out), [told(o) for o in out]
    if not isinstance(out, torch.Tensor):
        return out
    return (type(out), out.dtype, tuple(out.shape), out.stride(), out.storage_offset(), out.device, out.is_conj(), out.is_neg(),
            out.requires_grad, out.untyped_storage().nbytes())


CALLS = {
    "fresh": lambda x, c: aten.relu.default(x),
    "transposed": lambda x, c: aten.relu.default(x.t()),
    "view": lambda x, c: aten.slice.Tensor(x, 1, 1, 3),
    "list": lambda x, c: aten.split.Tensor(x, 2, 1),
    "several": lambda x, c: aten.native_layer_norm.default(x, [6], None, None, 1e-5),
    "undefined": lambda x, c: aten.native_layer_norm_backward.default(x, x, [6], x[:, :1], x[:, :1], None, None, [True, False, False]),
    "in place": lambda x, c: aten.add_.Tensor(x, x),
    "out": lambda x, c: aten.add.out(x, x, out=torch.empty(4, 6)),
    "conjugate": lambda x, c: aten._conj.default(c),
    "number": lambda x, c: aten.is_same_size.default(x, x),
    "factory": lambda x, c: aten.full.default([2, 3], 1, dtype=torch.int32, device="cuda:0"),
    "device": lambda x, c: aten._to_copy.default(x, device="cuda:0", dtype=torch.bfloat16),
    "convolution": lambda x, c: aten.convolution.default(torch.empty(2, 3, 8, 8).to(memory_format=torch.channels_last),
                                                         torch.empty(4, 3, 3, 3), None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1),
}


class Answers(unittest.TestCase):
    def test_an_answer_is_what_the_mode_says_itself(self):
        for name, call in CALLS.items():
            with self.subTest(name), uncached(), torch.no_grad():
                x, c = torch.empty(4, 6), torch.empty(3, dtype=torch.complex64)
                alone = told(call(x, c))
                with ersatz.torch.answering() as answers:
                    self.assertEqual(told(call(x, c)), alone)
                self.assertEqual(answers.answered, answers.asked, str(answers))

    def test_views_share_and_in_place_calls_return_argument(self):
        with uncached(), torch.no_grad(), ersatz.torch.answering() as answers:
            x = torch.empty(4, 6)
            self.assertEqual(aten.t.default(x).untyped_storage()._cdata, x.untyped_storage()._cdata)
            self.assertIs(aten.relu_.default(x), x)
            self.assertNotEqual(aten.relu.default(x).untyped_storage()._cdata, x.untyped_storage()._cdata)
        self.assertEqual(answers.by_op["aten.relu_.default"], 1)

    def test_the_default_dtype_comes_with_each_call(self):
        with uncached(), ersatz.torch.answering():
            torch.set_default_dtype(torch.float64)
            try:
                self.assertEqual(aten.zeros.default([2]).dtype, torch.float64)
            finally:
                torch.set_default_dtype(torch.float32)
            self.assertEqual(aten.zeros.default([2]).dtype, torch.float32)

    def test_gradients_are_recorded_as_ever(self):
        with uncached(), ersatz.torch.answering() as answers:
            w = torch.empty(6, 6, requires_grad=True)
            (torch.empty(4, 6) @ w).relu().sum().backward()
            self.assertEqual(w.grad.shape, (6, 6))
        self.assertGreater(answers.answered, 5)

    def test_modes_without_the_context_are_as_they_were(self):
        before = FakeTensorMode._dispatch_impl
        with ersatz.torch.answering():
            self.assertIsNot(FakeTensorMode._dispatch_impl, before)
        self.assertIs(FakeTensorMode._dispatch_impl, before)

    def test_the_innermost_context_counts(self):
        with uncached(), ersatz.torch.answering() as outer:
            torch.empty(2)
            with ersatz.torch.answering() as inner:
                torch.empty(2).relu()
        self.assertEqual((outer.asked, inner.asked), (1, 2))

    def test_contexts_are_left_in_the_reverse_order(self):
        outer, inner = ersatz.torch.answering(), ersatz.torch.answering()
        outer.__enter__()
        inner.__enter__()
        with self.assertRaisesRegex(ersatz.errors.RuntimeError, "reverse order"):
            outer.__exit__(None, None, None)
        inner.__exit__(None, None, None)
        outer.__exit__(None, None, None)


class LeftToPyTorch(unittest.TestCase):
    def left(self, why, call, **options):
        with uncached(**options) as mode, ersatz.torch.answering() as answers:
            out = call(mode)
        self.assertIn(why, answers.refused, str(answers))
        return out

    def test_symbolic_sizes(self):
        real = torch.ones(3, 4)
        context = StatelessSymbolicContext(dynamic_sizes=[DimDynamic.DYNAMIC, DimDynamic.STATIC])
        out = self.left("symbolic sizes", lambda mode: mode.from_tensor(real, symbolic_context=context).relu(), shape_env=ShapeEnv())
        self.assertIsInstance(out.shape[0], torch.SymInt)

    def test_sizes_that_values_decide(self):
        out = self.left("data-dependent", lambda mode: torch.empty(5).nonzero(), shape_env=ShapeEnv())
        self.assertIsInstance(out.shape[0], torch.SymInt)

    def test_known_values(self):
        out = self.left("fake that has a value", lambda mode: torch.tensor(3) + 1)
        self.assertEqual(out.constant.item(), 4)

    def test_real_tensors(self):
        real = torch.ones(2)
        self.left("tensor that is not fake", lambda mode: real + torch.empty(2), allow_non_fake_inputs=True)

    def test_operators_that_ersatz_has_not(self):
        with torch.library._scoped_library("answering_test", "FRAGMENT") as lib:
            lib.define("same(Tensor x) -> Tensor")
            lib.impl("same", torch.empty_like, "Meta")
            self.left("no such operator here", lambda mode: torch.ops.answering_test.same(torch.empty(2)))

    def test_errors_are_those_of_pytorch(self):
        def message(active):
            with uncached(), active, self.assertRaises(RuntimeError) as raised:
                torch.mm(torch.empty(2, 3), torch.empty(2, 3))
            return str(raised.exception)

        logging.disable(logging.ERROR)  # FakeTensorMode logs what it raises
        self.addCleanup(logging.disable, logging.NOTSET)
        self.assertEqual(message(ersatz.torch.answering()), message(contextlib.nullcontext()))


@unittest.skipUnless(SUITE, "ERSATZ_TORCH_TESTS names no folder with PyTorch's tests of fake tensors")
class TorchsOwnSuite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = own_folder(cls)
        cls.suite = str(next(pathlib.Path(SUITE).glob("test_fake_tensor*.py")))
        cls.plain, cls.answering = cls.run_suite("plain"), cls.run_suite("answering")

    @classmethod
    def run_suite(cls, how, before=None):
        out = os.path.join(cls.folder, how + ".json")
        script = str(pathlib.Path(__file__).with_name("fake_tensor_suite.py"))
        subprocess.run([sys.executable, script, how, cls.suite, out, *([before] if before else [])], check=True, capture_output=True)
        with open(out) as f:
            return json.load(f)

    def passed(self, run):
        return {test for test, outcome in run["outcomes"].items() if outcome == "passed"}

    def test_every_test_that_passes_without_passes_under_answering(self):
        self.assertGreaterEqual(len(self.passed(self.plain)), 100)
        self.assertEqual(self.passed(self.plain) - self.passed(self.answering), set())

    def test_most_questions_are_answered_by_ersatz(self):
        asked, answered = self.answering["asked"], self.answering["answered"]
        self.assertGreater(answered * 2, asked, self.answering["refused"])
        self.assertEqual(answered + sum(self.answering["refused"].values()), asked)

    def test_the_answers_are_ours(self):
        """Replaces PyTorch's own rules of all operators that ersatz predicted by ones that raise. The tests must still pass
        if PyTorch predicted none of these operators."""
        before = os.path.join(self.folder, "answering.json")
        alone = self.run_suite("alone", before)
        ops = set(self.answering["by_op"])
        whole = {test for test in self.passed(self.answering) if not ops & set(self.answering["fell"][test])}
        self.assertGreater(len(whole), 50)
        self.assertEqual(whole - self.passed(alone), set())
        self.assertGreater(alone["answered"], 100)


if __name__ == "__main__":
    unittest.main()
