"""The part of scripts/found that is not in the Python package. The sorting of calls, `differing`, is, and is imported without the package."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python" / "ersatz" / "conformance"))
