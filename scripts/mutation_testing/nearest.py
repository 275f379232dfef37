"""Ranks the tests that are likely to fail for a broken file: by name, by includes, by folder. No coverage is
measured."""
import collections
import pathlib
import re

# `tests`: patterns for --gtest_filter.
TestFile = collections.namedtuple("TestFile", "path program tests includes")

TEST = re.compile(r"^(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|OP_TEST)\(\s*(\w+),\s*(\w+)", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
# Suffixes of the several files of one op.
PART = re.compile(r"(_(kernel|cpu|rule|avx2|avx512|test))+$")
PROGRAM_OF_ROOM = {"runtime": "test_runtime", "kernels": "test_ops", "fake": "test_fake", "tracer": "test_tracer", "tools": "test_tools"}
MOST_FILES = 6


def patterns(text):
    found = []
    for macro, suite, name in TEST.findall(text):
        found.append({"TEST_P": f"*/{suite}.{name}/*", "TYPED_TEST": f"{suite}/*.{name}",
                      "TYPED_TEST_P": f"*/{suite}/*.{name}", "OP_TEST": f"{suite}.{name}/*"}.get(macro, f"{suite}.{name}"))
    return found


def test_files(root):
    out = []
    for path in sorted((root / "tests").rglob("*.cpp")):
        name = path.relative_to(root).as_posix()
        room = name.split("/")[1]
        if room in ("runtime", "fake", "tracer", "tools", "ops", "device"):
            text = path.read_text()
            if tests := patterns(text):
                out.append(TestFile(name, f"test_{room}", tests, set(INCLUDE.findall(text))))
    return out


def noun(path):
    return PART.sub("", pathlib.PurePath(path).stem)


def score(file, test):
    """How near a test file is to the broken file; 0: unrelated."""
    folder, test_folder = str(pathlib.PurePath(file).parent), str(pathlib.PurePath(test.path).parent)
    same_folder = test_folder in (f"tests/{folder}", f"tests/ops/{folder.removeprefix('kernels/')}")
    mine, theirs = noun(file), noun(test.path)
    if mine == theirs:
        return 4 if same_folder else 3
    if str(pathlib.PurePath(file).with_suffix(".h")) in test.includes:
        return 2
    return 1 if same_folder and set(mine.split("_")) & set(theirs.split("_")) else 0


def plan(file, tests):
    """[(program, patterns or None for all, patterns to exclude)]: the runs, in order, until a test fails."""
    room = file.split("/")[0]
    ranked = sorted(((score(file, t), t) for t in tests if score(file, t)), key=lambda x: (-x[0], len(x[1].tests)))
    steps, done = [], collections.defaultdict(list)

    def add(program, wanted):
        new = [w for w in wanted if w not in done[program]]
        if new:
            steps.append((program, new, []))
            done[program] += new

    for points in (4, 3, 2, 1):
        for t in [t for s, t in ranked[:MOST_FILES] if s == points]:
            add(t.program, t.tests)
    folder = str(pathlib.PurePath(file).parent).removeprefix("kernels/")
    add("test_ops", [p for t in tests if t.path.startswith(f"tests/ops/{folder}/") for p in t.tests])
    programs = [PROGRAM_OF_ROOM[room]]
    programs += [p for p in ("test_fake", "test_ops", "test_tools", "test_runtime", "test_tracer", "test_device") if p not in programs]
    return steps + [(p, None, list(done[p])) for p in programs]
