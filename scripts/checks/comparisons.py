"""A test that expects a crosscheck without findings also states how much was compared, because comparing nothing finds
nothing."""
import re

from checks.sources import all_files, text

TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|OP_TEST)\(", re.M)
FINDS_NOTHING = re.compile(r"EXPECT_TRUE\([^;]*findings\.empty\(\)\)|findings, (?:testing::)?IsEmpty\(\)|mismatched(?:\"\])?, 0[u)]")
# `passes` and `clean` require that something was compared; another test has to state the count, even 0.
SAYS_HOW_MUCH = re.compile(r"\bcompared\b|\bpasses\(|\bclean\(\)|\bvalues_compared\b")


def problems(root, build):
    found = []
    for path in all_files(root):
        if not re.fullmatch(r"tests/.*_test\.cpp", path):
            continue
        code = text(root, path)
        starts = [m.start() for m in TEST.finditer(code)] + [len(code)]
        for begin, end in zip(starts, starts[1:]):
            test = code[begin:end]
            if FINDS_NOTHING.search(test) and not SAYS_HOW_MUCH.search(test):
                line = code.count("\n", 0, begin) + 1
                found.append(f"{path}:{line}: expects no finding and does not say what was compared: use passes(report), "
                             f"or expect a number of `compared`")
    return found
