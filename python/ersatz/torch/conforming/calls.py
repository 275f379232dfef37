"""The calls of an item: recorded ones, and samples of PyTorch's own database of operators (OpInfo)."""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ..recording.variants import laid_out
from ..remade import Remade

DTYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64, "bool": torch.bool,
          "c64": torch.complex64}
"""In which samples are made."""

# These operators abort, print, or read files.
_LEFT_OUT = {"_assert_async", "_assert_tensor_metadata", "_print", "from_file", "set_data"}

Made = Callable[[], Any]


def files_of(given: str) -> list[pathlib.Path]:
    """Returns the files of recorded calls. Raises OSError or ValueError if there is none."""
    path = pathlib.Path(given)
    if not path.exists():
        raise FileNotFoundError(f"{given}: there is no file or folder of this name")
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise ValueError(f"{given}: no *.jsonl in this folder: `ersatz record -o run.jsonl SCRIPT.py` writes one")
    return files


def operator_named(name: str) -> Any:
    """Returns the overload of torch.ops with this name in records, None if this PyTorch does not have it."""
    namespace, _, rest = name.partition(".")
    packet, _, overload = rest.partition(".")
    try:
        return getattr(getattr(getattr(torch.ops, namespace), packet), overload)
    except AttributeError:
        return None


def recorded(path: str) -> Iterator[tuple[Any, Made, Any]]:
    """Yields (operator, the call, its arguments) for each record of a file. Raises ValueError if a line is no
    record."""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                op, _, _ = operator_named(record["op"]), record["args"], record["kwargs"]
            except (ValueError, KeyError, TypeError):
                raise ValueError(f"{path}:{number}: no record of a call (docs/call-records.md)") from None
            if op is None or "rg" in record or '"opaque"' in line or record["op"].split(".")[1] in _LEFT_OUT:
                continue
            made = Remade(op, record).arguments(record, "recorded")
            if made is not None:
                yield op, functools.partial(op, *made[0], **made[1]), made


def _lays_out(x: Any, layout: str) -> Any:
    if isinstance(x, torch.Tensor):
        changed = laid_out(x.detach(), layout) if x.layout == torch.strided else None
        return x if changed is None else changed
    if isinstance(x, (list, tuple)):
        return type(x)(_lays_out(item, layout) for item in x)
    return {k: _lays_out(v, layout) for k, v in x.items()} if isinstance(x, dict) else x


def op_info_names() -> list[str]:
    """Returns the entries of OpInfo by name and variant, like `add` and `var.unbiased`. Raises ImportError if PyTorch's
    test modules need a missing package."""
    from torch.testing._internal.common_methods_invocations import op_db

    return sorted({_entry_name(info) for info in op_db})


def _entry_name(info: Any) -> str:
    return f"{info.name}.{info.variant_test_name}" if info.variant_test_name else str(info.name)


def op_info(name: str, dtypes: Sequence[str]) -> Iterator[tuple[Any, Made, Any]]:
    """Yields (None, the call, None) for each sample of an entry, as given and with its tensors permuted in memory. A
    sample may call several operators."""
    from torch.testing._internal.common_methods_invocations import op_db

    for info in (i for i in op_db if _entry_name(i) == name):
        for dtype in (DTYPES[d] for d in dtypes):
            if dtype not in info.supported_dtypes("cpu"):
                continue
            torch.manual_seed(0)
            try:
                samples = list(info.sample_inputs("cpu", dtype))
            except Exception:  # some dtypes, or packages that are not installed, make the sample function fail
                continue
            for sample in samples:
                for layout in ("", "permuted"):
                    given = (sample.input, sample.args, sample.kwargs)
                    first, args, kwargs = _lays_out(given, layout) if layout else given
                    yield None, functools.partial(info.op, first, *args, **kwargs), None
