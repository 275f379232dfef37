"""Writes the findings of a conformance run, summed over its items, as a page, a table, JSON and scripts."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ..sweep import Swept
from ..whole_file import whole_file
from .differing import causes, rows, sections

SOURCES = {"fake": ("FakeTensorMode", "Fakes"), "meta": ("Tensors of the meta device", "Meta kernels, where the fake is right"),
           "decomposition": ("Decompositions", "Decompositions, where fake and meta kernel are right")}
"""The source of predictions that is asked, and the heading of its section. A call that several sources predict wrongly is counted
under the first of them."""


_OF_META = "The meta device names no backend. Where backends differ, its answer may be that of another one.\n\n"


@dataclasses.dataclass
class Run:
    """A run of the command: its request and its outcome."""

    command: str
    torch: str
    items: tuple[Swept, ...]
    wanted: int
    """How many items there are; fewer have reports where the run was interrupted."""
    cpp_fakes: str
    """Why PyTorch's fakes in C++ were not asked."""
    counts: Counter[str] = dataclasses.field(default_factory=Counter)
    findings: list[dict[str, Any]] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        found: dict[tuple[str, str, str], dict[str, Any]] = {}
        for item in self.items:
            self.counts.update(item.counts)
            for f in item.findings:
                key = f["source"], f["cause"], f["op"]
                found[key] = _merged(found[key], f) if key in found else f
        order = {cause.name: k for k, cause in enumerate(causes.CAUSES)}
        self.findings = sorted(found.values(), key=lambda f: (list(SOURCES).index(f["source"]), order[f["cause"]], f["op"]))

    @property
    def unjudged(self) -> list[Swept]:
        """Returns the items that ended without a report."""
        return [i for i in self.items if i.status not in ("clean", "findings", "unjudged")]

    @property
    def clean(self) -> bool:
        return not self.findings and not self.unjudged and len(self.items) == self.wanted and self.compared > 0

    @property
    def compared(self) -> int:
        return sum(self.counts[f"{source}: compared"] for source in SOURCES)

    @property
    def wrong(self) -> int:
        return sum(self.counts[f"{source}: wrong"] for source in SOURCES)

    @property
    def closing_line(self) -> str:
        """Returns a line like `conformance: 412 calls, 1,203 predictions compared, 31 wrong, of 12 kinds`."""
        line = (f"conformance: {sections.plural(self.counts['calls'], 'call')}, {sections.plural(self.compared, 'prediction')} compared, {self.wrong:,} wrong, "
                f"of {sections.plural(len(self.findings), 'kind')}")
        if self.unjudged:
            line += f"; {sections.plural(len(self.unjudged), 'item')} not judged"
        return line if len(self.items) == self.wanted else f"{line}; {len(self.items):,} of {sections.plural(self.wanted, 'item')} so far"


def _merged(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    best = min(a, b, key=lambda f: (not f["shown"], not f["line"], len(f["line"]), f["line"]))
    return {**best, "calls": a["calls"] + b["calls"], "also": dict(Counter(a["also"]) + Counter(b["also"]))}


def script_of(f: dict[str, Any]) -> str:
    """Returns the name of a finding's script."""
    return f"{f['source']}-{f['cause']}-{re.sub(r'[^A-Za-z0-9_]', '_', f['op'])}.py"


def _row(f: dict[str, Any], version: str) -> rows.Row:
    eager, other = (rows.shortened(" ".join(f[side].split())) for side in ("observed", "predicted"))
    return rows.Row(f["cause"], f["op"], f["calls"], eager, other, f["line"], version if f["shown"] else "")


def table(run: Run) -> str:
    """Returns the rows of wrong fakes, in the form that `scripts/found` reads."""
    version = run.torch.partition("+")[0]
    found = [_row(f, version) for f in run.findings if f["source"] == "fake"]
    return rows.write(found, f"# Written by `{run.command}` with PyTorch {run.torch}.")


def page(run: Run) -> str:
    """Returns the findings as a page for readers."""
    version = run.torch.partition("+")[0]
    parts = [f"# Wrong predictions of PyTorch {run.torch}\n\nWritten by `{run.command}`. Eager mode on the CPU is right by definition. A prediction is wrong where it differs "
             "in dtype, sizes, significant strides, storage offset, shared memory or in raising.\n"
             "`scripts/` has a script for each row, which needs PyTorch alone: its name is the source, the cause and the operator.\n\n"
             f"{run.closing_line}\n\n| source | compared | wrong | no prediction |\n|---|--:|--:|--:|\n"]
    for source, (asked, _) in SOURCES.items():
        counts = [run.counts[f"{source}: {what}"] for what in ("compared", "wrong", "no prediction")]
        parts.append(f"| {asked} | {' | '.join(f'{n:,}' for n in counts)} |\n")
    parts.append(f"\nFakes in C++ were not asked: {run.cpp_fakes}.\n")
    left_out = {name.partition(": ")[2]: n for name, n in sorted(run.counts.items()) if name.startswith("not compared") and n}
    if left_out:
        parts.append("\n| calls that were not compared | |\n|---|--:|\n" + "".join(f"| {why} | {n:,} |\n" for why, n in left_out.items()))
    if run.unjudged:
        parts.append("\n## Items without a report\n\n" + "".join(f"- `{i.item}`: {i.status}: {i.message}\n" for i in run.unjudged))
    for source, (_, title) in SOURCES.items():
        of = [f for f in run.findings if f["source"] == source]
        if not of:
            continue
        parts.append(f"\n## {title}\n\n" + (_OF_META if source == "meta" else ""))
        for group, heading in causes.GROUPS.items():
            shown = [(cause, [_row(f, version) for f in of if f["cause"] == cause.name]) for cause in causes.CAUSES if cause.group == group]
            found = [sections.section_of(cause, rows_of, source) for cause, rows_of in shown if rows_of]
            if found:
                parts.append(f"### {heading.replace('fake', 'prediction') if source != 'fake' else heading}\n\n" + "".join(found))
    return "".join(parts).rstrip() + "\n"


def envelope(run: Run) -> dict[str, Any]:
    """Returns the report in the form of `--json` of other commands."""
    return {"format": 1, "command": "conformance", "input": run.command, "device": "cpu", "torch": run.torch,
            "status": "clean" if run.clean else "findings" if run.findings else "unjudged", "items": run.wanted, "judged": len(run.items),
            "compared": run.compared, "mismatched": run.wrong, "counts": dict(sorted(run.counts.items())), "cpp_fakes": run.cpp_fakes,
            "findings": [{**f, "script": f"scripts/{script_of(f)}" if f["line"] else ""} for f in run.findings],
            "unjudged": [{"item": i.item, "status": i.status, "message": i.message} for i in run.unjudged]}


def _script(f: dict[str, Any], run: Run, shown: str) -> str:
    cause = next(c for c in causes.CAUSES if c.name == f["cause"])
    said = "as this script prints" if f["shown"] else "as was seen with other values; this line prints something else"
    about = [f"{f['op']}: {cause.title}. {cause.says}", f"eager: {f['observed']}", f"{f['source']}: {f['predicted']}",
             f"Seen with PyTorch {run.torch} by `{run.command}`, {said}."]
    return "".join(f"# {' '.join(text.split())}\n" for text in about) + shown + f"\n\nif __name__ == \"__main__\":\n    {f['line']}\n"


def write(run: Run, folder: pathlib.Path) -> None:
    """Writes all files. Each file is complete or does not exist, and report.json is written last."""
    scripts = folder / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    shown = (pathlib.Path(__file__).parent / "differing" / "shown.py").read_text(encoding="utf-8")
    files = {scripts / script_of(f): _script(f, run, shown) for f in run.findings if f["line"]}
    _remove(path for path in scripts.glob("*.py") if path not in files)
    files |= {folder / "found.tsv": table(run), folder / "found.md": page(run), folder / "report.json": json.dumps(envelope(run), indent=1) + "\n"}
    for path, text in files.items():
        with whole_file(path) as beside:
            beside.write_text(text, encoding="utf-8")


def _remove(paths: Iterable[pathlib.Path]) -> None:
    for path in list(paths):
        path.unlink()
