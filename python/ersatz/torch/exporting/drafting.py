"""The log of `torch.export.draft_export`, with its decisions by the values of the example inputs."""

from __future__ import annotations

import os
from typing import Any

import torch

__all__ = ["decisions"]


def decisions(log: Any) -> list[str]:
    """Returns a line for each guard that example values decided, with its place and result, and for each operator
    whose fake kernel is missing or wrong. `log` is the report of a draft-exported program."""
    files = _files() | {str(number): name for number, name in log.str_to_filename.items()}
    lines: dict[str, None] = {}
    for failure in log.failures:
        data = failure.data
        if failure.failure_type.name in ("MISSING_FAKE_KERNEL", "MISMATCHED_FAKE_KERNEL"):
            what = "has no fake kernel" if failure.failure_type.name.startswith("MISSING") else "returns something else than its fake kernel says"
            lines[f"`{data.get('op')}` {what}" + (f": {data['reason']}" if data.get("reason") else "")] = None
            continue
        stack = data.get("user_stack") or data.get("stack") or []
        at = ""
        if stack:
            name = str(stack[-1].get("filename", ""))
            at = f" at {os.path.basename(files.get(name, name))}:{stack[-1].get('line')}"
        answer = f"was taken to be {data['result']}" if data.get("result") is not None else "became a guard"
        times = int(data.get("occurrences") or 1)
        lines[f"`{data.get('expr')}`{at} {answer}" + (f", {times} times" if times > 1 else "")] = None
    return list(lines)


def _files() -> dict[str, str]:
    """Returns file names by their numbers in this process's logs. PyTorch writes a name only into the first log with
    it."""
    table = getattr(getattr(torch._logging, "structured", None), "INTERN_TABLE", {})
    return {str(number): name for name, number in table.items()}
