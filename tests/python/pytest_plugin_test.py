"""ersatz.pytest_plugin: suites under a crosscheck. Tests that need torch are skipped unless ERSATZ_TORCH_PYTHON
names a Python with it."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

import ersatz

try:
    import pytest
except ImportError:
    pytest = None

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"
TORCH_PYTHON = os.environ.get("ERSATZ_TORCH_PYTHON")

# Replaces relu's kernel by one with another result layout than PyTorch's.
SUITE = """
    import pytest, torch

    library = torch.library.Library("aten", "IMPL")
    library.impl("relu", lambda x: x.clone().t().contiguous().t(), "CPU")

    def test_right():
        assert (torch.ones(2, 3) + 1).sum() == 12

    def test_wrong():
        torch.relu(torch.ones(2, 3))

    @pytest.mark.ersatz_waive(op="aten.relu.*", field="stride", reason="planted")
    def test_waived():
        torch.relu(torch.ones(2, 3))

    @pytest.mark.ersatz_waive(op="aten.add.*", reason="another operator")
    def test_waived_elsewhere():
        torch.relu(torch.ones(2, 3))

    def test_raises_itself():
        torch.relu(torch.ones(2, 3))
        assert 1 == 2
"""

FIXTURE = SUITE.split("def test_right")[0] + """
    def test_wrong(ersatz_crosscheck):
        torch.relu(torch.ones(2, 3))

    def test_right(ersatz_crosscheck):
        torch.ones(2, 3) + 1
        assert "compared" in str(ersatz_crosscheck)

    def test_unwatched():
        torch.relu(torch.ones(2, 3))
"""


def run_forked(folder, arguments):
    """Returns status and output of pytest in a child of this process, which imports torch once for all suites."""
    import ersatz.torch  # noqa: F401
    sys.stdout.flush()
    with open(folder / "printed", "w+") as printed:
        pid = os.fork()
        if pid == 0:
            try:
                os.chdir(folder)
                for stream in (1, 2):
                    os.dup2(printed.fileno(), stream)
                os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
                sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
                status = pytest.main(arguments)
                sys.stdout.flush()
                os._exit(status)
            finally:
                os._exit(70)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        printed.seek(0)
        return status, printed.read()


def run_suite(suite, *options, python=None, beside=None):
    """Returns status and output of pytest on the suite. `beside`: other modules."""
    folder = pathlib.Path(tempfile.mkdtemp())
    for name, text in {"test_suite": suite, **(beside or {})}.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    arguments = ["-p", "ersatz.pytest_plugin", "-p", "no:cacheprovider", "-q", *options, "test_suite.py"]
    if python == sys.executable:
        return run_forked(folder, arguments)
    places = [str(folder), str(pathlib.Path(ersatz.__file__).parent.parent)]
    if python:  # `python` may lack pytest; a copy from this environment works, as pytest is pure Python
        site = folder / "site"
        site.mkdir()
        for name in ["pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py"]:
            source = pathlib.Path(__import__(name).__file__)
            source = source.parent if source.stem == "__init__" else source
            (site / source.name).symlink_to(source)
        places.append(str(site))
    ended = subprocess.run([python or sys.executable, "-m", "pytest", *arguments], cwd=folder, capture_output=True, text=True,
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(places), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    return ended.returncode, ended.stdout + ended.stderr


@unittest.skipUnless(pytest, "there is no pytest")
class PluginTest(unittest.TestCase):
    def test_without_the_option_the_suite_is_unchanged(self):
        status, text = run_suite("def test_it(): pass")
        self.assertEqual(status, 0, text)
        self.assertNotIn("crosscheck", text)

    def test_without_torch_option_says_so_in_one_line(self):
        status, text = run_suite("def test_it(): pass", "--ersatz-crosscheck", beside={"torch": "raise ImportError('none here')"})
        self.assertEqual(status, 4, text)
        self.assertEqual(text.strip().splitlines(), ["ERROR: ersatz: a crosscheck of tests needs torch, which cannot be imported: none here"])

    def test_without_torch_the_fixture_fails_its_test(self):
        status, text = run_suite("def test_it(ersatz_crosscheck): pass", beside={"torch": "raise ImportError('none here')"})
        self.assertEqual(status, 1, text)
        self.assertIn("a crosscheck of tests needs torch, which cannot be imported: none here", text)
        self.assertNotIn("Traceback", text)

    @unittest.skipUnless(PAGE.is_file(), "docs/python.md is not here")
    def test_pages_command_runs_with_the_wheels_plugin(self):
        command = re.search(r"^    (pytest .*) tests/$", PAGE.read_text(), re.M)[1].split()
        folder = pathlib.Path(tempfile.mkdtemp())
        wheel = folder / "ersatz-0.0.0.dist-info"  # files that an installed wheel adds next to the package
        wheel.mkdir()
        (wheel / "METADATA").write_text("Metadata-Version: 2.1\nName: ersatz\nVersion: 0.0.0\n")
        (wheel / "entry_points.txt").write_text("[pytest11]\nersatz.pytest_plugin = ersatz.pytest_plugin\n")
        (folder / "torch.py").write_text("raise ImportError('none here')")
        (folder / "test_suite.py").write_text("def test_it(): pass")
        environment = {k: v for k, v in os.environ.items() if k != "PYTEST_DISABLE_PLUGIN_AUTOLOAD"}
        environment["PYTHONPATH"] = os.pathsep.join([str(folder), str(pathlib.Path(ersatz.__file__).parent.parent)])
        ended = subprocess.run([sys.executable, "-m", *command, "-q", "-p", "no:cacheprovider", "test_suite.py"], cwd=folder, capture_output=True,
                               text=True, env=environment)
        self.assertEqual(ended.returncode, 4, ended.stdout + ended.stderr)
        self.assertIn("a crosscheck of tests needs torch, which cannot be imported: none here", ended.stderr)

    def test_the_marker_is_a_known_one(self):
        self.assertIn("ersatz_waive(op=None, field=None, reason)", run_suite("def test_it(): pass", "--markers")[1])


@unittest.skipUnless(pytest and TORCH_PYTHON, "ERSATZ_TORCH_PYTHON names no Python that has torch")
class TorchPluginTest(unittest.TestCase):
    def test_findings_fail_a_test_unless_it_waives_them(self):
        status, text = run_suite(SUITE, "--ersatz-crosscheck", python=TORCH_PYTHON)
        self.assertEqual(status, 1, text)
        self.assertIn("3 failed, 2 passed", text)
        for name in ["test_wrong", "test_waived_elsewhere", "test_raises_itself"]:
            self.assertIn(f"FAILED test_suite.py::{name}", text)
        self.assertIn("ersatz: call2 = aten.relu.default, result 0: stride: predicted f32[2,3]{3,1}+0@cpu, eager says f32[2,3]{1,2}+0@cpu", text)
        self.assertIn("crosscheck: 4 tests, 2 with findings, 1 findings waived; ", text)
        self.assertIn("assert 1 == 2", text)

    def test_without_the_option_nothing_is_found(self):
        status, text = run_suite(SUITE, python=TORCH_PYTHON)
        self.assertIn("1 failed, 4 passed", text)
        self.assertNotIn("ersatz:", text)

    def test_the_fixture_watches_its_test_alone(self):
        status, text = run_suite(FIXTURE, python=TORCH_PYTHON)
        self.assertIn("1 failed, 2 passed", text)
        self.assertIn("FAILED test_suite.py::test_wrong", text)
        self.assertIn("crosscheck: 2 tests, 1 with findings, 0 findings waived; ", text)

    def test_a_waiver_without_a_reason_fails(self):
        status, text = run_suite(SUITE.replace(', reason="planted"', ""), "--ersatz-crosscheck", "-k", "test_waived", python=TORCH_PYTHON)
        self.assertIn("a waiver is ersatz_waive(op=..., field=..., reason=...), and has a reason", text)


if __name__ == "__main__":
    unittest.main()
