"""Inductor's code: callbacks for its creation and for each of its runs. It calls only operators for which inductor
has no kernel, so no crosscheck sees its computations. Other backends (`eager`, `aot_eager`) call operators, which
are seen."""

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
"""`watching`: the crosscheck that watches this thread through the glue. `running`: stack of inductor's code that
runs on this thread. `failed`: the last code whose run raised."""

made: list[Callable[[Any], None]] = []
"""Callbacks that receive each new code object of inductor, except one from a cache."""


def running() -> Any:
    """Returns the innermost code of inductor that runs on this thread, None if there is none."""
    codes = getattr(native, "running", None)
    return codes[-1] if codes else None


def _telling(run: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(run)
    def told(code: Any, inputs: Any, *more: Any, **kwargs: Any) -> Any:
        codes = native.__dict__.setdefault("running", [])
        codes.append(code)
        try:
            ends = [watching.compiled_code_runs(code, inputs) for watching in dict.fromkeys([*entered(), getattr(native, "watching", None)])
                    if hasattr(watching, "compiled_code_runs")]
            results = run(code, inputs, *more, **kwargs)
            for end in ends:
                if end is not None:
                    end(results)
            return results
        except BaseException:
            native.failed = code
            raise
        finally:
            codes.pop()
    return told


def _telling_of_itself(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def told(code: Any, *args: Any, **kwargs: Any) -> None:
        init(code, *args, **kwargs)
        for tell in made:
            tell(code)
    return told


def _tell(module: Any) -> None:
    for name in _RUN:
        of = getattr(module, name, None)
        if of is not None:
            of.__call__ = _telling(of.__call__)
            of.__init__ = _telling_of_itself(of.__init__)


class _WhenImported:
    """A finder that handles only one module, once, through the other finders."""

    def __init__(self) -> None:
        self.then: list[Callable[[Any], None]] = [_tell]

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
                for then in self.then:
                    then(module)
            loader.exec_module = exec_module  # the attribute of this loader object, which loads only that module
        return spec


_awaited = _WhenImported()


@functools.cache
def watch() -> None:
    """From now on, each run of inductor's code calls `compiled_code_runs(code, inputs)` of the thread's modes that
    have it, also for code compiled before. If this returns a function, the function is called with the results."""
    if _MODULE in sys.modules:
        _tell(sys.modules[_MODULE])
    else:
        sys.meta_path.insert(0, _awaited)


def when_imported(then: Callable[[], None]) -> Callable[[], None]:
    """Calls `then` when inductor's modules are imported, at once if they already are. Returns a function that
    cancels this."""
    watch()
    if _MODULE in sys.modules:
        then()
        return lambda: None

    def told(module: Any) -> None:
        then()
    _awaited.then.append(told)
    return lambda: _awaited.then.remove(told)
