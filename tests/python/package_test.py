"""The installed package: the modules that it loads, its commands, and how it handles signals."""

from __future__ import annotations

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import ersatz
from ersatz import __main__ as program

PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "programs"


def run(*arguments: str, code: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs `python -m ersatz ARGUMENTS`, or the given code, in a process of its own."""
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "ersatz", *arguments]
    return subprocess.run(command, text=True, capture_output=True)


class Import(unittest.TestCase):
    def test_it_loads_neither_torch_nor_numpy(self) -> None:
        done = run(code="import sys, ersatz; print([m for m in ('torch', 'numpy', 'ml_dtypes', 'ray') if m in sys.modules])")
        self.assertEqual(done.stdout, "[]\n", done.stderr)

    def test_its_version_is_that_of_the_program(self) -> None:
        self.assertEqual(run("--version").stdout, f"ersatz {ersatz.__version__} (Python distribution: ersatz-tensors)\n")

    def test_files_of_another_ersatz_are_a_warning(self) -> None:
        package = pathlib.Path(ersatz.__file__).parent
        with tempfile.TemporaryDirectory() as folder:
            mixed = pathlib.Path(folder, "ersatz")
            mixed.mkdir()
            for entry in package.iterdir():
                (mixed / entry.name).symlink_to(entry)
            command = [sys.executable, "-B", "-c", "import ersatz"]
            environment = {**os.environ, "PYTHONPATH": folder}
            self.assertEqual(subprocess.run(command, env=environment, text=True, capture_output=True, cwd=folder).stderr, "")
            (mixed / "trainer.py").write_text("", encoding="utf-8")
            said = subprocess.run(command, env=environment, text=True, capture_output=True, cwd=folder)
            self.assertIn("pip uninstall ersatz ersatz-tensors, then install ersatz-tensors again", said.stderr)
            self.assertEqual(said.returncode, 0)


class Commands(unittest.TestCase):
    def test_a_program_is_run_on_fakes(self) -> None:
        done = run("fake", str(next((PROGRAMS / "mlp").glob("*.pt2"))))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("fake:", done.stdout.splitlines()[-1])

    def test_a_program_is_crosschecked(self) -> None:
        done = run("crosscheck", str(next((PROGRAMS / "mlp").glob("*.pt2"))))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout.splitlines()[-1], r"compared, 0 mismatched")

    def test_unusable_input_is_status_2_and_one_line(self) -> None:
        done = run("fake", "nowhere.pt2")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Aersatz: nowhere\.pt2: .*\n\Z")

    def test_a_script_without_pytorch_says_what_is_missing(self) -> None:
        done = run(code="import sys; sys.modules['torch'] = None\nfrom ersatz.__main__ import main; sys.exit(main(['crosscheck', 'train.py']))")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Aersatz: crosscheck of a script needs PyTorch: .*\n\Z")

    def test_python_command_gets_arguments_behind_its_name(self) -> None:
        seen: list[list[str]] = []

        def mine(arguments: list[str]) -> int | None:
            seen.append(arguments)
            return 7

        with mock.patch.dict(program.COMMANDS, {"mine": mine}):
            self.assertEqual(program.main(["mine", "a", "--b"]), 7)
        self.assertEqual(seen, [["a", "--b"]])

    def test_help_lists_commands_in_python_behind_programs_own(self) -> None:
        done = run("--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        own, _, more = done.stdout.partition("\nIn Python (")
        self.assertIn("\nSubcommands:\n", own)
        for name, command in program.COMMANDS.items():
            does = (command.__doc__ or "").strip().partition("\n")[0].partition(": ")[2]
            self.assertTrue(does, f"{name}: its docstring says what --help prints")
            self.assertRegex(more, rf"(?m)^  {name}\b.* {re.escape(does)}$")

    def test_help_of_a_shared_command_is_both(self) -> None:
        done = run("crosscheck", "--help")
        self.assertIn("Usage: ersatz crosscheck", done.stdout.partition("\nIn Python (")[0])
        self.assertIn("crosscheck SCRIPT.py, crosscheck -m MODULE", done.stdout.partition("\nIn Python (")[2])
        self.assertNotIn("sweep", done.stdout.partition("\nIn Python (")[2])

    def test_unread_output_ends_it_like_a_program(self) -> None:
        with subprocess.Popen([sys.executable, "-m", "ersatz", "ops"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout and process.stderr
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
        self.assertEqual(process.returncode, -signal.SIGPIPE)


MISFIT = pathlib.Path(os.environ.get("ERSATZ_PROGRAM", "")).parent.parent / "lib/misfit_ops.so"


@unittest.skipUnless(MISFIT.is_file(), "the plugins of the tests are not built")
class Plugins(unittest.TestCase):
    def test_misfit_operator_is_a_warning_without_others(self) -> None:
        done = run(code=f"import ersatz\nprint('misfit.op.default' in ersatz.load_plugin({str(MISFIT)!r}))")
        self.assertEqual((done.returncode, done.stdout), (0, "True\n"), done.stderr)
        self.assertIn("misfit_ops.so: left out: the cpu kernel of misfit.pair.default gives 1 result, its schema has 2", done.stderr)
        self.assertEqual(done.stderr.count("UserWarning"), 2)
        done = run("validate", "--plugin", str(MISFIT))
        self.assertEqual(done.returncode, 1)
        self.assertIn("finding: misfit.pair.default: error\n  expected: functions that take and give what the schema says\n", done.stdout)


class Interrupts(unittest.TestCase):
    def test_first_interrupt_ends_a_reading_command(self) -> None:
        code = "import os, signal\nfrom ersatz import _ersatz\n_ersatz.watch_signals()\nos.kill(os.getpid(), signal.SIGINT)\n" \
               f"os._exit(_ersatz.run_command(['crosscheck', {str(next((PROGRAMS / 'mlp').glob('*.pt2')))!r}]))"
        done = run(code=code)
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
