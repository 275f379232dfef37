"""The crosscheck of a whole test suite. One cause is one finding, however many tests show it."""

from __future__ import annotations

import html as markup
import json as decoder
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from . import _ersatz

__all__ = ["Suite"]

_NAMED = 3  # most tests that the terminal names for an operator that was not compared


@dataclass
class Cause:
    """A finding of the first test that shows it, and the names of all tests that do."""

    finding: dict[str, Any]
    tests: list[str] = field(default_factory=list)

    def text(self) -> str:
        f = self.finding
        line = str(_ersatz.Finding.from_json(decoder.dumps(f)))
        lines = [f"finding: {line}", f"  cause: {f['cause']}"] if f["cause"] else [f"finding: {line}"]
        return "\n".join([*lines, f"  in {_tests(self.tests)}"])


def _tests(tests: list[str]) -> str:
    return f"1 test: {tests[0]}" if len(tests) == 1 else f"{len(tests)} tests, the first: {tests[0]}"


@dataclass
class Suite:
    """Counts and findings of a pytest session. `add` joins those of another process."""

    tests: int = 0
    failed: int = 0
    waived: int = 0
    compared: int = 0
    mismatched: int = 0
    judged: int = 0
    """Compared calls of the user's own operators. `known` counts calls whose prediction was remembered."""
    known: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    compiled: Counter[str] = field(default_factory=Counter)
    """Counts for inductor's code: `graphs`, `nodes` compared at compile time, `runs`, and `inputs` compared in runs."""
    causes: dict[str, Cause] = field(default_factory=dict)
    unjudged: dict[str, dict[str, int]] = field(default_factory=dict)
    """Calls by test for each of the user's operators that was not compared."""
    operators: dict[str, None] = field(default_factory=dict)
    waivers: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Rows of the waivers' file, by content."""
    marks: dict[str, bool] = field(default_factory=dict)
    """Waivers that several tests share, and whether a test used them."""

    def count(self, test: str, report: dict[str, Any], left: Iterable[int]) -> None:
        """Adds the report of a test. `left` has the indices of its findings that no mark waives."""
        self.tests += 1
        self.compared += report["compared"]
        self.mismatched += report["mismatched"]
        self.waived += report.get("waived", 0)
        self.skipped.update({why: n for why, n in report["skipped"].items() if n})
        self.compiled.update(report.get("compiled", {}))
        self.operators.update(dict.fromkeys(row["op"] for row in report.get("coverage", ())))
        own = report.get("own", {})
        self.judged += own.get("judged", 0)
        self.known += own.get("known", 0)
        for op, calls in own.get("unjudged", {}).items():
            self.unjudged.setdefault(op, {})[test] = calls
        for place in left:
            self._found(report["findings"][place], [test])
        for row in report.get("waivers", ()):
            self._row(row)

    def _found(self, finding: dict[str, Any], tests: list[str]) -> None:
        # Findings with equal operator, result and field have one cause. Sizes differ from call to call, so the
        # predicted and the observed text do not count.
        key = f"{finding['op']} {finding['result']} {finding['field']}"
        cause = self.causes.setdefault(key, Cause(finding))
        cause.tests.extend(test for test in dict.fromkeys(tests) if test not in cause.tests[-1:])

    def _row(self, row: dict[str, Any]) -> None:
        key = decoder.dumps({k: v for k, v in row.items() if k not in ("used", "state", "known")}, sort_keys=True)
        known = self.waivers.setdefault(key, row)
        if known is not row:
            known["used"] += row["used"]
            known["state"] = "applied" if "applied" in (known["state"], row["state"]) else known["state"]

    def wire(self) -> dict[str, Any]:
        """Returns the object as plain data for another process."""
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**data, "skipped": dict(self.skipped), "compiled": dict(self.compiled), "causes": [[c.finding, c.tests] for c in self.causes.values()],
                "waivers": list(self.waivers.values())}

    def add(self, wire: dict[str, Any]) -> None:
        """Adds the data that `wire()` returned in another process."""
        for name in ("tests", "failed", "waived", "compared", "mismatched", "judged", "known"):
            setattr(self, name, getattr(self, name) + wire[name])
        self.skipped.update(wire["skipped"])
        self.compiled.update(wire["compiled"])
        self.operators.update(wire["operators"])
        for finding, tests in wire["causes"]:
            self._found(finding, tests)
        for op, calls in wire["unjudged"].items():
            self.unjudged.setdefault(op, {}).update(calls)
        for row in wire["waivers"]:
            self._row(row)
        for mark, used in wire["marks"].items():
            self.marks[mark] = self.marks.get(mark, False) or used

    @property
    def unused(self) -> list[str]:
        """Returns descriptions of waivers that waived nothing in the tests that ran."""
        rows = [f"{row['state']} waiver: {row['op']} {row['field']}: {row['reason']}" for row in self.waivers.values() if row["state"] != "applied"]
        return rows + [f"unused waiver: {mark}" for mark, used in self.marks.items() if not used]

    @property
    def expired(self) -> bool:
        """Returns whether a row of the waivers' file has expired."""
        return any(row["state"] == "expired" for row in self.waivers.values())

    @property
    def status(self) -> str:
        """Returns the status, in the words of the commands."""
        return "findings" if self.causes else "unjudged" if self.not_clean else "clean"

    @property
    def not_clean(self) -> str:
        """Returns why a session without findings is not clean; empty if it is clean."""
        return "" if self.causes else _ersatz.why_not_clean(self.compared, self._own_unjudged())

    def _own_unjudged(self) -> dict[str, int]:
        return {op: sum(calls.values()) for op, calls in self.unjudged.items()}

    @property
    def compiled_text(self) -> str:
        """Returns one line about inductor's code."""
        n = self.compiled
        return (f"compiled: {n['graphs']} graph{'s' * (n['graphs'] != 1)}, {n['nodes']} calls judged at compile time, {n['inputs']} inputs "
                f"compared in {n['runs']} run{'s' * (n['runs'] != 1)}; what its kernels do is not seen")

    @property
    def closing_line(self) -> str:
        """Returns the last line of the terminal's summary."""
        why = ", ".join(f"{reason} {n}" for reason, n in sorted(self.skipped.items(), key=lambda r: (-r[1], r[0])))
        return (f"crosscheck: {self.tests} tests, {self.failed} with findings, {self.waived} findings waived; {self.compared} compared, "
                f"{self.mismatched} mismatched, {sum(self.skipped.values())} skipped{f' ({why})' if why else ''}")

    def unjudged_text(self) -> list[str]:
        """Returns a line for each of the user's operators that was not compared."""
        lines = []
        for op, calls in sorted(self.unjudged.items()):
            n, named = sum(calls.values()), ", ".join(list(calls)[:_NAMED])
            lines.append(f"warning: nobody judged {op}: {n} call{'s' * (n != 1)} in {len(calls)} test{'s' * (len(calls) != 1)}: "
                         f"{named}{', ...' * (len(calls) > _NAMED)}")
        return lines

    def to_json(self) -> str:
        """Returns the suite as a report of `ersatz crosscheck --json` with `tests`. Each finding has the tests that
        show it."""
        return decoder.dumps({
            "format": 1, "command": "crosscheck", "input": "pytest", "device": "live", "status": self.status, "tests": self.tests,
            "tests_with_findings": self.failed, "compared": self.compared, "mismatched": self.mismatched, "skipped": dict(self.skipped),
            **({"compiled": dict(self.compiled)} if self.compiled else {}), "waived": self.waived, "waivers": list(self.waivers.values()),
            **({"not_clean": self.not_clean} if self.not_clean else {}),
            "own": {"judged": self.judged, "known": self.known, "unjudged": self._own_unjudged()},
            "coverage": [{"op": op} for op in sorted(self.operators)],
            "findings": [{**c.finding, "tests": c.tests} for c in self.causes.values()]}, indent=1)

    def to_html(self) -> str:
        """Returns the suite as one page without scripts and network access."""
        e = markup.escape
        out = [f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{e(self.closing_line)}</title><style>body{{font:16px/1.5 '
               'system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:1rem}code,pre{overflow-wrap:anywhere;white-space:pre-wrap}'
               f"</style></head><body><h1>{e(self.closing_line)}</h1>"]
        for cause in self.causes.values():
            f = cause.finding
            out.append(f"<section><h2>{e(f['op'])} {e(f['field'])}</h2><pre>{e(cause.text())}</pre>")
            out += [f"<p>Line: <code>{e(f['source'])}</code></p>"] if f["source"] else []
            out += ["<h3>Arguments</h3><ol start=\"0\">", *(f"<li><code>{e(a)}</code></li>" for a in f["args"]), "</ol>"] if f["args"] else []
            out += [f"<details><summary>A call that shows it, for ersatz crosscheck</summary><pre>{e(f['repro'])}</pre></details>"] if f["repro"] else []
            out += ["<h3>Tests</h3><ul>", *(f"<li><code>{e(test)}</code></li>" for test in cause.tests), "</ul></section>"]
        out += [f"<p>{e(line)}</p>" for line in [*self.unjudged_text(), *self.unused]]
        return "\n".join([*out, "</body></html>"])
