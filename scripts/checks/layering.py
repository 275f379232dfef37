"""Rooms include only rooms to their left, folders only those that their README lists. CUDA stays in its folders, and the
op-free rooms name no op.

Slow includes are limited too: fmt's format_to expands fmt's whole formatting at each call, and spdlog and CLI11 take
seconds in each unit that includes them.
"""
import re

from checks.sources import all_files, code_files, text

ORDER = ["runtime", "kernels", "fake", "tracer", "tools", "python"]
NO_OPS = ["runtime", "fake", "tracer"]
# This folder translates PyTorch's Python text, `torch.nn.functional.linear(x, w)` or `x[0]`, to operators. The names are
# only a dictionary: rules and kernels of the operators are in their own room, which does not depend on Python. A tag of
# an entry cannot express this, because one function becomes many operators.
NAMES_OPS = "tracer/pasted/"
FAMILIES = "kernels"  # its folders are families of operators, and may include each other
MAY_INCLUDE = re.compile(r"\b[Mm]ay include ([^.]*)\.", re.DOTALL)
FOLDER = re.compile(r"`(\w+)/`")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
CUDA_HEADER = re.compile(r"^(cuda|cublas|cudnn|cufft|curand|cusolver|cusparse|nvrtc|thrust/|cub/|cooperative_groups)")
OP_LITERAL = re.compile(r'"[^"\n]*\baten(\.|::)|\bops::\w')
WHOLE_FMT = re.compile(r"\bfmt::(v?format_to|formatted_size)\b")
COSTLY_HEADER = re.compile(r"^(spdlog|CLI)/")
COMMENT = re.compile(r"//.*$")


def may_hold_cuda(path):
    of_tests = path in ("tests/ptx/runtime.cpp", "tests/ptx/cublaslt.cpp", "tests/ptx/cublaslt_test.cpp")
    return path.endswith("_cuda.cu") or path.endswith(".cuh") or path.startswith("runtime/cuda/") or of_tests


def folder_of(path):
    """`runtime/op` for `runtime/op/rule.h`; None if the file is in no folder of a room with folders."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 and parts[0] in ORDER and parts[0] != FAMILIES else None


def permissions(root):
    """folder -> the folders of its room that it may include, from its README's list after "may include"."""
    found = {}
    for path in all_files(root):
        if path.endswith("/README.md") and path.count("/") == 2 and folder_of(path):
            said = MAY_INCLUDE.search(text(root, path))
            if said:
                room = path.split("/")[0]
                found[folder_of(path)] = [f"{room}/{name}" for name in FOLDER.findall(said.group(1))]
    return found


def circles(allowed):
    """Folders that may include each other, directly or through others."""
    above = {folder: set(below) for folder, below in allowed.items()}
    while done := [f for f in above if not above[f] & above.keys()]:
        for folder in done:
            del above[folder]
    return [f"{folder}/README.md: a circle: what it may include may include it" for folder in sorted(above)]


def between_folders(root):
    allowed, used = permissions(root), {}
    divided = {folder.split("/")[0] for folder in allowed}
    found = circles(allowed)
    for path in code_files(root, ORDER):
        room, folder = path.split("/")[0], folder_of(path)
        if folder is None and room in divided and not path.endswith("/pch.h"):
            found.append(f"{path}: belongs into a folder of {room}/")
        elif folder and folder not in allowed:
            found.append(f"{path}: {folder}/README.md says nothing like: It may include `x/`, `y/`.")
            allowed[folder] = []
        elif folder:
            used.setdefault(folder, set())
            for number, line in enumerate(text(root, path).splitlines(), 1):
                include = INCLUDE.match(line)
                target = include and folder_of(include.group(1))
                if target and target != folder and target.split("/")[0] == room:
                    used[folder].add(target)
                    if target not in allowed[folder]:
                        found.append(f"{path}:{number}: {folder}/ may not include {include.group(1)}: see {folder}/README.md")
    for folder, targets in used.items():
        found += [f"{folder}/README.md: names `{t.split('/')[1]}/`, which nothing there includes" for t in allowed[folder] if t not in targets]
    return found


def problems(root, build):
    found = between_folders(root)
    for path in code_files(root):
        room = path.split("/")[0]
        for number, line in enumerate(text(root, path).splitlines(), 1):
            where = f"{path}:{number}"
            include = INCLUDE.match(line)
            if include:
                found += wrong_include(path, room, where, include.group(1))
            elif room in NO_OPS and not path.startswith(NAMES_OPS) and OP_LITERAL.search(COMMENT.sub("", line)):
                found.append(f"{where}: {room}/ knows no op; use a tag of its entry: {line.strip()}")
            elif WHOLE_FMT.search(COMMENT.sub("", line)):
                found.append(f"{where}: expands fmt's formatting here; fmt::format and fmt::vformat do not")
    return found


def wrong_include(path, room, where, name):
    target = name.split("/")[0]
    if room in ORDER and target in ORDER and ORDER.index(target) > ORDER.index(room):
        return [f"{where}: {room}/ may not include {name}: the arrow is {' <- '.join(ORDER)}"]
    if room in [*ORDER, "include"] and target == "tests" or room == "include" and target in ("tools", "python"):
        return [f"{where}: {room}/ may not include {target}"]
    if room in ORDER and target == "ersatz":
        return [f"{where}: {room}/ includes rooms; <ersatz/...> is for users"]
    if COSTLY_HEADER.match(name) and path.endswith(".h"):
        return [f"{where}: <{name}> is slow to compile: declare what is needed, and include it in a .cpp file"]
    if CUDA_HEADER.match(name) and not may_hold_cuda(path):
        return [f"{where}: CUDA headers belong to *_cuda.cu, runtime/cuda/ and the PTX device's runtime and cuBLASLt only"]
    return []
