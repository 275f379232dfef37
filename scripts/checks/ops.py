"""kernels/ops.def is sorted and true, every op has a test, every test file is built, and arguments have names.

The test of kernels/shape/cat.cpp is tests/ops/shape/cat_test.cpp, or a test of the family that several ops share and that
calls an op that cat.cpp registers: `ops::cat(` or `aten.cat.`.

Rules and kernels name a call's arguments by their schema, `call.meta(kCat["dim"])`: a number says nothing to a reader, and goes
on meaning something when the schema changes.
"""
import json
import re
import subprocess

from checks.sources import all_files, code_files, op_files, text


NUMBERED = re.compile(r"\b\w+\.(?:meta|tensor|real|integer|boolean|scalar|ints|list|sym|has|is_tensor)\(\d+\)|\bcall(?:\.args)?\[\d+\]")


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
        if not is_tested(root, files, family, name):
            found.append(f"kernels/{family}/{name}.cpp: no test tests/ops/{family}/{name}_test.cpp, and no other test of the "
                         f"family calls {name}")
    families = {p.split("/")[1] for p in files if p.startswith("kernels/") and p.count("/") > 1}
    for path in sorted(files):
        test = re.fullmatch(r"tests/ops/([^/]+)/[^/]+_test\.cpp", path)
        if test and test.group(1) not in families:
            found.append(f"{path}: there is no family kernels/{test.group(1)}")
    return found + numbered_arguments(root) + unbuilt_tests(files, build)


def numbered_arguments(root):
    return [f"{path}:{number}: name the argument by its schema: {m.group(0)}"
            for path in code_files(root, ["kernels"])
            for number, line in enumerate(text(root, path).splitlines(), 1)
            for m in [NUMBERED.search(line.split("//")[0])] if m and "call" in m.group(0)]


def is_tested(root, files, family, name):
    if f"tests/ops/{family}/{name}_test.cpp" in files:
        return True
    source = f"kernels/{family}/{name}.cpp"
    spelt = [p for p in (source, f"kernels/{family}/{name}.h") if p in files]
    registered = {op for p in spelt for op in re.findall(r'"aten::(\w+)', text(root, p))}
    names = "|".join(sorted(registered | {name}))
    call = re.compile(rf"\bops::({names})\(|\baten(\.|::)({names})\b")
    return any(call.search(text(root, p)) for p in files
               if p.startswith(f"tests/ops/{family}/") and p.endswith("_test.cpp"))


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
