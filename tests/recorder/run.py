"""Runs the tests of a folder, this one if none is named, with the Python that has PyTorch: `ERSATZ_TORCH_PYTHON`, else this one. Without
PyTorch they are skipped, and counted as GoogleTest counts them (scripts/test sums that up)."""
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
