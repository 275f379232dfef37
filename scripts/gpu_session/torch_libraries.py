"""Prints, colon-separated, the folders where PyTorch's packages keep CUDA's libraries."""
import pathlib
import sys

folders = []
for base in sys.path:
    folders += [str(p) for p in sorted(pathlib.Path(base).glob("nvidia/*/lib"))]
    folders += [str(p) for p in [pathlib.Path(base) / "torch" / "lib"] if p.is_dir()]
print(":".join(folders))
