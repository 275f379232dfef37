"""The part of scripts/found that is not in the Python package. `differing`, which sorts the calls, is in the package, and is imported without it."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python" / "ersatz" / "conformance"))
