"""Judges one item of a conformance run: compares calls with PyTorch's predictions, and sorts the wrong ones by
cause."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import io
import json
import os
import shlex
import sys
import tempfile
import warnings
from typing import Any

import torch

from ... import _ersatz
from ...conformance.differing import causes, lines, records, shown, sides
from ...conformance.differing.records import Record
from ...whole_file import whole_file
from ..recording.call import Call
from ..recording.mode import record
from ..recording.record_file import KeptRecords
from ..remade import Remade
from . import calls
from .witnesses import SOURCES, Witnesses

FUNCTIONS = {"fake": "both", "meta": "meta", "decomposition": "decomposition"}
"""The function of differing/shown.py that shows a call with the prediction of a source."""

_MOST_TRIED = 3  # most lines of a group that are run; if none shows the difference, the group counts as not shown
_DECOMPOSED = {"count", "undefined", "dtype", "size", "stride", "offset", "error"}
"""Fields in which a decomposition is compared: it need not share memory as the operator does, since functional graphs have no views of inputs."""


@dataclasses.dataclass
class Group:
    """Wrong predictions of one operator, with one cause."""

    source: str
    cause: str
    operator: str
    calls: int = 0
    also: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    """Calls that another source predicts wrongly, too."""
    candidates: dict[str, dict[str, causes.Call]] = dataclasses.field(default_factory=dict)
    """The shortest lines for each fill of lines.FILLS."""

    def add(self, call: causes.Call) -> None:
        self.calls += 1
        for fill in lines.FILLS:
            known = self.candidates.setdefault(fill, {})
            # Skips a call that cannot be written as a line, or whose dtype has no name in lines.
            with contextlib.suppress(lines.Unwritable, KeyError):
                known.setdefault(lines.line_of(call.record, fill, FUNCTIONS[self.source]), call)
            self.candidates[fill] = dict(sorted(known.items(), key=lambda c: (len(c[0]), c[0]))[:_MOST_TRIED])

    def finding(self) -> dict[str, Any]:
        """Returns the finding as JSON, with the first line that shows both sides as they were seen."""
        lines_of = [c for known in self.candidates.values() for c in known.items()]
        printed = next(((*c, both) for c in lines_of if (both := _shown(*c))), None)
        line, call, both = printed or (*(lines_of[0] if lines_of else ("", None)), None)
        told = ["", ""]
        if call:
            place = f"{call.differs.place}: " if call.differs.place else ""
            told = [place + side for side in (call.differs.eager, call.differs.fake)]
        if both:  # the messages of errors are taken from running the line
            told = [said if said.startswith("raises ") else side for said, side in zip(both, told)]
        return {"source": self.source, "cause": self.cause, "op": self.operator, "calls": self.calls, "also": dict(self.also), "line": line,
                "shown": bool(both), "field": call.differs.field if call else "", "predicted": told[1], "observed": told[0]}


def _side(text: str, side: sides.Side) -> bool:
    return text.startswith("raises ") if side.error else text == sides.in_words(side)


def _shown(line: str, call: causes.Call) -> tuple[str, str] | None:
    """Returns both sides as the line prints them, None if these are not the observed sides."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            eval(line, {**vars(shown)})
    except Exception:  # for example, a tensor of the line cannot be made
        return None
    both = printed.getvalue().splitlines()
    if len(both) != 2:
        return None
    column = len(both[0]) - len(both[0].removeprefix("eager").lstrip())
    eager, other = (side[column:] for side in both)
    return (eager, other) if _side(eager, call.eager) and _side(other, call.fake) else None


def depends_on_values(op: Any, line: Record) -> bool:
    """Returns whether eager mode accepts the call with other values. Then no fake can predict that the call raises."""
    for fill in ("zeros", "ones", "random"):
        made = Remade(op, line).arguments(line, fill)
        if made is None:
            continue
        with contextlib.suppress(Exception), torch.no_grad():
            op(*made[0], **made[1])
            return True
    return _undecided(line)


def _undecided(line: Record) -> bool:
    """Returns whether ersatz says that the outcome depends on values."""
    with tempfile.TemporaryDirectory() as folder:
        path, report = os.path.join(folder, "call.jsonl"), os.path.join(folder, "report.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write(json.dumps({**line, "id": "call"}) + "\n")
        with contextlib.redirect_stderr(io.StringIO()):
            _ersatz.run_command(["crosscheck", path, "--no-real", "--json", "-q", "--keep-going", "-o", report])
        if not os.path.exists(report):
            return False
        with open(report, encoding="utf-8") as f:
            fakes = json.load(f).get("calls", {}).get("recorder_fakes", {})
        return bool(fakes.get("undecided"))


class Judging:
    """Receives each call of an item."""

    def __init__(self, sources: tuple[str, ...] = SOURCES) -> None:
        self.witnesses = Witnesses(sources)
        self.recorder = record("", values=64)
        self.recorder._predictor, self.recorder._keeps, self.recorder._opened = self.witnesses, self._see, KeptRecords
        self.groups: dict[tuple[str, str, str], Group] = {}
        self.counts: collections.Counter[str] = collections.Counter()
        self.seen: set[int] = set()

    def call(self, op: Any, make: calls.Made, arguments: Any = None) -> None:
        """Makes the call. If `op` is None, the call is made under a dispatch mode that receives each operator."""
        if op is None:
            # If the call raises, the recorder has recorded the exception.
            with torch.no_grad(), self.recorder, contextlib.suppress(Exception):
                make()
            return
        args, kwargs = arguments
        with torch.no_grad():
            call = Call(self.recorder, op, args, kwargs)
            try:
                out = make()
            except Exception as e:
                call.raised(e)
            else:
                call.returned(out)

    def _see(self, line: dict[str, Any]) -> bool:
        said, self.witnesses.said = self.witnesses.said, {}
        text = json.dumps([line["op"], line["args"], line["kwargs"], line.get("out"), line.get("err")])
        if not said or '"opaque"' in text or hash(text) in self.seen:
            self.counts["not compared: no record holds the call"] += not said or '"opaque"' in text
            return False
        self.seen.add(hash(text))
        if any(t["t"].partition("[")[0] not in records.BYTES for t in records.tensors(line)):
            self.counts["not compared: a dtype that no line spells"] += 1
        elif line.get("err") == "NotImplementedError":
            self.counts["not compared: PyTorch has no kernel on the CPU"] += 1
        else:
            self._compare(line, said)
        return False

    def _compare(self, line: Record, said: dict[str, dict[str, Any]]) -> None:
        self.counts["calls"] += 1
        wrong = []
        for source in self.witnesses.sources:
            answer = said[source]
            if "fake_err" in answer or "data_dependent" in line.get("tags", ()) and "err" not in answer:
                self.counts[f"{source}: no prediction"] += 1
                continue
            self.counts[f"{source}: compared"] += 1
            if "err" in answer:
                answer = {**answer, "err": answer["message"].partition(":")[0]}
            call = causes.call_of({**line, "fake": answer})
            if call and (source != "decomposition" or call.differs.field in _DECOMPOSED):
                wrong.append((source, call))
        if not wrong:
            return
        op = calls.operator_named(line["op"])
        if "err" in line and depends_on_values(op, {**line, "fake": wrong[0][1].record["fake"]}):
            self.counts["not compared: whether it raises depends on values"] += 1
            return
        source, call = wrong[0]
        key = source, causes.cause_of(call).name, records.packet(line["op"])
        group = self.groups.setdefault(key, Group(*key))
        group.add(call)
        group.also.update(other for other, _ in wrong[1:])
        self.counts.update(f"{source}: wrong" for source, _ in wrong)

    def report(self) -> dict[str, Any]:
        """Returns the part of an item's outcome that a sweep keeps."""
        compared = sum(n for name, n in self.counts.items() if name.endswith(": compared"))
        findings = [group.finding() for _, group in sorted(self.groups.items())]
        return {"status": "findings" if findings else "clean" if compared else "unjudged", "compared": compared,
                "mismatched": sum(n for name, n in self.counts.items() if name.endswith(": wrong")), "findings": findings,
                "counts": dict(sorted(self.counts.items()))}


def judged(item: str) -> dict[str, Any]:
    """Returns the report of `records FILE...` or `opinfo:f32,i64 NAME...`."""
    what, *names = shlex.split(item)
    kind, _, dtypes = what.partition(":")
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    judging = Judging()
    for name in names:
        for op, make, arguments in calls.recorded(name) if kind == "records" else calls.op_info(name, dtypes.split(",")):
            judging.call(op, make, arguments)
    return judging.report()


def main(item: str, report: str) -> int:
    """Writes the item's report; returns its exit status."""
    try:
        made = judged(item)
    except (OSError, ValueError) as e:
        print(f"ersatz: {e}", file=sys.stderr)
        return 2
    with whole_file(report) as beside:
        beside.write_text(json.dumps(made), encoding="utf-8")
    return 0 if made["status"] == "clean" else 1
