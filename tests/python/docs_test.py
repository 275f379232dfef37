"""docs/python.md: its sessions run and print what it says."""

import doctest
import pathlib
import unittest


class DocsTest(unittest.TestCase):
    def test_sessions_of_the_page_run(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
        tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
        self.assertEqual(tried.failed, 0)
        self.assertGreater(tried.attempted, 25)


if __name__ == "__main__":
    unittest.main()
