"""`validate(gradients=True)`: compares an operator's registered backward with central differences."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .differences import agree, difference, number_text, places_of, weighted
from .recording.operators import Op
from .recording.samples import arguments_of
from .recording.spelling import leaves_of, meta_of, with_tensors
from .recording.variants import as_given, cast, filled, laid_out
from .registered_backward import function_of, is_missing, place_of_backward, raw_gradients

_LAYOUTS = ("contiguous", "permuted", "sliced", "offset", "channels_last")
_ELEMENTS, _SECOND = 16, 4  # most elements of an argument that are compared, for first and for second derivatives
_ONCE = "once_differentiable"


class _Counts:
    def __init__(self) -> None:
        self.calls = self.agreed = self.failed = 0
        self.numbers = self.second = self.metadata = 0  # numbers of values that were compared
        self.rough = 0  # number of elements at which the operator has no derivative
        self.unchecked: dict[str, int] = {}
        # Argument -> (layout of its gradient, layout of the argument, number of calls).
        self.copied: dict[str, tuple[str, str, int]] = {}


class GradientCheck:
    """Checks one operator or autograd.Function. `result()` returns the argument of `TorchValidation.add_gradients`."""

    def __init__(self, op: Any, name: str) -> None:
        self.op, self.name = op, name
        self.is_function = isinstance(op, type)
        self.call: Callable[..., Any] = op.apply if self.is_function else op
        self.schema = None if self.is_function else op._schema
        self.writes = set() if self.is_function else Op(op).writes
        self.is_random = False if self.is_function else Op(op).random
        self.counts = _Counts()
        self.found: dict[str, dict[str, Any]] = {}

    # -- calls -------------------------------------------------------------------------------------------------------

    def _argument_names(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[list[str], list[int | str]]:
        """Returns the name of each tensor (`x`, `xs[1]`), and the place of its argument."""
        names: list[str] = []
        places: list[int | str] = []
        keys: list[tuple[int | str, Any]] = [*enumerate(args), *kwargs.items()]
        for key, x in keys:
            name = key if isinstance(key, str) else self.schema.arguments[key].name if self.schema else f"argument {key}"
            inside = [t for t in leaves_of(x) if isinstance(t, torch.Tensor)]
            names += [f"{name}[{i}]" for i in range(len(inside))] if isinstance(x, (list, tuple)) else [name] * len(inside)
            places += [key] * len(inside)
        return names, places

    def _outs(self, call: Any, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Returns the results that can have gradients. Each call draws equal random numbers, and gets copies of
        arguments that it writes."""
        given = [t.clone() if place in self.writes and not t.requires_grad else t for t, place in zip(tensors, self._places)]
        args, kwargs = with_tensors(call, iter(given))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            out = self.call(*args, **kwargs)
        return [t for t in leaves_of(out) if isinstance(t, torch.Tensor) and (t.is_floating_point() or t.is_complex())]

    def check(self, samples: Sequence[Any]) -> None:
        for number, sample in enumerate(samples):
            args, kwargs = arguments_of(sample)
            tensors = as_given([t.detach() for t in leaves_of((args, kwargs)) if isinstance(t, torch.Tensor)])
            self._names, self._places = self._argument_names(args, kwargs)
            made: list[tuple[str, list[torch.Tensor]]] = [("as given", tensors)]
            for layout in _LAYOUTS:
                laid = [laid_out(t, layout) for t in tensors]
                if any(t is not None for t in laid):
                    made.append((layout, [t if new is None else new for t, new in zip(tensors, laid)]))
            generator = torch.Generator().manual_seed(0)
            drawn = [filled(t, "random", generator) if t.is_floating_point() or t.is_complex() else t for t in tensors]
            for incoming in ("dense", "permuted", "expanded"):
                self._check_call((args, kwargs), tensors, f"sample {number}, as given", incoming)
            for words, of in (*made[1:], ("random values", drawn)):
                self._check_call((args, kwargs), of, f"sample {number}, {words}", "dense")

    def _check_call(self, call: Any, tensors: list[torch.Tensor], words: str, incoming: str) -> None:
        counts = self.counts
        leaves = [k for k, t in enumerate(tensors) if (t.is_floating_point() or t.is_complex()) and self._places[k] not in self.writes]
        if not leaves:
            self._leave_out("no argument of a floating point dtype that is not written")
            return
        wide = [cast(t, torch.complex128 if t.is_complex() else torch.float64) if k in leaves else t for k, t in enumerate(tensors)]
        wide = [_laid_as(w, t) if k in leaves else t for k, (w, t) in enumerate(zip(wide, tensors))]
        why_no_numbers = ""
        try:
            with torch.no_grad():
                outs = self._outs(call, wide)
            if any(t.dtype not in (torch.float64, torch.complex128) for t in outs):
                why_no_numbers = "no numbers: results of float64 arguments are of another dtype"
        except Exception:
            why_no_numbers = "no numbers: the kernel refuses float64"
        given = tensors if why_no_numbers else wide
        counts.calls += 1
        before = len(self.found), counts.numbers + counts.metadata
        told = self._call_text(call, given)
        first = f"{words}{'' if incoming == 'dense' else f', incoming gradient {incoming}'}"
        failed = self._compare(call, given, leaves, why_no_numbers, incoming, told, first)
        if failed:
            counts.failed += 1
        elif counts.numbers + counts.metadata > before[1]:
            counts.agreed += 1
        if why_no_numbers:
            self._leave_out(why_no_numbers)

    def _leave_out(self, why: str) -> bool:
        """Counts a call that is not compared. Returns False: nothing was found."""
        self.counts.unchecked[why] = self.counts.unchecked.get(why, 0) + 1
        return False

    # -- one call ----------------------------------------------------------------------------------------------------

    def _compare(self, call: Any, given: list[torch.Tensor], leaves: list[int], why_no_numbers: str, incoming: str, told: str, first: str) -> bool:
        """Compares the gradients of one call. Returns whether there is a finding."""
        fresh = [t.detach().requires_grad_() if k in leaves else t for k, t in enumerate(_apart(given))]
        try:
            outs = self._outs(call, fresh)
        except Exception as e:
            with torch.no_grad():
                try:
                    self._outs(call, given)
                except Exception:
                    return self._leave_out("the kernel raises")
            return self._find("forward", "error", "passes, as without gradients", f"raises {_said(e)}", "the call with arguments that require gradients", "", told, first)
        if not outs:
            return self._leave_out("no result of a floating point dtype")
        weights = [_incoming(t, incoming) for t in outs]
        numbers = [] if why_no_numbers else [(k, at, d) for k in leaves for at in places_of(given[k], _ELEMENTS)
                                             if (d := self._difference(call, given, weights, k, at)) is not None]
        scale = float(weighted([t.detach() for t in outs], weights).abs())
        cls = next((c for t in outs if (c := function_of(t.grad_fn)) is not None), None)
        source = place_of_backward(cls) if cls is not None and not is_missing(self.op, outs) else ""
        with_grad = [(t, w) for t, w in zip(outs, weights) if t.requires_grad]
        error = ""
        gradients: Sequence[torch.Tensor | None] = [None] * len(leaves)
        seen: list[tuple[Any, ...]] = []
        if with_grad and not is_missing(self.op, outs):
            try:
                with raw_gradients(outs) as seen:
                    gradients = torch.autograd.grad([t for t, _ in with_grad], [fresh[k] for k in leaves], [w for _, w in with_grad],
                                                    retain_graph=True, allow_unused=True)
            except Exception as e:
                error = _said(e)
        if not with_grad or is_missing(self.op, outs):
            return self._missing(numbers, outs, scale, told, first)
        if error:
            return self._find("backward", "error", "backward passes", f"backward raises {error}", "", source, told, first)
        failed = self._compare_raw(seen, given, leaves, source, told, first)
        for k, gradient in zip(leaves, gradients):
            failed |= self._compare_numbers(k, gradient, [(at, d) for j, at, d in numbers if j == k], scale, source, told, first)
            if incoming == "dense":
                self._note_layout(k, given[k], gradient)
        if not why_no_numbers and incoming == "dense" and not failed:
            failed |= self._twice(call, given, leaves, weights, source, told, first)
        return failed

    def _difference(self, call: Any, given: list[torch.Tensor], weights: Sequence[torch.Tensor], k: int, at: tuple[int, ...]) -> complex | None:
        def function(tensors: list[torch.Tensor]) -> float:
            with torch.no_grad():
                outs = self._outs(call, _apart(tensors))
                return float(weighted(outs, weights)) if [t.shape for t in outs] == [w.shape for w in weights] else float("nan")

        made = difference(function, given, k, at)
        self.counts.rough += made is None
        return made

    def _missing(self, numbers: list[tuple[int, tuple[int, ...], complex]], outs: Sequence[torch.Tensor], scale: float, told: str, first: str) -> bool:
        depends = next(((k, at, d) for k, at, d in numbers if not agree(d, 0, scale)), None)
        if depends is None:
            return self._leave_out("no backward is registered, and no number shows that one is wanted")
        k, at, d = depends
        what = "results do not require a gradient" if not any(t.requires_grad for t in outs) else "nobody registered a backward, and a backward run raises"
        how = f'torch.library.register_autograd("{self.schema.name}", backward, setup_context=setup_context)' if self.schema else "its forward is made without autograd"
        return self._find(f"missing {self._names[k]}", "requires_grad", f"a gradient of {self._names[k]}: at {_place(self._names[k], at)} it is {number_text(d)} "
                          "by central differences", f"none: {what}", f"no backward is registered: {how} is the way to one", "", told, first)

    def _compare_raw(self, seen: list[tuple[Any, ...]], given: list[torch.Tensor], leaves: list[int], source: str, told: str, first: str) -> bool:
        """Checks the raw result of the author's function, before PyTorch sums and casts it."""
        failed = False
        count = len([p for p in self._places if isinstance(p, int)])
        if len(seen) != 1 or count != len(self._places) or len(set(self._places)) != count:
            # Only PyTorch can match the results with arguments if there are lists, keywords or several functions.
            return False
        for k in leaves:
            place = self._places[k]
            raw = seen[0][place] if isinstance(place, int) and place < len(seen[0]) else None
            if not isinstance(raw, torch.Tensor):
                continue
            self.counts.metadata += 1
            want, name = given[k], self._names[k]
            if raw.shape != want.shape:
                failed |= self._find(f"size {name}", "size", f"{meta_of(want)}, as {name}", meta_of(raw),
                                     f"the gradient of {name} has other sizes than {name}: PyTorch sums it where it can", source, told, first)
            elif raw.dtype != want.dtype:
                failed |= self._find(f"dtype {name}", "dtype", f"{meta_of(want)}, as {name}", meta_of(raw),
                                     f"the gradient of {name} has another dtype than {name}: PyTorch casts it", source, told, first)
            elif raw.device != want.device:
                failed |= self._find(f"device {name}", "device", f"{meta_of(want)}, as {name}", meta_of(raw), f"the gradient of {name} is elsewhere", source, told, first)
        return failed

    def _compare_numbers(self, k: int, gradient: torch.Tensor | None, numbers: list[tuple[tuple[int, ...], complex]], scale: float, source: str,
                         told: str, first: str) -> bool:
        name = self._names[k]
        for at, d in numbers:
            is_ = 0j if gradient is None else complex(gradient[at])
            self.counts.numbers += 1
            if agree(d, is_, scale):
                continue
            if gradient is None:
                return self._find(f"none {name}", "value", f"{number_text(d)} at {_place(name, at)} by central differences", "None",
                                  f"backward returns None for {name}, and the results depend on it", source, told, first)
            return self._find(f"value {name}", "value", f"{number_text(d)} at {_place(name, at)} by central differences", number_text(is_),
                              f"the gradient of {name} that backward returns is not the derivative", source, told, first)
        return False

    def _note_layout(self, k: int, leaf: torch.Tensor, gradient: torch.Tensor | None) -> None:
        """Records a gradient that PyTorch copies in the first accumulation."""
        if gradient is None or gradient.shape != leaf.shape or leaf.numel() == 0:
            return
        parameter = torch.empty_like(leaf).detach() if _is_dense(leaf) else torch.empty(leaf.shape, dtype=leaf.dtype)
        kept = [s for n, s in zip(parameter.shape, parameter.stride()) if n > 1]
        if kept != [s for n, s in zip(gradient.shape, gradient.stride()) if n > 1]:
            name = self._names[k]
            arriving, layout, calls = self.counts.copied.get(name, (meta_of(gradient), meta_of(parameter), 0))
            self.counts.copied[name] = arriving, layout, calls + 1

    def _twice(self, call: Any, given: list[torch.Tensor], leaves: list[int], weights: Sequence[torch.Tensor], source: str, told: str, first: str) -> bool:
        """Compares second derivatives, if backward supports them: differentiates the sum of the gradients with fixed
        weights."""
        directions = {k: _incoming(given[k], "dense") for k in leaves}

        def first_gradients(tensors: list[torch.Tensor]) -> tuple[list[torch.Tensor], torch.Tensor]:
            fresh = [t.detach().requires_grad_() if k in leaves else t for k, t in enumerate(_apart(tensors))]
            outs = self._outs(call, fresh)
            # The incoming gradients require gradients, so that their gradients are computed too.
            of = [(t, w.detach().requires_grad_()) for t, w in zip(outs, weights) if t.requires_grad]
            made = torch.autograd.grad([t for t, _ in of], [fresh[k] for k in leaves], [w for _, w in of], create_graph=True, allow_unused=True)
            pairs = [(g, directions[k]) for g, k in zip(made, leaves) if g is not None]
            return fresh, weighted([g for g, _ in pairs], [w for _, w in pairs])

        try:
            fresh, total = first_gradients(given)
            if total.requires_grad:
                # `grad` would not run nodes that are not on the way to the leaves, and these may raise.
                total.backward()
            second = [fresh[k].grad for k in leaves]
        except Exception as e:
            if _ONCE in str(e):
                return self._leave_out("second derivatives: backward is marked once_differentiable")
            return self._find("second", "error", "a second backward passes", f"it raises {_said(e)}",
                              "backward is not differentiable, and says nothing of it: once_differentiable is the way to say it", source, told, first)
        scale = float(total.detach().abs())
        for k, made in zip(leaves, second):
            for at in places_of(given[k], _SECOND):
                d = difference(lambda tensors: float(first_gradients(tensors)[1].detach()), given, k, at)
                if d is None:
                    self.counts.rough += 1
                    continue
                self.counts.second += 1
                is_ = 0j if made is None else complex(made[at])
                if not agree(d, is_, scale):
                    name = self._names[k]
                    cause = ("backward computes past autograd (detach, .data, NumPy, a kernel without a backward): once_differentiable says so, and raises"
                             if made is None or is_ == 0 else "the backward of backward is not its derivative")
                    return self._find(f"second {name}", "value", f"{number_text(d)} at {_place(name, at)} by central differences of the first gradients",
                                      f"{number_text(is_)} by a second backward run", cause, source, told, first)
        return False

    # -- findings ----------------------------------------------------------------------------------------------------

    def _find(self, key: str, field: str, predicted: str, observed: str, cause: str, source: str, told: str, first: str) -> bool:
        if key in self.found:
            self.found[key]["calls"] += 1
            return True
        self.found[key] = {"key": f"gradients {key}", "call": told, "first": first, "calls": 1, "op": self.name, "field": field, "predicted": predicted,
                           "observed": observed, "cause": cause, "source": source}
        return True

    def _call_text(self, call: Any, tensors: Sequence[torch.Tensor]) -> str:
        args, kwargs = with_tensors(call, iter(tensors))

        def text(x: Any) -> str:
            if isinstance(x, torch.Tensor):
                return meta_of(x)
            return f"[{', '.join(map(text, x))}]" if isinstance(x, (list, tuple)) else repr(x)

        return f"{self.name}({', '.join([text(a) for a in args] + [f'{k}={text(v)}' for k, v in kwargs.items()])})"

    def note(self) -> str:
        """Returns the report's lines about gradients."""
        c = self.counts
        lines = [f"gradients: {c.calls} calls, {c.numbers} numbers compared with central differences, {c.second} of second order, {c.metadata} gradients with their arguments"]
        if c.rough:
            lines.append(f"  {c.rough} numbers not compared: the operator has no derivative there, or changes its sizes")
        lines += [f"  not compared: {why} ({n})" for why, n in sorted(c.unchecked.items())]
        lines += [f"  the gradient of {name} is copied into the parameter's layout in {n} call{'' if n == 1 else 's'}: it arrives as {of}, and {to} is kept" for name, (of, to, n) in c.copied.items()]
        if not c.numbers + c.metadata:
            lines.append("  no gradient was compared: the report is not clean")
        return "".join(f"{line}\n" for line in lines)

    def result(self) -> str:
        c = self.counts
        compared = c.numbers + c.metadata
        counts = {"calls": c.calls, "numbers": c.numbers, "second_order": c.second, "metadata": c.metadata, "no_derivative": c.rough,
                  "not_compared": c.unchecked, "copied": {name: n for name, (_, _, n) in c.copied.items()}}
        return json.dumps({"op": self.name, "calls": c.calls, "agreed": c.agreed, "failed": c.failed, "nothing": not compared and not self.found,
                           "found": list(self.found.values()), "counts": counts})


def _said(e: Exception) -> str:
    text = str(e).strip()
    return f"{type(e).__name__}: {text.splitlines()[0] if text else ''}"[:300]


def _place(name: str, at: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, at))}]" if at else name


def _is_dense(t: torch.Tensor) -> bool:
    """Returns whether the elements fill the memory without gaps and overlaps. `empty_like` then has the same layout."""
    of_dims = sorted((stride, size) for size, stride in zip(t.size(), t.stride()) if size > 1)
    expected = 1
    for stride, size in of_dims:
        if stride != expected:
            return False
        expected *= size
    return True


def _laid_as(wide: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
    """Returns the values of `wide` in the layout of `t`: its order of dims, its gaps and its offset."""
    if any(n > 1 and s == 0 for n, s in zip(t.shape, t.stride())):
        return wide.contiguous()
    room = torch.zeros(t.untyped_storage().nbytes() // t.element_size() + 1, dtype=wide.dtype, device=wide.device)
    return room.as_strided(t.size(), t.stride(), t.storage_offset()).copy_(wide)


def _apart(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Returns copies with equal layouts and separate memory, because a kernel may write, and single elements are
    changed."""
    return [_laid_as(t.detach(), t.detach()) for t in tensors]


def _incoming(out: torch.Tensor, layout: str) -> torch.Tensor:
    """Returns an incoming gradient of multiples of 1/16: in the result's order of dims, with reversed dims, or one
    expanded number."""
    if layout == "expanded":
        return torch.full((), 0.5, dtype=out.dtype, device=out.device).expand(out.shape)
    numbers = ((torch.arange(out.numel(), device=out.device) * 7 % 31 - 15).reshape(out.shape) / 16).to(out.dtype)
    if out.is_complex():
        numbers = numbers * (1 - 0.5j)
    laid = laid_out(numbers, "permuted") if layout == "permuted" else torch.empty_like(out).detach().copy_(numbers)
    return numbers if laid is None else laid


def checked(op: Any, name: str, samples: Sequence[Any]) -> tuple[str, str]:
    """Checks the operator's backward. Returns findings for `TorchValidation.add_gradients`, and the report's lines."""
    check = GradientCheck(op, name)
    with torch.enable_grad(), torch.inference_mode(False):
        check.check(samples)
    return check.result(), check.note()


def died(name: str, signal: str) -> tuple[str, str]:
    """Returns the findings and lines of `checked` for a check whose process died."""
    check = GradientCheck.__new__(GradientCheck)
    check.name, check.counts, check.found = name, _Counts(), {}
    check.counts.calls = check.counts.failed = 1
    check._find("died", "error", "backward passes", f"the process that runs it died of {signal}", "", "", name, "a backward run")
    return check.result(), check.note()
