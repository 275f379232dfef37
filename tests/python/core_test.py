"""Fakes, operators, errors and modes, without torch and numpy."""

from __future__ import annotations

import builtins
import unittest

import ersatz


class Fakes(unittest.TestCase):
    def test_they_are_spelled_canonically(self) -> None:
        self.assertEqual(repr(ersatz.fake("f32[2,3]@cuda:0")), "f32[2,3]{3,1}+0@cuda:0")

    def test_a_call_answers_metadata(self) -> None:
        x, y = ersatz.fake("f32[2,1]"), ersatz.fake("f16[3]")
        self.assertEqual(repr(ersatz.ops.aten.add.Tensor(x, y, alpha=2)), "f32[2,3]{3,1}+0@cpu")

    def test_a_packet_takes_the_overload_that_fits(self) -> None:
        x = ersatz.fake("f32[2,3]")
        self.assertEqual(repr(ersatz.ops.aten.sum(x, [1])), "f32[2]{1}+0@cpu")


class Errors(unittest.TestCase):
    def test_a_wrong_call_is_ersatzs_error_and_pythons(self) -> None:
        with self.assertRaises(builtins.RuntimeError) as raised:
            ersatz.ops.aten.cat.default([ersatz.fake("f32[2,3]"), ersatz.fake("f32[2,4]")], 0)
        error = raised.exception
        assert isinstance(error, ersatz.Error)
        self.assertEqual((error.kind, error.op, error.label), ("InvalidArgument", "cat", "cat.C3"))

    def test_an_index_out_of_range_is_an_index_error(self) -> None:
        with self.assertRaises(builtins.IndexError):
            ersatz.ops.aten.select.int(ersatz.fake("f32[2]"), 1, 0)

    def test_an_unknown_operator_says_how_it_comes(self) -> None:
        with self.assertRaisesRegex(AttributeError, "no operator aten.no_such_op; load_plugin registers"):
            ersatz.ops.aten.no_such_op


if __name__ == "__main__":
    unittest.main()
