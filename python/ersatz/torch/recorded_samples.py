"""Finds samples of operators in recorded runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .recording.spelling import spelled_tensors
from .remade import Remade

__all__ = ["Calls", "calls_of_namespace"]

_MOST_KEPT = 64  # most different calls of an operator that are kept
_MOST_SAMPLES = 4


@dataclass
class Calls:
    """The calls of one operator."""

    count: int = 0
    different: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Bytes and record of the smallest call for each kind of arguments, without values."""

    def add(self, line: str, record: dict[str, Any]) -> None:
        if "rg" in record:
            return  # it repeats another record's call with gradients
        self.count += 1
        if "err" in record or "died" in record or '"opaque"' in line:
            return  # the call raised, was random, or its arguments are not recorded
        given = [record.get("args", []), record.get("kwargs", {})]
        tensors = list(spelled_tensors(given))
        kind = json.dumps([[t["t"] for t in tensors], _without_values(given)])
        if kind not in self.different and len(self.different) < _MOST_KEPT:
            self.different[kind] = (sum(t.get("n", 0) for t in tensors), line)

    def samples(self, op: Any) -> tuple[list[tuple[tuple[Any, ...], dict[str, Any]]], str]:
        """Returns the arguments of the smallest calls, and why others have none."""
        made, why = [], "each call raised, or had arguments that no record holds" if self.count else ""
        for _, line in sorted(self.different.values(), key=lambda kept: kept[0])[:_MOST_SAMPLES]:
            record = json.loads(line)
            try:
                arguments = Remade(op, record).arguments(record, "recorded")
            except Exception as e:  # the device is missing here, or the record has an unknown kind of argument
                arguments, why = None, f"{type(e).__name__}: {e}"
            if arguments is not None:
                made.append(arguments)
        return made, "" if made else why or "their arguments cannot be made"


def _without_values(x: Any) -> Any:
    if isinstance(x, list):
        return [_without_values(item) for item in x]
    return {k: _without_values(v) for k, v in x.items() if k != "v"} if isinstance(x, dict) else x


def calls_of_namespace(namespace: str, paths: Iterable[str | os.PathLike[str]]) -> dict[str, Calls]:
    """Returns the calls of a namespace's operators in recorded runs, by name. Raises ValueError if a line is no
    record."""
    calls: dict[str, Calls] = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if f'"{namespace}.' not in line:
                    continue
                try:
                    record = json.loads(line)
                    name = record["op"]
                except (ValueError, KeyError, TypeError):
                    raise ValueError(f"{os.fspath(path)}:{number}: no record of a call (docs/call-records.md)") from None
                if isinstance(name, str) and name.startswith(f"{namespace}."):
                    calls.setdefault(name, Calls()).add(line, record)
    return calls
