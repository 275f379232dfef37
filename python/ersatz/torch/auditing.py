"""`audit`: checks of every operator in a namespace."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import torch

from .. import _ersatz
from ..report import AnyReport, Finding
from .recording.fake_kernels import how_fakes_are_made, place_of
from .fake_signature import mismatches, only_meta
from .recorded_samples import Calls, calls_of_namespace
from .validation import validate

__all__ = ["AuditFinding", "AuditReport", "AuditedOp", "audit", "operators_of"]

Path = str | os.PathLike[str]


class AuditFinding(Finding):
    """A fault of an operator that needs no call (`field` is `fake` or `signature`), or a missing call (`called`).
    `observed` is a description and `cause` the remedy."""

    @classmethod
    def of(cls, op: str, field: str, observed: str, advice: str = "", source: str = "") -> AuditFinding:
        return cls(op=op, node="", result=-1, field=field, predicted="", observed=observed, witness="declaration", verdict="significant",
                   words="", cause=advice, source=source, args=(), repro="")

    def __str__(self) -> str:
        return f"{self.op}: {self.field}: {self.observed}" + (f" ({self.source})" if self.source else "")


@dataclass(frozen=True)
class AuditedOp:
    op: str
    """`mylib.foo.default`."""
    fake: str
    """The kind of its fake kernel: `register_fake`, `Meta`, `composite`, `kernel`, `trivial`, `none`."""
    signature: str
    """The fake kernel's signature: `matches`, `differs`, or `not seen` if it is no Python function."""
    called: int
    """Number of calls in the samples."""
    compared: int
    """Number of results that `validate` compared."""
    notes: tuple[str, ...]
    """Unusual properties that are no fault."""
    findings: tuple[Finding, ...]

    def _row(self) -> dict[str, Any]:
        findings = [{**json.loads(f.to_json()), "times": f.times} for f in self.findings]
        return {**{field.name: getattr(self, field.name) for field in fields(self)}, "findings": findings}


@dataclass(frozen=True)
class AuditReport(AnyReport):
    """The report of an audit. `str(report)` is the report as text; its last line is a summary."""

    namespace: str
    ops: tuple[AuditedOp, ...]
    has_samples: bool

    @property
    def findings(self) -> tuple[Finding, ...]:  # type: ignore[override]
        """Returns the findings of all operators."""
        return tuple(f for op in self.ops for f in op.findings)

    @property
    def compared(self) -> int:
        return sum(op.compared for op in self.ops)

    @property
    def clean(self) -> bool:
        """Whether every operator was compared and there is no finding."""
        return not self.findings and self.compared > 0

    @property
    def closing_line(self) -> str:
        """Returns a line like `audit: 9 ops of mylib, 7 called, 412 compared, 3 findings`."""
        line = (f"audit: {len(self.ops)} ops of {self.namespace}, {sum(op.called > 0 for op in self.ops)} called, {self.compared} compared, "
                f"{len(self.findings)} findings")
        if not self.has_samples:
            return f"{line}; no samples: nothing was called"
        return f"{line}; not clean: {why}" if (why := self._why_not_clean) else line

    @property
    def _why_not_clean(self) -> str:
        """Returns the reason why a report without findings is not clean; empty if there is none."""
        return "" if self.findings else _ersatz.why_not_clean(self.compared, {})

    def to_json(self) -> str:
        """Returns JSON with `format`, `command`, `input`, `device`, `status`, all `findings`, and a row for each
        operator: `op`, `fake`, `signature`, `called`, `compared`, `notes`, `findings`."""
        ops = [op._row() for op in self.ops]
        why = self._why_not_clean
        return json.dumps({"format": 1, "command": "audit", "input": self.namespace, "device": "cpu",
                           "status": "findings" if self.findings else "unjudged" if why else "clean", **({"not_clean": why} if why else {}),
                           "samples": self.has_samples, "ops": ops, "findings": [row for op in ops for row in op["findings"]]})

    def _document(self) -> _ersatz.Document:
        document = _ersatz.Document()
        for op in self.ops:
            document.add(f"{op.op}: fake {op.fake}, signature {op.signature}, {op.called} calls, {op.compared} compared")
            for f in op.findings:
                document.add_term("finding", str(f))
                if f.cause:
                    document.add_code(f"{'to do' if isinstance(f, AuditFinding) else 'cause'}: {f.cause}")
            for note in op.notes:
                document.add_term("note", note)
        document.closing = self.closing_line
        return document

    def __repr__(self) -> str:
        return f"<AuditReport: {self.closing_line}>"


def operators_of(namespace: str) -> list[Any]:
    """Returns the overloads that are registered in a namespace, by name."""
    found = []
    for name in sorted(torch._C._dispatch_get_all_op_names()):
        space, _, rest = name.partition("::")
        if space != namespace:
            continue
        packet, _, overload = rest.partition(".")
        try:
            found.append(getattr(getattr(getattr(torch.ops, space), packet), overload or "default"))
        except AttributeError:  # a kernel is registered under the name, but no operator is defined
            continue
    return found


def audit(namespace: str, samples: Path | Sequence[Path] = (), *, seed: int = 0) -> AuditReport:
    """Checks each operator of a namespace: whether it has a fake kernel, whether that has the schema's signature, and
    whether it has a real kernel. Also makes a few of the calls in recorded runs like `ersatz.torch.validate`.

        >>> with ersatz.torch.record("run.jsonl", values=True):                                       # doctest: +SKIP
        ...     run_the_tests()
        >>> ersatz.torch.audit("mylib", samples="run.jsonl").raise_if_findings()                      # doctest: +SKIP

    samples: one or more recorded runs. An operator that they do not call is a finding. Without samples nothing is
    called, and the report is not clean."""
    paths = [samples] if isinstance(samples, (str, os.PathLike)) else list(samples)
    ops = operators_of(namespace)
    if not ops:
        raise ValueError(f"audit: no operator of {namespace!r} is registered: import what registers them before")
    calls = calls_of_namespace(namespace, paths)
    return AuditReport(namespace, tuple(_audited(op, calls.get(_name(op)), bool(paths), seed) for op in ops), bool(paths))


def _name(op: Any) -> str:
    return f"{op._schema.name.replace('::', '.')}.{op._schema.overload_name or 'default'}"


def _audited(op: Any, calls: Calls | None, has_samples: bool, seed: int) -> AuditedOp:
    name, how, differs = _name(op), how_fakes_are_made(op), mismatches(op)
    findings: list[Finding] = []
    notes: list[str] = []
    if how == "none":
        findings.append(AuditFinding.of(name, "fake", "it has no fake kernel", f'@torch.library.register_fake("{op._schema.name}")'))
    if how == "Meta":
        notes.append("its fake kernel is one for the key Meta, which cannot make sizes that depend on data: torch.library.register_fake can")
    if only_meta(op):
        findings.append(AuditFinding.of(name, "fake", "it has a fake kernel only: no kernel computes it", "", place_of(op)))
    if how == "composite":
        notes.append("it is made of other operators, which have fake kernels of their own: no call of it is seen")
    notes += [f"the fake kernel's {d.words}: PyTorch passes it by position" for d in differs or () if d.is_harmless]
    wrong = "; ".join(d.words for d in differs or () if not d.is_harmless)
    if wrong:
        findings.append(AuditFinding.of(name, "signature", f"of the fake kernel: {wrong}", f"give it the schema's: {op._schema}", place_of(op)))
    compared = 0
    if how == "composite" or only_meta(op):
        pass
    elif calls is None and has_samples:
        findings.append(AuditFinding.of(name, "called", "no call of it is among the samples", "a test that calls it, in the run that is recorded"))
    elif calls is not None and how != "none":
        given, why = calls.samples(op)
        report = validate(op, given, seed=seed) if given else None
        if report is not None:
            compared = report.compared
            findings += report.findings
            why = "" if report.compared or report.findings else ", ".join(report.skipped) or "no call of it was seen"
        if why:
            findings.append(AuditFinding.of(name, "called", f"nothing was compared: {why}"))
    signature = "not seen" if differs is None else "differs" if wrong else "matches"
    return AuditedOp(name, how, signature, calls.count if calls else 0, compared, tuple(notes), tuple(findings))


def load(namespace: str, modules: Iterable[str]) -> None:
    """Imports the modules that register the operators, and loads `.so` files. If `modules` is empty and the
    namespace has no operator, imports the module of the namespace's name."""
    for module in modules:
        if module.endswith(".so"):
            torch.ops.load_library(os.path.abspath(module))
        else:
            importlib.import_module(module)
    if not operators_of(namespace) and importlib.util.find_spec(namespace):
        importlib.import_module(namespace)
