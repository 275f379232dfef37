"""The part of a record that depends only on the operator."""

from __future__ import annotations

import re
from typing import Any

import torch

_UNINITIALISED = re.compile(r"aten\.(new_)?empty(_like|_strided|_permuted|_quantized)?\.|aten\.resize_")
_READS_BESIDE = re.compile(r"aten\.(_?as_strided|_reshape_alias|set_|resize_)")
_INDEXED = re.compile(r"aten\.(index|index_put_?|_index_put_impl_?|_unsafe_index|_unsafe_index_put|masked_select|repeat_interleave)\.")


class Op:
    def __init__(self, func: Any) -> None:
        schema = getattr(func, "_schema", None)
        self.returns_list = False
        self.schema: str | None = None
        self.writes: set[int | str] = set()
        self.out: set[str] = set()
        tags: Any = ()
        if schema is None:  # for example for a higher-order operator
            self.name = f"higher_order.{func.name()}"
        else:
            self.name = schema.name.replace("::", ".") + "." + (schema.overload_name or "default")
            self.schema, tags = str(schema), func.tags
            written = [(i, a) for i, a in enumerate(schema.arguments) if a.alias_info is not None and a.alias_info.is_write]
            self.writes = {key for i, a in written for key in (i, a.name)}
            self.out = {a.name for _, a in written if a.kwarg_only}
            self.returns_list = len(schema.returns) == 1 and "List" in str(schema.returns[0].type)
        self.foreign = not self.name.startswith(("aten.", "prims.", "higher_order."))
        self.random = torch.Tag.nondeterministic_seeded in tags
        self.by_data = torch.Tag.data_dependent_output in tags or torch.Tag.dynamic_output_shape in tags
        self.uninit = bool(_UNINITIALISED.match(self.name))
        self.tags = [t for t, is_so in (("random", self.random), ("uninit", self.uninit), ("data_dependent", self.by_data)) if is_so]
        self.indexed, self.reads_beside = bool(_INDEXED.match(self.name)), bool(_READS_BESIDE.match(self.name))
