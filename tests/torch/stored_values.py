"""Reads inputs_outputs.json and values.bin as tensors of PyTorch."""
import json
import pathlib

import torch

DTYPES = {"bool": torch.bool, "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
          "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "c64": torch.complex64,
          "c128": torch.complex128}


def numbers(text):
    return [int(n) for n in text.split(",") if n]


class Row:
    """A stored value: a tensor in its own layout, or a number."""

    def __init__(self, row, values):
        self.name, self.loose = row["name"], any(row.get(k) for k in ("random", "gaps", "ties"))
        self.difference = row.get("graph_max_abs_diff", 0.0)
        if "meta" not in row:
            self.value = row["value"]
            return
        meta = row["meta"].split("@")[0]
        dtype = DTYPES[meta[:meta.index("[")]]
        sizes = numbers(meta[meta.index("[") + 1:meta.index("]")])
        strides = numbers(meta[meta.index("{") + 1:meta.index("}")])
        offset = int(meta[meta.rindex("+") + 1:])
        reach = offset + 1 + sum((n - 1) * s for n, s in zip(sizes, strides)) if all(sizes) else offset
        memory, places = torch.zeros(reach, dtype=dtype), torch.arange(reach).as_strided(sizes, strides, offset)
        raw = bytearray(values[row["offset"]:row["offset"] + row["bytes"]])
        if raw:
            memory[places.reshape(-1)] = torch.frombuffer(raw, dtype=dtype)
        self.value = memory.as_strided(sizes, strides, offset)

    def difference_to(self, got):
        """Returns how `got` differs from the stored value, in words; empty if it does not differ significantly."""
        if not isinstance(self.value, torch.Tensor):
            return "" if got == self.value else f"{self.name} is {got}, not {self.value}"
        if not isinstance(got, torch.Tensor):
            return f"{self.name} is {got}, no tensor"
        if got.dtype != self.value.dtype or got.shape != self.value.shape:
            return f"{self.name} is {got.dtype}{list(got.shape)}, not {self.value.dtype}{list(self.value.shape)}"
        if self.loose:
            return ""
        got, value = got.detach().resolve_conj().resolve_neg(), self.value
        wide = torch.complex128 if value.is_complex() else torch.float64
        apart = (got.to(wide) - value.to(wide)).abs()
        apart[got.to(wide) == value.to(wide)] = 0  # equal infinities
        apart[got.isnan() & value.isnan()] = 0
        largest = value.to(wide).abs().nan_to_num(posinf=0).max().item() if value.numel() else 0.0
        # The stored values come from another machine, which rounds sums of floats in another order.
        exact = not (value.is_floating_point() or value.is_complex())
        allowed = 2 * self.difference + (0 if exact else 64 * torch.finfo(value.dtype).eps * max(largest, 1.0))
        return "" if not apart.numel() or apart.max() <= allowed else f"{self.name} differs by {apart.max()}, allowed {allowed}"


class StoredValues:
    def __init__(self, folder):
        folder = pathlib.Path(folder)
        table = json.loads((folder / "inputs_outputs.json").read_text())
        values = (folder / table["file"]).read_bytes()
        for key in ("inputs", "outputs", "buffers_after", "inputs_after"):
            setattr(self, key, [Row(r, values) for r in table.get(key, [])])
