"""The lines of a `validate` report about checks that were not made."""

from __future__ import annotations

from typing import Any

from .recording.fake_kernels import has_none

_SYMBOLIC = "whether the op works under AOTDispatcher with symbolic sizes: torch.library.opcheck looks at it"
_ONLY_OPCHECK = ("whether autograd is registered as it should be, and whether the op works under AOTDispatcher with symbolic sizes: "
                 "torch.library.opcheck does both")


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _one_sided(calls: list[dict[str, str]]) -> list[str]:
    """Returns lines for calls that only one side refuses and that are not known to be valid calls of the op."""
    lines = []
    for by, other, does in (("kernel", "fake", "the kernel refuses and its fake takes"), ("fake", "kernel", "the fake refuses and the kernel takes")):
        for says in ("dtypes", ""):
            of = [c for c in calls if c["by"] == by and (c["says"] == "dtypes") == bool(says)]
            if not of:
                continue
            named = list(dict.fromkeys(c["dtypes"] for c in of if c["dtypes"]))
            answers = f"; the fake names {', '.join(named)} as dtypes of results" if says and named else ""
            what = "of other dtypes than the samples'" if says else "with arguments that no sample has"
            lines.append(f"{_count(len(of), 'call')} {what}, which {does}{answers}; the first is {of[0]['variant']} ({of[0]['message']})")
    return lines


def not_looked_at(op: Any, told: dict[str, Any], not_contained: str, gradients: bool = False) -> str:
    """Returns the lines of the report. `told` is the result of `probe`."""
    lines = [*told["constant"], *_one_sided(told["one_sided"])]
    if has_none(op) and told["calls"]:
        lines.append(f'a fake kernel, which {op} has not: @torch.library.register_fake("{op._schema.name}") is the way to one')
    if not told["calls"]:
        lines.append(f"{op} itself: no call of it reached its kernel. An op that is made of other ops has no kernel "
                     "and no fake of its own: validate those, or call it under ersatz.torch.crosscheck()")
    if not_contained:
        lines.append(f"whether a call ends the process: {not_contained}; isolate=True makes the calls in a child process")
    return "".join(f"Not looked at: {line}.\n" for line in [*lines, _SYMBOLIC if gradients else _ONLY_OPCHECK])
