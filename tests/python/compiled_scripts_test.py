"""Scripts that compile do the same under `ersatz crosscheck` as without it, and its report names planted faults first."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import torch  # noqa: F401
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

SCRIPTS = pathlib.Path(__file__).with_name("compiled_scripts")


@unittest.skipUnless(shutil.which("c++"), "inductor needs a compiler")
class CompiledScripts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.code = pathlib.Path(cls.folder.name, "inductor")
        cls.environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(cls.code), "OMP_NUM_THREADS": "1"}

    def run_script(self, name, *command):
        return subprocess.run([sys.executable, "-W", "ignore", *command, str(SCRIPTS / f"{name}.py")], capture_output=True, text=True, env=self.environment)

    def both(self, name):
        """Runs the script without and with ersatz. Output and inductor's code must be equal. Returns the report."""
        plain = self.run_script(name)
        generated = {path for path in self.code.rglob("*.py")}
        report = pathlib.Path(self.folder.name, f"{name}.json")
        checked = self.run_script(name, "-m", "ersatz", "crosscheck", "--report", str(report))
        self.assertEqual(checked.stdout, plain.stdout, plain.stderr + checked.stderr)
        self.assertTrue(generated)
        self.assertEqual({path for path in self.code.rglob("*.py")} - generated, set(), "inductor generated other code")
        return plain, checked, json.loads(report.read_text(encoding="utf-8"))

    def right(self, name, graphs):
        plain, checked, report = self.both(name)
        self.assertIn("results ", plain.stdout)
        self.assertEqual((plain.returncode, checked.returncode), (0, 0), checked.stderr)
        self.assertEqual((report["status"], report["findings"], report["compiled"]["graphs"]), ("clean", [], graphs), checked.stderr)
        self.assertGreater(report["compiled"]["nodes"], 0)
        self.assertGreater(report["compiled"]["inputs"], 0)
        self.assertIn("what its kernels do is not seen", checked.stderr)
        return report

    def planted(self, name, line):
        """Runs a script with a planted fault. Returns the explanation after the traceback, and the findings. The traceback
        must have the frames of a run without ersatz; frames of PyTorch may differ, because its code is not cached."""
        plain, checked, report = self.both(name)
        self.assertEqual((plain.returncode, checked.returncode), (1, 1), checked.stderr)
        frames = [[f for f in re.findall(r'^  File .*', run.stderr, re.M) if "site-packages" not in f] for run in (plain, checked)]
        self.assertEqual(*frames)
        message = plain.stderr[plain.stderr.index("\nAssertionError: "):]
        _, same, behind = checked.stderr.partition(message)
        self.assertTrue(same, checked.stderr)
        self.assertIn(line, report["findings"][0]["source"])
        return behind, report["findings"]

    def test_inference(self):
        self.right("inference", 1)

    def test_training_with_dropout_and_an_optimizer(self):
        self.assertEqual(self.right("training", 2)["compiled"]["runs"], 6)

    def test_sizes_that_become_dynamic(self):
        self.right("dynamic_shapes", 3)

    def test_graph_breaks(self):
        self.right("graph_breaks", 4)

    def test_operator_of_ones_own_with_right_fake(self):
        self.assertEqual(self.right("own_right", 1)["own"]["judged"], 1)

    def test_writes_into_inputs_and_buffers(self):
        self.right("mutation", 1)

    def test_autocast(self):
        self.right("autocast", 2)

    def test_distributed_data_parallel_of_two_ranks(self):
        self.right("two_ranks", 4)

    @unittest.skipUnless(importlib.util.find_spec("transformers"), "needs transformers")
    def test_a_model_of_transformers(self):
        self.right("transformers_model", 2)

    @unittest.skipUnless(importlib.util.find_spec("torchvision"), "needs torchvision")
    def test_a_model_of_torchvision(self):
        self.right("torchvision_model", 1)

    def test_wrong_fake_is_named_with_layouts_and_line(self):
        behind, findings = self.planted("own_wrong", "own_wrong.py:17 in use: z = turned(y)")
        self.assertRegex(behind, r"^scripts.turned.default, result 0: stride \(1, 2\) from the kernel, \(3, 1\) from the fake kernel\n")
        self.assertIn("next:       import ersatz.torch; print(ersatz.torch.validate(torch.ops.scripts.turned, [(torch.randn(2, 3),)]))\n", behind)
        self.assertEqual([(f["op"], f["field"]) for f in findings], [("scripts.turned.default", "stride")])

    def test_a_kernel_that_pads_is_named_first(self):
        behind, findings = self.planted("own_padded", "own_padded.py:18 in use: return padded(x * 2).relu()")
        self.assertRegex(behind, r"^scripts.padded.default, result 0: stride \(8, 1\) from the kernel, \(5, 1\) from the fake kernel\n")
        self.assertEqual([(f["op"], f["field"]) for f in findings], [("scripts.padded.default", "stride")])

    def test_second_pieces_input_blames_the_operator_between(self):
        behind, findings = self.planted("seam", "seam.py:26 in <module>: b(attention(a(x)))")
        self.assertRegex(behind, r"^input arg0_1 of compiled code: stride \(8, 40, 1\), and the code was compiled for \(24, 8, 1\): "
                                 r"scripts.attention.default made it, outside of this code\n")
        self.assertEqual([(f["op"], f["field"]) for f in findings], [("scripts.attention.default", "stride"), ("torch.compile", "stride")])
        self.assertTrue(re.search(r"input arg0_1 of compiled graph 1 is made by scripts.attention.default", findings[1]["cause"]))


if __name__ == "__main__":
    unittest.main()
