"""The two builds whose outputs are compared."""
import dataclasses
import pathlib
import subprocess
import sys

from mutant_tree import MutantTree

TARGETS = ["ersatz_program", "fuzz_calls", "change_records", "demo_ops"]
FILES = ["bin/ersatz", "bin/fuzz_calls", "bin/change_records", "lib/demo_ops.so"]


@dataclasses.dataclass(frozen=True)
class Build:
    folder: pathlib.Path

    def program(self, name):
        return self.folder / "bin" / name

    @property
    def plugin(self):
        return self.folder / "lib" / "demo_ops.so"


def given(folder):
    """An existing build tree."""
    folder = folder.resolve()
    missing = [name for name in FILES if not (folder / name).exists()]
    if missing:
        sys.exit(f"same_behaviour: {folder} has no {', '.join(missing)}: ninja -C {folder} {' '.join(TARGETS)}")
    return Build(folder)


def made(root, revision, compilers):
    """The build of a revision, or (None) of the working tree, below build-same/. An existing build is updated."""
    if revision is None:
        name, tree = "the working tree", MutantTree(root, root / "build-same" / "tree")
        tree.sync()
    else:
        answer = subprocess.run(["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"], cwd=root, text=True, capture_output=True,
                                check=False)
        if answer.returncode:
            sys.exit(f"same_behaviour: there is no revision {revision}")
        commit = answer.stdout.strip()
        name, tree = f"{revision} ({commit[:12]})", MutantTree(root, root / "build-same" / commit[:12])
        tree.take(commit)
    print(f"same_behaviour: building {name} in {tree.build}", file=sys.stderr, flush=True)
    tree.configure("-DERSATZ_BUILD_TESTS=ON", "-DERSATZ_BUILD_BENCHMARKS=OFF", "-DERSATZ_PYTHON=OFF")
    good, said = tree.make(TARGETS, jobs=compilers)
    if not good:
        sys.exit(f"{said}\nsame_behaviour: {name} does not build")
    return given(tree.build)
