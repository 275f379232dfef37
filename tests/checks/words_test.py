"""scripts/checks/words.py finds sentences that are not plain."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from checks import test_names, words  # noqa: E402


class Words(unittest.TestCase):
    def faults(self, text, page="docs/a.md"):
        return [line.partition(": ")[2] for line in words.faults(page, text)]

    def test_openings_and_phrases_in_text_and_cells(self):
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

    def test_page_count_may_not_rise_or_stay_high(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "scripts/checks").mkdir(parents=True)
            (root / "docs/a.md").write_text("It stands. It lies.\n")
            for allowed, said in ((0, "2 sentences are not plain"), (2, ""), (3, "write 2 instead of 3")):
                (root / words.ALLOWED).write_text(f"docs/a.md {allowed}\n")
                self.assertIn(said, "\n".join(words.problems(root, root / "build")))
                self.assertEqual(not said, not words.problems(root, root / "build"))


def comment_faults(path, source):
    return [line.removeprefix(f"{path}:") for line in words.comment_faults(path, source)]


class CommentWords(unittest.TestCase):
    def test_planted_comment_fails_the_check(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in ((words.ALLOWED, ""), ("runtime/a.h", "/// The sizes.\nint sizes;\n")):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            self.assertEqual(words.problems(root, root / "build"), [])
            (root / "runtime/a.h").write_text("/// Of two sizes the larger.\nint sizes;\n")
            self.assertEqual(words.problems(root, root / "build")[0],
                             "runtime/a.h:1: opens with 'Of': Of two sizes the larger. (docs/WRITING.md)")

    def test_each_kind_of_comment_is_read(self):
        fault = "'stands': It stands here."
        for path, source, line in (
                ("a.cpp", "int a;  // It stands here.\n", 1),
                ("a.cu", "int a;\n/// The first line.\n/// It stands here.\nint b;\n", 2),
                ("a.def", "// It\n// stands here.\nROW(a)\n", 1),
                ("a.h", "int a;\n/* A block of many words.\n * It stands here. */\nint b;\n", 2),
                ("a.py", "def f():\n    \"\"\"Adds.\n\n    It stands here.\n    \"\"\"\n", 4),
                ("scripts/a", "#!/usr/bin/env python3\nx = 1  # It stands here.\n", 2),
                ("scripts/b", "#!/bin/bash\n# It stands here.\ntrue\n", 2),
                ("CMakeLists.txt", "# It stands here.\n", 1)):
            with self.subTest(path):
                self.assertEqual(comment_faults(path, source), [f"{line}: {fault}"])

    def test_code_quotations_and_examples_are_not_read(self):
        self.assertEqual(comment_faults("a.cpp", 'const char* a = "// It stands.";\n'
                                                 "// Returns `what is` and \"it stands\".\n"
                                                 "//     It stands in an example.\n"), [])
        self.assertEqual(comment_faults("a.py", 'f("It stands.")\nx = """It stands."""\n'), [])

    def test_sentence_has_at_most_thirty_words(self):
        self.assertEqual(comment_faults("a.h", "// " + " ".join(["word"] * 30) + ".\n"), [])
        self.assertEqual([line.partition(" words")[0] for line in comment_faults("a.h", "// " + " ".join(["word"] * 31) + ".\n")],
                         ["1: 31"])

    def test_list_items_and_table_rows_are_sentences(self):
        twenty = " ".join(["word"] * 20)
        self.assertEqual(comment_faults("a.h", f"// [op.C1] {twenty}\n// [op.C2] {twenty}\n// - {twenty}\n//   more words\n"), [])

    def test_comment_without_word_of_its_code_is_listed(self):
        def listed(comment):
            return list(words.distant("a.h", f"int a;\n\n/// {comment}\nint count_rows(int rows);\n"))
        self.assertEqual(listed("Everything about persons, houses, gardens and trees."),
                         ["a.h:3: Everything about persons, houses, gardens and trees."])
        self.assertEqual(listed("Everything about persons, houses, gardens and rows."), [])


class TestNames(unittest.TestCase):
    def test_words_of_each_kind_of_name_are_counted(self):
        for path, source, expected in (
                ("tests/a_test.cpp", "TEST(Sizes, AreF32UnlessPyTorchNamesADType) {\n}\n", [("Sizes.AreF32UnlessPyTorchNamesADType", 7)]),
                ("tests/a_test.cpp", "TEST_F(Sizes, are_read_once) {\n}\n", [("Sizes.are_read_once", 3)]),
                ("tests/a_test.py", "    def test_size_is_read(self):\n", [("test_size_is_read", 3)]),
                ("tests/cases/shape/cat.calls", "# Cat: Joins along a dim\naten.cat([], 1)\n", [("Joins along a dim", 4)])):
            self.assertEqual(test_names.named(path, source), expected)

    def test_name_of_nine_words_fails_the_check(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tests").mkdir()
            (root / "tests/a_test.py").write_text("def test_a_b_c_d_e_f_g_h_i():\n    pass\n")
            self.assertEqual(test_names.problems(root, root / "build"),
                             ["tests/a_test.py: test_a_b_c_d_e_f_g_h_i has 9 words, at most 8 say condition and result"])


if __name__ == "__main__":
    unittest.main()
