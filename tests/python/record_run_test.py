"""ERSATZ_RECORD and `python -m ersatz record` record runs without a change of the script."""

import json
import os
import pathlib
import subprocess
import sys
import textwrap
import unittest

try:
    import torch
except ImportError:
    torch = None

import ersatz
from own_folder import own_folder

PACKAGE = pathlib.Path(ersatz.__file__).resolve().parent.parent
SCRIPT = """
    import sys, torch
    x = torch.ones(2, 3)
    print((x @ x.t()).sum().item(), sys.argv[1:])
"""
# Does with the package's folder what the interpreter does at startup with the folder of an installed wheel.
LIKE_INSTALLED = f"import site, sys, runpy; site.addsitedir({str(PACKAGE)!r}); sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = own_folder(self)
        self.script("train.py", SCRIPT)

    def script(self, name, text):
        (self.folder / name).write_text(textwrap.dedent(text))

    def python(self, *arguments, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ERSATZ_RECORD")}
        return subprocess.run([sys.executable, *arguments], cwd=self.folder, capture_output=True, text=True, env={**environment, **variables})

    def ops(self, name="run.jsonl"):
        return [json.loads(line)["op"] for line in (self.folder / name).read_text().splitlines()]

    def files(self):
        return sorted(f.name for f in self.folder.glob("*.jsonl"))


OPS = ["aten.ones.default", "aten.t.default", "aten.mm.default", "aten.sum.default", "aten._local_scalar_dense.default"]


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class TheVariable(Runs):
    def installed(self, script, **variables):
        return self.python("-c", LIKE_INSTALLED, script, **variables)

    def test_records_script_that_does_not_know_of_it(self):
        done = self.installed("train.py", ERSATZ_RECORD="run.jsonl")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "12.0 []\n", ""))
        self.assertEqual(self.ops(), OPS)

    def test_without_it_nothing_is_recorded_nor_imported(self):
        self.script("train.py", "import sys; print([m for m in sys.modules if 'ersatz' in m])")
        self.assertEqual(self.installed("train.py").stdout, "[]\n")
        self.assertEqual(self.installed("train.py", ERSATZ_RECORD="").stdout, "[]\n")

    def test_program_without_torch_is_not_touched(self):
        self.script("train.py", "import sys; print([m for m in ('torch', 'ersatz') if m in sys.modules])")
        self.assertEqual(self.installed("train.py", ERSATZ_RECORD="run.jsonl").stdout, "[]\n")
        self.assertEqual(self.files(), [])

    def test_records_what_was_called_before_a_script_raised(self):
        self.script("train.py", "import torch\ntorch.ones(2)\nraise ValueError('its own')")
        done = self.installed("train.py", ERSATZ_RECORD="run.jsonl")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ValueError: its own", done.stderr)
        self.assertEqual(self.ops(), ["aten.ones.default"])

    def test_values_are_recorded_where_they_are_asked_for(self):
        self.installed("train.py", ERSATZ_RECORD="run.jsonl", ERSATZ_RECORD_VALUES="1")
        first = json.loads((self.folder / "run.jsonl").read_text().splitlines()[0])
        self.assertEqual(first["out"][0]["v"], [1.0] * 6)

    def test_child_processes_with_calls_have_their_own_files(self):
        self.script("idle.py", "import torch")
        self.script("launch.py", f"""
            import subprocess, sys, torch
            torch.zeros(1)
            for script in ["train.py", "idle.py"]:
                print(subprocess.Popen([sys.executable, "-c", {LIKE_INSTALLED!r}, script], stdout=subprocess.DEVNULL).wait())
        """)
        self.assertEqual(self.installed("launch.py", ERSATZ_RECORD="run.jsonl").stdout, "0\n0\n")
        first, other = sorted(self.files(), key=len)
        self.assertEqual((first, self.ops(first), self.ops(other)), ("run.jsonl", ["aten.zeros.default"], OPS))
        self.assertRegex(other, r"run\.\d+\.jsonl")

    def test_number_of_process_may_stand_in_path(self):
        self.installed("train.py", ERSATZ_RECORD="run-{pid}.jsonl")
        self.assertRegex(self.files()[0], r"run-\d+\.jsonl")

    def test_unwritable_file_is_a_line_and_runs_on(self):
        done = self.installed("train.py", ERSATZ_RECORD="nowhere/run.jsonl")
        self.assertEqual((done.returncode, done.stdout), (0, "12.0 []\n"))
        self.assertRegex(done.stderr, r"\Aersatz: ERSATZ_RECORD=nowhere/run\.jsonl: nothing is recorded: FileNotFoundError: .*\n\Z")


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class TheCommand(Runs):
    def record(self, *arguments):
        return self.python("-m", "ersatz", "record", *arguments)

    def test_records_a_script_with_its_arguments(self):
        done = self.record("-o", "run.jsonl", "train.py", "-o", "theirs")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "12.0 ['-o', 'theirs']\n", "record: 5 calls in run.jsonl\n"))
        self.assertEqual(self.ops(), OPS)

    def test_records_module_with_values_and_as_program(self):
        done = self.record("-o", "run.jsonl", "--values", "--program", "-m", "train")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"v":[1.0,1.0', (self.folder / "run.jsonl").read_text())
        self.assertIn("aten.mm.default", (self.folder / "run.txt").read_text())

    def test_the_exit_status_is_the_scripts(self):
        self.script("train.py", "import torch; torch.ones(1); raise SystemExit(7)")
        self.assertEqual(self.record("-o", "run.jsonl", "train.py").returncode, 7)
        self.assertEqual(self.ops(), ["aten.ones.default"])

    def test_a_script_that_calls_nothing_is_no_success(self):
        self.script("train.py", "print('nothing')")
        done = self.record("-o", "run.jsonl", "train.py")
        self.assertEqual((done.returncode, done.stderr), (2, "record: 0 calls in run.jsonl\n"))

    def test_unusable_option_is_reported_before_the_script(self):
        (self.folder / "folder").mkdir()
        for arguments, words in [(("-o", "run.jsonl", "none.py"), "none.py: there is no such script"),
                                 (("-o", "nowhere/run.jsonl", "train.py"), "nowhere/run.jsonl: its folder cannot be written"),
                                 (("-o", "folder", "train.py"), "folder: Is a directory")]:
            with self.subTest(words):
                done = self.record(*arguments)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"ersatz: {words}\n"))


if __name__ == "__main__":
    unittest.main()
