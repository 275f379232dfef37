"""Repeated calls keep no memory: the short form of python/bench/leaks.py."""

import importlib.util
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python" / "bench"))

import leaks  # noqa: E402

CALLS = 20_000


class Leaks(unittest.TestCase):
    def kept_by(self, name):
        first, last = leaks.grown(leaks.KINDS[name](), CALLS // 5, CALLS)
        self.assertFalse(leaks.leaks(first, last, CALLS), f"{name}: {first} {last}")

    def test_calls_keep_nothing(self):
        for name in leaks.KINDS:
            if not name.startswith("live"):
                with self.subTest(name):
                    self.kept_by(name)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs torch")
    def test_live_calls_keep_nothing(self):
        for name in leaks.KINDS:
            if name.startswith("live"):
                with self.subTest(name):
                    self.kept_by(name)

    def test_what_is_kept_is_noticed(self):
        kept = []
        first, last = leaks.grown(lambda: kept.append(bytearray(600)), 100, CALLS)
        self.assertTrue(leaks.leaks(first, last, CALLS))


if __name__ == "__main__":
    unittest.main()
