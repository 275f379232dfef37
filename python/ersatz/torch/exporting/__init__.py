"""Makes a model that `torch.export` refuses exportable, with a reason for each changed line."""

from __future__ import annotations

from .exporter import export
from .report import ExportFinding, ExportReport

__all__ = ["ExportFinding", "ExportReport", "export"]
