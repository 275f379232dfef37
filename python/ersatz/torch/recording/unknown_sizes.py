"""Predictions with sizes that the fake does not know (`torch.library.get_ctx().new_dynamic_size()`).

Each of these sizes is a symbol. Its value is the kernel's size at its first place, the same everywhere, and must
satisfy the fake's constraints (`min`, `max`, `torch._check`). With these values the prediction is compared with the
run like any other."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from .spelling import DTYPES, device_name

_SIZES = re.compile(r"\w+\[([\d,]*)\]")


def _flat(out: Any) -> Iterator[Any]:
    for x in out:
        if isinstance(x, list):
            yield from _flat(x)
        else:
            yield x


def _is_symbol(x: Any) -> bool:
    return bool(getattr(x, "is_symbol", False))


class Symbols:
    """The values of the symbols in one prediction. ranges: the fake's constraints."""

    def __init__(self, ranges: Any) -> None:
        self.ranges = ranges
        self.values: dict[Any, int] = {}

    def bind(self, symbol: Any, value: int) -> None:
        if symbol in self.values:
            return
        bounds: Any = self.ranges.get(symbol)
        for side, outer in (("lower", max), ("upper", min)):
            # Keeps `value` if there is no bound on this side, or if the bound is no number.
            with contextlib.suppress(TypeError, ValueError, OverflowError, AttributeError):
                value = outer(value, int(getattr(bounds, side)))
        self.values[symbol] = value

    def number(self, x: Any) -> int:
        if isinstance(x, int):
            return x
        for symbol in x.free_symbols:
            if symbol not in self.values:
                self.bind(symbol, 0)  # the kernel returned no tensor in this place
        return int(x.subs(self.values))


def with_values(prediction: dict[str, Any], outcome: dict[str, Any]) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """Returns the prediction with numbers in place of symbols, and the dims with unknown sizes by flat result."""
    symbols, unknown = Symbols(prediction["ranges"]), {}
    real = list(_flat(outcome.get("out", [])))
    for k, mine in enumerate(_flat(prediction["out"])):
        theirs = real[k] if k < len(real) else None
        if not isinstance(mine, dict) or "symbols" not in mine:
            continue
        held = mine["symbols"]
        if "number" in held:
            if _is_symbol(held["number"]) and isinstance(theirs, int):
                symbols.bind(held["number"], theirs)
            continue
        spelled = _SIZES.match(theirs["t"]) if isinstance(theirs, dict) and "t" in theirs else None
        sizes = [int(n) for n in spelled[1].split(",") if n] if spelled else []
        dims = [d for d, size in enumerate(held["sizes"]) if _is_symbol(size)]
        if dims and len(sizes) == len(held["sizes"]):
            unknown[str(k)] = dims
            for d in dims:
                symbols.bind(held["sizes"][d], sizes[d])

    def plain(x: Any) -> Any:
        if isinstance(x, list):
            return [plain(item) for item in x]
        if not isinstance(x, dict) or "symbols" not in x:
            return x
        held = x["symbols"]
        if "number" in held:
            return symbols.number(held["number"])
        sizes, strides = (",".join(str(symbols.number(n)) for n in held[of]) for of in ("sizes", "strides"))
        text = f"{DTYPES[held['dtype']]}[{sizes}]{{{strides}}}+{symbols.number(held['offset'])}@{device_name(held['device'])}"
        return {**{k: v for k, v in x.items() if k != "symbols"}, "t": text, "n": symbols.number(held["bytes"])}

    made = {k: v for k, v in prediction.items() if k != "ranges"}
    made["out"] = plain(prediction["out"])
    if "after" in made:
        made["after"] = {k: plain(v) for k, v in prediction["after"].items()}
    return made, unknown
