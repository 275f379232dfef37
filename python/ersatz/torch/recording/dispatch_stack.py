"""PyTorch's stack of dispatch modes: modes that do not disturb compilation, and contexts that end out of order."""

from __future__ import annotations

from typing import Any

from torch._C import _get_dispatch_stack_at, _len_torch_dispatch_stack
from torch.utils import _python_dispatch
from torch.utils._python_dispatch import TorchDispatchMode


class BesideCompiling(TorchDispatchMode):
    """A mode under which PyTorch compiles and runs compiled functions as without a mode."""

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        return True

    if not hasattr(TorchDispatchMode, "ignore_compile_internals"):  # in PyTorch before 2.9
        @classmethod
        def is_infra_mode(cls) -> bool:
            return True


def entered() -> list[Any]:
    """Returns the program's modes, the innermost last, without PyTorch's own (fake, functional and proxy), which
    have fixed places."""
    modes = [_get_dispatch_stack_at(i) for i in range(_len_torch_dispatch_stack())]
    return [m for m in modes if getattr(m, "_mode_key", None) is None]


_FLAGS = (("old_dispatch_mode_flags", "_is_in_torch_dispatch_mode"), ("old_non_infra_dispatch_mode_flags", "_is_in_non_infra_torch_dispatch_mode"),
          ("old_without_ignore_compile_internals_dispatch_mode_flags", "_is_in_any_mode_without_ignore_compile_internals"))


def leave(mode: TorchDispatchMode) -> None:
    """Removes the mode from the stack. Later modes are removed and put back like PyTorch does, without their own
    `__exit__` and `__enter__`. If another mode was removed in its place, removes that one, as in PyTorch."""
    above: list[Any] = []
    if any(m is mode for m in entered()):
        while entered()[-1] is not mode:
            above.append(entered()[-1])
            TorchDispatchMode.__exit__(above[-1], None, None, None)
    else:  # if the mode is not on the stack, PyTorch's flags are correct already
        for kept, flag in _FLAGS:
            if getattr(mode, kept, None):
                getattr(mode, kept)[-1] = getattr(_python_dispatch, flag)
    TorchDispatchMode.__exit__(mode, None, None, None)
    for m in reversed(above):
        TorchDispatchMode.__enter__(m)
