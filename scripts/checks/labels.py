"""Every constraint label that a rule can raise is triggered: by an error sample, or named in a test.

In kernels, `require(condition, "C2", ...)` in the op file shape/cat.cpp raises `cat.C2`; so do `require_own_elements` and
`require_reads_apart`. The label counts as triggered if the same file has `.refuses("C2", ...)`, or if a test anywhere names `cat.C2`
(the file's name, or an op's that it registers). In the file's own test (tests/ops/shape/cat_test.cpp, tests/cases/shape/cat.calls)
any label ending in `.C2` counts, because tables register ops under many names. A file that registers no op shares its rules with
its family: an error sample or a test of the family counts.
"""
import collections
import pathlib
import re

from checks.sources import all_files, code_files, text

RAISED = re.compile(r'\b(?:require|require_index|require_own_elements|require_reads_apart|refuse)\s*\((?:[^;"]|"(?![A-Z]\d+"))*?"([A-Z]\d+)"', re.S)
# Also matches `condition ? "C2" : ""`, and a label after an op's name.
SAMPLED = re.compile(r'\brefuses\(\s*(?:"[\w.]+",\s*)?(?:[^",;]*\?\s*)?"([A-Z]\d+)"')
BASE = re.compile(r'"(?:aten|prims|prim)::([a-z0-9_]+)')
MENTIONED = re.compile(r"\b([a-z0-9_]+)\.([A-Z]\d+)\b")
CASES = re.compile(r"tests/cases/([^/]+)/([^/]+)\.calls")


def problems(root, build):
    tests = collections.defaultdict(set)
    for p in code_files(root, ["tests"]):
        tests[p] |= set(MENTIONED.findall(text(root, p)))
    for p in all_files(root):
        if cases := CASES.fullmatch(p):  # a file of call lines counts as the test file of that name
            tests[f"tests/ops/{cases[1]}/{cases[2]}_test.cpp"] |= set(MENTIONED.findall(text(root, p)))
    named = {f"{op}.{label}" for mentions in tests.values() for op, label in mentions}
    sources = {pathlib.PurePath(p): text(root, p) for p in code_files(root, ["kernels"])}
    found = []
    for path, source in sources.items():
        triggered = set(SAMPLED.findall(source))
        bases = BASE.findall(source) + BASE.findall(sources.get(path.with_suffix(".h"), ""))
        triggered |= {n.split(".")[1] for n in named if n.split(".")[0] in {path.stem, *bases}}
        if "register_ops" in source:
            own_test = f"tests/ops/{path.parent.name}/{path.stem}_test.cpp"
            triggered |= {label for _, label in tests.get(own_test, ())}
        else:
            for other, text_of_other in sources.items():
                if other.parent == path.parent:
                    triggered |= set(SAMPLED.findall(text_of_other))
            for test, mentions in tests.items():
                if test.startswith(f"tests/ops/{path.parent.name}/"):
                    triggered |= {label for _, label in mentions}
        found += [f"{path}: {label} is triggered by no error sample and no test"
                  for label in sorted(set(RAISED.findall(source)) - triggered)]
    return found
