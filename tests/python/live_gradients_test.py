"""`ersatz.torch.crosscheck(gradients=True)` and `record(gradients=True)`: the autograd state in a live run."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz
import ersatz.torch
from ersatz.torch import glue

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from wrong_backwards import OPS, Cube  # noqa: E402


def model():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.LayerNorm(8), torch.nn.GELU(), torch.nn.Dropout(0.5), torch.nn.Linear(8, 3))


def step(net):
    """Runs forward, backward and an update. Returns the resulting values."""
    torch.manual_seed(1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    y = net(torch.ones(5, 4)) * 1
    y[0].mul_(2.0)
    torch.nn.functional.cross_entropy(torch.cat([y, y.t().contiguous().view(5, 3)]), torch.zeros(10, dtype=torch.long)).backward()
    optimizer.step()
    return [(p.grad, p.grad.stride(), p.detach().clone()) for p in net.parameters()], torch.rand(2)


def equal(a, b):
    same = all(torch.equal(g, h) and s == t and torch.equal(p, q) for (g, s, p), (h, t, q) in zip(a[0], b[0], strict=True))
    return same and torch.equal(a[1], b[1])


class Live(unittest.TestCase):
    def test_flags_of_training_step_are_those_of_engine(self):  # GRAD-04, GRAD-05
        for native in (False, True) if glue.load() else (False,):
            with self.subTest(native=native):
                plain = step(model())
                with ersatz.torch.crosscheck(gradients=True, native=native) as report:
                    watched = step(model())
                self.assertTrue(equal(plain, watched))
                self.assertTrue(report.clean, str(report))
                counts = json.loads(report.to_json())["gradients"]
                self.assertGreater(counts["compared"], 15)
                self.assertEqual(counts["not_compared"], {"a write into a view": {"aten.mul_.Tensor": 1}})
                self.assertIn("gradients not compared, a write into a view: 1 call (aten.mul_.Tensor 1)", str(report))

    def test_prediction_that_differs_is_finding_with_its_line(self):
        x = torch.ones(3, requires_grad=True)
        wrong = {"rg": 1, "leaf": 0, "view": 0, "fn": "DivBackward0"}
        with unittest.mock.patch("ersatz.torch.watched_gradients.flags_of", lambda t: wrong):
            with ersatz.torch.crosscheck(gradients=True, native=False) as report:
                y = x * 2
                torch.zeros(1)
        finding, = report.findings
        self.assertEqual((finding.op, finding.field, finding.predicted, finding.observed),
                         ("aten.mul.Tensor", "requires_grad", "grad_fn=MulBackward0", "grad_fn=DivBackward0"))
        self.assertIn("y = x * 2", finding.source)
        self.assertIn('"rg":', finding.repro)
        del y

    def test_detach_and_requires_grad_are_no_findings(self):
        x = torch.ones(3, requires_grad=True)
        with ersatz.torch.crosscheck(gradients=True, native=False) as report:
            h = (x * 2).detach_()
            w = torch.ones(2, requires_grad=True)
            kept = [h, w, x + 1]
        self.assertTrue(report.clean, str(report))
        self.assertEqual(json.loads(report.to_json())["gradients"]["compared"], 2)
        del kept

    def test_modes_and_functions(self):
        x = torch.ones(3, requires_grad=True)
        kept = []
        with ersatz.torch.crosscheck(gradients=True, native=False) as report:
            with torch.no_grad():
                kept.append(x * 2)
            with torch.inference_mode():
                kept.append(x * 3)
            kept.append(Cube.apply(x))
        self.assertTrue(report.clean, str(report))
        counts = json.loads(report.to_json())["gradients"]
        self.assertEqual(counts["compared"], 3)  # includes the first call of the function
        self.assertEqual(counts["not_compared"].get("calls of an autograd.Function"), {"aten.mul.Tensor": 1})

    def test_an_operator_without_a_backward_is_a_finding(self):
        x = torch.ones(2, 3, requires_grad=True)
        with ersatz.torch.crosscheck(gradients=True, native=False) as report:
            y = OPS["missing"](x, x)
            z = OPS["right"](x, x)
        finding, = report.findings
        self.assertEqual((finding.op, finding.field), ("wrong_backward.missing.default", "requires_grad"))
        self.assertIn('torch.library.register_autograd("wrong_backward::missing"', finding.cause)
        self.assertIn('y = OPS["missing"](x, x)', finding.source)
        self.assertIn("operators of your own", str(report))
        del y, z

    def test_tensors_are_freed_as_without_it(self):
        import weakref

        x = torch.ones(3, requires_grad=True)
        with ersatz.torch.crosscheck(gradients=True, native=False):
            y = x * 2
            held = weakref.ref(y)
            del y
            self.assertIsNone(held())

    def test_the_command_and_the_plugin_have_it(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "train.py")
            script.write_text("import torch\nx = torch.ones(3, requires_grad=True)\ny = x * 2\ny.sum().backward()\n")
            done = subprocess.run([sys.executable, "-m", "ersatz", "crosscheck", "--gradients", str(script)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("gradients: 3 calls compared, 0 not", done.stderr)
            test = pathlib.Path(folder, "flags_test.py")
            test.write_text("import torch\n\ndef test_flags(ersatz_crosscheck):\n    x = torch.ones(3, requires_grad=True)\n    (x * 2).sum().backward()\n"
                            "    assert 'gradients: ' in str(ersatz_crosscheck)\n")
            done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "ersatz.pytest_plugin", "--ersatz-crosscheck", "--ersatz-gradients",
                                   str(test)], capture_output=True, text=True, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout)


def recorded(path):
    with open(path) as lines:
        return [json.loads(line) for line in lines]


class Recorder(unittest.TestCase):
    def test_training_records_replay_and_leave_the_run_unchanged(self):
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "run.jsonl"), os.path.join(folder, "report.json")
            plain = step(model())
            with ersatz.torch.record(path, gradients=True, values=64) as recorder:
                watched = step(model())
            self.assertTrue(equal(plain, watched))
            records = [r for r in recorded(path) if "rg" in r]
            self.assertEqual(len(records), recorder.gradients.recorded)
            with_backward = [r for r in records if "grads" in r]
            self.assertGreater(len(with_backward), 10)
            self.assertEqual(ersatz._ersatz.run_command(["crosscheck", folder, "--json", "-o", out]), 0)
            calls = json.loads(pathlib.Path(out).read_text())["calls"]["records"]
            self.assertEqual((calls["failed"], calls["skipped"], calls["missing"]), (0, 0, 0))
            self.assertEqual(calls["passed"], len(recorded(path)))

    def test_a_record_has_the_members_of_recorded_gradients(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.jsonl")
            x, y = torch.tensor([[1.0, 2.0]], requires_grad=True), torch.tensor([[3.0], [4.0]]).t().contiguous().t().requires_grad_()
            with ersatz.torch.record(path, gradients=True, values=True):
                x @ y
                x @ y  # an equal call counts once
            plain, again, _ = recorded(path)
            self.assertNotIn("rg", plain)
            self.assertEqual((again["op"], again["rg"]), ("aten.mm.default", [0, 1]))
            out, = again["out"]
            self.assertEqual([out[k] for k in ("t", "rg", "leaf", "view", "fn")], ["f32[1,1]{1,1}+0@cpu", 1, 0, 0, "MmBackward0"])
            self.assertEqual([g["v"] for g in again["gout"]], [[-0.9375]])
            self.assertEqual([g["v"] for g in again["grads"]], [[-2.8125, -3.75], [-0.9375, -1.875]])

    def test_a_wrong_gradient_in_a_record_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "run.jsonl"), os.path.join(folder, "report.json")
            x = torch.tensor([1.0, 2.0], requires_grad=True)
            with ersatz.torch.record(path, gradients=True, values=True):
                x * x
            lines = recorded(path)
            lines[1]["grads"][0]["v"][1] += 1
            pathlib.Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines))
            self.assertEqual(ersatz._ersatz.run_command(["crosscheck", path, "--json", "-o", out]), 1)
            self.assertEqual([f["field"] for f in json.loads(pathlib.Path(out).read_text())["findings"]], ["value"])

    def test_what_is_not_made_once_more_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            x = torch.ones(2, 3, requires_grad=True)
            with ersatz.torch.record(os.path.join(folder, "run.jsonl"), gradients=True) as recorder:
                OPS["right"](x, x)
            self.assertEqual(list(recorder.gradients.left_out.values()), [1])
            self.assertIn("operators of your own", recorder.gradients.line())

    def test_a_program_of_the_run_leaves_them_out(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.jsonl")
            x = torch.ones(2, requires_grad=True)
            with ersatz.torch.record(path, gradients=True, program=True):
                (x * x).sum().backward()
            self.assertEqual(ersatz._ersatz.run_command(["crosscheck", path.replace(".jsonl", ".txt"), "-o", os.path.join(folder, "report.txt")]), 0)


if __name__ == "__main__":
    unittest.main()
