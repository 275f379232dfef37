"""Programs that compile, and scripts that end inside of contexts, do the same under a crosscheck as without it."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils import _python_dispatch
from torch.utils.flop_counter import FlopCounterMode

import ersatz.torch

DROPOUT = """
import torch
torch.manual_seed(0)
torch.set_num_threads(1)
net = torch.compile(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5), torch.nn.GELU()){options})
print([net(torch.ones(2, 4)).sum().item() for _ in range(3)])
"""


class CompiledTest(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def test_compiled_functions_compile_and_their_calls_are_compared(self):
        graphs = []

        def backend(graph, inputs):
            graphs.append(graph)
            return graph

        double = torch.compile(lambda x: (x.sin() + 1).relu(), backend=backend, fullgraph=True)
        x = torch.ones(3)
        with ersatz.torch.crosscheck(native=False) as report:
            out = double(x)
        self.assertEqual(len(graphs), 1)
        self.assertTrue(torch.equal(out, double(x)))
        self.assertEqual(len(graphs), 1, "it would have been compiled again without the crosscheck")
        self.assertEqual((report.compared, report.findings, report.clean), (3, (), True))

    def test_gradients_through_compiled_functions_are_compared(self):
        square = torch.compile(lambda x: (x * x).sum(), backend="aot_eager")
        x = torch.ones(3, requires_grad=True)
        with ersatz.torch.crosscheck(native=False) as report:
            square(x).backward()
        self.assertTrue(torch.equal(x.grad, torch.full((3,), 2.0)))
        self.assertGreater(report.compared, 4)
        self.assertTrue(report.clean, str(report))

    def test_a_recording_compiles_too(self):
        graphs = []
        double = torch.compile(lambda x: x + x, backend=lambda graph, inputs: graphs.append(graph) or graph)
        with tempfile.TemporaryDirectory() as folder, ersatz.torch.record(os.path.join(folder, "run.jsonl")) as recorder:
            double(torch.ones(3))
        self.assertEqual((len(graphs), recorder.recorded, recorder.compiled_runs), (1, 2, 0))

    def test_flex_attentions_calls_are_reported_unseen(self):
        from torch.nn.attention.flex_attention import flex_attention

        q = torch.randn(1, 1, 16, 8)
        plain = flex_attention(q, q, q)
        with ersatz.torch.crosscheck(native=False) as report:
            self.assertTrue(torch.equal(flex_attention(q, q, q), plain))
        self.assertEqual((report.findings, report.clean, report.report.own_unjudged), ((), False, {"flex_attention": 1}))
        self.assertIn("higher-order operator", str(report))

    @unittest.skipUnless(shutil.which("c++"), "inductor needs a compiler")
    def test_inductors_code_is_unchanged_and_counted_unjudged(self):
        watched = DROPOUT.replace("print(", "import ersatz.torch\nwith ersatz.torch.crosscheck(native=False) as report:\n    print(")
        watched += "print(dict(report.report.own_unjudged), report.clean, report.report.status)\nprint(report.closing_line)\n"
        watched += "with ersatz.torch.crosscheck(native=False, exclude=['torch.compile']) as report:\n    net(torch.ones(2, 4)) + 1\nprint(report.clean)\n"
        plain, live = (subprocess.run([sys.executable, "-W", "ignore", "-c", text.format(options="") if text is DROPOUT
                                       else text.replace("{options}", "")], capture_output=True, text=True) for text in (DROPOUT, watched))
        self.assertEqual((plain.returncode, live.returncode), (0, 0), plain.stderr + live.stderr)
        numbers, counted, closing, excluded = live.stdout.splitlines()
        self.assertEqual(numbers, plain.stdout.strip())
        self.assertEqual(counted, "{'torch.compile': 3} False unjudged")
        self.assertRegex(closing, "not clean: 3 calls of torch.compile were not judged")
        self.assertEqual(excluded, "True")


class Contexts(unittest.TestCase):
    """Contexts that are left in another order than the reverse one."""

    def assert_nothing_is_left(self):
        self.assertEqual(torch._C._len_torch_dispatch_stack(), 0)
        self.assertFalse(_python_dispatch.is_in_torch_dispatch_mode())

    def test_crosscheck_that_is_left_before_later_mode(self):
        check, later = ersatz.torch.crosscheck(native=False), FlopCounterMode(display=False)
        with check as report:
            later.__enter__()
            torch.ones(2, 2) @ torch.ones(2, 2)
        compared = report.compared
        torch.ones(2, 2) @ torch.ones(2, 2)
        later.__exit__(None, None, None)
        self.assertEqual((report.compared, later.get_total_flops()), (compared, 32))
        self.assert_nothing_is_left()

    def test_an_earlier_mode_that_is_left_first(self):
        earlier, check = FlopCounterMode(display=False), ersatz.torch.crosscheck(native=False)
        earlier.__enter__()
        check.__enter__()
        earlier.__exit__(None, None, None)
        check.__exit__(None, None, None)
        self.assert_nothing_is_left()

    def test_crosschecks_and_recordings_in_any_order(self):
        with tempfile.TemporaryDirectory() as folder:
            for order in ((0, 1, 2), (1, 0, 2), (0, 2, 1), (2, 0, 1)):
                modes = [ersatz.torch.crosscheck(native=False), ersatz.torch.record(os.path.join(folder, "run.jsonl")),
                         ersatz.torch.crosscheck(native=False)]
                for mode in modes:
                    mode.__enter__()
                for i in order:
                    modes[i].__exit__(None, None, None)
                self.assert_nothing_is_left()

    def test_modes_of_pytorchs_own_stay_above(self):
        with FakeTensorMode():
            with ersatz.torch.crosscheck(native=False):
                torch.ones(2)
        self.assert_nothing_is_left()


class ScriptTest(unittest.TestCase):
    def run_script(self, text, *command, glue="0"):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "train.py").write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, "-W", "ignore", *command, "train.py"], capture_output=True, text=True, cwd=folder,
                                  env={**os.environ, "ERSATZ_GLUE": glue}), os.path.realpath(folder)

    def checked(self, text):
        return self.run_script(text, "-m", "ersatz", "crosscheck")[0]

    def test_mode_that_is_left_entered_changes_no_status(self):
        for end in ("", "\nraise SystemExit(7)"):
            done = self.checked("import torch\nfrom torch.utils.flop_counter import FlopCounterMode\nmode = FlopCounterMode(display=False)\n"
                                "mode.__enter__()\ntorch.ones(2)" + end)
            self.assertEqual(done.returncode, 7 if end else 0, done.stderr)
            self.assertRegex(done.stderr, r"crosscheck: \d+ compared, 0 mismatched")

    def test_script_file_is_what_python_says(self):
        text = "import os, sys\nprint(os.path.basename(os.path.dirname(__file__)) != '', os.path.isabs(__file__), sys.argv)\n" \
               "os.chdir('/')\nprint(os.path.exists(__file__), os.path.realpath(__file__) == os.path.join(os.path.realpath(sys.path[0]), 'train.py'))\n"
        plain, checked = self.run_script(text)[0], self.checked(text)
        self.assertEqual(checked.stdout, plain.stdout)
        self.assertIn("True True ['train.py']", plain.stdout)

    def test_unseen_threads_and_processes_are_reported(self):
        done = self.checked("import multiprocessing, threading, torch\n"
                            "def work(): torch.ones(3) + 1\n"
                            "if __name__ == '__main__':\n"
                            "    for made in (threading.Thread(target=work), multiprocessing.get_context('spawn').Process(target=work)):\n"
                            "        made.start()\n        made.join()\n")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("not seen: calls of 1 thread and 1 process that train.py started", done.stderr)
        self.assertIn("nothing was compared: seen are calls on the thread that entered", done.stderr)

    def test_a_training_step_that_is_recorded_passes(self):
        text = ("import torch\nnet = torch.nn.Linear(3, 2)\nnet(torch.ones(1, 3)).sum().backward()\ntorch.optim.AdamW(net.parameters()).step()\n")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "train.py").write_text(text, encoding="utf-8")
            for command in (["record", "-o", "run.jsonl", "train.py"], ["crosscheck", "run.jsonl"]):
                done = subprocess.run([sys.executable, "-W", "ignore", "-m", "ersatz", *command], capture_output=True, text=True, cwd=folder)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertNotIn("profiler", pathlib.Path(folder, "run.jsonl").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
