"""`opcheck`: PyTorch's tests of a custom operator, together with `validate`."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import is_fake
from torch.utils._pytree import tree_leaves

from .. import errors
from ..report import Report
from .recording.probe import overload_of
from .validation import validate

__all__ = ["DEFAULT_TEST_UTILS", "OURS", "findings_of", "opcheck", "pytorchs", "why_not_judged"]

OURS = "test_ersatz"
DEFAULT_TEST_UTILS: tuple[str, ...] = (*inspect.signature(torch.library.opcheck).parameters["test_utils"].default, OURS)


def pytorchs() -> Any:
    """Returns PyTorch's own `opcheck`, even if `pytest --ersatz-opcheck` has replaced it."""
    from torch.testing._internal import optests  # imported on first use, because it imports the compiler

    return getattr(optests.opcheck, "_of_pytorch", optests.opcheck)


def findings_of(op: Any, args: Sequence[Any], kwargs: dict[str, Any] | None) -> Report:
    """Returns the report of `validate` with these arguments as its sample. The state of the random generators is
    unchanged."""
    gpus = list(range(torch.cuda.device_count())) if torch.cuda.is_initialized() else []
    with torch.random.fork_rng(devices=gpus):
        return validate(op, [(tuple(args), dict(kwargs or {}))])


def why_not_judged(op: Any, report: Report) -> str:
    """Returns why nothing of the operator was compared, beginning with its name. Empty if something was."""
    if report.findings or report.compared:
        return ""
    why = ", ".join(report.skipped)
    return f"{overload_of(op)}: {why or 'no call of it is seen, as of a composite of other operators, which have fake kernels of their own'}"


def _result(op: Any, args: Sequence[Any], kwargs: dict[str, Any] | None) -> Any:
    """Returns `SUCCESS`, the error with the findings, or a text that begins with `NOT JUDGED`."""
    if any(isinstance(x, torch.Tensor) and (x.is_meta or is_fake(x)) for x in tree_leaves((args, kwargs))):
        why = f"{overload_of(op)}: a tensor without data was given"
    else:
        report = findings_of(op, args, kwargs)
        if report.findings:
            return errors.MetadataMismatch.of(report)
        why = why_not_judged(op, report)
    if not why:
        return "SUCCESS"
    warnings.warn(f"opcheck: ersatz compared nothing of {why}", stacklevel=3)
    return f"NOT JUDGED: {why}"


def opcheck(op: Any, args: Sequence[Any], kwargs: dict[str, Any] | None = None, *, test_utils: str | Sequence[str] = DEFAULT_TEST_UTILS,
            raise_exception: bool = True, rtol: float | None = None, atol: float | None = None) -> dict[str, Any]:
    """Runs PyTorch's `torch.library.opcheck`, and `ersatz.torch.validate` as one more test, `test_ersatz`, with these
    arguments as its sample. Takes the arguments of `torch.library.opcheck` and returns its kind of result.

        >>> ersatz.torch.opcheck(torch.ops.mylib.my_op, (x, y))                                       # doctest: +SKIP
        {'test_schema': 'SUCCESS', ..., 'test_aot_dispatch_dynamic': 'SUCCESS', 'test_ersatz': 'SUCCESS'}

    test_utils: names of the tests to run; "ALL" means all of PyTorch's and ersatz's. raise_exception: the first test
    that fails raises PyTorch's `OpCheckError`; otherwise the result has the exception under the test's name. If
    ersatz can compare nothing, the result is `NOT JUDGED` with the reason, and there is a warning."""
    named = (test_utils,) if isinstance(test_utils, str) else test_utils
    theirs: Any = test_utils
    if isinstance(named, (tuple, list)) and OURS in named:  # PyTorch rejects this name, so it is removed for the call
        theirs = tuple(name for name in named if name != OURS)
    results: dict[str, Any] = pytorchs()(op, args, kwargs, test_utils=theirs, raise_exception=raise_exception, rtol=rtol, atol=atol)
    if OURS not in named and test_utils != "ALL":
        return results
    try:
        results[OURS] = _result(op, args, kwargs)
    except Exception as e:  # a test that raises counts as failed, as in PyTorch
        results[OURS] = e
    found = results[OURS]
    if raise_exception and isinstance(found, Exception):
        from torch.testing._internal.optests import OpCheckError

        report = getattr(found, "report", None)
        raise OpCheckError(f"opcheck(op, ...): {OURS} failed with {found}" + (f"\n\n{report}" if report else "")) from found
    return results
