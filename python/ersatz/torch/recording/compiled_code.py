"""Runs of inductor's code. It calls no operators, so no crosscheck sees what it computes: its runs are counted, and a report that has some is
not clean. What other backends make of operators (`eager`, `aot_eager`) is seen as it is called."""

from __future__ import annotations

import functools
import importlib.util
import sys
import threading
from collections.abc import Callable
from typing import Any

from .dispatch_stack import entered

_MODULE = "torch._inductor.output_code"
_RUN = ("CompiledFxGraph", "CompiledAOTI")
native = threading.local()
"""`watching`: the crosscheck that watches this thread by the glue."""


def _telling(run: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(run)
    def told(*args: Any, **kwargs: Any) -> Any:
        for watching in dict.fromkeys([*entered(), getattr(native, "watching", None)]):
            if hasattr(watching, "compiled_code_runs"):
                watching.compiled_code_runs()
        return run(*args, **kwargs)
    return told


def _tell_of_runs(module: Any) -> None:
    for name in _RUN:
        of = getattr(module, name, None)
        if of is not None:
            of.__call__ = _telling(of.__call__)


class _WhenImported:
    """A finder that answers for one module, once, by what the other finders say."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        loader: Any = spec and spec.loader
        if hasattr(loader, "exec_module"):
            load = loader.exec_module

            def exec_module(module: Any) -> None:
                load(module)
                _tell_of_runs(module)
            loader.exec_module = exec_module  # of this one loader, which is that module's
        return spec


@functools.cache
def watch() -> None:
    """From now on each run of inductor's code, also of what was compiled before, tells the modes of its thread that have a method
    `compiled_code_runs`."""
    if _MODULE in sys.modules:
        _tell_of_runs(sys.modules[_MODULE])
    else:
        sys.meta_path.insert(0, _WhenImported())
