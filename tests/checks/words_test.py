"""scripts/checks/words.py finds sentences that are not plain."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from checks import words  # noqa: E402


class Words(unittest.TestCase):
    def faults(self, text, page="docs/a.md"):
        return [line.partition(": ")[2] for line in words.faults(page, text)]

    def test_openings_and_phrases_are_found_in_running_text_and_in_cells(self):
        self.assertEqual(self.faults("A rule is a function. Of those the last wins.\n"), ["opens with 'Of': Of those the last wins."])
        self.assertEqual(self.faults("| a | What holds is said. |\n"), ["opens with 'What': What holds is said."])
        self.assertEqual(self.faults("- It is held against a record.\n"), ["'held against': It is held against a record."])

    def test_questions_code_and_headings_are_not(self):
        self.assertEqual(self.faults("# What it is\n\nWhich command takes it?\n\n```\nOf code nothing is read. It stands.\n```\n\n`what is` is code.\n"), [])

    def test_a_sentence_may_go_over_lines(self):
        self.assertEqual(self.faults("The tensor that\nstands here.\n"), ["'stands': The tensor that stands here."])

    def test_long_sentences_count_on_the_first_pages(self):
        long = " ".join(["word"] * 26) + ".\n"
        self.assertEqual(len(self.faults(long, "README.md")), 1)
        self.assertEqual(self.faults(long), [])

    def test_the_number_of_a_page_may_neither_rise_nor_stay_too_high(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "scripts/checks").mkdir(parents=True)
            (root / "docs/a.md").write_text("It stands. It lies.\n")
            for allowed, said in ((0, "2 sentences are not plain"), (2, ""), (3, "write 2 instead of 3")):
                (root / words.ALLOWED).write_text(f"docs/a.md {allowed}\n")
                self.assertIn(said, "\n".join(words.problems(root, root / "build")))
                self.assertEqual(not said, not words.problems(root, root / "build"))


if __name__ == "__main__":
    unittest.main()
