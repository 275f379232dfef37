"""Draws mutants at random from all rooms, in proportion to their numbers of lines."""
import collections
import pathlib
import random
import re
import subprocess

from mutation_testing import cpp_mutants, py_mutants

ROOMS = ["runtime", "kernels", "fake", "tracer", "tools", "scripts"]
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)

Mutant = collections.namedtuple("Mutant", "number room file line group kind start end before after")


def is_python(path):
    return path.suffix == ".py" or path.suffix == "" and path.read_bytes()[:60].split(b"\n")[0].endswith(b"python3 -B")


def compiled_on_the_host(root, names):
    """The C++ files that a build without CUDA compiles on this machine: sources and their includes."""
    flags = pathlib.Path("/proc/cpuinfo")
    flags = flags.read_text() if flags.exists() else ""
    without = [f"_{level}." for level, flag in (("avx2", "avx2"), ("avx512", "avx512f")) if flag not in flags]
    todo = [n for n in names if n.endswith(".cpp") and "cuda" not in n and not any(w in n for w in without)]
    seen = set()
    while todo:
        name = todo.pop()
        if name in seen or not (root / name).is_file():
            continue
        seen.add(name)
        todo += INCLUDE.findall((root / name).read_text())
    return {n for n in seen if "cuda" not in n and n.endswith((".h", ".cpp"))}


def width(root, names):
    """name of a header -> number of the repository's sources that include it, directly or not."""
    sources = subprocess.run(["git", "ls-files", "*.cpp"], cwd=root, text=True, capture_output=True, check=True).stdout.split()
    wanted, counts, direct = set(names), collections.Counter(), {}
    for source in sources:
        seen, todo = set(), [source]
        while todo:
            name = todo.pop()
            if name not in seen and (root / name).is_file():
                seen.add(name)
                if name not in direct:
                    direct[name] = INCLUDE.findall((root / name).read_text())
                todo += direct[name]
        counts.update(seen & wanted)
    return counts


def mutable_files(root):
    """room -> names of its files."""
    listed = subprocess.run(["git", "ls-files", *ROOMS], cwd=root, text=True, capture_output=True, check=True).stdout.split()
    # Files of scripts/gpu_session/ need a GPU and torch.
    names = [n for n in listed if (root / n).is_file() and not n.startswith("scripts/gpu_session/")]
    host = compiled_on_the_host(root, names)
    rooms = collections.defaultdict(list)
    for name in names:
        if name in host or name.startswith("scripts/") and is_python(root / name):
            rooms[name.split("/")[0]].append(name)
    return rooms


def sites_of(root, name):
    text = (root / name).read_text()
    return cpp_mutants.sites(text) if name.endswith((".h", ".cpp")) else py_mutants.sites(text)


def shares(weights, count):
    """Splits `count` in proportion, the largest remainders rounded up."""
    total = sum(weights.values())
    exact = {k: count * w / total for k, w in weights.items()}
    out = {k: int(v) for k, v in exact.items()}
    for k in sorted(exact, key=lambda k: out[k] - exact[k])[:count - sum(out.values())]:
        out[k] += 1
    return out


def draw(root, count, seed, only=None):
    """`count` mutants in random order; `only`: a pattern that file names must match."""
    rooms = {room: [n for n in names if not only or re.search(only, n)] for room, names in mutable_files(root).items()}
    rooms = {room: names for room, names in rooms.items() if names}
    lines = {room: sum((root / n).read_text().count("\n") for n in names) for room, names in rooms.items()}
    chance, drawn = random.Random(seed), []
    for room, share in sorted(shares(lines, count).items()):
        pool = [(name, site) for name in rooms[room] for site in sites_of(root, name)]
        drawn += [(room, *pick) for pick in chance.sample(pool, min(share, len(pool)))]
    chance.shuffle(drawn)
    mutants = []
    for number, (room, name, s) in enumerate(drawn, 1):
        text = (root / name).read_text()
        mutants.append(Mutant(number, room, name, text.count("\n", 0, s.start) + 1, s.group, s.kind, s.start, s.end,
                              text[s.start:s.end], s.new))
    return mutants
