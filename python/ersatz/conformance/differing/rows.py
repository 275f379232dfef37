"""Rows of wrong predictions, one for each cause and operator, and the table that holds them."""

from __future__ import annotations

import dataclasses
import re

COLUMNS = ["cause", "operator", "calls", "eager", "other", "line", "seen", "issue"]


@dataclasses.dataclass
class Row:
    cause: str
    operator: str
    calls: int
    eager: str
    other: str  # the prediction, or the outcome in the record
    line: str
    seen: str = ""  # versions of PyTorch in which running the line showed the difference
    issue: str = ""

    def written(self) -> str:
        return "\t".join(str(getattr(self, name)).replace("\t", " ") for name in COLUMNS)

    def saw(self, version: str) -> None:
        self.seen = ", ".join(sorted({*filter(None, self.seen.split(", ")), version}, key=lambda v: [int(n) for n in re.findall(r"\d+", v)]))


def read(text: str) -> list[Row]:
    written = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    if not written or written[0] != COLUMNS or any(len(row) != len(COLUMNS) for row in written):
        raise ValueError(f"a row has {', '.join(COLUMNS)}, with tabs between")
    return [Row(cause, operator, int(calls), *rest) for cause, operator, calls, *rest in written[1:]]


def write(rows: list[Row], head: str = "# Written by scripts/found: docs/found.md is made of it and says what the columns are.") -> str:
    return "\n".join([head, "\t".join(COLUMNS), *(row.written() for row in rows)]) + "\n"


def shortened(text: str, most: int = 160) -> str:
    return text if len(text) <= most else text[:most - 4].rstrip() + " ..."
