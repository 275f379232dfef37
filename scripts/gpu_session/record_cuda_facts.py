"""Repeats recorded calls with PyTorch on this GPU, and records the metadata of the results, one JSON object a line.

    record_cuda_facts.py RECORDS OUT.jsonl [--device cuda] [--jobs 8] [--seconds 400] [--done 90,88,...]

RECORDS is a folder of call records (docs/call-records.md). A line of OUT is a call record with the real result in the
place of the recorder's prediction for CUDA (`cuda_fake`), so `ersatz crosscheck OUT --device cuda --no-real` compares rules
with it. OUT has a line only if the result differs from the record of the CPU in dtype, sizes, strides, offset, conj, neg or
in raising. If this PyTorch differs from the record on the CPU too, the line also has `cpu_here`, its result on the CPU: then the
version differs and not the device. The last line has counts; its `done`, one number a worker, continues the run with `--done`.

Calls that raise on the CPU are left out, because an error about values makes a CUDA context unusable. Two kinds of them are not left out:
calls for which the CPU has no kernel (NotImplementedError), and calls with values that the CPU refuses (ValueError).

The most informative calls come first: operators whose layouts a library chooses, then those for which somebody predicted another
result on CUDA, then all others. A call that ends its worker, or hangs, is named, and a new worker continues after it.
"""
import argparse
import json
import pathlib
import re
import selectors
import subprocess
import sys
import threading
import time

DTYPES = {
    "bool": "bool", "u8": "uint8", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "f16": "float16",
    "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128",
    "u16": "uint16", "u32": "uint32", "u64": "uint64", "c32": "complex32", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2",
    "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0fnu": "float8_e8m0fnu", "f4e2m1fn_x2": "float4_e2m1fn_x2",
}
# In these operators, libraries (cuDNN, cuBLAS, cuFFT, cuSOLVER) choose the layouts, or PyTorch's CUDA kernels differ
# from its CPU kernels.
BY_LIBRARY = re.compile(r"conv|attention|norm|pool|upsample|fft|stft|linalg|svd|lu_|lstm|gru|rnn|softmax|sort|topk|mm|matmul")
FIELDS = ("compared", "equal", "differ", "version", "skipped")
REFUSED_BEFORE_VALUES = ("NotImplementedError", "ValueError")  # classes of errors that CUDA need not raise, and that do not depend on values
STUCK_SECONDS = 60


def numbers(text):
    return [int(x) for x in text.split(",")] if text else []


def parse_meta(text):
    """(dtype, sizes, strides, offset) of `f32[2,3]{3,1}+0@cpu`."""
    dtype, rest = text.split("[", 1)
    sizes, rest = rest.split("]", 1)
    strides, rest = rest[1:].split("}", 1)
    return dtype, numbers(sizes), numbers(strides), int(rest[1:].split("@")[0])


class Builder:
    """Builds the arguments of one record on a device."""

    def __init__(self, torch, device):
        self.torch, self.device, self.storages, self.tensors = torch, device, {}, []

    def tensor(self, t):
        torch = self.torch
        dtype, sizes, strides, offset = parse_meta(t["t"])
        if t["s"] not in self.storages:
            self.storages[t["s"]] = torch.zeros(t["n"], dtype=torch.uint8, device=self.device)
        raw = self.storages[t["s"]].untyped_storage()
        result = torch.empty(0, dtype=getattr(torch, DTYPES[dtype]), device=self.device)
        result.set_(raw, offset, sizes, strides)
        if t.get("hex") and result.numel():
            data = torch.frombuffer(bytearray.fromhex(t["hex"]), dtype=result.dtype).reshape(sizes)
            result.copy_(data.to(self.device))
        elif t.get("v") and result.numel():
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
            self.tensors.append(self.tensor(v))
            return self.tensors[-1]
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


SHORT = {v: k for k, v in DTYPES.items()}


def name_of(storage, names):
    """The number of a storage, identified by its object: empty storages share an address, and a growing one moves."""
    return names.setdefault(storage._cdata, max(names.values(), default=-1) + 1)


def described(torch, value, storages, arguments=()):
    """A result in the spelling of call records, without values; with the number of the argument that it is, if any."""
    if isinstance(value, torch.Tensor):
        name = SHORT.get(str(value.dtype).removeprefix("torch."), str(value.dtype))
        commas = lambda x: ",".join(str(i) for i in x)  # noqa: E731
        place = "cpu" if value.device.type == "cpu" else "cuda:0"
        raw = value.untyped_storage()
        answer = {"t": f"{name}[{commas(value.shape)}]{{{commas(value.stride())}}}+{value.storage_offset()}@{place}",
                  "s": name_of(raw, storages), "n": raw.nbytes()}
        answer |= {"is": number for number, argument in enumerate(arguments) if argument is value}
        return answer | {flag: True for flag, on in (("conj", value.is_conj()), ("neg", value.is_neg())) if on}
    if isinstance(value, (list, tuple)):
        return [described(torch, x, storages, arguments) for x in value]
    return value if isinstance(value, (int, float, bool, type(None))) else str(value)


def same(here, recorded):
    """True if both are equal except for devices and insignificant strides."""
    if isinstance(recorded, list):
        return isinstance(here, list) and len(here) == len(recorded) and all(map(same, here, recorded))
    if not (isinstance(recorded, dict) and "t" in recorded):
        return True  # numbers are values, not metadata
    if not (isinstance(here, dict) and "t" in here):
        return False
    a, b = parse_meta(here["t"]), parse_meta(recorded["t"])
    if a[:2] != b[:2] or a[3] != b[3] or any(bool(here.get(f)) != bool(recorded.get(f)) for f in ("conj", "neg")):
        return False
    return 0 in a[1] or all(x == y for x, y, n in zip(a[2], b[2], a[1]) if n > 1)


def answered(here, record):
    """True if the outcome equals the record's: equal metadata, or an error in both."""
    return same(here["out"], record["out"]) if "out" in here and "out" in record else "err" in here and "err" in record


class Poisoned(Exception):
    """The device is unusable for this process."""


def replay(torch, record, device):
    """{"out": ..., "after": ...} or {"err": class}; None if the call cannot be made here."""
    namespace, packet, overload = record["op"].split(".")
    try:
        builder = Builder(torch, device)
        args = [builder.value(a) for a in record["args"]]
        kwargs = {k: builder.value(v) for k, v in record["kwargs"].items()}
        op = getattr(getattr(getattr(torch.ops, namespace), packet), overload)
        storages = {t.untyped_storage()._cdata: name for name, t in builder.storages.items()}
        before = described(torch, builder.tensors, storages)
    except (ValueError, RuntimeError, KeyError, AttributeError, TypeError) as e:
        if "CUDA error" in str(e):
            raise Poisoned(str(e)) from e
        return None
    try:
        result = op(*args, **kwargs)
        if device != "cpu":
            torch.cuda.synchronize()
    except Exception as e:  # an exception of any class is an outcome
        if "CUDA error" in str(e):
            raise Poisoned(str(e)) from e
        return {"err": type(e).__name__, "msg": str(e)[:300]}
    results = [] if result is None else list(result) if isinstance(result, tuple) else [result]
    expected = record.get("out", [])
    if isinstance(result, list) and not (len(expected) == 1 and isinstance(expected[0], list)):
        results = result
    answer = {"out": described(torch, results, storages, builder.tensors)}
    after = described(torch, builder.tensors, storages)
    changed = {str(number): now for number, (was, now) in enumerate(zip(before, after)) if was != now}
    return answer | ({"after": changed} if changed else {})


def compared(torch, record, device):
    """(the category that counts it, the line to write or None)."""
    if "out" not in record and record.get("err") not in REFUSED_BEFORE_VALUES:
        return "skipped", None
    answer = replay(torch, record, device)
    if answer is None:
        return "skipped", None
    if answered(answer, record):
        return "equal", None
    if "err" in answer and "value_dependent" in record.get("tags", []):
        return "skipped", None  # the outcome depends on values that the record does not have
    line = {k: v for k, v in record.items() if k not in ("fake", "cuda_fake")} | {"cuda_fake": answer}
    here = replay(torch, record, "cpu") if device != "cpu" else None
    if here and not answered(here, record):
        return "version", line | {"cpu_here": here}
    return "differ", line


def ordered(folder):
    """All records as (file, position in it), the most informative ones first."""
    files = []
    for path in sorted(pathlib.Path(folder).rglob("*.jsonl")):
        starts, predicted = [0], 0
        with open(path, "rb") as file:
            for line in file:
                predicted += b'"cuda_fake"' in line
                starts.append(starts[-1] + len(line))
        files.append((0 if BY_LIBRARY.search(path.stem) else 1 if predicted else 2, path, starts[:-1]))
    return [(path, start) for _, path, starts in sorted(files) for start in starts]


def work(options):
    """Replays each `shards`-th record after the first `skip` of them. Prints the number of each, then its category."""
    import torch

    shard, shards, skip = options.work
    mine = ordered(options.records)[shard::shards]
    print("ready", flush=True)
    with open(options.out, "a") as out:
        for number, (path, start) in enumerate(mine):
            if number < skip:
                continue
            with open(path, "rb") as file:
                file.seek(start)
                record = json.loads(file.readline())
            print(f"begin {number} {record['id']}", flush=True)
            try:
                counts_as, line = compared(torch, record, options.device)
            except Poisoned as e:
                print(f"poisoned {str(e).splitlines()[0][:150]}", flush=True)
                sys.exit(3)
            if line:
                out.write(json.dumps(line) + "\n")
                out.flush()
            print(f"end {counts_as}", flush=True)
    print("finished", flush=True)


class Shard:
    """One worker after another; each starts after the call that killed the one before."""

    def __init__(self, options, number):
        self.options, self.number = options, number
        self.out = pathlib.Path(f"{options.out}.{number}")
        self.out.write_text("")
        self.done, self.counts, self.ended_by, self.problem = options.done[number], dict.fromkeys(FIELDS, 0), [], ""

    def run(self):
        while time.monotonic() < self.options.end and not self.once():
            pass

    def once(self):
        """Runs a worker. Returns whether this shard ends: it is done, out of time, or its workers do not work."""
        o = self.options
        command = [sys.executable, __file__, o.records, str(self.out), "--device", o.device, "--work", str(self.number), str(o.jobs), str(self.done)]
        current, ready, why = None, False, "crashed"
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0) as worker, selectors.DefaultSelector() as selector:
            selector.register(worker.stdout, selectors.EVENT_READ)
            rest, heard = b"", time.monotonic()
            while True:
                now = time.monotonic()
                if now >= o.end or now - heard > (STUCK_SECONDS if ready else 4 * STUCK_SECONDS):
                    why = "hung"
                    worker.kill()
                    break
                if not selector.select(0.5):
                    continue
                data = worker.stdout.read(1 << 16)
                if not data:
                    break
                heard = time.monotonic()
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    word, _, text = line.decode().partition(" ")
                    ready = True
                    if word == "begin":
                        current = text
                    elif word == "poisoned":
                        why = text
                    elif word == "end":
                        self.counts[text] += 1
                        self.counts["compared"] += text != "skipped"
                        self.done, current = int(current.split()[0]) + 1, None
                    elif word == "finished":
                        return True
        if time.monotonic() >= o.end:
            return True
        if current is None:
            self.problem = "a worker does not start" if not ready else "a worker ended between calls"
            return True
        number, name = current.split(" ", 1)
        self.ended_by.append({"id": name, "how": why})
        self.done = int(number) + 1
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records")
    parser.add_argument("out")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--done", type=numbers, help="the number of calls that each worker has already done, one number a job")
    parser.add_argument("--work", type=int, nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work is not None:
        return work(options)
    options.end = time.monotonic() + options.seconds
    options.jobs = len(options.done) if options.done else options.jobs
    options.done = options.done or [0] * options.jobs
    records = len(ordered(options.records))
    shards = [Shard(options, n) for n in range(options.jobs)]
    threads = [threading.Thread(target=s.run) for s in shards]
    for thread in threads:
        thread.start()
    while any(t.is_alive() for t in threads):
        for thread in threads:
            thread.join(10 / len(threads))
        print(f"{sum(s.done for s in shards)} of {records}", flush=True)
    total = {f: sum(s.counts[f] for s in shards) for f in FIELDS}
    total |= {"ended_a_worker": [e for s in shards for e in s.ended_by], "not_asked": records - sum(s.done for s in shards), "done": [s.done for s in shards]}
    with open(options.out, "w") as file:
        for shard in shards:
            file.write(shard.out.read_text())
            shard.out.unlink()
        file.write(json.dumps(total) + "\n")
    print(json.dumps(total))
    problems = {s.problem for s in shards if s.problem}
    if problems:
        sys.exit("record_cuda_facts: " + ", ".join(sorted(problems)))
    return None


if __name__ == "__main__":
    main()
