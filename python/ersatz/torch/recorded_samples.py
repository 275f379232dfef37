"""Samples of operators out of recorded runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .recording.spelling import spelled_tensors
from .remade import Remade

__all__ = ["Calls", "calls_of_namespace"]

_MOST_KEPT = 64  # different calls of an operator
_MOST_SAMPLES = 4


@dataclass
class Calls:
    """Of one operator."""

    count: int = 0
    different: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Of each kind of arguments, values aside: how many bytes they have, and the record."""

    def add(self, line: str, record: dict[str, Any]) -> None:
        if "rg" in record:
            return  # another call's, made once more with gradients
        self.count += 1
        if "err" in record or "died" in record or '"opaque"' in line:
            return  # no sample of what the operator does, or none that can be made
        given = [record.get("args", []), record.get("kwargs", {})]
        tensors = list(spelled_tensors(given))
        kind = json.dumps([[t["t"] for t in tensors], _without_values(given)])
        if kind not in self.different and len(self.different) < _MOST_KEPT:
            self.different[kind] = (sum(t.get("n", 0) for t in tensors), line)

    def samples(self, op: Any) -> tuple[list[tuple[tuple[Any, ...], dict[str, Any]]], str]:
        """Arguments of the smallest calls; and why of others there are none, in words."""
        made, why = [], "each call raised, or had arguments that no record holds" if self.count else ""
        for _, line in sorted(self.different.values(), key=lambda kept: kept[0])[:_MOST_SAMPLES]:
            record = json.loads(line)
            try:
                arguments = Remade(op, record).arguments(record, "recorded")
            except Exception as e:  # of a device that is not here, or of a kind that this version does not know
                arguments, why = None, f"{type(e).__name__}: {e}"
            if arguments is not None:
                made.append(arguments)
        return made, "" if made else why or "their arguments cannot be made"


def _without_values(x: Any) -> Any:
    if isinstance(x, list):
        return [_without_values(item) for item in x]
    return {k: _without_values(v) for k, v in x.items() if k != "v"} if isinstance(x, dict) else x


def calls_of_namespace(namespace: str, paths: Iterable[str | os.PathLike[str]]) -> dict[str, Calls]:
    """What recorded runs have of the operators of a namespace, by name. ValueError: a line is no record."""
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
