"""Times PyTorch on this card, for the operations and sizes that bench_cuda times: microseconds a call, by CUDA events.

    bench_torch.py OUT.json      writes the measurements so far into OUT.json each second
"""
import json
import os
import sys
import time

import torch


def microseconds(call, repeats=50):
    for _ in range(10):
        call()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(repeats):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1000 / repeats


class Times(dict):
    """name -> microseconds, written to a file now and then, so that a process that is ended leaves what it has."""

    def __init__(self, path):
        super().__init__()
        self.path, self.written = path, 0.0

    def __setitem__(self, name, time_):
        super().__setitem__(name, time_)
        if time.monotonic() - self.written > 1:
            self.write()

    def write(self):
        self.written = time.monotonic()
        with open(self.path + ".part", "w") as file:
            json.dump({"card": torch.cuda.get_device_name(), "torch": torch.__version__, "microseconds": self}, file, indent=1)
        os.replace(self.path + ".part", self.path)


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    times = Times(sys.argv[1])
    n = 1 << 26
    x = torch.randn(n, device="cuda")
    out = torch.empty_like(x)
    times["copy/f32/67108864"] = microseconds(lambda: out.copy_(x))
    small = torch.randn(6, device="cuda")
    for name, call in [("add", lambda: small + small), ("relu", small.relu), ("zero_", small.zero_), ("exp", small.exp)]:
        times[f"op/{name}"] = microseconds(call, 1000)
    for mib in [1, 16, 256, 1024]:
        x = torch.randn((mib << 20) // 4, device="cuda")
        y, out = torch.randn_like(x), torch.empty_like(x)
        times[f"add/{mib}"] = microseconds(lambda: torch.add(x, y, out=out))
        times[f"relu/{mib}"] = microseconds(lambda: torch.clamp_min(x, 0, out=out))
        times[f"exp/{mib}"] = microseconds(lambda: torch.exp(x, out=out))
    for dtype, name in [(torch.float32, "f32"), (torch.float16, "f16"), (torch.bfloat16, "bf16")]:
        x, y = (torch.randn(n, device="cuda", dtype=dtype) for _ in range(2))
        times[f"add/{name}/{n}"] = microseconds(lambda: x + y)
        times[f"sum/{name}/{n}"] = microseconds(lambda: x.sum())
        x = torch.randn(8192, 8192, device="cuda", dtype=dtype)
        times[f"sum_columns/{name}/8192x8192"] = microseconds(lambda: x.sum(0))
        for rows, width in [(1 << 20, 64), (1 << 16, 1024), (1 << 16, 1023), (8192, 8192), (2048, 50257)]:
            x = torch.randn(rows, width, device="cuda", dtype=dtype)
            times[f"sum/{name}/{rows}x{width}"] = microseconds(lambda: x.sum(1))
            times[f"softmax/{name}/{rows}x{width}"] = microseconds(lambda: torch.softmax(x, 1))
        for width in [1024, 4096, 16384]:
            x = torch.randn((1 << 26) // width, width, device="cuda", dtype=dtype)
            w = torch.randn(width, device="cuda", dtype=dtype)
            times[f"layer_norm/{name}/{(1 << 26) // width}x{width}"] = microseconds(
                lambda: torch.nn.functional.layer_norm(x, (width,), w, w)
            )
        x, w = torch.randn(16, 320, 4096, device="cuda", dtype=dtype), torch.randn(320, device="cuda", dtype=dtype)
        times[f"group_norm/{name}/16x320x4096"] = microseconds(lambda: torch.nn.functional.group_norm(x, 32, w, w))
    for dtype, name in [(torch.float32, "f32"), (torch.float16, "f16"), (torch.bfloat16, "bf16")]:
        image = torch.randn(32, 112, 112, 128, device="cuda", dtype=dtype).permute(0, 3, 1, 2)  # channels innermost
        times[f"avg_pool2d/{name}/32x112x112x128"] = microseconds(
            lambda: torch.nn.functional.avg_pool2d(image, 3, 1, 1)
        )
        a, b = (torch.randn(4096, 4096, device="cuda", dtype=dtype) for _ in range(2))
        times[f"mm/{name}/4096x4096"] = microseconds(lambda: a @ b)
        image = torch.randn(32, 64, 56, 56, device="cuda", dtype=dtype)
        weight = torch.randn(64, 64, 3, 3, device="cuda", dtype=dtype)
        times[f"conv2d/{name}/32x64x56x56"] = microseconds(lambda: torch.conv2d(image, weight, padding=1))
        q = torch.randn(8, 16, 1024, 64, device="cuda", dtype=dtype)
        times[f"attention/{name}/8x16x1024x64"] = microseconds(
            lambda: torch.nn.functional.scaled_dot_product_attention(q, q, q)
        )
    times.write()
    print(json.dumps(times))


if __name__ == "__main__":
    main()
