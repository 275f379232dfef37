"""Random programs and malformed calls (python/bench): equal seeds make equal calls, planted faults are found and
made small, and a sweep divides the seeds into items."""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile
import unittest
import warnings

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from torch.utils._python_dispatch import TorchDispatchMode

import ersatz.torch
from ersatz.sweep import sweep

BENCH = pathlib.Path(__file__).resolve().parents[2] / "python/bench"
sys.path.insert(0, str(BENCH))

import malformed_calls  # noqa: E402
import random_programs  # noqa: E402
import smallest_call  # noqa: E402
from random_calls import Draw  # noqa: E402

warnings.simplefilter("ignore")


class Spoilt(TorchDispatchMode):
    """A dispatch mode in which one operator returns wrong results for transposed tensors."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        return out.contiguous() if func is torch.ops.aten.neg.default and not args[0].is_contiguous() else out


def calls_of(main, *seeds):
    """Returns the names of the calls that are made for the seeds, with their tensors' sizes."""
    calls = malformed_calls.Calls()
    with calls:
        main(*seeds)
    return [(str(func), [list(t.shape) for t in args if isinstance(t, torch.Tensor)]) for func, args, _ in calls.made]


class Drawn(unittest.TestCase):
    def test_a_seed_makes_the_same_calls_again(self):
        for main in (random_programs.main, malformed_calls.main):
            self.assertEqual(calls_of(main, 3, 5), calls_of(main, 3, 5))
            self.assertNotEqual(calls_of(main, 3, 5), calls_of(main, 5, 7))

    def test_layouts_of_all_kinds_are_drawn(self):
        drawn = [Draw(seed).tensor() for seed in range(200)]
        self.assertTrue(any(not t.is_contiguous() and t.numel() for t in drawn))
        self.assertTrue(any(t.storage_offset() for t in drawn))
        self.assertTrue(any(0 in t.stride() for t in drawn if t.numel() > 1))
        self.assertTrue(any(t.is_conj() for t in drawn))
        self.assertTrue(any(t.dim() == 0 for t in drawn) and any(not t.numel() for t in drawn))
        self.assertGreater(len({t.dtype for t in drawn}), 8)

    def test_most_calls_are_compared_over_many_operators(self):
        with ersatz.torch.crosscheck(native=False) as report:
            random_programs.main(0, 40)
        skipped = sum(report.report.skipped_calls.get("no such operator here", {}).values())
        self.assertGreater(report.compared, 2000)
        self.assertLess(skipped, report.compared / 10)
        self.assertGreater(len(set(name for name, _ in calls_of(random_programs.main, 0, 40))), 200)


class Found(unittest.TestCase):
    def test_planted_fault_is_found_and_shrunk(self):
        x = torch.ones(4, 3, 5).permute(2, 0, 1)
        with Spoilt(), ersatz.torch.crosscheck(native=False) as report:
            torch.neg(x)
        finding = json.loads(report.to_json())["findings"][0]
        self.assertEqual((finding["op"], finding["field"]), ("aten.neg.default", "stride"))
        with Spoilt():
            small = smallest_call.smallest(finding)
        self.assertEqual(small["line"], 'torch.ops.aten.neg.default(t("f32[5,3]{1,5}+0"))')

    def test_call_harmless_alone_is_reported_unshrunk(self):
        with Spoilt(), ersatz.torch.crosscheck(native=False) as report:
            torch.neg(torch.ones(2, 3).t())
        small = smallest_call.of(json.loads(report.to_json())["findings"][0])
        self.assertEqual(small["line"], 'torch.ops.aten.neg.default(t("f32[3,2]{1,3}+0"))  # in the program alone')


class Swept(unittest.TestCase):
    def test_seeds_are_items_of_a_resumable_sweep(self):
        items = [f"{BENCH / 'random_programs.py'} {at} {at + 2}" for at in (0, 2)]
        with tempfile.TemporaryDirectory() as folder:
            first = sweep(items[:1], out=folder, jobs=1)
            told = []
            both = sweep(items, out=folder, jobs=1, progress=told.append)
        self.assertEqual([i.item for i in both.items], items)
        self.assertEqual(both.items[0], first.items[0])
        self.assertEqual(len(told), 1, told)
        self.assertIn(both.items[1].status, ("clean", "findings"), both.items[1].message)
        self.assertGreater(both.items[1].compared, 50)


if __name__ == "__main__":
    unittest.main()
