"""Runs the tests of the Python package in a folder: run.py BUILD/python

Tests that need PyTorch run with the Python of `ERSATZ_TORCH_PYTHON`, if the module was built for that version of Python; otherwise
they are skipped. If the package was not built, all tests are skipped. Skipped tests are counted in GoogleTest's form, which scripts/test sums up.
"""
import os
import pathlib
import re
import subprocess
import sys
import unittest

from closing_lines import close

here = pathlib.Path(__file__).resolve().parent
TEST = re.compile(r"^    def test_", re.M)


def tests_in(name):
    return len(TEST.findall((here / f"{name}.py").read_text(encoding="utf-8")))


def suffix_of(python):
    ask = "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"
    return subprocess.run([python, "-c", ask], text=True, capture_output=True, check=True).stdout.strip()


def main(package):
    modules = [m.name.removeprefix("_ersatz") for m in (package / "ersatz").glob("_ersatz.*.so")]
    if not modules:
        return close(0, sum(tests_in(f.stem) for f in here.glob("*_test.py")), 0, "the Python package is not built (make build says why)")
    named, why = os.environ.get("ERSATZ_TORCH_PYTHON"), "they need PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it"
    if named and os.environ.get("ERSATZ_PACKAGE_TESTS") != named:
        if suffix_of(named) in modules:
            os.environ["ERSATZ_PACKAGE_TESTS"] = named
            os.execv(named, [named, "-B", *sys.argv])
        why = f"ERSATZ_TORCH_PYTHON={named} is another Python than the one that the package was built for"
    sys.path[:0] = [str(here), str(package)]
    os.environ["PYTHONPATH"] = str(package)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(unittest.defaultTestLoader.discover(str(here), "*_test.py"))
    wrong, whole, single = len(result.failures) + len(result.errors), 0, 0
    for test, reason in result.skipped:
        module = re.search(r"ModuleSkipped\.(\w+)$", test.id())  # the file requires a module at its top, and names it
        whole += tests_in(module[1]) if module else 0
        single += not module
        why = why if module else reason
    return close(result.testsRun - len(result.skipped) - wrong, whole + single, wrong, why)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
