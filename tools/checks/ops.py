"""kernels/ops.def is sorted and true, every op has a test, and every test file is built."""
import json
import re
import subprocess

from checks.sources import all_files, op_files


def problems(root, build):
    files = set(all_files(root))
    pairs = op_files(root)
    found = []
    if pairs != sorted(pairs):
        first = next(b for a, b in zip(pairs, pairs[1:]) if b < a)
        found.append(f"kernels/ops.def: not sorted at OPS({first[0]}, {first[1]})")
    for name in sorted({n for _, n in pairs if [m for _, m in pairs].count(n) > 1}):
        found.append(f"kernels/ops.def: {name} stands twice")
    for family, name in pairs:
        if f"kernels/{family}/{name}.cpp" not in files:
            found.append(f"kernels/ops.def: OPS({family}, {name}) has no kernels/{family}/{name}.cpp")
        if f"tests/ops/{family}/{name}_test.cpp" not in files:
            found.append(f"kernels/{family}/{name}.cpp: no test tests/ops/{family}/{name}_test.cpp")
    claimed = set(pairs)
    for path in sorted(files):
        test = re.fullmatch(r"tests/ops/([^/]+)/([^/]+)_test\.cpp", path)
        if test and not op_of_test(test.groups(), claimed, files):
            found.append(f"{path}: tests no kernels/{test.group(1)}/{test.group(2)}.cpp or .h")
    return found + unbuilt_tests(files, build)


def op_of_test(pair, claimed, files):
    """A test belongs to an op, or to an engine's file beside the ops."""
    family, name = pair
    return pair in claimed or any(f"kernels/{family}/{name}{s}" in files for s in (".cpp", ".h", "_cpu.cpp", ".def"))


def unbuilt_tests(files, build):
    """Tests that no target compiles: by themselves, or included by a family's unit."""
    ninja = subprocess.run(["ninja", "-C", str(build), "-t", "compdb"], text=True, capture_output=True)
    if ninja.returncode:
        return [f"{build}: no build tree to compare tests with, run `make build`"]
    compiled = {step["file"] for step in json.loads(ninja.stdout)}
    for unit in (build / "unity").glob("*.cpp"):
        if str(unit) in compiled:
            compiled |= set(re.findall(r'#include "([^"]+)"', unit.read_text()))
    return [f"{p}: no target builds it" for p in sorted(files)
            if p.startswith("tests/") and p.endswith("_test.cpp") and not any(c.endswith(p) for c in compiled)]
