"""The Python sessions in docs/python.md print what the page shows."""

import doctest
import importlib.util
import pathlib
import unittest


class DocsTest(unittest.TestCase):
    @unittest.skipIf(importlib.util.find_spec("numpy") is None, "needs numpy")
    def test_sessions_of_the_pages_run(self):
        for page, least in (("docs/python.md", 26),):
            with self.subTest(page):
                tried = doctest.testfile(str(pathlib.Path(__file__).resolve().parents[2] / page), module_relative=False, optionflags=doctest.ELLIPSIS)
                self.assertEqual(tried.failed, 0)
                self.assertGreaterEqual(tried.attempted, least)


if __name__ == "__main__":
    unittest.main()
