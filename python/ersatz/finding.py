"""One finding of a report."""

from ._ersatz import Finding

__all__ = ["Finding"]
