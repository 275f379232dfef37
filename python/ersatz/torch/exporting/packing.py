"""Replaces recurrent layers over packed sequences by padded ones, if the results are equal."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from .changes import Change
from .source_copy import SourceCopy
from .statements import Place, text_of

__all__ = ["padded"]

_Make = Callable[[str, str, str, str, SourceCopy, int], Change]


def _call(statement: ast.stmt, name: str) -> ast.Call | None:
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Assign) and isinstance(value, ast.Call):
        called = value.func.attr if isinstance(value.func, ast.Attribute) else value.func.id if isinstance(value.func, ast.Name) else ""
        if not name or called == name:
            return value
    return None


def _option(call: ast.Call, name: str, position: int, default: str, text: str) -> str:
    for keyword in call.keywords:
        if keyword.arg == name:
            return text_of(keyword.value, text)
    return text_of(call.args[position], text) if len(call.args) > position else default


def padded(copy: SourceCopy, file: str, place: Place, make: _Make) -> Iterator[Change]:
    """Rewrites `packed = pack_padded_sequence(x, lengths)`, `out, state = rnn(packed)`, `out, _ =
    pad_packed_sequence(out)` with padded tensors. States after a sequence's end become zero, and the last state is
    that of its end. Correct for one direction and one layer; other cases are compared with eager mode and discarded."""
    text = copy.text(file)
    block = list(place.block)
    at = next((i for i, s in enumerate(block) if _call(s, "pack_padded_sequence")), None)
    if at is None:
        return
    pack = block[at]
    assert isinstance(pack, ast.Assign)
    call = _call(pack, "pack_padded_sequence")
    assert call is not None
    packed, source = text_of(pack.targets[0], text), text_of(call.args[0], text)
    lengths, first = _option(call, "lengths", 1, "", text), _option(call, "batch_first", 2, "False", text) == "True"
    run = next(
        (
            s
            for s in block[at + 1 :]
            if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call) and s.value.args and text_of(s.value.args[0], text) == packed
        ),
        None,
    )
    if run is None or not isinstance(run.targets[0], ast.Tuple) or len(run.targets[0].elts) != 2:
        return
    assert isinstance(run.value, ast.Call)
    states, state = run.targets[0].elts
    begin = f", {text_of(run.value.args[1], text)}" if len(run.value.args) > 1 else ""
    unpack = next(
        (
            s
            for s in block[at + 1 :]
            if (call := _call(s, "pad_packed_sequence")) is not None and text_of(call.args[0], text) == text_of(states, text)
        ),
        None,
    )
    last = state.elts[0] if isinstance(state, ast.Tuple) and state.elts else state
    batch, steps = (0, 1) if first else (1, 0)
    out = text_of(unpack.targets[0].elts[0], text) if isinstance(unpack, ast.Assign) and isinstance(unpack.targets[0], ast.Tuple) else "states"
    known = lengths if lengths.isidentifier() else "lengths_"
    rows = [f"{known} = {lengths}"] if known != lengths else []
    rows += [f"{out}, _ = {text_of(run.value.func, text)}({source}{begin})"]
    if isinstance(last, ast.Name) and last.id != "_":
        picked = f"{out}[torch.arange({out}.shape[{batch}]), {known} - 1]" if first else f"{out}[{known} - 1, torch.arange({out}.shape[{batch}])]"
        rows.append(f"{last.id} = {picked}.unsqueeze(0)")
    there = f"torch.arange({out}.shape[{steps}])"
    behind = f"({there} >= {known}.unsqueeze(1)).unsqueeze(-1)" if first else f"({there}.unsqueeze(1) >= {known}).unsqueeze(-1)"
    ends = []
    if isinstance(unpack, ast.Assign):
        cut = f"[:, : {known}.max().item()]" if first else f"[: {known}.max().item()]"
        total = _option(_call(unpack, "pad_packed_sequence") or call, "total_length", 3, "", text)
        padding = _option(_call(unpack, "pad_packed_sequence") or call, "padding_value", 2, "0.0", text)
        ends = [f"{out} = {out}.masked_fill({behind}, {padding}){'' if total else cut}"]
        if isinstance(unpack.targets[0], ast.Tuple) and len(unpack.targets[0].elts) > 1:
            second = text_of(unpack.targets[0].elts[1], text)
            ends += [f"{second} = {known}"] if second not in ("_", known) else []
    lines = text.splitlines(keepends=True)
    indent = " " * pack.col_offset
    gone = sorted({pack, run, *([unpack] if unpack is not None else [])}, key=lambda s: s.lineno)
    new: list[str] = []
    for number, row in enumerate(lines, 1):
        owner = next((s for s in gone if s.lineno <= number <= (s.end_lineno or s.lineno)), None)
        if owner is None:
            new.append(row)
        elif owner is run and number == run.lineno:
            new += [f"{indent}{r}\n" for r in rows]
        elif owner is unpack and number == unpack.lineno:
            new += [f"{indent}{r}\n" for r in ends]
    code = "\n".join(f"{indent}{r}" for r in rows + ends)
    yield make(
        "rewrite",
        code,
        "steps and rows of packed data are values; left to right, the states of a padded batch are the same up to each sequence's end",
        "",
        copy.with_text(file, "".join(new)),
        pack.lineno,
    )
