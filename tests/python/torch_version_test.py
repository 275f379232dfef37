"""Results that differ between versions of PyTorch. Each call has the results that were observed in 2.15 and in an
earlier version."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import ersatz

try:
    import torch

    import ersatz.torch
except ImportError:
    torch = None

PROGRAM = os.environ.get("ERSATZ_PROGRAM", "")
X = {"f32": 4, "f16": 2, "bool": 1, "i64": 8, "c64": 8, "i32": 4}


def t(dtype, *sizes):
    n = 1
    for s in sizes:
        n *= s
    strides = [1] * len(sizes)
    for i in range(len(sizes) - 2, -1, -1):
        strides[i] = strides[i + 1] * max(sizes[i + 1], 1)
    spell = ",".join
    return {"t": f"{dtype}[{spell(map(str, sizes))}]{{{spell(map(str, strides))}}}+0@cpu", "s": 0, "n": n * X[dtype]}


def error(name):
    return {"err": f"{name}Error"}


def result(dtype, *sizes):
    return {"out": [{**t(dtype, *sizes), "s": 1}]}


I64 = {"dtype": {"dtype": "i64"}}
FACTS = [  # the call, its result in 2.15, its result in versions before `since`
    ("2.14", "aten.arange.default", [3.1], I64, result("i64", 4), result("i64", 3)),
    ("2.14", "aten.arange.start", [-0.5, 3.0], I64, result("i64", 4), result("i64", 3)),
    ("2.14", "aten.arange.start_step", [0.0, -8.000001, -4.0], I64, result("i64", 3), result("i64", 2)),
    ("2.14", "aten.arange.start_step", [0.0, 10.0, 2.5], I64, result("i64", 4), result("i64", 5)),
    ("2.14", "aten.neg.default", [t("bool", 2)], {}, error("NotImplemented"), error("Runtime")),
    ("2.14", "aten.relu.default", [t("bool", 2)], {}, error("NotImplemented"), error("Runtime")),
    ("2.14", "aten.hardtanh.default", [t("bool", 2)], {}, error("NotImplemented"), error("Runtime")),
    ("2.14", "aten.sub.Scalar", [t("bool", 2), 1], {}, error("NotImplemented"), error("Runtime")),
    ("2.14", "aten.fft_rfft.default", [t("c64", 2)], {}, error("Type"), error("Runtime")),
    ("2.14", "aten.fft_fft.default", [t("f16", 2)], {}, error("NotImplemented"), error("Runtime")),
    ("2.15", "aten.mean.default", [t("i64", 2)], {}, error("NotImplemented"), error("Runtime")),
    ("2.15", "aten.var.correction", [t("i32", 2)], {}, error("NotImplemented"), error("Runtime")),
    ("2.15", "aten._linalg_det.default", [t("i64", 2, 2)], {}, error("NotImplemented"), error("Runtime")),
    ("2.15", "aten.linalg_vector_norm.default", [t("i64", 2)], {}, error("NotImplemented"), error("Runtime")),
    ("2.15", "aten.deg2rad.default", [t("c64", 2)], {}, error("NotImplemented"), error("Runtime")),
    ("2.15", "aten.topk.default", [t("bool", 2), 1], {}, error("NotImplemented"), error("Runtime")),
    ("2.15", "aten.sort.default", [t("c64", 2)], {}, error("Type"), error("Runtime")),
    ("2.15", "aten.view_as_real.default", [t("f32", 2)], {}, error("Type"), error("Runtime")),
    ("2.15", "aten.argmax.default", [t("c64", 2)], {}, error("Type"), error("Runtime")),
    ("2.15", "aten._fft_c2c.default", [t("c64", 0, 3), [1], 0, True], {}, result("c64", 0, 3), error("Runtime")),
    ("2.15", "aten._fft_r2c.default", [t("f32", 5, 0, 10), [1, 2], 1, True], {}, result("c64", 5, 0, 6), error("Runtime")),
    ("2.15", "aten._fft_c2r.default", [t("c64", 0, 6, 6), [2], 2, 10], {}, result("f32", 0, 6, 10), error("Runtime")),
]
SAME = [  # calls with equal results in all versions
    ("aten.arange.default", [3.1], {"dtype": {"dtype": "i32"}}, result("i32", 4)),
    ("aten.hardtanh.default", [t("c64", 2)], {}, error("NotImplemented")),
    ("aten._linalg_det.default", [t("f16", 2, 2)], {}, error("NotImplemented")),
    ("aten._fft_c2c.default", [t("c64", 0, 1, 1), [], 2, False], {}, result("c64", 0, 1, 1)),
    ("aten.cat.out", [[t("f32", 2)]], {"out": t("i64", 2)}, error("Type")),
]


def before(version):
    first, second = version.split(".")
    return f"{first}.{int(second) - 1}"


@unittest.skipUnless(PROGRAM, "ERSATZ_PROGRAM names no program")
class Versions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)

    def differing(self, records, *options):
        """Returns the numbers of the records in which a crosscheck finds differences."""
        (self.folder / "run.jsonl").write_text("".join(json.dumps({"id": f"r/{i}", "tags": ["uninit"], **r}) + "\n" for i, r in enumerate(records)))
        done = self.run_program("crosscheck", "run.jsonl", "--no-real", "--every-finding", "--json", *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["compared"], len(records), done.stdout)
        return sorted({int(f["node"][2:]) for f in report["calls"].get("findings", ())})

    @staticmethod
    def recorded(fact, outcome, **more):
        return {"op": fact[1], "args": fact[2], "kwargs": fact[3], **outcome, **more}

    def test_each_fact_holds_on_its_side_of_versions(self):
        every = list(range(len(FACTS)))
        newest, earlier = [self.recorded(f, f[4]) for f in FACTS], [self.recorded(f, f[5]) for f in FACTS]
        self.assertEqual(self.differing(newest), [])
        self.assertEqual(self.differing(earlier), every)
        self.assertEqual(self.differing(earlier, "--torch", "2.9"), [])
        self.assertEqual(self.differing(newest, "--torch", "2.11"), every)
        for since in ("2.14", "2.15"):
            facts = [f for f in FACTS if f[0] == since]
            with self.subTest(since):
                self.assertEqual(self.differing([self.recorded(f, f[4]) for f in facts], "--torch", since), [])
                self.assertEqual(self.differing([self.recorded(f, f[5]) for f in facts], "--torch", before(since)), [])

    def test_record_with_a_version_is_judged_by_it(self):
        earlier = [self.recorded(f, f[5], torch="2.11.0+cu130") for f in FACTS]
        self.assertEqual(self.differing(earlier), [])
        self.assertEqual(self.differing(earlier, "--torch", "2.15"), list(range(len(FACTS))))

    def failing(self, records, *options):
        """Returns the number of records in which `ersatz validate` finds something."""
        (self.folder / "run.jsonl").write_text("".join(json.dumps({"id": f"r/{i}", "tags": ["uninit"], **r}) + "\n" for i, r in enumerate(records)))
        done = self.run_program("validate", "run.jsonl", "--json", *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["run"].get("torch"), options[1] if options else None)
        return sum(op["findings"] for op in report["ops"])

    def test_validate_option_comes_before_the_record(self):
        earlier, named = ([self.recorded(f, f[5], **more) for f in FACTS] for more in ({}, {"torch": "2.11.0+cu130"}))
        self.assertEqual(self.failing(earlier), len(FACTS))
        self.assertEqual(self.failing(earlier, "--torch", "2.9"), 0)
        self.assertEqual(self.failing(named), 0)
        self.assertEqual(self.failing(named, "--torch", "2.15"), len(FACTS))

    def test_validate_runs_samples_by_the_version(self):
        counts = {}
        for version in ("2.14", "2.15"):
            done = self.run_program("validate", "aten._fft_c2c.default", "--layout", "size_zero", "--dtype", "c64", "--torch", version, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            counts[version] = json.loads(done.stdout)["ops"][0]
        self.assertGreater(counts["2.14"]["refused"], 0)  # in 2.14 MKL refused tensors without elements
        self.assertEqual(counts["2.15"]["refused"], 0)

    def test_validate_refuses_a_version_without_use(self):
        record = {"id": "r/0", "op": "mine.op.default", "args": [t("f32", 2)], "kwargs": {}, "schema": "mine::op(Tensor x) -> Tensor", **result("f32", 2)}
        (self.folder / "run.jsonl").write_text(json.dumps(record) + "\n")
        done = self.run_program("validate", "run.jsonl", "--torch", "2.11")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--torch says whose answers the rules predict, and ersatz has no rule of mine.op.default: ", done.stderr)

    def test_what_no_version_changed_stays(self):
        records = [{"op": op, "args": args, "kwargs": kwargs, **outcome} for op, args, kwargs, outcome in SAME]
        for version in ("2.9", "2.14", "2.15"):
            self.assertEqual(self.differing(records, "--torch", version), [], version)

    def test_program_is_answered_by_its_makers_version(self):
        text = ('ersatz program 2\nproducer "torch 2.11.0, schema 8.16, ATEN"\n\ngraph():\n'
                "  %a: i64[3]{1}+0@cpu = aten.arange.default(3.1, dtype=i64)\n  return %a\n")
        (self.folder / "program.txt").write_text(text)
        self.assertIn("i64[3]", self.run_program("fake", "program.txt").stdout)
        self.assertIn("i64[4]", self.run_program("fake", "program.txt", "--torch", "2.15").stdout)
        self.assertEqual(self.run_program("crosscheck", "program.txt", "--no-real").returncode, 0)
        self.assertEqual(self.run_program("crosscheck", "program.txt", "--no-real", "--torch", "2.14").returncode, 1)

    def test_a_version_that_nobody_knows_is_refused(self):
        (self.folder / "run.jsonl").write_text(json.dumps({"id": "r/0", **self.recorded(FACTS[4], FACTS[4][4])}) + "\n")
        for version, words in [("2.8", "there are 2.9 to 2.15"), ("two", "'two' is no version"), ("2.16", "there are 2.9 to 2.15")]:
            done = self.run_program("crosscheck", "run.jsonl", "--torch", version)
            self.assertEqual((done.returncode, words in done.stderr), (2, True), done.stderr)


@unittest.skipUnless(torch, "needs torch")
class Running(unittest.TestCase):
    def test_live_run_is_judged_by_version_that_runs(self):
        calls = [lambda: torch.arange(3.1, dtype=torch.int64), lambda: torch.arange(0.0, -8.000001, -4.0, dtype=torch.int64)]
        refused = [lambda: torch.ones(2).long().mean(), lambda: -torch.ones(2).bool(), lambda: torch.ones(2).bool() - torch.ones(2),
                   lambda: torch.view_as_real(torch.ones(2)), lambda: torch.sort(torch.ones(2, dtype=torch.complex64)),
                   lambda: torch.fft.fft(torch.zeros(0, 3, dtype=torch.complex64)), lambda: torch.relu(torch.ones(2).bool()),
                   lambda: torch.linalg.svd(torch.ones(2, 2).bfloat16())]
        with ersatz.torch.crosscheck(native=False) as report:
            for call in calls:
                call()
            for call in refused:
                try:
                    call()
                except (RuntimeError, TypeError):  # a NotImplementedError is a RuntimeError
                    pass
        self.assertEqual(report.findings, (), str(report))
        self.assertGreaterEqual(report.compared, len(calls) + len(refused))


if __name__ == "__main__":
    unittest.main()
