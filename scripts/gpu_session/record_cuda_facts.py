"""Records what PyTorch really answers on this card for recorded calls: metadata only, one JSON object a line.

    record_cuda_facts.py RECORDS OUT.jsonl [--device cuda]

RECORDS is a folder of call records (docs/call-records.md). A line of OUT is {"id", "op", "cuda": {"out": [...]}} or
{"id", "op", "cuda": {"err": class}}, written where the answer differs from the recorded CPU answer in dtype, sizes,
strides, offset or in raising; the last line counts: {"compared", "equal", "differ", "skipped"}. Calls that raise on the CPU
are left out: raising on values poisons a CUDA context. A call that poisons it all the same ends the worker process, and the
next one goes on behind it.
"""
import argparse
import json
import pathlib
import subprocess
import sys

DTYPES = {
    "bool": "bool", "u8": "uint8", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "f16": "float16",
    "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128",
}


def numbers(text):
    return [int(x) for x in text.split(",")] if text else []


def parse_meta(text):
    """`f32[2,3]{3,1}+0@cpu` as dtype, sizes, strides, offset."""
    dtype, rest = text.split("[", 1)
    sizes, rest = rest.split("]", 1)
    strides, rest = rest[1:].split("}", 1)
    return dtype, numbers(sizes), numbers(strides), int(rest[1:].split("@")[0])


class Builder:
    """The arguments of one record, on a device."""

    def __init__(self, torch, device):
        self.torch, self.device, self.storages = torch, device, {}

    def tensor(self, t):
        torch = self.torch
        dtype, sizes, strides, offset = parse_meta(t["t"])
        if t["s"] not in self.storages:
            self.storages[t["s"]] = torch.zeros(t["n"], dtype=torch.uint8, device=self.device)
        raw = self.storages[t["s"]].untyped_storage()
        result = torch.empty(0, dtype=getattr(torch, DTYPES[dtype]), device=self.device)
        result.set_(raw, offset, sizes, strides)
        if "v" in t and result.numel():
            special = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
            values = [complex(*x) if isinstance(x, list) else special.get(x, x) for x in t["v"]]
            result.copy_(torch.tensor(values, dtype=result.dtype).reshape(sizes))
        if t.get("conj"):
            result = torch._conj(result)
        if t.get("neg"):
            result = torch._neg_view(result)
        return result

    def value(self, v):
        torch = self.torch
        if isinstance(v, list):
            return [self.value(x) for x in v]
        if not isinstance(v, dict):
            return v
        if "t" in v:
            return self.tensor(v)
        if "dtype" in v:
            return getattr(torch, DTYPES[v["dtype"]])
        if "layout" in v:
            return getattr(torch, v["layout"])
        if "device" in v:
            return torch.device(self.device)
        if "memory_format" in v:
            return getattr(torch, v["memory_format"] + "_format" if v["memory_format"] in ("contiguous", "preserve")
                           else v["memory_format"])
        if "complex" in v:
            return complex(*v["complex"])
        if "inf" in v:
            return float("inf") * v["inf"]
        if "nan" in v:
            return float("nan")
        raise ValueError(f"unknown argument {v}")


def describe(torch, value):
    if isinstance(value, torch.Tensor):
        short = {v: k for k, v in DTYPES.items()}
        name = short.get(str(value.dtype).removeprefix("torch."), str(value.dtype))
        list_of = lambda x: ",".join(str(i) for i in x)
        return {"t": f"{name}[{list_of(value.shape)}]{{{list_of(value.stride())}}}+{value.storage_offset()}@cuda:0"}
    if isinstance(value, (list, tuple)):
        return [describe(torch, x) for x in value]
    return value if isinstance(value, (int, float, bool, type(None))) else str(value)


def same(cuda, cpu):
    """Equal but for the device and for strides that mean nothing."""
    if isinstance(cpu, list):
        return isinstance(cuda, list) and len(cuda) == len(cpu) and all(map(same, cuda, cpu))
    if not (isinstance(cpu, dict) and "t" in cpu):
        return True  # numbers are values, not metadata
    if not (isinstance(cuda, dict) and "t" in cuda):
        return False
    a, b = parse_meta(cuda["t"]), parse_meta(cpu["t"])
    if a[:2] != b[:2] or a[3] != b[3]:
        return False
    if 0 in a[1]:
        return True
    return all(x == y for x, y, n in zip(a[2], b[2], a[1]) if n > 1)


def work(files, skip, out, device):
    """Replays the records behind the first `skip`; prints the number of each before it runs."""
    import torch

    number, counts = 0, {"compared": 0, "equal": 0, "differ": 0, "skipped": 0}
    with open(out, "a") as file:
        for path in files:
            for line in open(path):
                number += 1
                if number <= skip:
                    continue
                print(number, flush=True)
                record = json.loads(line)
                answer = replay(torch, record, device)
                if answer is None:
                    counts["skipped"] += 1
                    continue
                counts["compared"] += 1
                equal = "out" in answer and same(answer["out"], record["out"])
                counts["equal" if equal else "differ"] += 1
                if not equal:
                    file.write(json.dumps({"id": record["id"], "op": record["op"], "cuda": answer}) + "\n")
                    file.flush()
    print("counts " + json.dumps(counts), flush=True)


def replay(torch, record, device):
    if "err" in record or "out" not in record:
        return None
    namespace, packet, overload = record["op"].split(".")
    try:
        builder = Builder(torch, device)
        args = [builder.value(a) for a in record["args"]]
        kwargs = {k: builder.value(v) for k, v in record["kwargs"].items()}
        op = getattr(getattr(getattr(torch.ops, namespace), packet), overload)
    except (ValueError, RuntimeError, KeyError, AttributeError, TypeError):
        return None
    try:
        result = op(*args, **kwargs)
        if device != "cpu":
            torch.cuda.synchronize()
    except Exception as e:  # any class is a fact
        if "CUDA error" in str(e):
            sys.exit(3)
        return {"err": type(e).__name__}
    if result is None:
        result = []
    return {"out": describe(torch, list(result) if isinstance(result, tuple) else [result] if not isinstance(result, list)
            or len(record["out"]) == 1 and isinstance(record["out"][0], list) else result)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records")
    parser.add_argument("out")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--work", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    files = sorted(pathlib.Path(options.records).glob("*.jsonl"))
    if options.work is not None:
        return work(files, options.work, options.out, options.device)
    open(options.out, "w").close()
    done, crashed, total = 0, 0, {"compared": 0, "equal": 0, "differ": 0, "skipped": 0}
    records = sum(1 for path in files for _ in open(path))
    while done < records:
        command = [sys.executable, __file__, options.records, options.out, "--device", options.device, "--work", str(done)]
        before, finished = done, False
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL) as worker:
            for line in worker.stdout:
                if line.startswith("counts "):
                    finished = True
                    for key, value in json.loads(line[7:]).items():
                        total[key] += value
                else:
                    done = int(line)
        if finished:
            break
        if done == before:
            sys.exit("record_cuda_facts: the worker does not start")
        crashed += 1
    total["crashed"] = crashed
    with open(options.out, "a") as file:
        file.write(json.dumps(total) + "\n")
    print(json.dumps(total))


if __name__ == "__main__":
    main()
