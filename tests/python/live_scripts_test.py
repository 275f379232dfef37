"""`ersatz crosscheck train.py`: the script runs as without ersatz, and ersatz's report follows its output."""

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
    import torch  # noqa: F401
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from ersatz.torch import script


class Scripts(unittest.TestCase):
    def run_script(self, text, *arguments, options=()):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "train.py")
            with open(path, "w") as out:
                out.write("import sys, torch\n" + text)
            command = [sys.executable, "-m", "ersatz", "crosscheck", *options, path, *arguments]
            return subprocess.run(command, capture_output=True, text=True, env={**os.environ}, cwd=folder)

    def test_script_runs_unchanged_with_report_on_stderr(self):
        done = self.run_script("print(sys.argv[1:], torch.ones(3).sum().item())", "--epochs", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "['--epochs', '1'] 3.0\n")
        self.assertRegex(done.stderr.splitlines()[-1], "^crosscheck: 3 compared, 0 mismatched")

    def test_the_status_of_a_script_is_its_own(self):
        self.assertEqual(self.run_script("torch.ones(3); sys.exit(7)").returncode, 7)

    def test_raising_script_ends_with_traceback_and_report(self):
        done = self.run_script("torch.ones(3)\nraise ValueError('lost')")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "ValueError: lost")
        self.assertNotIn("runpy", done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], "^crosscheck: 1 compared")

    def test_script_interrupted_ends_with_130_and_report(self):
        done = self.run_script("torch.ones(3)\nimport os, signal\nos.kill(os.getpid(), signal.SIGINT)\nimport time; time.sleep(9)")
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], "^crosscheck: 1 compared")

    def test_function_whose_compiling_fails_fails_as_without_crosscheck(self):
        text = ("def refuse(graph, inputs): raise RuntimeError('compiled')\n"
                "double = torch.compile(lambda x: x + x, backend=refuse)\n"
                "print(double(torch.ones(3)).sum().item())\n")
        with unittest.mock.patch.dict(os.environ, ERSATZ_GLUE="0"):
            done = self.run_script(text)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertIn("compiled", done.stderr)

    def test_script_that_is_not_there_is_one_line(self):
        command = [sys.executable, "-m", "ersatz", "crosscheck", "nowhere.py"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "ersatz: nowhere.py: there is no such script\n"))

    def test_full_disk_is_reported_without_half_files(self):
        done = self.run_script("torch.ones(3)", options=("-o", "/dev/full/report"))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_report_form_follows_each_files_suffix(self):
        wrong = ("op = torch.library.custom_op('mine::turn', lambda x: x.t().contiguous().t(), mutates_args=(), schema='(Tensor x) -> Tensor')\n"
                 "op.register_fake(torch.empty_like)\nop(torch.ones(2, 3))\n")
        with tempfile.TemporaryDirectory() as out:
            files = [pathlib.Path(out, name) for name in ("r.sarif", "r.junit.xml", "r.json", "r.html")]
            done = self.run_script(wrong, options=[part for file in files for part in ("--report", str(file))])
            sarif, junit, report, page = (file.read_text(encoding="utf-8") for file in files)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], "^crosscheck: 2 compared, 1 mismatched")
        result, = json.loads(sarif)["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"].rpartition("/")[2], place["region"]["startLine"]), ("train.py", 4))
        self.assertEqual([f["op"] for f in json.loads(report)["findings"]], ["mine.turn.default"])
        self.assertRegex(junit, '<testcase [^>]*name="mine.turn.default">\\s*<failure type="stride"')
        self.assertIn("<!DOCTYPE html>", page)

    def test_unwritable_report_is_reported_before_the_script(self):
        for path, words in (("r.txt", "r.txt: a report is one of .html, .json, .sarif, .xml"), ("nowhere/r.sarif", "nowhere/r.sarif: its folder cannot be written")):
            done = self.run_script("print('ran')", options=("--report", path))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"ersatz: {words}\n"))

    def test_scripts_are_told_from_programs(self):
        self.assertFalse(script.is_script(["--report", "train.py", "model.pt2"]))
        self.assertTrue(script.is_script(["train.py", "--epochs", "1"]))
        self.assertTrue(script.is_script(["-o", "report.txt", "-m", "package.train"]))
        self.assertFalse(script.is_script(["model.pt2", "--device", "cuda"]))
        self.assertFalse(script.is_script(["-o", "train.py", "model.pt2"]))


if __name__ == "__main__":
    unittest.main()
