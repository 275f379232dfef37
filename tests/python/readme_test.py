"""README.md: its commands in ```console blocks, run as they are printed there, with the files that its ```py blocks name."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from documented_lines_test import FILES, ROOT, TORCH_PYTHON

sys.path.insert(0, str(ROOT / "tests/pages"))
import pages_test  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAM = re.compile(r"^```py\n# (\S+\.py)\n(.*?)^```$", re.M | re.S)


def first_screen():
    """The lines that a reader of a terminal or a repository's page sees without scrolling."""
    return README.splitlines()[:40]


class ReadmeTest(unittest.TestCase):
    def test_it_is_short_and_has_an_example_on_the_first_screen(self):
        self.assertLessEqual(len(README.splitlines()), 150)
        self.assertTrue([line for line in first_screen() if line.startswith("finding: ")])

    def test_nobody_is_told_to_install_the_package_of_somebody_else(self):
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "python").rglob("*.py"))]:
            self.assertNotRegex(page.read_text(encoding="utf-8"), r"pip install (?:-\S+ )*ersatz(?![-_\w/])", page.name)

    @unittest.skipIf(not TORCH_PYTHON, "needs PyTorch: ERSATZ_TORCH_PYTHON")
    def test_its_commands_print_what_it_says(self):
        steps = pages_test.steps_of(README)
        self.assertTrue(steps)
        with tempfile.TemporaryDirectory() as folder:
            at = pathlib.Path(folder)
            installed = {name: text for name, text in FILES.items() if name.startswith(("bin/", "site/"))}
            for name, text in {**installed, **{name: f"# {name}\n{text}" for name, text in PROGRAM.findall(README)}}.items():
                (at / name).parent.mkdir(parents=True, exist_ok=True)
                (at / name).write_text(text.replace(sys.executable, TORCH_PYTHON), encoding="utf-8")
                (at / name).chmod(0o755)
            environment = {**os.environ, "PATH": f"{at}/bin:{os.environ['PATH']}", "PYTHONPATH": f"{at}/site:{os.environ.get('PYTHONPATH', '')}"}
            for step in steps:
                done = subprocess.run(["bash", "-c", step.command], cwd=at, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                said = f"$ {step.command}\n{pages_test.difference(step.expected, done.stdout.splitlines())}\n{done.stdout}"
                self.assertTrue(pages_test.matches(step.expected, done.stdout.splitlines()), said)


if __name__ == "__main__":
    unittest.main()
