"""A run on a device whose memory PyTorch does not manage is compared live, recorded, and its records are compared (docs/recorder.md)."""

import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from own_folder import own_folder

try:
    import torch
except ImportError:
    torch = None

PROGRAM = os.environ.get("ERSATZ_PROGRAM")


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class OwnDevice(unittest.TestCase):
    def setUp(self):
        self.folder = own_folder(self)

    @staticmethod
    @functools.cache
    def files(*arguments):
        """Runs own_device.py and returns the records by file: a product with a column-major result, relu, t."""
        script = pathlib.Path(__file__).with_name("own_device.py")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(script), *arguments], cwd=folder, capture_output=True, text=True)
            if done.returncode:
                raise AssertionError(done.stderr)
            return {file.name: file.read_text() for file in pathlib.Path(folder).iterdir()}

    def record(self, *arguments):
        for name, text in self.files(*arguments).items():
            (self.folder / name).write_text(text)
        return [json.loads(line) for line in (self.folder / "run.jsonl").read_text().splitlines()]

    def ersatz(self, *arguments):
        if not PROGRAM:
            self.skipTest("ERSATZ_PROGRAM is not set")
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True)

    def test_the_recorder_writes_calls_there_as_any_other(self):
        product, relu, turned = self.record()
        self.assertEqual([t["t"] for t in product["args"]], ["f32[2,3]{3,1}+0@privateuseone:0", "f32[3,4]{4,1}+0@privateuseone:0"])
        self.assertEqual(product["out"][0]["t"], "f32[2,4]{1,2}+0@privateuseone:0")
        self.assertEqual(product["fake"]["out"][0]["t"], "f32[2,4]{4,1}+0@privateuseone:0")  # the prediction of PyTorch's fake kernel
        self.assertEqual((relu["fake"], turned["fake"]), ("out", "out"))
        self.assertEqual(turned["out"][0]["t"], "f32[4,2]{2,1}+0@privateuseone:0")

    def test_values_are_recorded_where_backend_copies_to_cpu(self):
        product = self.record("privateuseone", "copies")[0]
        self.assertEqual(product["args"][0]["v"], [0, 1, 2, 3, 4, 5])
        self.assertEqual(product["out"][0]["v"], [3, 3, 3, 3, 12, 12, 12, 12])
        self.assertNotIn("v", self.record()[0]["args"][0])

    def test_named_backend_is_that_device_or_privateuseone(self):
        self.assertEqual(self.record("npu")[0]["out"][0]["t"], "f32[2,4]{1,2}+0@npu:0")
        self.assertEqual(self.record("abacus")[0]["out"][0]["t"], "f32[2,4]{1,2}+0@privateuseone:0")

    def test_records_are_judged_by_cudas_rules_or_themselves(self):
        self.record()
        by_rules = self.ersatz("crosscheck", "run.jsonl")
        self.assertEqual(by_rules.returncode, 1, by_rules.stdout + by_rules.stderr)
        self.assertIn("crosscheck: 3 compared, 1 mismatched, 0 skipped", by_rules.stdout)
        self.assertIn("privateuseone is a device of metadata, answered by the rules of cuda", by_rules.stdout)
        as_recorded = self.ersatz("crosscheck", "run.jsonl", "--device", "privateuseone=run.jsonl")
        self.assertEqual(as_recorded.returncode, 0, as_recorded.stdout + as_recorded.stderr)
        self.assertIn("crosscheck: 3 compared, 0 mismatched, 0 skipped", as_recorded.stdout)

    def judged(self, *options, name="npu"):
        """Returns the report of a live crosscheck of the run, by the glue if it is built, else by the Python mode."""
        script = pathlib.Path(__file__).with_name("own_device.py")
        done = subprocess.run([sys.executable, "-m", "ersatz", "crosscheck", *options, str(script), name, "live"], cwd=self.folder,
                              capture_output=True, text=True)
        return done.returncode, done.stderr

    def test_live_run_is_judged_by_cudas_rules(self):
        for name, told in (("npu", "npu"), ("abacus", "privateuseone")):
            status, report = self.judged(name=name)
            self.assertEqual(status, 1, report)
            self.assertIn(f"predicted: f32[2,4]{{4,1}}+0@{told}:0\n  eager:     f32[2,4]{{1,2}}+0@{told}:0", report)
            self.assertIn(f"{told} is a device of metadata, answered by the rules of cuda; --device {told}=cpu takes those of cpu", report)
            self.assertIn("crosscheck: 7 compared, 1 mismatched, 0 skipped", report)

    def test_live_run_follows_the_device_option(self):
        self.assertIn("npu is a device of metadata, answered by the rules of cpu", self.judged("--device", "npu=cpu")[1])
        self.record("npu")
        status, report = self.judged("--device", "npu=run.jsonl")
        self.assertEqual(status, 0, report)
        self.assertIn("npu is a device of metadata: new tensors have the strides recorded in run.jsonl in 2 of 2 different calls", report)
        self.assertIn("crosscheck: 7 compared, 0 mismatched, 0 skipped", report)
        layouts = json.loads(self.judged("--device", "npu=run.jsonl", "--json")[1])
        self.assertEqual((layouts["device_rules"], layouts["device_layouts"]["recorded"]), ({"npu": "cuda"}, 2))

    def test_device_that_chooses_nothing_is_refused_before_run(self):
        for option, why in (("npu", "a live run is on the devices of its program"), ("cuda", "a live run is on the devices of its program"),
                            ("tpu=cpu", "rules are chosen for xpu, npu, mps"), ("npu=no.jsonl", "FILE is one of calls recorded on npu")):
            status, said = self.judged("--device", option)
            self.assertEqual(status, 2, said)
            self.assertIn(f"ersatz: --device {option}: ", said)
            self.assertIn(why, said)

    def test_another_program_has_the_layouts_of_the_run(self):
        self.record()
        (self.folder / "other.txt").write_text("graph(%x: f32[2,3]@cpu, %w: f32[3,4]@cpu):\n    %y = aten.mm.default(%x, %w)\n"
                                               "    %z = aten.sigmoid.default(%y)\n    return %z\n")
        answer = self.ersatz("fake", "other.txt", "--device", "privateuseone:0=run.jsonl")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("f32[2,4]{1,2}+0@privateuseone:0", answer.stdout)
        self.assertIn("new tensors have the strides recorded in run.jsonl in 1 of 2 different calls, and those of the rules of cuda in the "
                      "others (aten.sigmoid.default 1)", answer.stdout)


if __name__ == "__main__":
    unittest.main()
