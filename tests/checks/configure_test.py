"""The check `configure`, run on a small project that looks for its dependencies in the way that ersatz does."""

import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from checks import configure  # noqa: E402

ROWS = """# part | Debian package | how CMake finds it | what it is for
program    | libfmt-dev    | package fmt                             | formatting
program    | g++           | -                                       | the compiler
tests      | libgtest-dev  | package GTest                           | tests
tests      | libgmock-dev  | target GTest::gmock                     | tests
benchmarks | libkissfft-dev | header ERSATZ_KISSFFT_INCLUDE errno.h | a header that every system has
"""
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
foreach(option ERSATZ_BUILD_TESTS ERSATZ_BUILD_BENCHMARKS)
  set(${option} AUTO CACHE STRING "")
endforeach()
include(cmake/dependencies.cmake)
%s
ersatz_summary()
"""


class Configure(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "small/cmake").mkdir(parents=True)
        (self.folder / "hidden").mkdir()
        shutil.copy(ROOT / "cmake/dependencies.cmake", self.folder / "small/cmake")
        (self.folder / "small/cmake/dependencies.txt").write_text(ROWS)

    def wrong(self, name, more=""):
        (self.folder / "small/CMakeLists.txt").write_text(PROJECT % more)
        [row] = [r for r in configure.rows(ROWS) if r[3] == name]
        return configure.wrong(self.folder / "small", self.folder / "hidden", row, {})

    def test_the_rows_that_cmake_looks_for(self):
        self.assertEqual([("program", "libfmt-dev", "package", "fmt"), ("tests", "libgtest-dev", "package", "GTest"),
                          ("tests", "libgmock-dev", "target", "GTest::gmock"),
                          ("benchmarks", "libkissfft-dev", "header", "ERSATZ_KISSFFT_INCLUDE")], configure.rows(ROWS))

    def test_what_is_hidden_is_left_out_or_named(self):
        for name in ("GTest", "ERSATZ_KISSFFT_INCLUDE", "fmt"):
            self.assertEqual([], self.wrong(name), name)
            shutil.rmtree(self.folder / "hidden/build", ignore_errors=True)

    def test_dependency_asked_for_with_required_is_found(self):
        [found] = self.wrong("GTest", "find_package(GTest REQUIRED)")
        self.assertIn("configure with GTest hidden (-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON): fails: CMake Error", found)

    def test_part_that_is_built_all_same_is_found(self):
        text = (self.folder / "small/cmake/dependencies.cmake").read_text()
        (self.folder / "small/cmake/dependencies.cmake").write_text(text.replace('set(why "missing: ', 'set(nothing "missing: '))
        [found] = self.wrong("ERSATZ_KISSFFT_INCLUDE")
        self.assertIn("the summary does not say that the benchmarks are left out", found)


if __name__ == "__main__":
    unittest.main()
