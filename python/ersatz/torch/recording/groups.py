"""Process groups (`torch.distributed`) in the form of records, and this process's rank."""

from __future__ import annotations

import os
import sys
from typing import Any

_NAMESPACES = ("_c10d_functional", "_c10d_functional_autograd", "_dtensor")


def group_of(name: str) -> dict[str, Any] | None:
    """Returns `{"name": "0", "size": 2, "rank": 1, "backend": "gloo"}`, None if this process has no group of that
    name."""
    c10d: Any = sys.modules.get("torch.distributed.distributed_c10d")
    if c10d is None:
        return None
    try:
        group = c10d._resolve_process_group(name)
        return {"name": name, "size": group.size(), "rank": group.rank(), "backend": str(c10d.get_backend(group))}
    except Exception:  # there is no group of that name, or this process is not in it
        return None


def group_of_call(func: Any, args: Any, kwargs: Any) -> dict[str, Any] | None:
    """Returns the group of a collective's call. None for another call and for an unknown group."""
    if getattr(func, "namespace", "") not in _NAMESPACES:
        return None
    for at, argument in enumerate(func._schema.arguments):
        if argument.name == "group_name":
            name = kwargs.get("group_name", args[at] if at < len(args) else None)
            return group_of(name) if isinstance(name, str) else None
    return None


def rank_of_process() -> tuple[int, int] | None:
    """Returns this process's rank and the number of processes. None if it is alone, or if they are unknown.
    Launchers like `torchrun` set both in RANK and WORLD_SIZE."""
    distributed: Any = sys.modules.get("torch.distributed")
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    rank, size = os.environ.get("RANK", ""), os.environ.get("WORLD_SIZE", "")
    return (int(rank), int(size)) if rank.isdigit() and size.isdigit() and int(rank) < int(size) else None
