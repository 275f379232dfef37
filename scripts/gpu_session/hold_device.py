"""Keeps a context on the GPU, so that later processes start faster, and reads libraries into the page cache, so that none waits for the disk.

    hold_device.py FOLDER...      FOLDERs have the libraries of CUDA and PyTorch; ends when the process that started it ends

Prints the versions of cuBLASLt, cuDNN and the CUDA runtime in the folders, and the seconds for the context and for reading.
"""
import concurrent.futures
import ctypes
import os
import pathlib
import sys
import time

# Libraries that ersatz opens come first, then those of `import torch`, then all others.
ORDER = ["libcublasLt.so", "libcudnn", "libcudart.so", "libcublas.so", "libc10", "libtorch_cpu.so", "libtorch_cuda.so", "libtorch"]
VERSIONS = [("libcublasLt.so.*", "cublasLtGetVersion"), ("libcudnn.so.*", "cudnnGetVersion"), ("libcudart.so.*", "cudaRuntimeGetVersion")]


def say(text):
    print(text, flush=True)


def hold():
    """Whether a context is held now; it lives as long as this process."""
    begin = time.monotonic()
    cuda = ctypes.CDLL("libcuda.so.1")
    device, version, context = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p()
    for name, *arguments in [("cuInit", 0), ("cuDriverGetVersion", ctypes.byref(version)), ("cuDeviceGet", ctypes.byref(device), 0),
                             ("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)]:
        if error := getattr(cuda, name)(*arguments):
            return say(f"{name}: error {error}")
    return say(f"the driver is for CUDA {version.value}; a context after {time.monotonic() - begin:.1f} s")


def read(path):
    """Number of bytes that were read."""
    try:
        with open(path, "rb", buffering=0) as file:
            return sum(iter(lambda: len(file.read(1 << 24)), 0))
    except OSError:
        return 0


def warm(folders):
    begin = time.monotonic()
    files = [p for f in folders for p in pathlib.Path(f).glob("*.so*") if not p.is_symlink()]
    rank = lambda p: next((n for n, start in enumerate(ORDER) if p.name.startswith(start)), len(ORDER))  # noqa: E731
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        total = sum(pool.map(read, sorted(files, key=rank)))
    say(f"{len(files)} libraries of {total >> 20} MiB read after {time.monotonic() - begin:.1f} s")


def version(pattern, function, folders):
    path = next((p for f in folders for p in sorted(pathlib.Path(f).glob(pattern))), None)
    if not path:
        return say(f"{pattern}: not in these folders")
    ask = getattr(ctypes.CDLL(str(path)), function)
    if function == "cudaRuntimeGetVersion":  # returns the version through its argument
        number = ctypes.c_int()
        ask(ctypes.byref(number))
        return say(f"{function} {number.value} of {path}")
    ask.restype = ctypes.c_size_t
    return say(f"{function} {ask()} of {path}")


def main():
    parent, folders = os.getppid(), sys.argv[1:]
    for task in [hold, lambda: warm(folders), *(lambda v=v: version(*v, folders) for v in VERSIONS)]:
        try:
            task()
        except (OSError, AttributeError) as e:
            say(f"{type(e).__name__}: {e}")
    while os.getppid() == parent:
        time.sleep(0.5)


if __name__ == "__main__":
    main()
