"""From a model that `torch.export` refuses to one that exports, with the reason for each line."""

from __future__ import annotations

from .exporter import export
from .report import ExportFinding, ExportReport

__all__ = ["ExportFinding", "ExportReport", "export"]
