"""Makes recorded calls with one change each (a dtype, a size, strides, an offset, a number, a flag), and records PyTorch's results.

    python python/bench/changed_calls.py RECORDS... -o FOLDER [--each 30] [--seed 0] [--dtypes f8e4m3fn u16 c32]
    ersatz crosscheck FOLDER

RECORDS are files of call records, or folders with them. The calls of a file are made in a process of its own. If PyTorch ends
this process, the calls that were recorded before stay in FOLDER. Needs torch.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import json
import os
import pathlib
import random
import re
import resource
import signal
import warnings
from typing import Any

import torch

from ersatz.torch import record
from ersatz.torch.remade import Remade

DTYPES = ["f32", "f64", "f16", "bf16", "i64", "i32", "i16", "u8", "bool", "c64"]
BYTES = {"f64": 8, "i64": 8, "c64": 8, "c128": 16, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i16": 2, "u16": 2, "u32": 4, "u64": 8, "c32": 4}
META = re.compile(r"(\w+)\[([\d,]*)\]\{([\d,]*)\}\+(\d+)@(.*)")
SECONDS, MOST_MEMORY = 25, 12 << 30  # seconds for one call; bytes for one process
LEFT_OUT = {"_assert_async", "_assert_tensor_metadata", "_print", "from_file", "set_data"}


def numbers(text: str) -> list[int]:
    return [int(n) for n in text.split(",")] if text else []


def row_major(sizes: list[int]) -> list[int]:
    strides, n = [0] * len(sizes), 1
    for d in reversed(range(len(sizes))):
        strides[d] = n
        n *= max(sizes[d], 1)
    return strides


def tensors(x: Any) -> list[dict[str, Any]]:
    if isinstance(x, dict):
        return [x] if "t" in x else []
    return [t for item in x for t in tensors(item)] if isinstance(x, list) else []


def change_tensor(t: dict[str, Any], r: random.Random) -> None:
    found = META.match(t["t"])
    assert found is not None
    dtype, offset, device = found[1], int(found[4]), found[5]
    sizes, strides = numbers(found[2]), numbers(found[3])
    what = r.choice(["dtype", "size", "size", "empty", "order", "gap", "expand", "offset", "more", "fewer"])
    if what == "dtype":
        dtype = r.choice(DTYPES)
    elif what == "offset":
        offset += r.randint(1, 3)
    elif what == "more":
        sizes.insert(r.randint(0, len(sizes)), r.choice([1, 2]))
        strides = row_major(sizes)
    elif sizes:
        d = r.randrange(len(sizes))
        if what == "size":
            sizes[d] = r.choice([1, 2, 3, sizes[d] + 1, max(0, sizes[d] - 1)])
            strides = row_major(sizes)
        elif what == "empty":
            sizes[d] = 0
        elif what == "fewer":
            del sizes[d]
            strides = row_major(sizes)
        elif what == "gap":
            strides = [s * r.choice([2, 3]) for s in strides]
        elif what == "expand":
            strides[d] = 0
        else:
            order = r.sample(range(len(sizes)), len(sizes))
            laid_out = row_major([sizes[d] for d in order])
            strides = [laid_out[order.index(d)] for d in range(len(sizes))]
    last = offset + sum((n - 1) * s for n, s in zip(sizes, strides))
    t["n"] = max(t["n"], (last + 1) * BYTES.get(dtype, 1)) if all(sizes) else t["n"]
    t["s"] += 1000  # a storage number of its own, so that the tensor shares no memory
    t.pop("is", None)
    t["t"] = f"{dtype}[{','.join(map(str, sizes))}]{{{','.join(map(str, strides))}}}+{offset}@{device}"


def changed(x: Any, r: random.Random) -> Any:
    """Returns a changed argument that is no tensor."""
    if isinstance(x, bool):
        return not x
    if isinstance(x, int):
        return r.choice([-1, 0, 1, 2, 3, x + 1, x - 1, -x])
    if isinstance(x, float):
        return r.choice([0.0, 1.0, -1.0, 0.5, 2.0, -x])
    if isinstance(x, dict) and "dtype" in x:
        return {"dtype": r.choice(DTYPES)}
    if isinstance(x, list) and x and not tensors(x):
        i = r.randrange(len(x))
        return r.choice([x[:-1], [*x, x[-1]], [*x[:i], changed(x[i], r), *x[i + 1:]]])
    return x


def change(call: dict[str, Any], r: random.Random) -> None:
    args, kwargs = call["args"], call["kwargs"]
    given = tensors([args, list(kwargs.values())])
    others = [(args, i) for i, x in enumerate(args) if not tensors([x])] + [(kwargs, k) for k, x in kwargs.items() if not tensors([x])]
    if given and (not others or r.random() < 0.6):
        change_tensor(r.choice(given), r)
    elif others:
        holder, key = r.choice(others)
        holder[key] = changed(holder[key], r)


def make(path: pathlib.Path, to: pathlib.Path, each: int, seed: int) -> None:
    """Records changed calls of a file, `each` of them for every operator in it."""
    r = random.Random(f"{path.name} {seed}")
    torch.manual_seed(seed)
    calls: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        call = json.loads(line)
        calls.setdefault(call["op"], []).append(call)
    recorder = record(to, values=64, fake=False)
    with torch.no_grad(), recorder:
        for name, known in calls.items():
            namespace, base, overload = name.split(".")
            if base in LEFT_OUT:
                continue
            op = getattr(getattr(getattr(torch.ops, namespace), base), overload)
            recorder._only = op  # only this operator is recorded, not the calls that make its arguments
            for _ in range(each):
                call = copy.deepcopy(r.choice(known))
                change(call, r)
                made = Remade(op, call).arguments(call, r.choice(["random", "recorded"]))
                if made is None:
                    continue
                signal.alarm(SECONDS)
                with contextlib.suppress(Exception):  # the record has the exception
                    op(*made[0], **made[1])
                signal.alarm(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--each", type=int, default=30, help="calls of each operator")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dtypes", nargs="+", default=[], help="dtypes that a tensor may get in addition to the common ones")
    options = parser.parse_args()
    DTYPES.extend(options.dtypes)
    options.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    ended = 0
    for path in sorted(f for given in options.records for f in ([given] if given.is_file() else given.glob("*.jsonl"))):
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
            make(path, options.output / path.name, options.each, options.seed)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            ended += 1
            print(f"{path.name}: PyTorch ended with {status}", flush=True)
    print(f"{ended} files ended early")


if __name__ == "__main__":
    main()
