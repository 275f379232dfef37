"""kernels/ops.def is sorted and lists exactly the op files. Each op has its test file and its CUDA file, test files are built, and
arguments have names.

The test of kernels/shape/cat.cpp is tests/cases/shape/cat.calls, or tests/ops/shape/cat_test.cpp, or both. The file must have a
test: a file without one, or with another name, does not count.

kernels/shape/cat_cuda.cu attaches kernels to overloads that kernels/shape/cat.cpp registers, and names each by a whole
literal, "aten.cat.default". A file that attaches to no overload belongs to a mechanism and not to an op:
kernels/pointwise/rows_*_cuda.cu and nextafter_cuda.cu fill the tables of all elementwise ops. When the module is loaded, it
compares the overloads of each file (runtime/cuda/attach.h). This check needs no build, and compares only the op's name.

Rules and kernels read a call's arguments by their names in the schema, `call.meta(kCat["dim"])`. A number is hard to read, and means
another argument, without an error, when the schema changes.
"""
import json
import re
import subprocess

from checks.sources import all_files, code_files, op_files, text


TEST = re.compile(r"^(OP_)?TEST(_F|_P)?\(", re.MULTILINE)
LINE = re.compile(r"^\w+\.\w+", re.MULTILINE)
ATTACH = re.compile(r"\battach(_returns)?\(registry")
REGISTERS = re.compile(r"^void register_ops\(Registry", re.M)
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
        test, cases = f"tests/ops/{family}/{name}_test.cpp", f"tests/cases/{family}/{name}.calls"
        if test not in files and cases not in files:
            found.append(f"kernels/{family}/{name}.cpp: no test {test} or {cases}")
        found += [f"{p}: tests nothing" for p, is_test in ((test, TEST), (cases, LINE)) if p in files and not is_test.search(text(root, p))]
    for path in sorted(files):
        op = re.fullmatch(r"kernels/(\w+)/(\w+)\.cpp", path)
        if op and op.groups() not in pairs and REGISTERS.search(text(root, path)):
            found.append(f"{path}: its register_ops is called by nothing: add OPS({op[1]}, {op[2]}) to kernels/ops.def")
    families = {p.split("/")[1] for p in files if p.startswith("kernels/") and p.count("/") > 1}
    for path in sorted(files):
        test = re.fullmatch(r"tests/ops/([^/]+)/[^/]+_test\.cpp", path)
        if test and test.group(1) not in families:
            found.append(f"{path}: there is no family kernels/{test.group(1)}")
    return found + kernels_elsewhere(root, files, pairs) + numbered_arguments(root) + unbuilt_tests(files, build)


def numbered_arguments(root):
    return [f"{path}:{number}: name the argument by its schema: {m.group(0)}"
            for path in code_files(root, ["kernels"])
            for number, line in enumerate(text(root, path).splitlines(), 1)
            for m in [NUMBERED.search(line.split("//")[0])] if m and "call" in m.group(0)]


def kernels_elsewhere(root, files, pairs):
    """CUDA kernels that are attached in another file than the one next to their op's rule."""
    found = []
    for path in sorted(p for p in files if re.fullmatch(r"kernels/[^/]+/\w+_cuda\.cu", p)):
        source = text(root, path)
        if not ATTACH.search(source):
            continue
        family, name = re.fullmatch(r"kernels/([^/]+)/(\w+)_cuda\.cu", path).groups()
        if (family, name) not in pairs:
            found.append(f"{path}: attaches kernels, but kernels/ops.def has no OPS({family}, {name})")
            continue
        own = "".join(text(root, p) for p in (f"kernels/{family}/{name}.cpp", f"kernels/{family}/{name}.h") if p in files)
        for number, line in enumerate(source.splitlines(), 1):
            spelt = re.findall(r'"aten\.([^"]*)"', line)
            if ATTACH.search(line) and re.search(r"attach\w*\(registry, (?!name\b|\")", line) or any("." not in n or "{" in n for n in spelt):
                found.append(f'{path}:{number}: spell the overload\'s whole name, "aten.{name}.default"')
                continue
            for op in (n.split(".")[0] for n in spelt):
                if not registers(own, op):
                    found.append(f"{path}:{number}: kernels/{family}/{name}.cpp registers no aten.{op}: its kernel stands "
                                 "beside the rule of its op")
    return found


def registers(source, op):
    """Whether the text of an op file and its header names `op`, or the functional op of an in-place one. It may do so
    in a schema, in a pattern for names, or in its typed function."""
    schemas = [re.escape(name).replace(r"\{\}", r"\w*") for name in re.findall(r'"aten::([\w{}]+)', source) if name != "{}"]
    return any(re.search(rf'"{name}[".]|"aten\.{name}\.', source) or any(re.fullmatch(schema, name) for schema in schemas)
               for name in {op, op.removesuffix("_")})


def unbuilt_tests(files, build):
    """Tests that no target compiles, neither alone nor included by a family's unit."""
    ninja = subprocess.run(["ninja", "-C", str(build), "-t", "compdb"], text=True, capture_output=True)
    if ninja.returncode:
        return [f"{build}: no build tree to compare tests with, run `make build`"]
    compiled = {step["file"] for step in json.loads(ninja.stdout)}
    for unit in (build / "unity").glob("*.cpp"):
        if str(unit) in compiled:
            compiled |= set(re.findall(r'#include "([^"]+)"', unit.read_text()))
    return [f"{p}: no target builds it" for p in sorted(files)
            if p.startswith("tests/") and p.endswith("_test.cpp") and not any(c.endswith(p) for c in compiled)]
