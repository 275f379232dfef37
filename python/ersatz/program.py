"""Programs: exported ones (`.pt2` archives, their `model.json`) and those of text form.

    >>> import pathlib, tempfile
    >>> import ersatz
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "double.txt"
    >>> _ = path.write_text('''ersatz program 2
    ... graph(%x: f32[2,3]{3,1}+0@cpu = input "x"):
    ...     %y: f32[2,3]{3,1}+0@cpu = aten.add.Tensor(%x, %x)
    ...     return %y
    ... ''')
    >>> program = ersatz.load(path)
    >>> [node.op for node in program.nodes]
    ['aten.add.Tensor']
    >>> program.fake(device="cuda").results[0].meta
    'f32[2,3]{3,1}+0@cuda:0'
    >>> program.crosscheck().closing_line
    'crosscheck: 1 compared, 0 mismatched, 0 skipped'
"""

from __future__ import annotations

import json as decoder
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from . import _ersatz, errors
from .report import Report

__all__ = ["FakeReport", "FakeResult", "Program", "Value", "crosscheck", "load"]

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Value:
    """An input, a node's result or an output of a program, as recorded in the program."""

    graph: str
    name: str
    op: str
    """The node's operator, in the row of its first result; else `input x`, `parameter up.weight`, `output` and so
    on."""
    meta: str
    """The recorded metadata in short form, `f32[2,3]@cpu`, or a number or text."""
    bytes: int | str | None
    """An expression if the size depends on the program's symbols; None for a value that is no tensor."""
    source: str
    """The user's source line; empty if it is unknown."""


@dataclass(frozen=True)
class FakeResult:
    """One result of a node, without data."""

    name: str
    op: str
    meta: str
    """Metadata in canonical form, with symbols for symbolic sizes."""
    alias: str
    """The first value on the same storage, if it shares one."""
    source: str
    """The user's source line."""
    at_hints: str = ""
    """`meta` at the example sizes, if all its symbols have one."""


@dataclass(frozen=True, eq=False, repr=False)
class FakeReport:
    """The metadata of all nodes' results. `str(report)` is the output of `ersatz fake`; its last line is a summary."""

    results: tuple[FakeResult, ...]
    nodes: int
    peak_bytes: int
    """Peak bytes of the storages that exist at one time; views share theirs."""
    param_bytes: int
    """Bytes of parameters, buffers and constants; shared ones count once."""
    flops: float
    flops_unknown: Mapping[str, int]
    """Number of calls of each operator without a formula for its operations."""
    missing: Mapping[str, int]
    refused: Mapping[str, int]
    """Number of calls of each operator that returned recorded metadata (`keep_going`)."""
    status: str
    """`clean`, or `findings` if `dynamic` sizes had to be fixed or are not covered."""
    text: str
    json: str
    """The output of `ersatz fake --json`."""
    _by_name: Mapping[str, FakeResult] = field(repr=False)

    @classmethod
    def of(cls, json: str, text: str) -> FakeReport:
        row = decoder.loads(json)
        results = tuple(FakeResult(**r) for r in row["results"])
        return cls(results=results, nodes=row["nodes"], peak_bytes=row["peak_bytes"], param_bytes=row["param_bytes"], flops=row["flops"],
                   flops_unknown=row["flops_unknown"], missing=row["missing"], refused=row["refused"], status=row["status"], text=text,
                   json=json, _by_name={r.name: r for r in results})

    def __getitem__(self, name: str) -> FakeResult:
        """Returns the result of that name."""
        return self._by_name[name]

    @property
    def closing_line(self) -> str:
        return self.text.rstrip("\n").rpartition("\n")[2]

    def to_json(self) -> str:
        return self.json

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<FakeReport: {self.closing_line}>"


class Program:
    """A program from a file. Each run reads the file again and starts from its contents."""

    def __init__(self, path: Path) -> None:
        """Reads the file. Raises `Error` with one line if that fails."""
        self.path = _name(path)
        self._loaded = _ersatz.load(self.path)
        self._values: tuple[Value, ...] | None = None

    @property
    def values(self) -> tuple[Value, ...]:
        """Inputs, results of nodes and outputs of every graph, in order."""
        if self._values is None:
            self._values = tuple(Value(**row) for row in decoder.loads(self._loaded.rows()))
        return self._values

    @property
    def nodes(self) -> tuple[Value, ...]:
        """The first result of each node."""
        return tuple(v for v in self.values if "." in v.op and " " not in v.op)

    @property
    def inputs(self) -> tuple[Value, ...]:
        """The inputs that a caller passes."""
        return tuple(v for v in self.values if v.op.partition(" ")[0] == "input")

    def show(self, *, table: bool = False, python: bool = False, inline_values: bool = False) -> str:
        """Returns the output of `ersatz show`: the text form, which `load` can read, or a table, or Python for
        PyTorch."""
        return self._loaded.show(table=table, python=python, inline_values=inline_values)

    def fake(self, device: str | None = None, *, backend: str | None = None, fallback: str = "rule", keep_going: bool = False,
             static: bool = False, cases: int = 8, dynamic: Iterable[str] = (), rules: Iterable[Path] = (),
             plugins: Iterable[Path] = ()) -> FakeReport:
        """Returns the metadata of each node's results, without data and without a GPU. The options are those of `ersatz
        fake`.

        device: the device of all tensors, `cuda`; by default the recorded ones. backend: the GPU and its libraries,
        `sm_90,cudnn=91900`. fallback: `rule`, `zeros` or `refuse`. keep_going: missing and refused calls return
        recorded metadata. static: symbolic sizes are replaced by their examples. dynamic: sizes that become symbols,
        `x:0=batch:1..64`, covered in at most `cases` runs. Raises for a call that cannot be answered."""
        answer = _ersatz.run_fake(self.path, device=device or "", backend=backend or "", fallback=fallback, keep_going=keep_going,
                                  fixed=static, cases=cases, dynamic=list(dynamic), rules=_names(rules), plugins=_names(plugins))
        report = FakeReport.of(answer.json, answer.text)
        if report.missing and not keep_going:
            raise _missing(report.missing)
        return report

    def crosscheck(self, device: str | None = None, **options: Any) -> Report:
        """Runs the program on fakes and real tensors and compares them: `crosscheck(program.path, device, ...)`,
        with its options."""
        return crosscheck(self.path, device, **options)

    def __repr__(self) -> str:
        return f"<Program {self.path}: {len(self.nodes)} nodes>"


def load(path: Path) -> Program:
    """Returns the program in a file: a `.pt2` archive, its `model.json`, or text form."""
    return Program(path)


def crosscheck(path: Path, device: str | None = None, *, no_real: bool = False, seed: int = 0, inputs: Path | None = None,
               expect: Path | None = None, facts: Path | None = None, backend: str | None = None, reference: str | None = None,
               keep_going: bool = False, no_bytes: bool = False, descend: bool = False, waivers: Path | None = None,
               known_wrong: Path | None = None, today: str | None = None, sizes: int = 0, dynamic: Iterable[str] = (),
               symbolic: bool = False, only: Iterable[str] = (), ids: Iterable[str] = (), limit: int | None = None, jobs: int = 0,
               repros: Path | None = None, plugins: Iterable[Path] = ()) -> Report:
    """Compares fake with real results of a program, a file of recorded calls, or a folder of both. The options are
    those of `ersatz crosscheck`.

    device: the device of the run, `cuda`. no_real: run no kernel and compare rules only with facts and records.
    seed: of synthetic inputs and weights. inputs: `zeros`, `ones`, `random` or a file. expect, facts: a file or
    `none`; by default the files in the program's folder. waivers: a file of known findings. sizes: number of choices
    of the program's symbols. only, ids, limit: select recorded calls. Missing operators raise unless `keep_going`."""
    answer = _ersatz.crosscheck(
        _name(path), device=device or "", backend=backend or "", reference=reference or "", inputs=_name(inputs or ""),
        expect=_name(expect or ""), facts=_name(facts or ""), seed=seed, no_real=no_real, keep_going=keep_going, no_bytes=no_bytes,
        descend=descend, waivers=_name(waivers or ""), known_wrong=_name(known_wrong or ""), today=today or "", sizes=sizes,
        dynamic=list(dynamic), symbolic=symbolic, only=list(only), ids=list(ids), limit=-1 if limit is None else limit, jobs=jobs,
        repros=_name(repros or ""), plugins=_names(plugins))
    if answer.status == "unusable":
        raise _missing(decoder.loads(answer.json)["missing"])
    return Report(answer.report())


def _name(path: Path) -> str:
    """Returns the path as the commands take it; for them `-` is stdin."""
    name = os.fspath(path)
    return "./-" if name == "-" else name


def _names(paths: Iterable[Path]) -> list[str]:
    return [_name(p) for p in paths]


def _missing(operators: Mapping[str, int]) -> errors.NotImplementedError:
    listed = ", ".join(f"{op} ({n} node{'s' if n > 1 else ''})" for op, n in operators.items())
    error = errors.NotImplementedError(
        f"operators are missing: {listed}; keep_going=True takes what was recorded of them, plugins=[...] loads a library that has them")
    error.kind = "UnsupportedOperator"
    error.suggestion = "keep_going=True, or plugins=[...]"
    return error
