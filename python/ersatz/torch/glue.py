"""The native glue: a live crosscheck inside of PyTorch's dispatcher, compiled once for the PyTorch that is installed.

`python -m ersatz build-glue` compiles it (with g++, or the compiler that CXX names) into the user's cache, by the versions of PyTorch
and ersatz and by what its source says. `crosscheck` takes it where it is there; without it the same is done from Python, a few
microseconds a call slower. ERSATZ_GLUE=0 leaves it alone.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import warnings

import torch

from .. import _ersatz, errors
from ..whole_file import whole_file

__all__ = ["build", "load", "path"]

_HERE = pathlib.Path(__file__).resolve().parent
_loaded: bool | None = None


def path() -> pathlib.Path:
    """Returns the path of the glue for this PyTorch and this ersatz, built or not."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "ersatz" / f"glue-{_ersatz.__version__}-{_source()}-torch-{torch.__version__}-{sysconfig.get_platform()}.so"


def _source() -> str:
    """Returns a hash of the glue's sources: its file and the interfaces that it shares with ersatz."""
    digest = hashlib.sha256()
    for file in (_HERE / "glue.cpp", *sorted((_HERE.parent / "include").rglob("*.h"))):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def build(to: pathlib.Path | None = None) -> pathlib.Path:
    """Compiles the glue, whole or not at all. Raises `errors.RuntimeError` with the compiler's first error."""
    target = to or path()
    target.parent.mkdir(parents=True, exist_ok=True)
    root = pathlib.Path(torch.__file__).parent
    with whole_file(target) as beside:
        command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O2", "-fPIC", "-shared", "-o", str(beside), str(_HERE / "glue.cpp"),
                   "-I", str(_HERE.parent / "include"), "-I", str(root / "include"), "-I", str(root / "include/torch/csrc/api/include"),
                   f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}",
                   "-L", str(root / "lib"), "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{root / 'lib'}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except FileNotFoundError:
            raise errors.RuntimeError(f"build-glue: there is no compiler {command[0]}: install g++, or name one by CXX") from None
        if done.returncode:
            first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip() or "no message")
            raise errors.RuntimeError(f"build-glue: {command[0]} failed for torch {torch.__version__}: {first}")
    return target


def _pass_higher_order_operators_on() -> None:
    """Makes higher-order operators fall through the glue's dispatch key, for which they have no kernel. The glue
    sees the calls of their graphs."""
    from torch._ops import _HIGHER_ORDER_OP_DEFAULT_FALLTHROUGH_DISPATCH_KEYS as fall_through
    from torch._ops import _higher_order_ops

    key = torch._C._dispatch_key_parse("Fake")
    fall_through.append(key)  # for operators that are defined later
    for op in _higher_order_ops.values():
        op.fallthrough(key)


def load() -> bool:
    """Loads the glue. Returns False if it is not built or does not fit; the latter prints a message once."""
    global _loaded
    if _loaded is None:
        _loaded = False
        if os.environ.get("ERSATZ_GLUE") != "0" and path().exists():
            try:
                torch.ops.load_library(str(path()))
                _pass_higher_order_operators_on()
                _loaded = True
            except OSError as e:
                warnings.warn(f"ersatz: {path()} cannot be loaded ({e}): crosscheck goes on without it; `python -m ersatz build-glue` "
                              "builds it anew", RuntimeWarning, stacklevel=3)
    return _loaded


def main(arguments: list[str]) -> int:
    """`ersatz build-glue`."""
    if arguments:
        print("usage: ersatz build-glue\n\n" + (__doc__ or ""), file=sys.stdout if arguments[0] in ("-h", "--help") else sys.stderr)
        return 0 if arguments[0] in ("-h", "--help") else 2
    try:
        print(f"ersatz: compiling for torch {torch.__version__} ...", file=sys.stderr)
        print(build())
        return 0
    except (errors.Error, OSError) as e:
        print(f"ersatz: {e}", file=sys.stderr)
        return 2
