"""Programs that compile do the same under the pytest plugin and `ersatz record` as without them. Their graphs are
compared."""

from __future__ import annotations

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

import ersatz

SCRIPTS = pathlib.Path(__file__).with_name("compiled_scripts")
PACKAGE = pathlib.Path(ersatz.__file__).resolve().parent.parent
INSTALLED = f"import site, sys, runpy; site.addsitedir({str(PACKAGE)!r}); sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
SUITE = f"""
import runpy, sys, torch
sys.path.insert(0, {str(SCRIPTS)!r})
from torch._dynamo.utils import counters

def run(name):
    counters.clear()
    runpy.run_path({str(SCRIPTS)!r} + "/" + name + ".py")

def test_training(): run("training")
def test_graph_breaks(): run("graph_breaks")
def test_own_right(): run("own_right")

double = torch.compile(lambda x: (x + x).relu())
def test_compiles_first():
    print("results", double(torch.ones(3)).sum().item())
def test_runs_what_an_earlier_test_compiled():
    print("results", double(torch.ones(3)).sum().item(), counters["stats"]["unique_graphs"])
"""
WRONG = SUITE.split("def test_training")[0] + 'def test_wrong(): run("own_wrong")\n'


@unittest.skipUnless(shutil.which("c++"), "inductor needs a compiler")
class Watched(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.code = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.code.cleanup)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def python(self, *arguments, **variables):
        environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": self.code.name, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(PACKAGE),
                       "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **variables}
        return subprocess.run([sys.executable, "-W", "ignore", *map(str, arguments)], capture_output=True, text=True, cwd=self.folder, env=environment)

    def suite(self, text, *options):
        (self.folder / "test_suite.py").write_text(text)
        return self.python("-m", "pytest", "-p", "ersatz.pytest_plugin", "-p", "no:cacheprovider", "-q", "-s", *options, "test_suite.py")

    @staticmethod
    def told(done):
        """Returns the lines of the scripts' output that are about results, graphs, frames and breaks."""
        return re.findall(r"\b(results .*|graphs .*)$", done.stdout, re.M)

    def test_compiling_suite_is_unchanged_and_graphs_are_judged(self):
        plain, checked = self.suite(SUITE), self.suite(SUITE, "--ersatz-crosscheck", "--ersatz-strict")
        self.assertEqual(len(self.told(plain)), 8, plain.stdout)
        self.assertEqual((checked.returncode, self.told(checked)), (plain.returncode, self.told(plain)), checked.stdout)
        self.assertEqual(plain.returncode, 0)
        self.assertRegex(checked.stdout, r"\ncompiled: 8 graphs, \d+ calls judged at compile time, \d+ inputs compared in \d+ runs; what its kernels do is not seen\n")
        self.assertRegex(checked.stdout, r"\ncrosscheck: 5 tests, 0 with findings, 0 findings waived; \d+ compared, 0 mismatched, ")
        self.assertNotIn("nobody judged", checked.stdout)

    def test_assertion_of_compiled_code_names_the_wrong_operator(self):
        plain, checked = self.suite(WRONG), self.suite(WRONG, "--ersatz-crosscheck")
        self.assertEqual((plain.returncode, checked.returncode), (1, 1))
        for done in (plain, checked):
            self.assertIn("AssertionError", done.stdout)
        self.assertNotIn("from the fake kernel", plain.stdout)
        self.assertIn("scripts.turned.default, result 0: stride (1, 2) from the kernel, (3, 1) from the fake kernel\n", checked.stdout)

    def recorded(self, name):
        """Runs a script without ersatz, with the command and with the variable. Output and status must be equal."""
        script = SCRIPTS / f"{name}.py"
        plain = self.python(script)
        by_command = self.python("-m", "ersatz", "record", "-o", "run.jsonl", script)
        by_variable = self.python("-c", INSTALLED, script, ERSATZ_RECORD="other.jsonl", PYTHONPATH=f"{SCRIPTS}{os.pathsep}{PACKAGE}")
        for done in (by_command, by_variable):
            self.assertEqual((done.returncode, done.stdout), (plain.returncode, plain.stdout), done.stderr)
        return plain, by_command, by_variable

    def test_recorded_training_is_unchanged_and_graphs_are_judged(self):
        plain, *recorded = self.recorded("training")
        self.assertIn("results ", plain.stdout)
        for done in recorded:
            self.assertRegex(done.stderr, r"(?m)^watch_compiles: 3 graphs, \d+ compared, 0 mismatched, 0 not clean, 0 not read$")

    def test_recorded_failing_script_ends_as_it_did(self):
        for done in self.recorded("own_wrong"):
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("AssertionError", done.stderr)

    def test_without_compilation_the_compiler_is_not_imported(self):
        (self.folder / "plain.py").write_text("import sys, torch\ntorch.ones(3) + 1\nprint('torch._inductor.output_code' in sys.modules)\n")
        done = self.python("-m", "ersatz", "record", "-o", "run.jsonl", "plain.py")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "False\n", "record: 2 calls in run.jsonl\n"))


if __name__ == "__main__":
    unittest.main()
