"""A test's name says condition and result in at most MOST words: names of GoogleTest and unittest, headings of .calls files."""
import re

from checks.sources import all_files, text

MOST = 8
CPP = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|OP_TEST)\(\s*(\w+),\s*(\w+)\)", re.M)
PYTHON = re.compile(r"^ *def test_(\w+)\(", re.M)
HEADING = re.compile(r"^# \w+: (.+)$", re.M)
WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+[a-z]*")
ONE_WORD = re.compile(r"PyTorch|DType|InPlace")


def problems(root, build):
    found = []
    for path in all_files(root):
        if path.startswith("tests/"):
            found += [f"{path}: {name} has {count} words, at most {MOST} say condition and result"
                      for name, count in named(path, text(root, path) if path.endswith((".cpp", ".py", ".calls")) else "") if count > MOST]
    return found


def named(path, source):
    """(name, number of words) of each test of a file."""
    if path.endswith(".cpp"):
        return [(f"{suite}.{name}", words(name)) for suite, name in CPP.findall(source)]
    if path.endswith(".py"):
        return [(f"test_{name}", len(name.split("_"))) for name in PYTHON.findall(source)]
    return [(name, len(name.split())) for name in HEADING.findall(source)]


def words(name):
    if "_" in name:
        return len(name.split("_"))
    return len(WORD.findall(ONE_WORD.sub(lambda m: m[0].capitalize(), name)))
