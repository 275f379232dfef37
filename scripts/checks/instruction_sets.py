"""Kernels compiled for AVX2 or AVX-512 share no inline function with the rest of the library.

The linker keeps one copy of an inline function or a template instance. If it kept the one from an AVX-512 file, the
library would crash on a machine without AVX-512, in unrelated code. So those objects may define weak
symbols only in their own namespaces, which have avx2 or avx512 in the mangled name. AVX2 files must not contain an
instruction of AVX-512: with wrong flags they would crash on a machine without AVX-512.
"""
import re
import subprocess

OWN = re.compile(r"avx2|avx512", re.I)
# The prefix of AVX-512's instructions; no other instruction starts with that byte.
EVEX = re.compile(r"^ *[0-9a-f]+:\t62 .*", re.M)


def problems(root, build):
    objects = sorted(p for p in build.glob("kernels/**/*.o") if re.search(r"_avx(2|512)\.cpp\.o$", p.name))
    if not objects and any((root / "kernels").glob("**/*_avx*.cpp")):
        return [f"{build}: no objects of kernels/**/*_avx*.cpp, run `make build`"]
    found = []
    for path in objects:
        listed = subprocess.run(["nm", "--defined-only", str(path)], check=True, text=True, capture_output=True).stdout
        for line in listed.splitlines():
            kind, name = line.split()[-2:]
            if kind in "WVu" and not OWN.search(name):
                found.append(f"{path.name}: shares the inline symbol {name}")
        if not path.name.endswith("_avx2.cpp.o"):
            continue
        code = subprocess.run(["objdump", "-d", str(path)], check=True, text=True, capture_output=True).stdout
        if evex := EVEX.findall(code):
            found.append(f"{path.name}: {len(evex)} instructions of AVX-512, the first is {evex[0].strip()}")
    return found
