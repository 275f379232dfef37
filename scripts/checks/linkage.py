"""The library and the program are not linked to libraries that they load at first use (CUDA, OpenBLAS, oneDNN),
nor to cryptography, which a wheel would have to include.
"""
import re
import subprocess

TOO_MUCH = re.compile(r"lib(crypto|ssl|bz2|lzma)[.\d-]")
LOADED_LATER = re.compile(r"lib(cuda|cu[a-z]+|nv[a-z]+|openblas|dnnl|OpenCL|gomp|lapack|blas)[.\d-]")


def problems(root, build):
    found = []
    for path in ["lib/libersatz.so", "bin/ersatz"]:
        if not (build / path).exists():
            found.append(f"{build / path}: missing, run `make build`")
            continue
        listed = subprocess.run(["readelf", "-d", str(build / path)], check=True, text=True, capture_output=True).stdout
        found += unwanted(path, re.findall(r"\(NEEDED\).*\[(.+)\]", listed))
    return found


def unwanted(path, needed):
    found = [f"{path}: links {name}, which a wheel would have to carry" for name in needed if TOO_MUCH.match(name)]
    return found + [f"{path}: links {name}, which must be loaded at first use" for name in needed if LOADED_LATER.match(name)]
