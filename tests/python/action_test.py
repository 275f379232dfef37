"""action.yml: its shell steps run as GitHub runs them, with a wheel of the package under test."""

import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap
import unittest
import zipfile

import ersatz
from documented_lines_test import FILES, ROOT, TORCH_PYTHON, entry_points
from own_folder import own_folder

ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
STEP = re.compile(r"^    - name: (.+)\n(?:      .*\n)*?      run: \|\n((?:        .*\n)+)", re.M)
STEPS = {name: textwrap.dedent(script) for name, script in STEP.findall(ACTION)}

WRONG = """
import sys, torch
@torch.library.custom_op("mine::turn", mutates_args=())
def turn(x: torch.Tensor) -> torch.Tensor:
    return x.t().contiguous().t()
turn.register_fake(torch.empty_like)
def test_turn():
    turn(torch.ones(2, 3))
def test_double():
    torch.ones(3) * 2
if __name__ == "__main__":
    assert sys.argv[1:] == ["--name", "two words"], sys.argv
    test_turn()
"""


def wheel_of_the_package(folder):
    """Builds a wheel of the package under test with plain files only; its module finds the library in the build
    tree."""
    package, name = pathlib.Path(ersatz.__file__).parent, "ersatz_tensors-0.0.0"
    files = {path.relative_to(package.parent).as_posix(): path.read_bytes() for path in sorted(package.rglob("*"))
             if path.is_file() and path.suffix != ".pyc" and "include" not in path.parts}
    files[f"{name}.dist-info/METADATA"] = FILES["site/ersatz_tensors-0.0.0.dist-info/METADATA"].encode()
    files[f"{name}.dist-info/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{name}.dist-info/entry_points.txt"] = entry_points().encode()
    files[f"{name}.dist-info/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{name}.dist-info/RECORD"]).encode()
    wheel = pathlib.Path(folder, f"{name}-py3-none-any.whl")
    with zipfile.ZipFile(wheel, "w") as out:
        for path, content in files.items():
            out.writestr(path, content)
    return wheel


@unittest.skipUnless(TORCH_PYTHON == sys.executable, "ERSATZ_TORCH_PYTHON names no Python that has torch")
class ActionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = own_folder(cls)
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin/python").write_text(FILES["bin/python"])
        (cls.folder / "bin/python").chmod(0o755)
        (cls.folder / "test_suite.py").write_text(WRONG)
        cls.installed = cls.run_step("Install ersatz", WHEEL=str(wheel_of_the_package(cls.folder)), PIP_TARGET=str(cls.folder / "site"),
                                     PIP_NO_INDEX="1")[0]

    @classmethod
    def run_step(cls, name, **inputs):
        """Runs a step of the action. Returns the finished process, and the outputs that the step set."""
        outputs = cls.folder / "outputs"
        outputs.write_text("")
        clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTEST_DISABLE_PLUGIN_AUTOLOAD")}
        environment = {**clean, "PATH": f"{cls.folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(cls.folder / "site"), "ERSATZ_GLUE": "0",
                       "PYTHONDONTWRITEBYTECODE": "1", "GITHUB_OUTPUT": str(outputs), "PYTEST": "", "SCRIPT": "", "WAIVERS": "", "REPORTS": "out", **inputs}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]], cwd=cls.folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done, dict(line.split("=", 1) for line in outputs.read_text().splitlines())

    def test_action_steps_are_those_run_here(self):
        self.assertEqual(list(STEPS), ["Install ersatz", "Run"])
        self.assertEqual(ACTION.count("run: |"), 2)

    def test_the_wheel_is_installed_and_says_its_version(self):
        self.assertEqual(self.installed.returncode, 0, self.installed.stdout)
        self.assertRegex(self.installed.stdout.splitlines()[-1], r"^ersatz ")
        self.assertTrue((self.folder / "site/ersatz/pytest_plugin.py").is_file())

    def test_suite_with_a_finding_fails_with_three_reports(self):
        done, outputs = self.run_step("Run", PYTEST="test_suite.py -k 'turn or double'")
        self.assertEqual((done.returncode, outputs), (1, {"sarif": "out/ersatz.sarif"}), done.stdout)
        result, = json.loads((self.folder / "out/ersatz.sarif").read_text())["runs"][0]["results"]
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].rpartition("/")[2], "test_suite.py")
        self.assertRegex((self.folder / "out/ersatz.junit.xml").read_text(), r'name="mine\.turn\.default">\s*<failure type="stride"')
        self.assertIn("mine.turn.default stride", (self.folder / "out/ersatz.html").read_text())

    def test_script_gets_arguments_and_waivers_apply(self):
        (self.folder / "known.txt").write_text("mine.turn.default stride until=never its fake is wrong\n")
        found, outputs = self.run_step("Run", SCRIPT="test_suite.py --name 'two words'", REPORTS="of/script")
        self.assertEqual((found.returncode, outputs), (1, {"sarif": "of/script/ersatz.sarif"}), found.stdout)
        waived, _ = self.run_step("Run", SCRIPT="test_suite.py --name 'two words'", WAIVERS="known.txt")
        self.assertEqual(waived.returncode, 0, waived.stdout)

    def test_it_takes_either_a_suite_or_a_script(self):
        for inputs in ({}, {"PYTEST": "tests", "SCRIPT": "train.py"}):
            done, outputs = self.run_step("Run", **inputs)
            self.assertEqual((done.returncode, done.stdout, outputs), (2, "::error::ersatz: give either pytest or script\n", {}))


if __name__ == "__main__":
    unittest.main()
