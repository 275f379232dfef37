"""ersatz: one tensor program for real, for fake (metadata only), or both at once.

    >>> import ersatz
    >>> x = ersatz.fake("f32[2,3]@cuda:0")
    >>> ersatz.ops.aten.add.Tensor(x, x, alpha=2)
    f32[2,3]{3,1}+0@cuda:0

No torch, no numpy and no GPU are needed. `ersatz.torch` checks programs of PyTorch while they run.
"""

from __future__ import annotations

import os as _os
import warnings as _warnings

from . import autograd, errors
from ._ersatz import FakeMode, Operator, Tensor, __version__, fake, from_dlpack, load_plugin
from .autograd import enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad, set_grad_enabled
from .errors import Error
from .ops import ops
from .program import FakeReport, Program, crosscheck, load
from .report import Finding, Report

__all__ = ["Error", "FakeMode", "FakeReport", "Finding", "Operator", "Program", "Report", "Tensor", "__version__", "autograd", "crosscheck",
           "enable_grad", "errors", "fake", "from_dlpack", "inference_mode", "is_grad_enabled", "is_inference_mode_enabled", "load",
           "load_plugin", "no_grad", "ops", "set_grad_enabled"]

# This file belongs to ersatz 1.0.0 on PyPI, which is another project.
if _os.path.exists(_os.path.join(_os.path.dirname(__file__), "trainer.py")):
    _warnings.warn("PyPI's `ersatz` (a sentence splitter) has put its files into the folder of this package, distribution ersatz-tensors. "
                   "Neither works reliably: pip uninstall ersatz ersatz-tensors, then install ersatz-tensors again", stacklevel=2)
