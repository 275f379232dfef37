"""Tests how tests/doc_sessions parses a page and compares output."""
import importlib.util
import pathlib
import tempfile
import unittest

PATH = pathlib.Path(__file__).resolve().parents[1] / "doc_sessions/pages_test.py"
spec = importlib.util.spec_from_file_location("pages", PATH)
pages = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pages)


class Reading(unittest.TestCase):
    def test_commands_and_output_are_only_in_console_blocks(self):
        steps = pages.steps_of("text\n```console\n$ echo a\na\n$ true\n```\n```cpp\n$ no\n```\n")
        self.assertEqual([(s.command, s.line, s.expected) for s in steps], [("echo a", 3, ["a"]), ("true", 5, [])])

    def test_a_command_goes_on_behind_a_backslash(self):
        step, = pages.steps_of("```console\n$ echo a \\\n  b\na b\n```\n")
        self.assertEqual((step.command, step.expected), ("echo a \\\n  b", ["a b"]))

    def test_output_without_a_command_is_refused(self):
        with self.assertRaises(ValueError):
            pages.steps_of("```console\nno command\n```\n")


class Comparing(unittest.TestCase):
    def test_all_lines_have_to_be_equal(self):
        self.assertTrue(pages.matches(["a", "b"], ["a", "b"]))
        for printed in ([], ["a"], ["a", "c"], ["a", "b", "c"]):
            self.assertFalse(pages.matches(["a", "b"], printed))

    def test_three_dots_stand_for_any_lines(self):
        for printed in (["a", "z"], ["a", "b", "c", "z"]):
            self.assertTrue(pages.matches(["a", "...", "z"], printed))
        for printed in (["a"], ["z"], ["b", "z"], ["a", "z", "b"]):
            self.assertFalse(pages.matches(["a", "...", "z"], printed))

    def test_a_piece_between_dots_has_to_be_there(self):
        self.assertTrue(pages.matches(["...", "m", "n", "..."], ["a", "m", "n", "b"]))
        self.assertFalse(pages.matches(["...", "m", "n", "..."], ["a", "m", "b", "n"]))


class Running(unittest.TestCase):
    def check(self, text, data=""):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text)
            return pages.check_page(page, pathlib.Path("/bin/echo"), data)

    def test_commands_run_with_program_and_see_repository(self):
        self.assertEqual(self.check("```console\n$ ersatz hello\nhello\n$ ls tests/README.md\ntests/README.md\n```\n"),
                         (2, 0, []))

    def test_another_output_is_wrong(self):
        ran, _, wrong = self.check("```console\n$ ersatz hello\nbye\n```\n")
        self.assertEqual(ran, 1)
        self.assertIn("page:    bye\n  printed: hello", wrong[0])

    def test_a_page_without_commands_is_wrong(self):
        self.assertEqual(self.check("nothing\n")[2], ["page.md: has no command in a ```console block"])

    def test_commands_without_their_data_are_skipped_and_counted(self):
        self.assertEqual(self.check("```console\n$ ersatz $ERSATZ_DATA/x\nnever\n$ ersatz a\na\n```\n"), (1, 1, []))

    def test_the_data_folder_is_called_by_its_variable(self):
        with tempfile.TemporaryDirectory() as data:
            self.assertEqual(self.check("```console\n$ ersatz $ERSATZ_DATA\n$ERSATZ_DATA\n```\n", data), (1, 0, []))


if __name__ == "__main__":
    unittest.main()
