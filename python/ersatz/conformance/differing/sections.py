"""Rows of wrong predictions as sections of a page."""

from __future__ import annotations

from collections.abc import Sequence

from .causes import Cause
from .rows import Row

MOST_ROWS = 8  # most rows of one cause on the page; the table has all rows
ISSUES = "https://github.com/pytorch/pytorch/issues/"


def anchor(title: str) -> str:
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")


def section_of(cause: Cause, rows: Sequence[Row], other: str = "fake") -> str:
    rows = sorted(rows, key=lambda r: (not r.seen, -r.calls, r.operator))
    shown, rest = rows[:MOST_ROWS], rows[MOST_ROWS:]
    calls = sum(r.calls for r in rows)
    text = f"#### {cause.title[0].upper()}{cause.title[1:]}: {plural(calls, 'call')}, {plural(len(rows), 'operator')}\n\n{cause.says}\n\n{table(shown, 'operator', other)}"
    if rest:
        names = sorted(rest, key=lambda r: (-r.calls, r.operator))
        text += "\nAlso: " + ", ".join(f"`{r.operator}`" + (f" {r.calls}" if r.calls > 1 else "") for r in names) + ".\n"
    return text + "\n"


def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def table(rows: Sequence[Row], name: str, other: str) -> str:
    lines = [f"| {name} | calls | eager | {other} | line | seen in | issue |", "|---|--:|---|---|---|---|---|"]
    for row in rows:
        issue = f"[{row.issue}]({ISSUES}{row.issue})" if row.issue else ""
        cells = [code(row.operator), f"{row.calls:,}", code(row.eager), code(row.other), code(row.line), row.seen, issue]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def code(text: str) -> str:
    return "`" + text.replace("`", "'").replace("|", "\\|") + "`" if text else ""
