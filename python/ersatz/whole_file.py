"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import pathlib
from collections.abc import Iterator

__all__ = ["whole_file"]


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[pathlib.Path]:
    """Yields a temporary path in the file's folder. At the end of the block the temporary file replaces the file; if
    the block raises, it is removed. A device or a pipe is yielded itself."""
    target = pathlib.Path(path)
    if target.exists() and not target.is_file():
        yield target
        return
    beside = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        yield beside
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)
