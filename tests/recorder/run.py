"""Runs the tests of a folder (default: this one) with the Python that has PyTorch: run.py [FOLDER]

The Python is that of `ERSATZ_TORCH_PYTHON`, or else the one that runs this script. Without PyTorch the tests are skipped, and counted in
GoogleTest's form, which scripts/test sums up.
"""
import importlib.util
import os
import pathlib
import sys
import unittest

named = os.environ.get("ERSATZ_TORCH_PYTHON")
if named and os.environ.get("ERSATZ_RECORDER_TESTS") != named:
    os.environ["ERSATZ_RECORDER_TESTS"] = named
    os.execv(named, [named, "-B", *sys.argv])
if named and importlib.util.find_spec("torch") is None:
    sys.exit(f"ERSATZ_TORCH_PYTHON={named} has no torch")

here = pathlib.Path(__file__).resolve().parent
folder = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else here
sys.path[:0] = [str(folder), str(here.parents[1] / "python/ersatz/torch"), str(here.parent / "python")]
from closing_lines import close  # noqa: E402

result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(unittest.defaultTestLoader.discover(str(folder), "*_test.py"))
skipped, wrong = len(result.skipped), len(result.failures) + len(result.errors)
sys.exit(close(result.testsRun - skipped - wrong, skipped, wrong, result.skipped[0][1] if skipped else ""))
