"""`propagate`: where a live model's shapes and numbers depend on data, what was seen there, and where NaN and Inf begin."""

from __future__ import annotations

import json
import math
import os
import sys
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from .. import _ersatz
from ..report import AnyReport, Finding
from .recording.place import line_text, users_frame
from .recording.plain_call import plain_call
from .recording.spelling import DTYPES
from .named_values import Name, loop_of, name_of

__all__ = ["DataPoint", "PropagateFinding", "PropagateReport", "propagate"]

_NAMES_SHOWN, _VALUES_SHOWN = 6, 12
_UNINITIALISED = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted", "resize_"}
_UNTAGGED: dict[str, int] = {"torchvision::nms": 0, "aten::_pack_padded_sequence": 0}  # operators whose results have a size that depends on data, and that do not say so


@dataclass(frozen=True)
class _Site:
    """One call in the program's text."""

    op: str
    file: str
    line: int
    function: str
    instruction: int

    @property
    def at(self) -> str:
        return line_text(self.file, self.line, self.function)


@dataclass(frozen=True)
class _Source:
    """What a tensor is computed from: a point, by way of a call that takes its number. Whether that call does, or takes another
    number that happens to be equal, all runs together say."""

    point: _Site
    taker: _Site | None


@dataclass
class DataPoint:
    """A call that reads data, or whose results have a size that data decides."""

    op: str
    at: str
    """The user's line: `train.py:12 in forward: kept = boxes[keep]`."""
    values: list[list[Any]]
    """What was seen, by run: numbers, or the size that data decides; as often as the call was made."""
    dim: int | None
    """The dim of the first result that data decides; None: the call returns a number."""
    dependents: list[str] = field(default_factory=list)
    """Calls that are computed from it, each once: operator and line."""
    outputs: list[str] = field(default_factory=list)
    """Outputs of the model among these."""
    name: str = ""
    """What the model calls the number or size: `n`, `kept.shape[0]`. Empty: its statement gives it no name."""

    def seen(self) -> str:
        """`15, 20: 15 to 20`."""
        flat = [v for run in self.values for v in (run or ["-"])]
        text = ", ".join(str(v) for v in flat[:_VALUES_SHOWN]) + (", ..." if len(flat) > _VALUES_SHOWN else "")
        numbers = sorted({v for v in flat if isinstance(v, (int, float)) and not isinstance(v, bool) and v == v})
        return f"{text}: {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else text


class PropagateFinding(Finding):
    """Where NaN or Inf begins (`field` is `nan` or `inf`), or where a run ended (`stopped`). `observed` says it in words, `args` are the
    tensors that the call takes; nothing predicts these."""

    _runs: tuple[int, ...] = ()

    @property
    def runs(self) -> tuple[int, ...]:
        """In which runs, counted from 1."""
        return self._runs

    @classmethod
    def of(cls, field: str, op: str, at: str, message: str, takes: tuple[str, ...], runs: tuple[int, ...] = (1,)) -> PropagateFinding:
        finding = cls(op=op, node="", result=-1, field=field, predicted="", observed=message, witness="eager", verdict="significant",
                      words="", cause="", source=at, args=takes, repro="", times=len(runs))
        finding._runs = runs
        return finding

    def __str__(self) -> str:
        document = _ersatz.Document()
        self._add_to(document)
        return document.text().removesuffix("\n")

    def _add_to(self, document: _ersatz.Document) -> None:
        document.add(f"{self.field}: {self.op}: {self.observed}" if self.op else f"{self.field}: {self.observed}")
        if self.source:
            document.add_below(f"at {self.source}")
        for t in self.args:
            document.add_below(f"takes {t}")


@dataclass(frozen=True)
class PropagateReport(AnyReport):
    """What several runs of a model showed. `str(report)` is the report as text; its last line sums up."""

    notes: tuple[str, ...]
    """What each run got."""
    points: tuple[DataPoint, ...]
    seen: tuple[str, ...]
    """Ranges and equal values of all runs, in the model's words: `n was 2 to 6`. `export` finds the lines that an export needs."""
    findings: tuple[PropagateFinding, ...]
    remarks: tuple[str, ...]

    def to_json(self) -> str:
        """`status`, `runs`, `points`, `seen`, `findings` and `remarks`. The keys are those of `ersatz propagate --json`, but for what a program
        alone has, nodes and symbols."""
        return json.dumps({
            "format": 1, "command": "propagate", "status": "clean" if self.clean else "findings",
            "runs": [{"inputs": note} for note in self.notes],
            "points": [{"op": p.op, "at": p.at, "dim": p.dim, "values": p.values, "dependents": p.dependents, "dependents_by": "flow",
                        "outputs": p.outputs, "name": p.name} for p in self.points],
            "seen": list(self.seen),
            "findings": [{"field": f.field, "op": f.op, "at": f.source, "message": f.observed, "more": list(f.args), "runs": list(f.runs)}
                         for f in self.findings],
            "remarks": list(self.remarks)})

    @property
    def closing_line(self) -> str:
        """`propagate: 2 runs, 5 data-dependent points, 0 findings`."""
        return (f"propagate: {_count(len(self.notes), 'run')}, {_count(len(self.points), 'data-dependent point')}, "
                f"{_count(len(self.findings), 'finding')}")

    def _document(self) -> _ersatz.Document:
        document = _ersatz.Document()
        for f in self.findings:
            f._add_to(document)
        for i, note in enumerate(self.notes, 1):
            document.add(f"run {i}: {note}")
        document.add(f"data-dependent points: {len(self.points)}")
        ops, seen = max((len(p.op) for p in self.points), default=0), max((len(p.seen()) for p in self.points), default=0)
        for p in self.points:
            document.add_below(f"{p.op:<{ops}}  saw {p.seen():<{seen}}  # {p.at}")
            names = ", ".join(p.dependents[:_NAMES_SHOWN]) + (", ..." if len(p.dependents) > _NAMES_SHOWN else "")
            none = "no call takes this number itself: what Python computes with it was not followed" if p.dim is None else "nothing depends on it"
            feeds = f"feeds {_count(len(p.dependents), 'call')}: {names}" if p.dependents else none
            document.add_code(feeds + (f"; outputs {', '.join(p.outputs)}" if p.outputs else ""))
            document.add_code(f"called {p.name}" if p.name else "without a name: its statement computes on from it")
        if self.seen:
            document.add(f"seen in {_count(len(self.notes), 'run')} (no constraints: ersatz.torch.export finds the lines that an export needs):")
            for text in self.seen:
                document.add_below(f"# {text}")
        if self.points and len(self.notes) == 1:
            document.add("one set of inputs shows one value of each: further inputs add another set")
        for r in self.remarks:
            document.add(f"remark: {r}")
        document.closing = self.closing_line
        return document

    def __repr__(self) -> str:
        return f"<PropagateReport: {self.closing_line}>"


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _told(t: torch.Tensor) -> str:
    """`f32[2,3]@cpu`."""
    return f"{DTYPES[t.dtype]}[{','.join(str(s) for s in t.shape)}]@{t.device}"


def _tensors(tree: Any) -> Iterator[torch.Tensor]:
    return (leaf for leaf in pytree.tree_leaves(tree) if isinstance(leaf, torch.Tensor))


def _integers(tree: Any) -> set[int]:
    return {leaf for leaf in pytree.tree_leaves(tree) if isinstance(leaf, int) and not isinstance(leaf, bool)}


def _site(op: str) -> _Site:
    frame = users_frame(sys._getframe(2))
    if frame is None:
        return _Site(op, "", 0, "", 0)
    return _Site(op, frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, frame.f_lasti)


def _mask_dim(indices: Sequence[Any]) -> int | None:
    """The dim of `x[indices]` that a mask among them decides; None: there is none."""
    given = [i for i, index in enumerate(indices) if index is not None]
    if not any(indices[i].dtype in (torch.bool, torch.uint8) for i in given):
        return None
    return given[0] if given == list(range(given[0], given[-1] + 1)) else 0


def _data_dim(func: torch._ops.OpOverload, args: Sequence[Any]) -> int | None:
    """The dim of the first result that data decides; -1: a number is read; None: neither."""
    if func is torch.ops.aten.index.Tensor:
        return _mask_dim(args[1])
    if func is torch.ops.aten.unique_dim.default:
        rank: int = args[0].dim()
        return int(args[1]) % max(rank, 1)
    if torch.Tag.dynamic_output_shape in func.tags:
        return 0
    if torch.Tag.data_dependent_output in func.tags:
        return -1
    return _UNTAGGED.get(str(func._schema.name))


class _Watch(TorchDispatchMode):
    """One run: calls are made as ever, and looked at."""

    supports_higher_order_operators = True

    def __init__(self, run: int, merged: _Merged) -> None:
        super().__init__()
        self._run, self._merged = run, merged
        self._by_id: dict[int, tuple[weakref.ref[torch.Tensor], set[_Source]]] = {}  # what tensors are computed from
        self._numbers: dict[int, set[_Site]] = {}  # points that returned them
        self.last: _Site | None = None

    def sources(self, tree: Any) -> set[_Source]:
        found: set[_Source] = set()
        for t in _tensors(tree):
            known = self._by_id.get(id(t))
            if known is not None and known[0]() is t:
                found |= known[1]
        return found

    def _remember(self, tensor: torch.Tensor, sites: set[_Source]) -> None:
        self._by_id[id(tensor)] = (weakref.ref(tensor), sites)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if not isinstance(func, torch._ops.OpOverload):
            return func(*args, **kwargs)
        site = self.last = _site(str(func))
        given = (args, kwargs)
        writes = func._schema.is_mutable
        before = _special(_tensors(given)) if writes else None
        out = plain_call(func, args, kwargs)
        integers = _integers(given)
        sources = self.sources(given) | {_Source(point, site) for i in integers for point in self._numbers.get(i, ())}
        for source in sources:
            self._merged.depends(source, site)
        dim = _data_dim(func, args)
        if dim is not None:
            self._point(site, func, args, out, dim)
            sources = sources | {_Source(site, None)}
        self._merged.takes(self._run, site, integers)
        if sources:
            for t in _tensors(out):
                self._remember(t, sources)
        if func._schema.name.partition("::")[2] not in _UNINITIALISED:
            self._values(site, given, before, out)
        return out

    def read_list(self, site: _Site, args: Any, out: Any) -> None:
        """The numbers of a list are points as that of `item` is."""
        for source in self.sources(args):
            self._merged.depends(source, site)
        for number in pytree.tree_leaves(out):
            self._number(site, number)

    def _number(self, site: _Site, number: Any) -> None:
        if isinstance(number, int) and number not in (0, 1):  # these two are everywhere
            self._numbers.setdefault(number, set()).add(site)
        self._merged.saw(self._run, site, None, number if isinstance(number, (bool, int, float, complex)) else "?")

    def _point(self, site: _Site, func: Any, args: Any, out: Any, dim: int) -> None:
        if dim < 0:
            return self._number(site, out)
        first = next(_tensors(out), None)
        if first is None or first.dim() <= dim:
            return None
        return self._merged.saw(self._run, site, dim, first.shape[dim])

    def _values(self, site: _Site, given: Any, before: tuple[bool, bool] | None, out: Any) -> None:
        for i, result in enumerate(_tensors(out)):
            nan, inf = _special([result])
            if not (nan or inf):
                continue
            had_nan, had_inf = before if before is not None else _special(_tensors(given))
            asked = any(isinstance(v, (float, complex)) and not _finite(v) for v in pytree.tree_leaves(given))
            if nan and not had_nan:
                self._made(site, "nan", torch.isnan(result), i, given, "NaN", asked, had_inf)
            elif inf and not had_inf and not had_nan and not nan:
                self._made(site, "inf", torch.isinf(result), i, given, "Inf", asked, False)

    def _made(self, site: _Site, kind: str, where: torch.Tensor, result: int, given: Any, what: str, asked: bool, from_inf: bool) -> None:
        if asked:
            self._merged.remark(f"{site.op}: makes {what} because an argument says so: {site.at}")
            return
        places = where.nonzero()
        first = [int(i) for i in places[0]]
        which = "its result" if result == 0 else f"its result {result}"
        inputs = "its inputs hold Inf and no NaN" if from_inf else "its inputs are finite"
        message = f"{len(places)} of {where.numel()} elements of {which} are {what}, the first at {first}; {inputs}"
        self._merged.found(self._run, kind, site.op, site.at, message, tuple(_told(t) for t in _tensors(given)))


class _Lists(TorchFunctionMode):
    """`tolist` reads data without a call of an operator."""

    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self._watch = watch

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        if func is torch.Tensor.tolist:
            self._watch.read_list(_site("Tensor.tolist"), args, out)
        return out


def _finite(value: complex | float) -> bool:
    return math.isfinite(value.real) and math.isfinite(value.imag)


def _special(tensors: Any) -> tuple[bool, bool]:
    """Is there NaN, is there Inf, in any of them?"""
    nan = inf = False
    for t in tensors:
        if t.layout != torch.strided or t.is_meta or not (t.is_floating_point() or t.is_complex()) or t.numel() == 0:
            continue
        if _finite(t.detach().sum().item()):  # one pass, and no finite sum hides one that is not
            continue
        nan = nan or bool(torch.isnan(t).any())
        inf = inf or bool(torch.isinf(t).any())
    return nan, inf


class _Merged:
    """What all runs saw, by call."""

    def __init__(self, runs: int) -> None:
        self._runs = runs
        self._points: dict[_Site, DataPoint] = {}
        self._dependents: dict[_Source, dict[_Site, None]] = {}
        self._outputs: dict[_Source, dict[str, None]] = {}
        self._integers: list[dict[_Site, set[int]]] = [{} for _ in range(runs)]
        self._findings: dict[tuple[str, str, str], tuple[str, tuple[str, ...], list[int]]] = {}  # message, operands and runs
        self._remarks: dict[str, None] = {}

    def saw(self, run: int, site: _Site, dim: int | None, value: Any) -> None:
        point = self._points.get(site)
        if point is None:
            point = self._points[site] = DataPoint(site.op, site.at, [[] for _ in range(self._runs)], dim)
        point.values[run].append(value)

    def depends(self, source: _Source, site: _Site) -> None:
        self._dependents.setdefault(source, {}).setdefault(site)

    def takes(self, run: int, site: _Site, integers: set[int]) -> None:
        self._integers[run].setdefault(site, set()).update(integers)

    def outputs(self, watch: _Watch, out: Any) -> None:
        for path, leaf in pytree.tree_leaves_with_path(out):
            for source in watch.sources(leaf):
                self._outputs.setdefault(source, {}).setdefault("output" + pytree.keystr(path))

    def found(self, run: int, kind: str, op: str, at: str, message: str, takes: tuple[str, ...]) -> None:
        _, _, runs = self._findings.setdefault((kind, op, at), (message, takes, []))
        if run + 1 not in runs:
            runs.append(run + 1)

    def remark(self, text: str) -> None:
        self._remarks.setdefault(text)

    def _holds(self, source: _Source) -> bool:
        """Did the taker take the point's number in every run?"""
        if source.taker is None:
            return True
        seen = self._points[source.point].values
        return all(set(seen[r]) & self._integers[r].get(source.taker, set()) for r in range(self._runs) if seen[r])

    def _behind(self, site: _Site, of: dict[_Source, dict[Any, None]]) -> dict[Any, None]:
        found: dict[Any, None] = {}
        for source, names in of.items():
            if source.point == site and self._holds(source):
                found.update(names)
        return found

    def _seen(self) -> Iterator[str]:
        """Ranges of what has a name, and what was equal to it in all runs that differ."""
        named: list[tuple[Name, list[list[Any]]]] = []
        for site, point in self._points.items():
            flat = [v for run in point.values for v in run]
            name = name_of(site.file, site.line, site.op, point.dim)
            if name is None:
                continue
            point.name = name.expression
            numbers = sorted({v for v in flat if isinstance(v, int) and not isinstance(v, bool)})
            if not flat or len(numbers) < 2:
                continue
            yield f"{name.expression} was {numbers[0]} to {numbers[-1]}"
            for earlier, values in named:
                if values == point.values and all(point.values) and (earlier.file, earlier.scope) == (name.file, name.scope):
                    yield f"{name.expression} was {earlier.expression} in all runs"
                    break
            named.append((name, point.values))

    def report(self, notes: Sequence[str]) -> PropagateReport:
        for site, point in self._points.items():
            point.dependents = [f"{d.op} ({os.path.basename(d.file)}:{d.line})" for d in self._behind(site, self._dependents) if d != site]
            point.outputs = sorted(self._behind(site, self._outputs))
            if any(isinstance(v, bool) for run in point.values for v in run):
                self.remark(f"{point.op}: reads a bool: torch.export takes no branch on it, torch.cond does: {point.at}")
            loop = loop_of(site.file, site.line) if point.dim is None else ""
            if loop:
                self.remark(f"{point.op}: decides how often `{loop}` goes round: torch.export takes no loop over data, while_loop does: {point.at}")
        findings = [PropagateFinding.of(*of, message, takes, tuple(runs)) for of, (message, takes, runs) in self._findings.items()]
        return PropagateReport(tuple(notes), tuple(self._points.values()), tuple(dict.fromkeys(self._seen())), tuple(findings),
                               tuple(self._remarks))


def propagate(model: Any, inputs: Any, *more_inputs: Any) -> PropagateReport:
    """Runs a model for real on each set of inputs, and reports where its shapes and numbers depend on data.

    Each point comes with operator, line, the values seen and what is computed from it; with it where NaN and Inf begin, and the ranges
    seen. `inputs`: a tuple of arguments, or the only argument. A run that raises ends there, and is a finding. Of numbers that Python
    computes with nothing is seen but calls that take the number itself.
    """
    sets = [inputs, *more_inputs]
    merged = _Merged(len(sets))
    notes = []
    for run, given in enumerate(sets):
        arguments = given if isinstance(given, tuple) else (given,)
        note = ", ".join(_told(t) for t in _tensors(arguments)) or "no tensors"
        watch = _Watch(run, merged)
        with watch, _Lists(watch):
            try:
                out = model(*arguments)
            except Exception as e:
                site = watch.last
                merged.found(run, "stopped", site.op if site else "", site.at if site else "", f"the run ended here: {e}", ())
                note += "; ended by an error"
                out = ()
        merged.outputs(watch, out)
        notes.append(note)
    return merged.report(notes)
