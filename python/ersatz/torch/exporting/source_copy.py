"""Changed copies of source files, whose functions replace the loaded ones inside of a `with`. No file is written."""

from __future__ import annotations

import contextlib
import difflib
import gc
import linecache
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

__all__ = ["SourceCopy", "source_of"]


def source_of(file: str) -> str:
    """Returns the text of a source file as Python has it, empty if it is not readable."""
    return "".join(linecache.getlines(file))


def _codes(code: CodeType, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], CodeType]]:
    """Yields all code objects inside of `code`, with the names of their scopes."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            here = (*path, inner.co_name)
            yield here, inner
            yield from _codes(inner, here)


def _numbered(code: CodeType) -> dict[tuple[tuple[str, ...], int], CodeType]:
    """Returns code objects by the names of their scopes and an index, because several may have equal names."""
    counts: dict[tuple[str, ...], int] = {}
    found: dict[tuple[tuple[str, ...], int], CodeType] = {}
    for path, inner in _codes(code):
        number = counts[path] = counts.get(path, -1) + 1
        found[(path, number)] = inner
    return found


def _functions(file: str) -> list[FunctionType]:
    return [f for f in gc.get_objects() if type(f) is FunctionType and f.__code__.co_filename == file]


@dataclass(frozen=True)
class SourceCopy:
    """Changed texts of files."""

    texts: Mapping[str, str] = field(default_factory=dict)

    def text(self, file: str) -> str:
        return self.texts.get(file) or source_of(file)

    def lines(self, file: str) -> list[str]:
        return self.text(file).splitlines(keepends=True)

    def with_text(self, file: str, text: str) -> SourceCopy:
        return SourceCopy({**self.texts, file: text})

    def with_lines(self, file: str, first: int, last: int, new: list[str]) -> SourceCopy:
        """Replaces lines `first` to `last`, counted from 1. If `last` is before `first`, inserts before `first`."""
        lines = self.lines(file)
        return self.with_text(
            file, "".join(lines[: first - 1] + [row if row.endswith("\n") else row + "\n" for row in new] + lines[max(last, first - 1) :])
        )

    def line_before(self, file: str, line: int) -> int:
        """Returns the original file's line for a line of the copy: its own, or the one before which new lines were
        inserted."""
        if file not in self.texts:
            return line
        matcher = difflib.SequenceMatcher(None, source_of(file).splitlines(), self.texts[file].splitlines(), autojunk=False)
        for _, before, end, first, last in matcher.get_opcodes():
            if first <= line - 1 < last:
                return min(before + (line - 1 - first), max(end - 1, before)) + 1
        return line

    def patch(self) -> str:
        """Returns all changes as one unified diff, with paths relative to the working directory."""
        parts: list[str] = []
        for file, text in self.texts.items():
            name = os.path.relpath(file) if file.startswith(os.getcwd() + os.sep) else file.lstrip(os.sep)
            parts += difflib.unified_diff(source_of(file).splitlines(keepends=True), text.splitlines(keepends=True), f"a/{name}", f"b/{name}")
        return "".join(parts)

    @contextlib.contextmanager
    def in_place(self, names: Mapping[str, Any] | None = None) -> Iterator[None]:
        """Replaces the functions of these files by those of the copies, and adds `names` to their globals. Raises
        SyntaxError if a copy is not valid Python, ValueError if a function cannot be replaced."""
        before: list[tuple[FunctionType, CodeType]] = []
        cached: dict[str, Any] = {}
        given: list[tuple[dict[str, Any], str]] = []
        try:
            for file, text in self.texts.items():
                old = {
                    (code.co_name, code.co_firstlineno): key
                    for key, code in _numbered(compile(source_of(file), file, "exec", dont_inherit=True)).items()
                }
                new = _numbered(compile(text, file, "exec", dont_inherit=True))
                for function in _functions(file):
                    code = new.get(old.get((function.__code__.co_name, function.__code__.co_firstlineno), ((), 0)))
                    if code is None:
                        continue
                    before.append((function, function.__code__))
                    function.__code__ = code
                    for name, value in (names or {}).items():
                        if name not in function.__globals__:
                            function.__globals__[name] = value
                            given.append((function.__globals__, name))
                cached[file] = linecache.cache.get(file)
                linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
            yield
        finally:
            for function, code in reversed(before):
                function.__code__ = code
            for scope, name in given:
                scope.pop(name, None)
            for file, entry in cached.items():
                linecache.cache.pop(file, None)
                if entry is not None:
                    linecache.cache[file] = entry
