"""Programs of PyTorch, checked while they run.

    with ersatz.torch.crosscheck() as report:
        model(x).sum().backward()
    print(report)
"""

from __future__ import annotations

from .live import LiveReport, crosscheck

__all__ = ["LiveReport", "crosscheck"]
