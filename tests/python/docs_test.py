"""docs/python.md: its sessions run and print what it says."""

import doctest
import importlib.util
import pathlib
import unittest


class DocsTest(unittest.TestCase):
    @unittest.skipIf(importlib.util.find_spec("numpy") is None, "needs numpy")
    def test_sessions_of_the_page_run(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
        tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
        self.assertEqual(tried.failed, 0)
        self.assertGreater(tried.attempted, 25)


if __name__ == "__main__":
    unittest.main()
