"""`ersatz.torch.export`: exports a model, and if that is refused, searches for changes that make it pass."""

from __future__ import annotations

import ast
import io
import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from itertools import count
from types import FunctionType
from typing import Any

import torch
from torch.utils import _pytree as pytree

from .cases import Case, Cases, quiet
from .changes import Change, in_place_of
from .drafting import decisions
from .drawn import drawn
from .failure import Failure
from .guards import dims_of, guard_function, shared_sizes
from .observing import at_most
from .proposals import proposed
from .refusal import Refusal, failing_text
from .report import ExportFinding, ExportReport, Try
from .source_copy import SourceCopy
from .statements import parsed

__all__ = ["export"]

_DEPTH = 8  # most changes that may depend on each other
_DRAWN = 160
_OF_NAN = ("isnan", "nan_to_num", "isfinite", "isinf")
_TORCH = os.path.dirname(torch.__file__) + os.sep


@dataclass
class _Search:
    model: Any
    sets: list[tuple[Any, ...]]
    cases: Cases
    options: dict[str, Any]
    tries_left: int
    end: float
    tries: list[Try] = field(default_factory=list)
    guards: list[str] = field(default_factory=list)
    reason: str = ""
    depth_of_reason: int = -1

    def attempt(self, copy: SourceCopy, change: Change | None) -> tuple[Any, Failure | None]:
        """Exports once. Returns a program or the failure. A strict export that fails is repeated without `strict` if
        the failure has a place in the source."""
        begin = time.monotonic()
        self.tries_left -= 1
        program, failure = self._once(copy, self.options)
        if failure is not None and self.options["strict"]:
            _, placed = self._once(copy, {**self.options, "strict": False})
            failure = placed or failure
        came = "passes"
        if failure is not None:
            where = f" at {os.path.basename(failure.file)}:{copy.line_before(failure.file, failure.line)}" if failure.file else ""
            came = f"refused: {'could not decide ' + str(failure.guard) if failure.guard is not None else failure.error}{where}"
        self._tell(change, came, begin)
        return program, failure

    def _once(self, copy: SourceCopy, options: dict[str, Any]) -> tuple[Any, Failure | None]:
        torch._dynamo.reset()
        with copy.in_place():
            try:
                with _silent(), at_most(max(5.0, self.end - time.monotonic())):
                    return torch.export.export(self.model, self.sets[0], **options), None
            except Exception as e:
                return None, Failure.of(e)

    def _tell(self, change: Change | None, came: str, begin: float) -> None:
        at = f"{os.path.basename(change.file)}:{change.line}" if change else ""
        self.tries.append(Try(len(self.tries) + 1, str(change) if change else "", at, came, time.monotonic() - begin))

    def wrong(self, change: Change) -> str:
        """Returns how the changed model differs from the model in eager mode, empty if all results are equal."""
        begin = time.monotonic()
        try:
            with change.copy.in_place(), at_most(20 + 5 * self.cases.seconds):
                wrong = self.cases.beside(self.model, at_first=True)
            how = f"eager with it, inputs {wrong[0][0].origin}: {wrong[0][1]}" if wrong else ""
        except (SyntaxError, ValueError, TimeoutError) as e:
            how = f"{type(e).__name__}: {e}"
        if how:
            self._tell(change, how, begin)
        return how

    def program_wrong(self, program: Any) -> str:
        """Returns how the program differs from eager mode on inputs of the first set's sizes."""
        wrong = self.cases.beside(program.module(), _same_sizes(self.cases, self.sets[0], self.options), at_first=True)
        return f"inputs {wrong[0][0].origin}: {wrong[0][1]}" if wrong else ""

    def solve(self, copy: SourceCopy, failure: Failure, made: tuple[Change, ...]) -> tuple[Any, tuple[Change, ...]] | None:
        """Returns the program and all changes that it needs."""
        refusal = Refusal(failure, copy, self.cases)
        tried: set[str] = set()
        for change in proposed(refusal):
            if self.tries_left <= 0 or time.monotonic() > self.end or len(made) >= _DEPTH:
                self._give_reason(refusal, len(made), self._bound(failure, refusal))
                return None
            text = change.copy.text(change.file)
            if text in tried or text == copy.text(change.file) or self.wrong(change):
                continue
            tried.add(text)
            program, next_failure = self.attempt(change.copy, change)
            now = (*made, change)
            if program is not None:
                how = self.program_wrong(program)
                if not how:
                    self._guard(failure, refusal)
                    return program, now
                self.tries[-1] = Try(**{**vars(self.tries[-1]), "came_of_it": f"exports, and the program is wrong: {how}"})
                continue
            if next_failure is None or (
                self._same(failure, copy, next_failure, change) and not (change.kind == "name" and len(next_failure.unnamed) < len(failure.unnamed))
            ):
                continue
            mark = len(self.guards)
            self._guard(failure, refusal)
            found = self.solve(change.copy, next_failure, now)
            if found is not None:
                return found
            del self.guards[mark + 1 :]
        self._guard(failure, refusal)
        self._give_reason(refusal, len(made), "")
        return None

    def _same(self, failure: Failure, copy: SourceCopy, later: Failure, change: Change) -> bool:
        """Returns whether `later` is the failure that the change should fix."""
        return (
            str(later.guard) == str(failure.guard)
            and later.error.partition("(unhinted")[0] == failure.error.partition("(unhinted")[0]
            and (
                change.copy.line_before(later.file, later.line) == copy.line_before(failure.file, failure.line)
                and not (failure.wants_number and failing_text(later, change.copy) != failing_text(failure, copy))
            )
        )

    def _guard(self, failure: Failure, refusal: Refusal) -> None:
        asked = f"`{failure.guard}`" if failure.guard is not None else failure.error
        text = f"{asked} at {refusal.at}" + (f": {refusal.saw}" if refusal.saw else "")
        if text not in self.guards:
            self.guards.append(text)

    def draft(self) -> list[str]:
        """Returns the decisions of draft_export, and the comparison of its program with eager mode."""
        try:
            with _silent(), at_most(max(5.0, self.end - time.monotonic())):
                program = torch.export.draft_export(self.model, self.sets[0], **self.options)
        except Exception as e:
            return [f"no program: {type(e).__name__}: {str(e).partition(chr(10))[0][:200]}"]
        beside, _, _ = _beside(program, self.cases, self.sets, self.options)
        return [*decisions(getattr(program, "_report")), f"its program is {beside}"]

    def _bound(self, failure: Failure, refusal: Refusal) -> str:
        asked = f"decide `{failure.guard}`" if failure.guard is not None else f"go on ({failure.error})"
        met = f", which was {refusal.saw}" if refusal.saw and failure.guard is not None else ""
        return (
            f"the bound of tries or of time is reached after {len(self.tries)} {'try' if len(self.tries) == 1 else 'tries'}: export cannot {asked} at {refusal.at}{met}. "
            "Ask again with more `tries=` and `seconds=`; torch.export.draft_export, where it succeeds, makes a program for inputs like these."
        )

    def _give_reason(self, refusal: Refusal, depth: int, instead: str) -> None:
        if depth > self.depth_of_reason:
            self.reason, self.depth_of_reason = refusal.reason or instead, depth


@contextmanager
def _silent() -> Iterator[None]:
    """Silences warnings and logs of export. The report has their content."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with quiet(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.disable(before)


def _asks_for_nan(model: Any, sets: Sequence[tuple[Any, ...]]) -> bool:
    """Returns whether the model handles NaN and Inf: the inputs contain them, or its source tests for them."""
    for leaf in pytree.tree_leaves(sets):
        if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and not torch.isfinite(leaf).all():
            return True
    functions = [f for part in _parts(model) for f in vars(type(part)).values() if isinstance(f, FunctionType)] + [
        part for part in _parts(model) if isinstance(part, FunctionType)
    ]
    called = [scope for f in functions for name in f.__code__.co_names if isinstance(scope := f.__globals__.get(name), FunctionType)]
    return any(word in f.__code__.co_names for f in functions + called if not f.__code__.co_filename.startswith(_TORCH) for word in _OF_NAN)


def _parts(model: Any) -> list[Any]:
    return list(model.modules()) if isinstance(model, torch.nn.Module) else [model]


def _files(model: Any) -> list[str]:
    """Returns the files with the user's parts of the model."""
    functions = [getattr(part, "forward", part) for part in _parts(model)]
    return sorted({f.__code__.co_filename for f in functions if hasattr(f, "__code__") and not f.__code__.co_filename.startswith(_TORCH)})


def _weaker(search: _Search, copy: SourceCopy, changes: tuple[Change, ...]) -> tuple[Any, tuple[Change, ...]] | None:
    """Returns a program of the model without a check that refuses acceptable inputs, and the changes that its export
    needs instead."""
    for file, statement in [found for file in _files(search.model) for found in _checks_of(SourceCopy(), file)]:
        own = ast.unparse(statement.value)
        here = next((s for f, s in _checks_of(copy, file) if ast.unparse(s.value) == own), None)
        if here is None or search.tries_left <= 0 or time.monotonic() > search.end:
            continue
        without, _ = in_place_of(copy, file, here, "")
        cases = Cases(search.model)
        with without.in_place():
            for origin, inputs, _ in search.cases.refused:
                cases.add(origin, inputs)
            taken = len(cases.cases)
            for case in search.cases:
                cases.add(case.origin, case.inputs)
        if not taken:
            continue
        place = f"{os.path.basename(file)}:{statement.lineno}"
        why = f"`{own}` at {place} refuses {taken} sets of inputs that the model takes without it; the export needs what is there instead"
        change = Change("rewrite", f"(no {own})", why, "", file, statement.lineno, without)
        inner = _Search(search.model, search.sets, cases, search.options, search.tries_left, search.end, search.tries, search.guards)
        program, failure = inner.attempt(without, change)
        if failure is not None:
            found = inner.solve(without, failure, (*changes, change))
            if found is None or any(c.assumption for c in found[1][len(changes) :]):
                continue
            program, made = found
        else:
            made = (*changes, change)
        if inner.program_wrong(program):
            continue
        search.cases.cases, search.cases.refused = cases.cases, cases.refused
        return program, made
    return None


def _checks_of(copy: SourceCopy, file: str) -> Iterator[tuple[str, ast.Expr]]:
    tree = parsed(copy.text(file))
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) in ("torch._check", "_check"):
            yield file, node


def _sizes(inputs: tuple[Any, ...]) -> list[Any]:
    return [tuple(leaf.shape) if isinstance(leaf, torch.Tensor) else leaf for leaf in pytree.tree_leaves(inputs)]


def _same_sizes(cases: Cases, first: tuple[Any, ...], options: dict[str, Any]) -> list[Case]:
    """Returns the cases that a program accepts: all if sizes are dynamic, else those of the first set's sizes."""
    if options.get("dynamic_shapes") is not None:
        return list(cases)
    sizes = _sizes(first)
    return [c for c in cases if _sizes(c.inputs) == sizes]


def _beside(program: Any, cases: Cases, sets: list[tuple[Any, ...]], options: dict[str, Any]) -> tuple[str, list[ExportFinding], list[str]]:
    """Returns the program's comparison with eager mode, the findings, and what was not compared."""
    compared = _same_sizes(cases, sets[0], options)
    wrong = cases.beside(program.module(), compared)
    told = []
    for name in ("given", "further", "drawn"):
        all_, bad = [c for c in compared if c.origin.startswith(name)], [c for c, _ in wrong if c.origin.startswith(name)]
        if all_:
            told.append(f"{len(all_) - len(bad)} of {len(all_)} {name}")
    findings: dict[tuple[str, str, str], tuple[str, int]] = {}
    for case, how in wrong:
        kind = "raises" if how.startswith("raises") else "differs"
        key = (kind, case.origin.partition(" ")[0], how)
        first, times = findings.get(key, (case.origin, 0))
        findings[key] = (first, times + 1)
    left = len(list(cases)) - len(compared)
    remarks = (
        [f"{left} sets of inputs have other sizes than the first, and dynamic_shapes= says of no size that it may vary: they were not compared"]
        if left
        else []
    )
    return (
        f"equal to eager on {', '.join(told)} sets of inputs",
        [ExportFinding.of(kind, how, first, times) for (kind, _, how), (first, times) in findings.items()],
        remarks,
    )


def export(
    model: Any,
    inputs: Any,
    *more_inputs: Any,
    dynamic_shapes: Any = None,
    strict: bool = False,
    more: Iterable[Any] | Callable[[int], Any] = (),
    tries: int = 40,
    seconds: float = 120.0,
    draft: bool = False,
) -> ExportReport:
    """Exports a model with `torch.export.export`. If that is refused, finds changes that make it pass.

    `inputs` and further sets (each a tuple of arguments, or the only argument) are run in eager mode. So are
    `more` sets, which the export does not use: a list, or a function that returns one set for a number. Random sets
    around the given ones are added. If the export is refused, the report names the guard, its line, and its value in
    each run. Lines of `torch._check` and rewrites are tried in a copy of the source in memory. Each is compared with
    eager mode on all sets, and the first that passes is kept. No file is written. Stops after `tries` exports or
    `seconds`. With `draft`, a refused model is also exported by torch.export.draft_export: the report has its
    decisions by the values of the first inputs, and the comparison of its program.
    """
    begin = time.monotonic()
    sets = [given if isinstance(given, tuple) else (given,) for given in (inputs, *more_inputs)]
    cases = Cases(model)
    for number, given in enumerate(sets, 1):
        if not cases.add(f"given {number}", given):
            raise ValueError(f"the model does not take set {number} of the inputs: {cases.refused[-1][2]}")
    if callable(more):
        make = more
        further: Iterable[Any] = (make(seed) for seed in count())
        cases.draw((f if isinstance(f, tuple) else (f,) for f in further), "further", 100, seconds / 6)
    else:
        for number, one in enumerate(more, 1):
            cases.add(f"further {number}", one if isinstance(one, tuple) else (one,))
    cases.draw(drawn(sets, _asks_for_nan(model, sets)), "drawn", _DRAWN, seconds / 6)
    options = {"dynamic_shapes": dynamic_shapes, "strict": strict}
    search = _Search(model, sets, cases, options, tries, begin + seconds)
    copy = SourceCopy()
    changes: tuple[Change, ...] = ()
    program, failure = search.attempt(copy, None)
    drafted = search.draft() if draft and failure is not None else []
    if failure is not None:
        found = search.solve(copy, failure, ())
        if found is not None:
            program, changes = found
            copy = changes[-1].copy
    if program is not None:
        weaker = _weaker(search, copy, changes)
        if weaker is not None:
            program, changes = weaker
            copy = changes[-1].copy
    beside, findings, remarks = _beside(program, cases, sets, options) if program is not None else ("", [], [])
    assumptions = [c.assumption for c in changes if c.assumption]
    if program is not None:
        assumptions += shared_sizes(program)
    return ExportReport(
        program=program,
        changes=tuple(changes),
        reason="" if program is not None else search.reason,
        tries=tuple(search.tries),
        guards=tuple(search.guards),
        assumptions=tuple(dict.fromkeys(assumptions)),
        findings=tuple(findings),
        remarks=tuple(remarks),
        beside=beside,
        seconds=time.monotonic() - begin,
        copy=copy,
        guard_function=guard_function(program) if program is not None else "",
        dims=tuple(dims_of(program)) if program is not None else (),
        draft=tuple(drafted),
        input=getattr(model, "__qualname__", type(model).__qualname__),
    )
