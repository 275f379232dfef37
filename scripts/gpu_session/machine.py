"""The tools and libraries of this machine, and the environment of the session's own programs."""
import os
import pathlib
import re
import shutil
import sys

import processes


def torch_folders():
    """Folders of PyTorch's packages with CUDA libraries, used if the system has none."""
    found = []
    for base in sys.path:
        found += [str(p) for p in sorted(pathlib.Path(base).glob("nvidia/*/lib"))]
        found += [str(p) for p in [pathlib.Path(base) / "torch" / "lib"] if p.is_dir()]
    return found


def gpus():
    """Number of GPUs. nvidia-smi is asked first, because it creates missing device nodes."""
    listed = processes.run(["nvidia-smi", "-L"], 60)
    if count := len(re.findall(r"^GPU \d+:", listed.text, re.M)):
        return count
    code = ("import ctypes; cuda, n = ctypes.CDLL('libcuda.so.1'), ctypes.c_int()\n"
            "print(0 if cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(n)) else n.value)")
    asked = processes.run([sys.executable, "-c", code], 60)
    return int(asked.last_line()) if asked.good and asked.last_line().isdigit() else 0


class Machine:
    """`here`: the folder of the unpacked session. Only our own programs see the pack's libraries, not Python or
    tools."""

    def __init__(self, here):
        self.here = here
        self.emulated = os.environ.get("ERSATZ_CUDA_MODULE", "")
        self.gpu = bool(self.emulated) or gpus() > 0
        self.libraries = [str(here / "build/lib"), *torch_folders()]

    def program(self, name):
        return str(self.here / "build/bin" / name)

    def environment(self, **more):
        before = os.environ.get("LD_LIBRARY_PATH")
        return os.environ | {"LD_LIBRARY_PATH": ":".join(self.libraries + ([before] if before else [])), "ERSATZ_DATA": str(self.here / "data"),
                             "ERSATZ_CUDA_MODULE": self.emulated or str(self.here / "build/lib/libersatz_cuda.so")} | more

    def choose_libstdcxx(self):
        """Uses the pack's C++ library (Debian's) only if the machine's is too old for our programs."""
        ended = processes.run([self.program("ersatz"), "--version"], 20, self.environment())
        if not ended.good:
            self.libraries.insert(1, str(self.here / "build/libstdc++"))
            ended = processes.run([self.program("ersatz"), "--version"], 20, self.environment())
        return ended

    def torch(self, seconds):
        """(the reason why PyTorch is unusable, or ""; its output about itself)."""
        code = ("import torch; there = torch.cuda.is_available()\n"
                "print('PyTorch', torch.__version__, 'CUDA', torch.version.cuda, 'cuDNN', torch.backends.cudnn.version(), there)")
        ended = processes.run([sys.executable, "-c", code], seconds)
        there = ended.good and ended.last_line().endswith("True")
        return "" if there else f"no PyTorch for CUDA: {ended.described()}: {ended.last_line()}", ended.last_line()


def tool(name):
    """Path of a CUDA tool, or None."""
    return shutil.which(name) or next((str(p) for p in [pathlib.Path("/usr/local/cuda/bin") / name] if p.exists()), None)


CLOCKS = "clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,power.draw,power.limit,temperature.gpu"


def card_and_driver():
    """(name, driver version) of the first GPU."""
    asked = processes.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], 30)
    name, _, driver = asked.text.strip().split("\n")[0].partition(", ")
    return (name, driver) if asked.good and driver else ("unknown", "unknown")


def facts(here):
    """Lines that describe the machine; a line without an answer is left out."""
    lines = [f"commit {(here / 'commit').read_text().strip() if (here / 'commit').is_file() else 'unknown'}",
             f"kernel {os.uname().release}, {os.cpu_count()} processors, python {sys.version.split()[0]}"]
    for path in (here, pathlib.Path("/tmp")):
        lines.append(f"{shutil.disk_usage(path).free >> 20} MiB free at {'the session' if path == here else path}")
    asked = ["name,driver_version,memory.total,ecc.mode.current,persistence_mode", CLOCKS]
    for command in [*(["nvidia-smi", f"--query-gpu={a}", "--format=csv,noheader"] for a in asked),
                    ["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader"]]:
        answer = processes.run(command, 30).text.strip()
        lines += [answer] if answer else []
    for name in ("cuobjdump", "compute-sanitizer", "ncu"):
        lines.append(f"{name}: {'there' if tool(name) else 'not there'}")
    return lines
