"""Proposes changes for one refusal of export: lines and rewrites, the safest first, or the reason why there are
none."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy
import torch

from .cases import Cases
from .changes import Change, before, in_expression, in_place_of, named_first
from .failure import Failure, spelled
from .observing import Observed, observe, seek
from .packing import padded
from .source_copy import SourceCopy
from .statements import Place, comparisons, expression_at, leaves, place_of, text_of

__all__ = ["Proposals", "failing_text"]

_SEEK_SECONDS = 2.0
_Comprehension = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class _Branch:
    """A condition with the statements for each of its outcomes."""

    test: ast.expr
    taken: list[ast.stmt]
    other: list[ast.stmt]


def failing_text(failure: Failure, copy: SourceCopy) -> str:
    """Returns the source of the failing expression, empty if it is unknown."""
    text = copy.text(failure.file) if failure.file else ""
    place = place_of(text, failure.line) if text else None
    node = expression_at(place.statement, failure.position) if place else None
    return text_of(node, text) if node is not None else ""


class Proposals:
    """The proposals for one failure. `reason` and `saw` are complete after `changes` ran."""

    def __init__(self, failure: Failure, copy: SourceCopy, cases: Cases) -> None:
        self.failure, self.copy, self.cases = failure, copy, cases
        self.reason = ""
        """The reason why no line can decide the guard, and a remedy."""
        self.saw = ""
        """The guard's values in each run."""
        self.text = copy.text(failure.file) if failure.file else ""
        self.place: Place | None = place_of(self.text, failure.line) if self.text else None
        self.node = expression_at(self.place.statement, failure.position) if self.place else None
        line = copy.line_before(failure.file, failure.line) if failure.file else 0
        self.at = f"{os.path.basename(failure.file)}:{line}" if failure.file else "a line that is not known"

    # ---- used by every proposal ----

    def _observe(self, expressions: Sequence[str], line: int | None = None) -> list[Observed]:
        spot = before(self.copy, self.failure.file, line or self.failure.line)
        if spot is None:
            return [Observed() for _ in expressions]
        return observe(self.copy, self.failure.file, spot[0], spot[1], expressions, self.cases)

    def _check(self, conditions: Sequence[str], why: str, assumption: str = "") -> Iterator[Change]:
        spot = before(self.copy, self.failure.file, self.failure.line)
        if spot is None or not conditions:
            return
        rows = [f"{spot[1]}torch._check({' '.join(c.split())})" for c in conditions]
        copy = self.copy.with_lines(self.failure.file, spot[0], spot[0] - 1, rows)
        yield self._change("check", "\n".join(rows), why, assumption, copy, spot[0])

    def _change(self, kind: str, code: str, why: str, assumption: str, copy: SourceCopy, line: int) -> Change:
        return Change(kind, code, why, assumption, self.failure.file, self.copy.line_before(self.failure.file, line), copy)

    def _expression(self, node: ast.expr, new: str, why: str) -> Iterator[Change]:
        copy = in_expression(self.copy, self.failure.file, node, new)
        yield self._change("rewrite", f"{new} in place of {text_of(node, self.text)}", why, "", copy, node.lineno)

    # ---- the kinds of failures ----

    def changes(self) -> Iterator[Change]:
        if self.place is None:
            self.reason = f"export fails at {self.at}: {self.failure.error}. The source of that line is not to be read, so nothing can be tried."
            return
        if self.failure.guard is None:
            yield from self._without_guard(self.place)
        elif self.failure.wants_number:
            yield from self._number(self.place)
        else:
            yield from self._decision(self.place)

    def _decision(self, place: Place) -> Iterator[Change]:
        statement = place.statement
        if isinstance(statement, ast.While) and self._in(statement.test):
            self.reason = self._loop(f"while {text_of(statement.test, self.text)}")
            return
        iterated = self._iterated(statement)
        if iterated is not None:
            yield from self._fixed_size(iterated)
            return
        if isinstance(statement, ast.Assert):
            yield from self._asserted(statement)
            return
        chosen = self._choice(statement)
        if chosen is not None and not self.failure.in_torch:
            yield from self._ternary(chosen)
            return
        if isinstance(statement, ast.If) and self._in(statement.test):
            yield from self._branch(statement, _Branch(statement.test, statement.body, statement.orelse))
            return
        if (
            isinstance(self.node, ast.Call)
            and isinstance(self.node.func, ast.Name)
            and self.node.func.id in ("min", "max")
            and len(self.node.args) > 1
        ):
            yield from self._least_or_most(self.node)
        yield from self._library()

    def _in(self, node: ast.expr) -> bool:
        """Returns whether the failing line or expression is inside of `node`."""
        if self.node is not None and self.node in ast.walk(node):
            return True
        return node.lineno <= self.failure.line <= (node.end_lineno or node.lineno) and (
            self.node is None or not any(self.node is n for n in ast.walk(node))
        )

    def _iterated(self, statement: ast.stmt) -> ast.expr | None:
        """Returns the iterated expression of the loop or comprehension in which the failure is."""
        if isinstance(statement, (ast.For, ast.AsyncFor)) and self._in(statement.iter) and not self.failure.in_torch:
            return statement.iter
        if isinstance(statement, (ast.For, ast.AsyncFor)) and self._in(statement.iter) and self.node in (None, statement.iter):
            return statement.iter
        for node in ast.walk(statement):
            if isinstance(node, _Comprehension) and (self.node is node or any(self.node is g.iter for g in node.generators)):
                return node.generators[0].iter
        if (
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], (ast.Tuple, ast.List))
            and self.node is statement.value
            and not isinstance(self.node, (ast.Tuple, ast.List))
        ):
            return statement.value
        return None

    def _loop(self, header: str) -> str:
        gathers = self.place is not None and any(
            isinstance(n, _Comprehension) or _called(n) in ("append", "extend") for n in ast.walk(self.place.statement) if isinstance(n, ast.expr)
        )
        more = (
            " A program has a fixed number of outputs: where each round gives one, the model must return a fixed table and a mask."
            if gathers
            else ""
        )
        return (
            f"`{header}` at {self.at} is a loop of which data decide the number of rounds: export follows one round after the other, and "
            f"asks `{self.failure.guard}` of each. A line of torch._check would hold for one number of rounds only. It needs "
            f"torch._higher_order_ops.while_loop, or a loop of a fixed number of rounds over masks.{more}"
        )

    # ---- conditions ----

    def _asserted(self, statement: ast.Assert) -> Iterator[Change]:
        conditions = comparisons(statement.test, self.text, True)
        (seen,) = self._observe([text_of(statement.test, self.text)])
        self.saw = seen.told()
        why = f"what `assert {text_of(statement.test, self.text)}` asks: eager refuses all else"
        if any(isinstance(v, torch.Tensor) for v in seen.flat()):
            yield from self._of_tensor(statement.test, True, why)
        elif conditions is not None:
            yield from self._check(conditions, why)
        self.reason = self.reason or f"`assert` at {self.at} asks for a condition that no line could be made of."

    def _of_tensor(self, test: ast.expr, side: bool, why: str) -> Iterator[Change]:
        """For a condition that is a tensor: assigns its number to a name, and adds a line."""
        negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        inner = test.operand if isinstance(test, ast.UnaryOp) and negated else test
        value = text_of(inner, self.text)
        value = value if isinstance(inner, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({value})"
        spot = before(self.copy, self.failure.file, test.lineno)
        if spot is None:
            return
        name = "holds"
        while name in self.text:
            name += "_"
        wanted = side is not negated
        copy = in_expression(self.copy, self.failure.file, inner, name)
        rows = [f"{spot[1]}{name} = {' '.join(value.split())}.item()", f"{spot[1]}torch._check({name if wanted else f'torch.sym_not({name})'})"]
        yield self._change("check", "\n".join(rows), why, "", copy.with_lines(self.failure.file, spot[0], spot[0] - 1, rows), spot[0])

    def _branch(self, statement: ast.If, branch: _Branch) -> Iterator[Change]:
        test = text_of(branch.test, self.text)
        raises = leaves(branch.taken) == "raise"
        if raises or leaves(branch.other) == "raise":
            (seen,) = self._observe([test], branch.test.lineno)
            self.saw = seen.told()
            why = f"the branch on `{test}` raises where it is {raises}: eager refuses all else"
            if any(isinstance(v, torch.Tensor) for v in seen.flat()):
                yield from self._of_tensor(branch.test, not raises, why)
            else:
                yield from self._check(comparisons(branch.test, self.text, not raises) or [], why)
            self.reason = self.reason or f"the branch on `{test}` at {self.at} raises, and no line could be made of its condition."
            return
        seen = self._both_sides(branch.test)
        if self._is_cut(branch):
            copy, code = in_place_of(self.copy, self.failure.file, statement, branch.taken)
            yield self._change(
                "rewrite", code, f"a slice ends where the tensor ends, so `if {test}` is not needed ({self.saw})", "", copy, statement.lineno
            )
        if len(seen.sides()) == 2:
            yield from self._where(statement, branch, seen)
            for block, what in self._without(branch):
                copy, code = in_place_of(self.copy, self.failure.file, statement, block)
                yield self._change(
                    "rewrite",
                    code or f"(no `if {test}`)",
                    f"both sides of `if {test}` are met ({self.saw}); {what} gives the same on both",
                    "",
                    copy,
                    statement.lineno,
                )
        elif len(seen.sides()) == 1:
            side = seen.sides() == {True}
            why = f"`{test}` was {self.saw}"
            assumption = f"`{test}` is {side} of all inputs: no input that was drawn has shown the contrary"
            conditions = comparisons(branch.test, self.text, side) or []
            if not any(isinstance(v, torch.Tensor) for v in seen.flat()) and not any(map(_takes_one_value, conditions)):
                yield from self._check(conditions, why, assumption)
        self.reason = self.reason or self._needs_cond(test, seen)

    def _needs_cond(self, test: str, seen: Observed) -> str:
        met = "both sides are met by inputs that eager takes" if len(seen.sides()) == 2 else "one side was met only"
        return (
            f"`if {test}` at {self.at} is a branch on data, and {met} ({self.saw}): a line that decides `{self.failure.guard}` would refuse "
            "valid inputs. The sides give different things, so neither can go. It needs torch.cond, or both sides and torch.where."
        )

    def _both_sides(self, test: ast.expr) -> Observed:
        """Returns the condition's values. If only one truth value occurred, searches for inputs with the other one
        first."""
        text = text_of(test, self.text)
        spot = before(self.copy, self.failure.file, test.lineno)
        (seen,) = self._observe([text], test.lineno)
        if spot is not None and len(seen.sides()) == 1:
            gap = None
            if isinstance(test, ast.Compare) and len(test.ops) == 1:
                gap = f"({text_of(test.left, self.text)}) - ({text_of(test.comparators[0], self.text)})"
            if seek(self.copy, self.failure.file, spot[0], spot[1], text, gap, seen.sides() != {True}, self.cases, _SEEK_SECONDS):
                (seen,) = self._observe([text], test.lineno)
        self.saw = seen.told()
        return seen

    def _is_cut(self, branch: _Branch) -> bool:
        """Returns whether the branch is `if x.shape[0] > k: x = x[:k]`."""
        test = branch.test
        if branch.other or not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return False
        left, right = test.left, test.comparators[0]
        limit = right if isinstance(test.ops[0], (ast.Gt, ast.GtE)) else left if isinstance(test.ops[0], (ast.Lt, ast.LtE)) else None
        if limit is None:
            return False
        return all(
            isinstance(s, ast.Assign)
            and len(s.targets) == 1
            and isinstance(s.value, ast.Subscript)
            and text_of(s.value.value, self.text) == text_of(s.targets[0], self.text)
            and _cuts_to(s.value.slice, ast.dump(limit))
            for s in branch.taken
        )

    def _without(self, branch: _Branch) -> Iterator[tuple[list[ast.stmt], str]]:
        if branch.other:
            yield branch.other, "the side of `else` alone"
            yield branch.taken, "the side of `if` alone"
        elif leaves(branch.taken):
            yield [], "what follows"
        else:
            yield branch.taken, "what is done in the branch"
            yield [], "what follows"

    def _where(self, statement: ast.If, branch: _Branch, seen: Observed) -> Iterator[Change]:
        """For `if t: x = f(x)` with a tensor `t`: computes both sides, and torch.where selects one."""
        if not any(isinstance(v, torch.Tensor) for v in seen.flat()) or len(branch.taken) != 1 or len(branch.other) > 1:
            return
        first = branch.taken[0]
        second = branch.other[0] if branch.other else None
        test = text_of(branch.test, self.text)
        if isinstance(first, ast.Return) and first.value is not None:
            return
        if not isinstance(first, ast.Assign) or len(first.targets) != 1 or not isinstance(first.targets[0], ast.Name):
            return
        name = first.targets[0].id
        if second is not None and not (isinstance(second, ast.Assign) and text_of(second.targets[0], self.text) == name):
            return
        other = text_of(second.value, self.text) if isinstance(second, ast.Assign) else name
        code = f"{name} = torch.where({test}, {text_of(first.value, self.text)}, {other})"
        copy, _ = in_place_of(self.copy, self.failure.file, statement, code)
        yield self._change(
            "rewrite", code, f"both sides of `if {test}` are met ({self.saw}); torch.where takes one of two results", "", copy, statement.lineno
        )

    def _choice(self, statement: ast.stmt) -> ast.IfExp | None:
        """Returns the innermost `a if test else b` whose test failed."""
        found = [
            n for n in ast.walk(statement) if isinstance(n, ast.IfExp) and (any(self.node is inner for inner in ast.walk(n.test)) or (self.node is n))
        ]
        return found[-1] if found else None

    def _ternary(self, choice: ast.IfExp) -> Iterator[Change]:
        test = text_of(choice.test, self.text)
        seen = self._both_sides(choice.test)
        if len(seen.sides()) == 2 or isinstance(choice.body, ast.Subscript) or isinstance(choice.orelse, ast.Subscript):
            for node in (choice.body, choice.orelse):
                yield from self._expression(
                    choice, text_of(node, self.text), f"`{test}` is met both ways ({self.saw}); `{text_of(node, self.text)}` gives the same"
                )
        if len(seen.sides()) == 1:
            side = seen.sides() == {True}
            yield from self._check(
                comparisons(choice.test, self.text, side) or [],
                f"`{test}` was {self.saw}",
                f"`{test}` is {side} of all inputs: no input that was drawn has shown the contrary",
            )
        self.reason = self.reason or self._needs_cond(test, seen)

    def _least_or_most(self, call: ast.Call) -> Iterator[Change]:
        assert isinstance(call.func, ast.Name)
        new = text_of(call.args[0], self.text)
        for argument in call.args[1:]:
            new = f"torch.sym_{call.func.id}({new}, {text_of(argument, self.text)})"
        yield from self._expression(
            call, new, f"{call.func.id}() decides which is {'less' if call.func.id == 'min' else 'more'}; torch.sym_{call.func.id} keeps both"
        )

    # ---- guards inside of PyTorch ----

    def _library(self) -> Iterator[Change]:
        failure = self.failure
        missing = [s for s in failure.symbols if s not in failure.names]
        if missing:
            yield from self._named(missing)
            self.reason = self.reason or (
                f"a call at {self.at} asks `{failure.guard}`, and the program has no name for {', '.join(missing)}: "
                "give the value a name in a statement of its own."
            )
            return
        guard = spelled(failure.guard, failure.names)
        if guard is None:
            self.reason = f"a call at {self.at} asks `{failure.guard}`, of which no line could be made."
            return
        spot = before(self.copy, failure.file, failure.line)
        (seen,) = self._observe([guard])
        if spot is not None and len(seen.sides()) == 1:
            gap = None
            if isinstance(failure.guard, sympy.core.relational.Relational):
                gap = spelled(failure.guard.lhs - failure.guard.rhs, failure.names)
            if seek(self.copy, failure.file, spot[0], spot[1], guard, gap, seen.sides() != {True}, self.cases, _SEEK_SECONDS):
                (seen,) = self._observe([guard])
        self.saw = f"`{guard}` was {seen.told()}"
        if len(seen.sides()) == 1:
            side = seen.sides() == {True}
            refused = (not side) in seen.refused_sides()
            assumption = "" if refused else f"`{guard}` is {side} of all inputs: no input that was drawn has shown the contrary"
            why = f"a call in this statement asks `{failure.guard}`; {self.saw}" + ("; eager refuses inputs of the other side" if refused else "")
            for conditions in self._weakest(failure.guard if side else sympy.Not(failure.guard)):
                if refused or not any(map(_takes_one_value, conditions)):
                    yield from self._check(conditions, why, assumption)
        yield from self._narrowed()
        met = (
            "inputs that eager takes meet both sides"
            if len(seen.sides()) == 2
            else "the statement was reached in no run"
            if not seen.sides()
            else "no line that was tried decides it"
        )
        self.reason = self.reason or (
            f"a call at {self.at} asks `{failure.guard}`, that is `{guard}`, and {met} ({seen.told()}): "
            "a line that decides it would refuse valid inputs. "
            "The call has to be made of operators that take each size, or stay out of the exported part."
        )

    def _weakest(self, relation: sympy.Basic) -> Iterator[list[str]]:
        """Yields the relation as lines, the shortest form first."""
        names, ranges = self.failure.names, self.failure.ranges
        parts = relation.args if isinstance(relation, sympy.And) else (relation,)
        rows: list[str] = []
        for part in parts:
            if isinstance(part, (sympy.Eq, sympy.Ne)) and part.rhs == 0:
                _, core = part.lhs.as_coeff_Mul()
                part = type(part)(core, 0)
                if isinstance(part, sympy.Ne) and isinstance(core, sympy.Symbol) and ranges.get(str(core), (-1,))[0] in (0, sympy.Integer(0)):
                    part = sympy.Gt(core, 0)
            row = spelled(part, names)
            if row is None:
                return
            rows.append(row)
        yield rows

    def _named(self, symbols: Sequence[str]) -> Iterator[Change]:
        """Gives a call that may make a symbol its own statement: calls of the failing statement first, then of
        earlier ones."""
        function = self.place.function if self.place is not None else None
        if self.place is None or function is None:
            return
        lines = sorted(
            {n.lineno for n in ast.walk(function) if isinstance(n, ast.stmt) and n.lineno <= self.failure.line and n is not function}, reverse=True
        )
        for line in lines[:12]:
            place = place_of(self.text, line)
            if place is None or isinstance(place.statement, (ast.While, ast.For, ast.FunctionDef)):
                continue
            header = place.statement.test if isinstance(place.statement, ast.If) else place.statement
            for node in ast.walk(header):
                if (
                    not isinstance(node, ast.expr)
                    or not _makes_one(node)
                    or (node is getattr(place.statement, "value", None) and _is_named(place.statement))
                ):
                    continue
                named = named_first(self.copy, self.failure.file, node, "number" if _is_number(node) else "sizes" if _is_list(node) else "chosen")
                if named is not None:
                    code = f"{named[1]} = {text_of(node, self.text)}"
                    yield self._change("name", code, f"so that a line can speak of `{text_of(node, self.text)}`", "", named[0], line)

    def _narrowed(self) -> Iterator[Change]:
        """Rewrites `x[a:a + n]` as torch.narrow, whose size is certainly `n`."""
        function = self.place.function if self.place is not None else None
        for node in ast.walk(function) if function is not None else ():
            if not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Store) or node.lineno > self.failure.line:
                continue
            parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
            cuts = [i for i, p in enumerate(parts) if isinstance(p, ast.Slice) and p.upper is not None]
            plain = all(
                isinstance(p, ast.Slice) and p.lower is None and p.upper is None and p.step is None for i, p in enumerate(parts) if i not in cuts
            )
            if len(cuts) != 1 or not plain:
                continue
            cut = parts[cuts[0]]
            assert isinstance(cut, ast.Slice) and cut.upper is not None
            if cut.step is not None:
                continue
            start, length = (text_of(cut.lower, self.text) if cut.lower else "0"), _length(cut, self.text)
            new = f"torch.narrow({text_of(node.value, self.text)}, {cuts[0]}, {start}, {length})"
            yield from self._expression(node, new, f"the size of a slice is a number of its own; torch.narrow has size `{length}`")

    # ---- numbers that Python needs ----

    def _number(self, place: Place) -> Iterator[Change]:
        node = self.node
        iterated = self._iterated(place.statement)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("int", "float", "bool", "round")
            and len(node.args) == 1
        ):
            yield from self._converted(node)
            self.reason = (
                self.reason
                or f"`{text_of(node, self.text)}` at {self.at} must give Python a number, and export has none before it runs. "
                "torch.sym_int and .item() keep the expression."
            )
            return
        if isinstance(node, ast.Call) and _called(node) in ("sqrt", "ceil", "floor"):
            inner = text_of(node.args[0], self.text) if node.args else ""
            news = {"sqrt": [f"torch.sym_sqrt({inner})"], "ceil": [f"-torch.sym_int(-({inner}) // 1)"], "floor": [f"torch.sym_int(({inner}) // 1)"]}[
                _called(node)
            ]
            for new in news:
                yield from self._expression(node, new, "keeps the expression")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max") and len(node.args) > 1:
            yield from self._least_or_most(node)
        if iterated is not None:
            yield from self._fixed_size(iterated)
            return
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("range", "list", "tuple"):
            yield from self._fixed_size(node)
            return
        yield from self._fixed()
        self.reason = self.reason or (
            f"`{text_of(node or place.statement, self.text).partition(chr(10))[0]}` at {self.at} asks for the value of `{self.failure.guard}`"
            f"{self._named_as()}, which data decide: export has no number for it. Index or build tensors with it; a Python list, a string or a "
            "number of rounds cannot follow from data."
        )

    def _named_as(self) -> str:
        name = spelled(self.failure.guard, self.failure.names)
        return f" (`{name}`)" if name else ""

    def _converted(self, call: ast.Call) -> Iterator[Change]:
        assert isinstance(call.func, ast.Name)
        inner, name = call.args[0], call.func.id
        text = text_of(inner, self.text)
        atom = text if isinstance(inner, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"
        (seen,) = self._observe([text], call.lineno)
        values = seen.flat()
        tensors = [v for v in values if isinstance(v, torch.Tensor)]
        if not tensors and isinstance(inner, ast.Call) and _called(inner) == "item":
            tensors = []
        why = f"{name}() must give Python a number; this gives the same and keeps the expression"
        news: list[str] = []
        if tensors:
            exact = not tensors[0].is_floating_point() and tensors[0].dtype != torch.bool
            if name == "int":
                news = (
                    [f"{atom}.item()"]
                    if exact
                    else [f"{atom}.long().item()"]
                    if tensors[0].dtype == torch.bool
                    else [f"torch.sym_int({atom}.item())", f"{atom}.long().item()"]
                )
            elif name == "float":
                news = [f"{atom}.item()", f"{atom}.double().item()"]
        elif name == "int":
            news = [f"torch.sym_int({text})", text]
        elif name == "float":
            news = [f"torch.sym_float({text})", text]
        elif name == "round":
            news = [f"torch.sym_int({text} + 0.5)"]
        for new in news:
            yield from self._expression(call, new, why)

    def _fixed_size(self, node: ast.expr) -> Iterator[Change]:
        """For a loop or an unpacking over a tensor or a range: fixes a number that is always the same."""
        yield from self._fixed()
        self.reason = self.reason or self._loop(f"for ... in {text_of(node, self.text)}")

    def _fixed(self) -> Iterator[Change]:
        """Fixes a number that was equal in all runs, as an expression of the program if there is one, else as a
        literal."""
        failure = self.failure
        guard = failure.guard
        if isinstance(guard, sympy.core.relational.Relational):
            guard = guard.lhs if len(guard.lhs.free_symbols) else guard.rhs
        missing = [str(s) for s in guard.free_symbols if str(s) not in failure.names]
        if missing:
            yield from self._named(missing)
            return
        text = spelled(guard, failure.names)
        if text is None or self.place is None or self.place.function is None:
            return
        candidates = self._numbers_before(failure.line)
        seen = self._observe([text, *candidates])
        value = seen[0].constant()
        distinct = sorted({v for v in seen[0].flat() if isinstance(v, int)})
        self.saw = f"`{text}` was {', '.join(map(str, distinct[:8]))}"
        if value is None or value in (0, 1):
            return
        same = [c for c, one in zip(candidates, seen[1:]) if one.constant() == value and c != text]
        for name in same[:3]:
            yield from self._check([f"{text} == {name}"], f"it was {value} in all runs, and so was `{name}`", f"`{text}` is `{name}` of all inputs")
        yield from self._check([f"{text} == {value}"], f"it was {value} in all runs", f"`{text}` is {value} of all inputs")

    def _numbers_before(self, line: int) -> list[str]:
        """Returns expressions of the function that may be the needed number, those of the statement that made the
        value first."""
        assert self.place is not None and self.place.function is not None
        text = spelled(self.failure.guard, self.failure.names) or ""
        name = text.partition(".")[0].partition("[")[0]
        made = {
            s.lineno for s in ast.walk(self.place.function) if isinstance(s, ast.Assign) and any(text_of(t, self.text) == name for t in s.targets)
        }
        found: dict[str, int] = {}
        for node in ast.walk(self.place.function):
            if not isinstance(node, ast.expr) or node.lineno > line or isinstance(getattr(node, "ctx", None), ast.Store):
                continue
            is_number = (
                (isinstance(node, ast.Call) and _called(node) == "len")
                or (isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Call))
                or (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape")
            )
            if is_number:
                found.setdefault(ast.unparse(node), 0 if node.lineno in made else 1)
        return sorted(found, key=lambda c: (found[c], len(c)))[:40]

    # ---- failures without a guard ----

    def _without_guard(self, place: Place) -> Iterator[Change]:
        yield from padded(self.copy, self.failure.file, place, self._change)
        text = text_of(place.statement, self.text).partition("\n")[0]
        calls = {_called(n) for n in ast.walk(place.statement) if isinstance(n, ast.Call)}
        advice = "No torch._check can help, since no guard is asked."
        if "numpy" in calls:
            advice += " numpy() takes the values out of PyTorch: use operators of torch on the tensor."
        self.reason = f"export fails at {self.at}, `{text}`, on no guard: {self.failure.error}. {advice}"


def _called(call: ast.expr) -> str:
    if not isinstance(call, ast.Call):
        return ""
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def _takes_one_value(condition: str) -> bool:
    """Returns whether the condition is like `size == 0`, which refuses every other size."""
    test = ast.parse(" ".join(condition.split()), mode="eval").body
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq) and any(isinstance(v, ast.Constant) for v in (test.left, *test.comparators))


def _is_number(node: ast.expr) -> bool:
    return _called(node) in ("item", "int", "float")


def _is_list(node: ast.expr) -> bool:
    return _called(node) == "tolist"


_SIZES = {
    "nonzero",
    "masked_select",
    "unique",
    "unique_consecutive",
    "argwhere",
    "repeat_interleave",
    "bincount",
    "nms",
    "batched_nms",
    "where",
    "squeeze",
}


def _is_named(statement: ast.stmt) -> bool:
    """Returns whether the statement assigns its whole value to a name."""
    return isinstance(statement, ast.Assign) and all(isinstance(t, ast.Name) for t in statement.targets)


def _makes_one(node: ast.expr) -> bool:
    return (
        _is_number(node)
        or _is_list(node)
        or _called(node) in _SIZES
        or (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Constant))
    )


def _cuts_to(index: ast.expr, limit: str) -> bool:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    cuts = [p for p in parts if isinstance(p, ast.Slice) and p.upper is not None]
    return (
        len(cuts) == 1
        and cuts[0].lower is None
        and cuts[0].step is None
        and ast.dump(cuts[0].upper or index) == limit
        and all(isinstance(p, ast.Slice) and p.lower is None and p.step is None for p in parts)
    )


def _length(cut: ast.Slice, text: str) -> str:
    """Returns the length of the slice `a:b`: `n` for `a:a + n`."""
    assert cut.upper is not None
    if cut.lower is None:
        return text_of(cut.upper, text)
    start = ast.dump(cut.lower)
    if isinstance(cut.upper, ast.BinOp) and isinstance(cut.upper.op, ast.Add):
        if ast.dump(cut.upper.left) == start:
            return text_of(cut.upper.right, text)
        if ast.dump(cut.upper.right) == start:
            return text_of(cut.upper.left, text)
    return f"{text_of(cut.upper, text)} - ({text_of(cut.lower, text)})"
