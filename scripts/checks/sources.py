"""Lists the files of the repository. Works in a git checkout and in a plain folder (a release archive, the tests of the
checks)."""
import os
import pathlib
import subprocess

ROOMS = ["runtime", "kernels", "fake", "tracer", "include", "tools", "python", "tests", "web"]
SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".inl"}  # .inl: bodies that are included several times


def all_files(root):
    """Every file of the repository, as sorted relative paths with forward slashes."""
    if (root / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, check=True, text=True,
                                capture_output=True).stdout.splitlines()
        return sorted({p for p in listed if (root / p).is_file()})
    found = []
    for folder, below, names in os.walk(root):
        below[:] = [d for d in below if d != ".git" and not d.startswith("build")]
        found += [pathlib.Path(folder, n).relative_to(root).as_posix() for n in names]
    return sorted(found)


def code_files(root, rooms=ROOMS):
    """C++ and CUDA files of the given rooms."""
    return [p for p in all_files(root) if p.split("/")[0] in rooms and pathlib.PurePath(p).suffix in SUFFIXES]


def text(root, path):
    return (root / path).read_text(encoding="utf-8")


def op_files(root):
    """The (family, name) pairs of kernels/ops.def, in file order."""
    pairs = []
    for line in text(root, "kernels/ops.def").splitlines():
        if line.startswith("OPS("):
            family, name = line[len("OPS("):line.index(")")].split(",")
            pairs.append((family.strip(), name.strip()))
    return pairs
