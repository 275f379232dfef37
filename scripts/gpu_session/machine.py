"""What this machine has of what the session can use, and the environment that its own programs run in."""
import os
import pathlib
import shutil
import subprocess
import sys

import processes


def torch_folders():
    """Where PyTorch's packages keep CUDA's libraries: they serve where the system has none."""
    found = []
    for base in sys.path:
        found += [str(p) for p in sorted(pathlib.Path(base).glob("nvidia/*/lib"))]
        found += [str(p) for p in [pathlib.Path(base) / "torch" / "lib"] if p.is_dir()]
    return found


class Machine:
    """`here`: the unpacked session. Libraries of the pack are named to our own programs alone, never to Python or to tools."""

    def __init__(self, here):
        self.here = here
        self.emulated = os.environ.get("ERSATZ_CUDA_MODULE", "")
        self.gpu = bool(self.emulated) or pathlib.Path("/dev/nvidiactl").exists()
        self.libraries = [str(here / "build/lib"), *torch_folders()]

    def program(self, name):
        return str(self.here / "build/bin" / name)

    def environment(self, **more):
        before = os.environ.get("LD_LIBRARY_PATH")
        return os.environ | {"LD_LIBRARY_PATH": ":".join(self.libraries + ([before] if before else [])),
                             "ERSATZ_DATA": str(self.here / "data")} | more

    def choose_libstdcxx(self):
        """Debian's own C++ library, which lies apart, serves only where the machine's is too old for our programs."""
        ended = processes.run([self.program("ersatz"), "--version"], 20, self.environment())
        if not ended.good:
            self.libraries.insert(1, str(self.here / "build/libstdc++"))
            ended = processes.run([self.program("ersatz"), "--version"], 20, self.environment())
        return ended

    def torch(self):
        """Why PyTorch cannot be asked, or ""."""
        if self.emulated:
            return "rehearsed without a GPU"
        code = "import torch; print(torch.__version__, torch.cuda.is_available())"
        ended = processes.run([sys.executable, "-c", code], 90)
        return "" if ended.good and ended.last_line().endswith("True") else f"no PyTorch for CUDA: {ended.last_line()}"


def tool(name):
    """Where a tool of CUDA is, or None."""
    return shutil.which(name) or next((str(p) for p in [pathlib.Path("/usr/local/cuda/bin") / name] if p.exists()), None)


def facts(here):
    """Lines that say which machine this is; each is asked in vain where it has no answer."""
    lines = [f"commit {(here / 'commit').read_text().strip() if (here / 'commit').is_file() else 'unknown'}",
             f"kernel {os.uname().release}, {os.cpu_count()} processors, python {sys.version.split()[0]}"]
    for path in (here, pathlib.Path("/tmp")):
        lines.append(f"{shutil.disk_usage(path).free >> 20} MiB free at {'the session' if path == here else path}")
    for command in (["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm,ecc.mode.current", "--format=csv,noheader"],
                    ["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader"]):
        try:
            answer = subprocess.run(command, capture_output=True, text=True, timeout=15).stdout.strip()
            lines += [answer] if answer else []
        except (OSError, subprocess.TimeoutExpired) as e:
            lines.append(f"{command[0]}: {type(e).__name__}")
    for name in ("cuobjdump", "compute-sanitizer", "ncu"):
        lines.append(f"{name}: {'there' if tool(name) else 'not there'}")
    return lines
