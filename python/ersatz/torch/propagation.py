"""`propagate`: data-dependent shapes and numbers of a live model, their observed values, and the origins of NaN and
Inf."""

from __future__ import annotations

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
from .named_values import loop_of, name_of

__all__ = ["DataPoint", "PropagateFinding", "PropagateReport", "propagate"]

_UNINITIALISED = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted", "resize_"}
# Operators that PyTorch does not tag as data-dependent -> the dim of the result whose size depends on data.
_UNTAGGED: dict[str, int] = {"torchvision::nms": 0, "aten::_pack_padded_sequence": 0}


@dataclass(frozen=True)
class _Site:
    """A call in the program's source."""

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
    """The origin of a tensor: a data-dependent point, through a call `taker` that takes its number. Only all runs
    together decide whether the call takes this number or an equal one by chance."""

    point: _Site
    taker: _Site | None


@dataclass(frozen=True)
class DataPoint:
    """A call that reads data, or whose results have a data-dependent size."""

    op: str
    at: str
    """The user's line: `train.py:12 in forward: kept = boxes[keep]`."""
    values: list[list[Any]]
    """Observed values by run: numbers, or the data-dependent size, once per call."""
    dim: int | None
    """The data-dependent dim of the first result; None: the call returns a number."""
    dependents: list[str]
    """Calls that are computed from it, each once: operator and line."""
    outputs: list[str]
    """The model's outputs that are computed from it."""
    name: str
    """The model's name for the number or size, `n` or `kept.shape[0]`. Empty if its statement gives it no name."""
    _seen: str

    def seen(self) -> str:
        """Returns a text like `15, 20: 15 to 20`."""
        return self._seen


class PropagateFinding(Finding):
    """The origin of a NaN or Inf (`field` is `nan` or `inf`), or the end of a run (`stopped`). `observed` is a
    description, and `args` are the call's tensors. These findings have no prediction."""

    _runs: tuple[int, ...] = ()
    _more: tuple[str, ...] = ()
    _text = ""

    @property
    def runs(self) -> tuple[int, ...]:
        """The runs with the finding, counted from 1."""
        return self._runs

    @property
    def more(self) -> tuple[str, ...]:
        """Returns lines that explain the finding: the error that ended a run."""
        return self._more

    @classmethod
    def _of(cls, found: _ersatz.PropagateFound, runs: int) -> PropagateFinding:
        finding = cls(op=found.op, node="", result=-1, field=found.field, predicted="", observed=found.message, witness="eager",
                      verdict="significant", words="", cause="", source=found.at, args=found.takes, repro="", times=len(found.runs))
        finding._runs, finding._more, finding._text = tuple(found.runs), tuple(found.more), found.text(runs).removesuffix("\n")
        return finding

    def __str__(self) -> str:
        return self._text


@dataclass(frozen=True)
class PropagateReport(AnyReport):
    """The report on several runs of a model. `str(report)` is the report as text; its last line is a summary."""

    notes: tuple[str, ...]
    """The inputs of each run."""
    points: tuple[DataPoint, ...]
    seen: tuple[str, ...]
    """Ranges and equalities over all runs, with the model's names: `n was 2 to 6`. `export` finds the lines that an
    export needs."""
    findings: tuple[PropagateFinding, ...]
    remarks: tuple[str, ...]
    _text: str = field(repr=False)
    _json: str = field(repr=False)
    _page: str = field(repr=False)

    def to_json(self) -> str:
        """Returns JSON with the keys of `ersatz propagate --json`. A point is a call, not a node, so it has no `node`
        and no `symbol`. Its `expression` is the model's name for the value, and `dim` is the data-dependent dim of its
        result. `values` has an entry for each run, a list if the run made the call several times."""
        return self._json

    def to_html(self) -> str:
        """Returns the report as one page without scripts and network access."""
        return self._page

    @property
    def closing_line(self) -> str:
        """Returns a line like `propagate: 2 runs, 5 data-dependent points, 0 findings`."""
        return self._text.rpartition("\n")[2]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<PropagateReport: {self.closing_line}>"


def _told(t: torch.Tensor) -> str:
    """Returns a text like `f32[2,3]@cpu`."""
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
    """Returns the dim of `x[indices]` that a mask decides, None if there is no mask."""
    given = [i for i, index in enumerate(indices) if index is not None]
    if not any(indices[i].dtype in (torch.bool, torch.uint8) for i in given):
        return None
    return given[0] if given == list(range(given[0], given[-1] + 1)) else 0


def _data_dim(func: torch._ops.OpOverload, args: Sequence[Any]) -> int | None:
    """Returns the data-dependent dim of the first result; -1: the call reads a number; None: neither."""
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
    """Observes the calls of one run, which are made as usual."""

    supports_higher_order_operators = True

    def __init__(self, run: int, merged: _Merged) -> None:
        super().__init__()
        self._run, self._merged = run, merged
        self.calls = self.results = 0
        # Id of a tensor -> (weak reference, its origins).
        self._by_id: dict[int, tuple[weakref.ref[torch.Tensor], set[_Source]]] = {}
        self._numbers: dict[int, set[_Site]] = {}  # number -> the calls that returned it
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
        self.calls += 1
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
        self._merged.takes(site, integers)
        if sources:
            for t in _tensors(out):
                self._remember(t, sources)
        if func._schema.name.partition("::")[2] not in _UNINITIALISED:
            self._values(site, given, before, out)
        return out

    def read_list(self, site: _Site, args: Any, out: Any) -> None:
        """Adds the numbers of a list as points, like the number of `item`."""
        for source in self.sources(args):
            self._merged.depends(source, site)
        for number in pytree.tree_leaves(out):
            self._number(site, number)

    def _number(self, site: _Site, number: Any) -> None:
        if isinstance(number, int) and number not in (0, 1):  # 0 and 1 occur too often to show a dependency
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
        results = list(_tensors(out))
        self.results += len(results)
        for i, result in enumerate(results):
            nan, inf = _special([result])
            if not (nan or inf):
                continue
            had_nan, had_inf = before if before is not None else _special(_tensors(given))
            if nan and not had_nan:
                self._made(site, torch.isnan(result), i, len(results), given, nan=True, from_inf=had_inf)
            elif inf and not had_inf and not had_nan and not nan:
                self._made(site, torch.isinf(result), i, len(results), given, nan=False, from_inf=False)

    def _made(self, site: _Site, where: torch.Tensor, result: int, results: int, given: Any, *, nan: bool, from_inf: bool) -> None:
        asked = any(isinstance(v, (float, complex)) and not _finite(v) for v in pytree.tree_leaves(given))
        places = where.nonzero()
        self._merged.runs.made(
            self._merged.number(site), nan=nan, count=len(places), elements=where.numel(), first=str([int(i) for i in places[0]]),
            what="its result" if results == 1 else f"its result {result}", from_inf=from_inf, asked=asked,
            takes=[_told(t) for t in _tensors(given)])


class _Lists(TorchFunctionMode):
    """Observes `tolist`, which reads data without an operator call."""

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
    """Returns whether a tensor has a NaN, and whether one has an Inf."""
    nan = inf = False
    for t in tensors:
        if t.layout != torch.strided or t.is_meta or not (t.is_floating_point() or t.is_complex()) or t.numel() == 0:
            continue
        if _finite(t.detach().sum().item()):  # fast test: a sum is finite only if all elements are
            continue
        nan = nan or bool(torch.isnan(t).any())
        inf = inf or bool(torch.isinf(t).any())
    return nan, inf


class _Merged:
    """The observations of all runs, by call. The events go to the same summary as in `ersatz propagate`."""

    def __init__(self, runs: int) -> None:
        self.runs = _ersatz.PropagateRuns()
        self._of_runs = runs
        self._numbers: dict[_Site, int] = {}
        self._values: dict[_Site, list[list[Any]]] = {}  # call -> for each run, the values that it returned
        self._numbers_read: set[_Site] = set()  # calls whose result is a number

    def number(self, site: _Site) -> int:
        known = self._numbers.get(site)
        if known is None:
            place = f"{os.path.basename(site.file)}:{site.line}" if site.file else ""
            known = self._numbers[site] = self.runs.add_site(site.op, site.at, place)
        return known

    def saw(self, run: int, site: _Site, dim: int | None, value: Any) -> None:
        number = self.number(site)
        if site not in self._values:
            self._values[site] = [[] for _ in range(self._of_runs)]
            name = name_of(site.file, site.line, site.op, dim)
            if dim is None:
                self._numbers_read.add(site)
            self.runs.add_point(number, dim, name.expression if name else "", f"{name.file}:{name.scope}" if name else "")
        self._values[site][run].append(value)
        self.runs.saw(number, str(value), value if isinstance(value, int) and not isinstance(value, bool) else None)

    def _source(self, source: _Source) -> tuple[int, int | None]:
        return self.number(source.point), None if source.taker is None else self.number(source.taker)

    def depends(self, source: _Source, site: _Site) -> None:
        self.runs.depends(*self._source(source), self.number(site))

    def takes(self, site: _Site, integers: set[int]) -> None:
        if integers:
            self.runs.takes(self.number(site), list(integers))

    def outputs(self, watch: _Watch, out: Any) -> None:
        for path, leaf in pytree.tree_leaves_with_path(out):
            for source in watch.sources(leaf):
                self.runs.output(*self._source(source), "output" + pytree.keystr(path))

    def report(self, notes: Sequence[str], name: str) -> PropagateReport:
        for site, runs in self._values.items():
            if any(isinstance(v, bool) for run in runs for v in run):
                self.runs.remark(f"{site.op}: reads a bool: torch.export takes no branch on it, torch.cond does: {site.at}")
            loop = loop_of(site.file, site.line) if site in self._numbers_read else ""
            if loop:
                self.runs.remark(f"{site.op}: decides how often `{loop}` goes round: torch.export takes no loop over data, while_loop does: {site.at}")
        answer = self.runs.answer(name)
        points = tuple(DataPoint(p.op, p.at, values, p.dim, p.dependents, p.outputs, p.name, p.seen())
                       for p, values in zip(answer.points, self._values.values(), strict=True))
        findings = tuple(PropagateFinding._of(f, len(notes)) for f in answer.findings)
        return PropagateReport(tuple(notes), points, tuple(answer.seen), findings, tuple(answer.remarks), answer.text.removesuffix("\n"),
                               answer.json, answer.page)


def propagate(model: Any, inputs: Any, *more_inputs: Any) -> PropagateReport:
    """Runs a model on each set of inputs, and reports where its shapes and numbers depend on data.

    Each point has its operator, line, observed values, and the calls that are computed from it. The report also has
    the origins of NaN and Inf, and the observed ranges. `inputs`: a tuple of arguments, or the only argument. A run
    that raises ends there, and is a finding. A number that Python computes with is only seen in calls that take the
    number itself.
    """
    sets = [inputs, *more_inputs]
    merged = _Merged(len(sets))
    notes = []
    for run, given in enumerate(sets):
        arguments = given if isinstance(given, tuple) else (given,)
        note = ", ".join(_told(t) for t in _tensors(arguments)) or "no tensors"
        merged.runs.begin(note)
        watch = _Watch(run, merged)
        with watch, _Lists(watch):
            try:
                out = model(*arguments)
            except Exception as e:
                merged.runs.stopped(None if watch.last is None else merged.number(watch.last), str(e))
                note += "; ended by an error"
                out = ()
        merged.outputs(watch, out)
        merged.runs.end(watch.calls, watch.results)
        notes.append(note)
    return merged.report(notes, getattr(model, "__name__", type(model).__name__))
