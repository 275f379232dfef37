"""Shrinks a finding's call while it still shows the finding, and writes it as a line of PyTorch. `smallest_call.py <
FINDING` prints JSON."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from typing import Any

import torch

import ersatz.torch
from ersatz.torch.own_calls import operator_of
from ersatz.torch.recording.spelling import DTYPES
from ersatz.torch.remade import Remade, metadata


def findings_of(record: dict[str, Any]) -> list[Any]:
    """Returns the findings of a live crosscheck for the single call."""
    op = operator_of(record["op"])
    made = Remade(op, record).arguments(record, "recorded")
    if made is None:
        return []
    with torch.no_grad(), ersatz.torch.crosscheck(native=False) as report:
        try:
            op(*made[0], **made[1])
        except Exception:
            pass
    return list(report.findings)


def kind_of(found: Any) -> str:
    """Returns the prediction in a finding about an error, empty for other findings."""
    return str(found.predicted.split(":")[0]) if found.field == "error" else ""


def shown(record: dict[str, Any], field: str) -> Any:
    return next((f for f in findings_of(record) if f.op == record["op"] and f.field == field), None)


def _tensors(x: Any) -> list[dict[str, Any]]:
    if isinstance(x, dict):
        return [x] if "t" in x else []
    return [t for item in x for t in _tensors(item)] if isinstance(x, list) else []


def _smaller(record: dict[str, Any]) -> Any:
    """Yields the record with one simplification: without a keyword, or with a tensor row-major, at offset 0, of f32,
    with a dim of size 1 or without it."""
    # A tensor that occurs twice is referred to by its number, so no argument may be removed.
    apart = not any("is" in t for t in _tensors([record["args"], list(record["kwargs"].values())]))
    for key in record["kwargs"] if apart else ():
        yield {**record, "kwargs": {k: v for k, v in record["kwargs"].items() if k != key}}
    if record["args"] and not _tensors(record["args"][-1]):
        yield {**record, "args": record["args"][:-1]}
    count = len(_tensors([record["args"], list(record["kwargs"].values())]))
    for i in range(count):
        of_torch, *layout = metadata(_tensors([record["args"], list(record["kwargs"].values())])[i]["t"])
        dtype, (sizes, strides, offset, device) = DTYPES[of_torch], layout
        candidates = [(dtype, sizes, strides, 0), (dtype, sizes, _rows(sizes), 0), ("f32", sizes, strides, offset)]
        candidates += [(dtype, sizes[:d] + sizes[d + 1:], strides[:d] + strides[d + 1:], offset) for d in range(len(sizes))]
        candidates += [(dtype, (*sizes[:d], 1, *sizes[d + 1:]), strides, offset) for d, n in enumerate(sizes) if n > 1]
        for to, n, by, at in candidates:
            smaller = copy.deepcopy(record)
            t = _tensors([smaller["args"], list(smaller["kwargs"].values())])[i]
            said = f"{to}[{','.join(map(str, n))}]{{{','.join(map(str, by))}}}+{at}@{device}"
            if said != t["t"] and "is" not in t:
                t["t"], t["n"] = said, 1 << 16
                t.pop("v", None)
                yield smaller


def _rows(sizes: tuple[int, ...]) -> tuple[int, ...]:
    strides, n = [0] * len(sizes), 1
    for d in reversed(range(len(sizes))):
        strides[d] = n
        n *= max(sizes[d], 1)
    return tuple(strides)


def line_of(record: dict[str, Any]) -> str:
    """Returns the call as a line: `torch.ops.aten.relu.default(t("f32[2,3]{1,2}+0"))`."""
    def spelled(x: Any) -> str:
        if isinstance(x, list):
            return f"[{', '.join(map(spelled, x))}]"
        if not isinstance(x, dict):
            return repr(x)
        if "t" in x:
            lazy, memory = ", conj" if x.get("conj") else "", f", s={x['s']}" if shared.count(x["s"]) > 1 else ""
            return f't("{x["t"].removesuffix("@cpu")}"{lazy}{memory})'
        (kind, held), = x.items()
        return f"complex{tuple(held)}" if kind == "complex" else f"torch.{held}" if kind in ("dtype", "memory_format", "layout") else f"{held}"
    shared = [t.get("s") for t in _tensors([record["args"], list(record["kwargs"].values())])]
    given = [*map(spelled, record["args"]), *(f"{k}={spelled(v)}" for k, v in record["kwargs"].items())]
    return f"torch.ops.{record['op']}({', '.join(given)})"


def of(finding: dict[str, Any]) -> dict[str, str]:
    """Returns `line`, `predicted` and `observed` of the smallest call that shows the finding. The search runs in a
    child process, because a call may end it."""
    line = line_of(json.loads(finding["repro"])) if finding["repro"] else ""
    told = {"line": line, "predicted": finding["predicted"], "observed": finding["observed"]}
    if not line:
        return told
    done = subprocess.run([sys.executable, "-W", "ignore", __file__], input=json.dumps(finding), capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else told | {"line": line + f"  # not made smaller: status {done.returncode}"}


def smallest(finding: dict[str, Any]) -> dict[str, str]:
    told = {"predicted": finding["predicted"], "observed": finding["observed"]}
    record = json.loads(finding["repro"])
    found = shown(record, finding["field"])
    if found is None:
        return {**told, "line": line_of(record) + "  # in the program alone"}
    going = True
    while going:
        going = False
        for smaller in _smaller(record):
            again = shown(smaller, finding["field"])
            if again is not None and kind_of(again) == kind_of(found):
                record, found, going = smaller, again, True
                break
    return {"line": line_of(record), "predicted": found.predicted, "observed": found.observed}


if __name__ == "__main__":
    print(json.dumps(smallest(json.load(sys.stdin))))
