"""Runs the commands of skills/ersatz/SKILL.md unchanged, and checks the JSON keys that it tells an agent to read."""

import re
import unittest

from documented_lines_test import ROOT, TORCH_PYTHON
from page_sessions import wrong_steps

SKILL = (ROOT / "skills/ersatz/SKILL.md").read_text(encoding="utf-8")


class SkillTest(unittest.TestCase):
    def test_its_front_matter_has_name_and_description(self):
        name, description = re.match(r"---\nname: (.+)\ndescription: (.+)\n---\n", SKILL).groups()
        self.assertEqual(name, "ersatz")
        self.assertLessEqual(len(description), 1024)
        self.assertIn("Use it when", description)

    @unittest.skipIf(not TORCH_PYTHON, "needs PyTorch: ERSATZ_TORCH_PYTHON")
    def test_its_commands_print_what_it_says(self):
        ran, wrong = wrong_steps(SKILL)
        self.assertGreater(ran, 15)
        self.assertFalse(wrong, "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
