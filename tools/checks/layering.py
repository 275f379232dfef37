"""Rooms include only what stands to their left, CUDA stays in its place, and the op-free rooms name no op."""
import re

from checks.sources import code_files, text

ORDER = ["runtime", "kernels", "fake", "tracer", "tools"]
NO_OPS = ["runtime", "fake", "tracer"]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
CUDA_HEADER = re.compile(r"^(cuda|cublas|cudnn|cufft|curand|cusolver|cusparse|nvrtc|thrust/|cub/|cooperative_groups)")
OP_LITERAL = re.compile(r'"[^"\n]*\baten(\.|::)|\bops::\w')
COMMENT = re.compile(r"//.*$")


def may_hold_cuda(path):
    return path.endswith("_cuda.cu") or path.endswith(".cuh") or path.startswith("runtime/cuda/")


def problems(root, build):
    found = []
    for path in code_files(root):
        room = path.split("/")[0]
        for number, line in enumerate(text(root, path).splitlines(), 1):
            where = f"{path}:{number}"
            include = INCLUDE.match(line)
            if include:
                found += wrong_include(path, room, where, include.group(1))
            elif room in NO_OPS and OP_LITERAL.search(COMMENT.sub("", line)):
                found.append(f"{where}: {room}/ knows no op; use a tag of its entry: {line.strip()}")
    return found


def wrong_include(path, room, where, name):
    target = name.split("/")[0]
    if room in ORDER and target in ORDER and ORDER.index(target) > ORDER.index(room):
        return [f"{where}: {room}/ may not include {name}: the arrow is {' <- '.join(ORDER)}"]
    if room in [*ORDER, "include"] and target == "tests" or room == "include" and target == "tools":
        return [f"{where}: {room}/ may not include {target}"]
    if room in ORDER and target == "ersatz":
        return [f"{where}: {room}/ includes rooms; <ersatz/...> is for users"]
    if CUDA_HEADER.match(name) and not may_hold_cuda(path):
        return [f"{where}: CUDA headers belong to *_cuda.cu and runtime/cuda/ only"]
    return []
