"""Calls that PyTorch dispatches below a call. Reads recorded calls, JSON lines, and writes a line for each: the calls
that a TorchDispatchMode saw (`[["aten.mm.default", ["f32[2,2]{2,1}"]], ...]`), or null where the call fails. Run by
scripts/composite_table with a Python that has torch."""
import json
import sys
import warnings

import torch
from torch.utils._python_dispatch import TorchDispatchMode

DTYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
          "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool,
          "c64": torch.complex64, "c128": torch.complex128}
NAMES = {v: k for k, v in DTYPES.items()}


def tensor(record, storages):
    dtype, rest = record["t"].split("[", 1)
    sizes, rest = rest.split("]{", 1)
    strides, rest = rest.split("}+", 1)
    sizes, strides = ([int(n) for n in text.split(",") if n] for text in (sizes, strides))
    dtype = DTYPES[dtype]
    if record["s"] not in storages:
        storages[record["s"]] = torch.zeros(record["n"], dtype=torch.uint8).untyped_storage()
    made = torch.empty(0, dtype=dtype).set_(storages[record["s"]], int(rest.split("@")[0]), sizes, strides)
    if "v" in record:
        values = [complex(*v) if isinstance(v, list) else float(v) if isinstance(v, str) else v for v in record["v"]]
        made.copy_(torch.tensor(values, dtype=dtype).reshape(sizes))
    return made


def argument(value, storages):
    if isinstance(value, list):
        return [argument(v, storages) for v in value]
    if not isinstance(value, dict):
        return value
    if "t" in value:
        return tensor(value, storages)
    (kind, held), = value.items()
    if kind == "dtype":
        return DTYPES[held]
    if kind == "memory_format":
        return {"contiguous": torch.contiguous_format, "preserve": torch.preserve_format,
                "channels_last": torch.channels_last, "channels_last_3d": torch.channels_last_3d}[held]
    return {"layout": lambda: torch.strided, "device": lambda: torch.device(held), "complex": lambda: complex(*held),
            "inf": lambda: float("inf") * held, "nan": lambda: float("nan")}[kind]()


def spelled(t):
    return f"{NAMES[t.dtype]}[{','.join(map(str, t.shape))}]{{{','.join(map(str, t.stride()))}}}"


class Log(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        flat = torch.utils._pytree.tree_leaves(out)
        self.calls.append([str(function), [spelled(t) for t in flat if isinstance(t, torch.Tensor)]])
        return out


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    for line in sys.stdin:
        record, log = json.loads(line), Log()
        try:
            _, base, overload = record["op"].split(".")
            storages = {}
            args = [argument(a, storages) for a in record["args"]]
            kwargs = {k: argument(v, storages) for k, v in record["kwargs"].items()}
            with log:
                getattr(getattr(torch.ops.aten, base), overload)(*args, **kwargs)
            print(json.dumps(log.calls))
        except Exception:  # noqa: BLE001 - whatever PyTorch refuses is no call to compare
            print("null")


if __name__ == "__main__":
    main()
