"""The file of a recording: complete lines, written at once, up to a limit."""

from __future__ import annotations

import json
import os
import stat
import threading
from typing import Any

_MOST_LINE = 16 << 20  # the longest line that ersatz can read


_JSON = json.JSONEncoder(separators=(",", ":"))


def line_of(record: dict[str, Any]) -> bytes:
    return _JSON.encode(record).encode() + b"\n"


class KeptRecords:
    """Records as lines in memory, for an immediate reader."""

    end = ""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def add(self, record: dict[str, Any]) -> bool:
        record["id"] = str(len(self.lines))
        self.lines.append(line_of(record))
        return True

    def close(self) -> None:
        """Does nothing: the lines are kept."""


class RecordFile:
    _open: set[tuple[int, int]] = set()  # (device, inode) of each regular file that is being written

    def __init__(self, path: Any, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)
        status = os.fstat(file)
        self.identity = (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
        if self.identity in self._open:
            os.close(file)
            raise ValueError(f"{path}: another record() is writing this file; give each its own")
        if self.identity:
            self._open.add(self.identity)
            os.ftruncate(file, 0)
        self.file, self.written = file, 0
        self.last: tuple[int, dict[str, Any]] | None = None
        self.count, self.end = 0, ""  # number of records, and why no more are written
        self.lock = threading.Lock()

    def close(self) -> None:
        os.close(self.file)
        if self.identity:
            self._open.discard(self.identity)

    def add(self, record: dict[str, Any]) -> bool:
        """Numbers the record and writes it. Returns False for the first record that is not written; the file's last
        record says so."""
        record["id"] = str(self.count)
        text = line_of(record)
        room = self.max_bytes - self.written - 200
        self.end = f"its file would exceed {self.max_bytes} bytes (max_bytes)" if len(text) > room else \
            "a record is longer than 16 MiB" if len(text) > _MOST_LINE else self._put(self.written, text)
        if self.end:
            if self.last:
                at, line = self.last
                line["notes"] = line.get("notes", []) + ["the recording ends here: " + self.end]
                self._put(at, line_of(line))
            return False
        self.last = (self.written, record)
        self.written += len(text)
        self.count += 1
        return True

    def _put(self, at: int, text: bytes) -> str:
        """Writes a complete line or nothing. Returns the reason for nothing."""
        try:
            if self.identity is None:  # the file is a pipe or a device
                while text:
                    text = text[os.write(self.file, text):]
                return ""
            if os.pwrite(self.file, text, at) == len(text):
                return ""
            why = "it cannot be written whole"
        except OSError as e:
            why = f"it cannot be written: {e.strerror}"
        if self.identity is not None:
            os.ftruncate(self.file, at)
        return why
