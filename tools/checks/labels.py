"""Every constraint label that a rule can raise is triggered: by an error sample beside the op, or named in a test.

In kernels, `require(condition, "C2", ...)` in the op file cat.cpp raises `cat.C2`. The label counts as triggered where the
same file has `.refuses("C2", ...)`, or a file below tests/ mentions `cat.C2` (for the op's base name or the file's).
"""
import pathlib
import re

from checks.sources import code_files, text

RAISED = re.compile(r'\b(?:require|require_index|refuse)\s*\((?:[^;"]|"(?![A-Z]\d+"))*?"([A-Z]\d+)"', re.S)
SAMPLED = re.compile(r'\.refuses\(\s*"([A-Z]\d+)"')
BASE = re.compile(r'"(?:aten|prims|prim)::([a-z0-9_]+)')
MENTIONED = re.compile(r"\b([a-z0-9_]+)\.([A-Z]\d+)\b")


def problems(root, build):
    tested = set()
    for path in code_files(root, ["tests"]):
        tested |= {f"{op}.{label}" for op, label in MENTIONED.findall(text(root, path))}
    found = []
    sampled = set()
    sources = {p: text(root, p) for p in code_files(root, ["kernels"])}
    for path, source in sources.items():
        sampled |= {(pathlib.PurePath(path).parent, label) for label in SAMPLED.findall(source)}
    for path, source in sources.items():
        names = {pathlib.PurePath(path).stem} | set(BASE.findall(source))
        own = set(SAMPLED.findall(source))
        for label in sorted(set(RAISED.findall(source))):
            if label not in own and not any(f"{n}.{label}" in tested for n in names):
                # Rules shared by a family raise for many ops: a sample of any op of the folder counts.
                shared = not BASE.search(source) and (pathlib.PurePath(path).parent, label) in sampled
                if not shared:
                    found.append(f"{path}: {label} is triggered by no error sample and no test")
    return found
