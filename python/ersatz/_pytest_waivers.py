"""The mark `ersatz_waive`, by which a test waives findings."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .finding import Finding


def marks_of(item: pytest.Item) -> Iterator[tuple[str | None, pytest.Mark]]:
    """Yields the waivers of the test. A shared waiver (of a class, a module, a test with parameters) comes with a
    name, others with None."""
    for node, mark in item.iter_markers_with_node("ersatz_waive"):
        said = ", ".join(f"{k}={v!r}" for k, v in mark.kwargs.items())
        shared = node is not item or hasattr(item, "callspec")
        yield (f"{node.nodeid.partition('[')[0]}: ersatz_waive({said})" if shared else None), mark


def fits(mark: pytest.Mark, finding: Finding) -> bool:
    """Returns whether the mark's patterns match the finding."""
    return fnmatchcase(finding.op, mark.kwargs.get("op") or "*") and fnmatchcase(finding.field, mark.kwargs.get("field") or "*")


def is_waived(item: pytest.Item, finding: Finding) -> bool:
    """Returns whether a mark of the test matches the finding."""
    return any(fits(mark, finding) for _, mark in marks_of(item))
