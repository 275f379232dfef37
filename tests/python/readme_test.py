"""Runs the commands in README.md's ```console blocks unchanged, with the files that its ```py blocks name."""

import unittest

from documented_lines_test import ROOT, TORCH_PYTHON
from page_sessions import wrong_steps

README = (ROOT / "README.md").read_text(encoding="utf-8")


def first_screen():
    """Returns the lines that a reader sees without scrolling."""
    return README.splitlines()[:40]


class ReadmeTest(unittest.TestCase):
    def test_it_is_short_with_an_early_example(self):
        self.assertLessEqual(len(README.splitlines()), 150)
        self.assertTrue([line for line in first_screen() if line.startswith("finding: ")])

    def test_it_does_not_install_somebody_elses_package(self):
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "python").rglob("*.py"))]:
            self.assertNotRegex(page.read_text(encoding="utf-8"), r"pip install (?:-\S+ )*ersatz(?![-_\w/])", page.name)

    @unittest.skipIf(not TORCH_PYTHON, "needs PyTorch: ERSATZ_TORCH_PYTHON")
    def test_its_commands_print_what_it_says(self):
        ran, wrong = wrong_steps(README)
        self.assertTrue(ran)
        self.assertFalse(wrong, "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
