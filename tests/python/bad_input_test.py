"""If a PyTorch program has errors or objects that ersatz cannot handle, one line reports them and the program goes on."""

import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz
import ersatz.torch
from ersatz import _ersatz
from ersatz.torch import glue
from own_folder import own_folder


def run(code, folder=None, **environment):
    """Runs the code in a process of its own, with `folder` first in the module path."""
    path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], text=True, capture_output=True,
                          env={**os.environ, "PYTHONPATH": path, **environment})


def ended(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def doubled(n):
    return torch.ones(n).mul(2).sum().item()


class FolderCase(unittest.TestCase):
    def setUp(self):
        self.folder = own_folder(self)


class Forks(unittest.TestCase):
    def test_forked_child_has_its_own_report(self):
        with ersatz.torch.crosscheck(native=False) as report:
            torch.ones(2).add(1)
            pid = os.fork()
            if pid == 0:
                torch.ones(3).mul(2)
                os._exit(report.compared)
            torch.ones(2)
        self.assertEqual((ended(pid), report.compared, report.mismatched), (4, 3, 0))

    def test_processes_that_multiprocessing_forks_compute_what_they_would(self):
        with ersatz.torch.crosscheck(native=False) as report:
            torch.ones(2)
            with multiprocessing.get_context("fork").Pool(2) as pool:
                self.assertEqual(pool.map(doubled, range(4)), [0, 2, 4, 6])
        self.assertEqual((report.compared, report.findings), (1, ()))

    def test_child_returning_from_a_script_leaves_one_report(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "train.py")
            with open(script, "w") as out:
                out.write("import os, torch\ntorch.ones(2)\nif os.fork() == 0:\n    torch.ones(3)\nelse:\n    os.wait()\n")
            done = subprocess.run([sys.executable, "-m", "ersatz", "crosscheck", script], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(re.findall(r"^crosscheck: \d+ compared", done.stderr, re.M), ["crosscheck: 1 compared"])

    def test_options_behind_the_script_are_the_scripts(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "train.py").write_text("import sys, torch\ntorch.ones(2)\nprint(sys.argv[1:])\n")
            for what in (["train.py"], ["-m", "train"]):
                name = " ".join(what)
                for given, ours in ((["--json", "-o", "x", "--html=y"], ["--json", "-o", "--html"]), (["--", "--json"], []), (["--lr", "1"], [])):
                    done = subprocess.run([sys.executable, "-m", "ersatz", "crosscheck", *what, *given], text=True, capture_output=True, cwd=folder)
                    self.assertEqual((done.returncode, done.stdout), (0, f"{given}\n"), done.stderr)
                    self.assertEqual([line for line in done.stderr.splitlines() if line.startswith("ersatz:")],
                                     [f"ersatz: {o} stands behind {name} and is its own: for the report it stands before: ersatz crosscheck {o} ... "
                                      f"{name}" for o in ours])

    def test_forked_child_leaves_records_of_its_parent_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.jsonl"
            with ersatz.torch.record(path):
                torch.ones(2)
                pid = os.fork()
                if pid == 0:
                    torch.ones(3)
                    os._exit(0)
                ended(pid)
                torch.ones(4)
            self.assertEqual(re.findall(r'"t":"(f32\[\d\])', path.read_text().replace(" ", "")), ["f32[2]", "f32[4]"])


class AnUnknownPyTorch(FolderCase):
    USE = "import ersatz.torch\nwith ersatz.torch.crosscheck() as report:\n    torch.ones(2).add(1)\nprint(report.compared, report.findings)"

    def test_other_version_is_one_warning_without_glue(self):
        done = run("import torch\ntorch.__version__ = torch.torch_version.TorchVersion('9.9.0')\n" + self.USE + "\nimport ersatz.torch\n"
                   "print(ersatz.torch.crosscheck().native)")
        self.assertEqual((done.returncode, done.stdout), (0, "2 ()\nFalse\n"), done.stderr)
        self.assertEqual(re.findall("RuntimeWarning: .*", done.stderr), ["RuntimeWarning: ersatz.torch is made for PyTorch 2.9 to 2.15, and this is "
                                                                         "9.9.0: what it cannot read is skipped, by reason"])

    def test_misfit_glue_is_one_warning(self):
        cached = self.folder / "ersatz" / glue.path().name
        cached.parent.mkdir()
        cached.write_bytes(b"no library")
        done = run("import torch\n" + self.USE + "\nersatz.torch.crosscheck()", XDG_CACHE_HOME=str(self.folder))
        self.assertEqual((done.returncode, done.stdout), (0, "2 ()\n"), done.stderr)
        self.assertEqual(len(re.findall("RuntimeWarning: .* cannot be loaded .*`python -m ersatz build-glue` builds it anew", done.stderr)), 1, done.stderr)

    def test_that_is_a_stub_is_one_line(self):
        for files in ({"torch.py": "__version__ = '0.0'"}, {"torch/__init__.py": ""},
                      {"torch/__init__.py": "__version__ = '1.2'", "torch/utils/__init__.py": "", "torch/utils/_python_dispatch.py": "",
                       "torch/utils/_pytree.py": ""}):
            with self.subTest(files), tempfile.TemporaryDirectory() as folder:
                for name, text in files.items():
                    path = pathlib.Path(folder, name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text)
                script = pathlib.Path(folder, "train.py")
                script.write_text("print('runs')")
                done = run(f"import sys\nfrom ersatz.__main__ import main\nsys.exit(main(['crosscheck', {str(script)!r}]))", folder=folder)
                self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
                self.assertRegex(done.stderr, r"\Aersatz: crosscheck of a script needs PyTorch: torch .*is made for PyTorch 2.9 to 2.15")


class Foreign:
    """An operator that has the name of a known operator, but another schema."""

    def __str__(self):
        return "aten.relu.default"

    def __call__(self, x, *more, **named):
        return torch.ops.aten.relu.default(x)


class ForeignSchemas(unittest.TestCase):
    def test_call_outside_its_schema_is_skipped_by_reason(self):
        session = _ersatz.TorchCrosscheck()
        x = torch.ones(2)
        for args, kwargs in (((x, 1, 2), {}), ((x,), {"later": True})):
            self.assertEqual(session.call(Foreign(), args, kwargs).tolist(), [1, 1])
        self.assertIn("not compared, another schema: 2 calls (aten.relu.default 2)", session.text("it"))

    def test_operators_with_unknown_types_are_called_unchanged(self):
        with torch.library._scoped_library("foreign_schemas", "FRAGMENT") as library, tempfile.TemporaryDirectory() as folder:
            library.define("pairs(Tensor x, Dict(str, Tensor) more, (int, str)[] names) -> (Tensor, Dict(str, int))")
            library.impl("pairs", lambda x, more, names: (x + more["y"], {n: i for i, n in names}), "CompositeExplicitAutograd")
            path = pathlib.Path(folder, "run.jsonl")
            for run in (ersatz.torch.crosscheck(native=False), ersatz.torch.crosscheck(), ersatz.torch.record(path)):
                with run as report:
                    total, names = torch.ops.foreign_schemas.pairs(torch.ones(2), {"y": torch.ones(2)}, [(3, "a")])
                    with self.assertRaises(KeyError):
                        torch.ops.foreign_schemas.pairs(torch.ones(2), {"z": torch.ones(2)}, [(3, "a")])
                self.assertEqual((total.tolist(), names), ([2, 2], {"a": 3}))
                if isinstance(run, ersatz.torch.crosscheck):
                    self.assertEqual((report.findings, report.report.own_unjudged), ((), {"foreign_schemas.pairs.default": 1}))
                    self.assertIn("(dict of result 1)", str(report))
            self.assertEqual(ersatz.crosscheck(path, keep_going=True).findings, ())  # reads the file


class Records(FolderCase):
    def refused(self, text):
        """Returns Python's error and the command's message for a damaged file of records."""
        path = self.folder / "run.jsonl"
        path.write_text(text)
        with self.assertRaises(ersatz.Error) as raised:
            ersatz.crosscheck(path)
        self.assertEqual(len(str(raised.exception).splitlines()), 1)
        done = subprocess.run([sys.executable, "-m", "ersatz", "crosscheck", str(path)], text=True, capture_output=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        return str(raised.exception), done

    def recorded(self):
        with ersatz.torch.record(self.folder / "whole.jsonl"):
            torch.ones(2).add(1)
        return (self.folder / "whole.jsonl").read_text()

    def test_that_are_cut_short_name_their_line(self):
        line, done = self.refused(self.recorded()[:-20])
        self.assertRegex(line, r"run\.jsonl:2: ")
        self.assertRegex(done.stderr, r"\Aersatz: .*run\.jsonl:2: .*\n\Z")

    def test_of_an_op_that_is_none_name_it(self):
        line, done = self.refused(self.recorded().replace("aten.add.Tensor", "foreign.add.Tensor"))
        self.assertIn("foreign.add.Tensor", line)
        self.assertIn("foreign.add.Tensor", done.stdout)


@unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
class FullDisks(FolderCase):
    def test_misfit_report_is_reported_and_the_device_stays(self):
        script = self.folder / "train.py"
        script.write_text("import torch\ntorch.ones(3)\nprint('ran')")
        for options in (["crosscheck", "-o", "/dev/full", str(script)], ["crosscheck", "--json", "-o", "/dev/full", str(script)]):
            done = subprocess.run([sys.executable, "-m", "ersatz", *options], text=True, capture_output=True)
            self.assertEqual((done.returncode, done.stdout), (2, "ran\n"), done.stderr)
            self.assertEqual(done.stderr, "ersatz: /dev/full: No space left on device: the report was not written\n")
        self.assertFalse(pathlib.Path("/dev/full").is_file())

    def test_run_goes_on_without_fitting_records(self):
        with self.assertWarnsRegex(UserWarning, "No space left on device"), ersatz.torch.record("/dev/full"):
            self.assertEqual(torch.ones(2).neg().tolist(), [-1, -1])


if __name__ == "__main__":
    unittest.main()
