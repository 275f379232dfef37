"""The rows of docs/data/behaviours.tsv, their states, and the mutants that break them.

A test belongs to a row if the row's id is in the comment right above the test: `// MODE-09, BEY-40: ...`. Every row has
one of six states:

    shown        its tests check everything in the row
    deviates     ersatz differs on purpose: its tests show what ersatz does, docs/deviations.md has the reason
    unwanted     the row has no meaning in ersatz
    needs a GPU  its tests pass, but a part of the row can be tested only on a GPU, and no GPU has run it
    later        the whole row or a part of it waits for gradients
    open         the whole row or a part of it is not done, and nothing prevents it

docs/data/behaviour_notes.tsv lists the rows with a state other than `shown`, and the reasons.
"""
import collections
import pathlib
import re

Row = collections.namedtuple("Row", "id needs text")
Mutant = collections.namedtuple("Mutant", "rows file old new filter origin")

GROUPS = ["MODE", "TENSOR", "CONV", "DEV", "CONST", "CACHE", "DISP", "FALL", "REAL", "XCHK", "OPS", "SYM", "TRACE", "PROP", "SER",
          "COPY", "DBG", "GRAD", "BEY"]
ID = re.compile(rf"\b(?:{'|'.join(GROUPS)})-\d{{2}}\b")
TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|OP_TEST)\(\s*(\w+),\s*(\w+)\)")
ANY_TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|OP_TEST)\(\s*(\w+),\s*(\w+)\)", re.M)
NEXT = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|OP_TEST)\(\s*(\w+),\s*$")
# A row that needs one of these features may still have no test. The key is the word in the row, the value is for
# messages.
LATER = {"grad": "gradients"}
STATES = ["shown", "deviates", "unwanted", "needs a GPU", "later", "open"]
# The words of a note. `seen`: a GPU has run the row's tests; the reason names card, driver and date.
NOTES = ["deviates", "unwanted", "later", "open", "seen"]


def fields(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            yield number, line.split("\t")


def read_rows(root):
    return [Row(*f) for _, f in fields(root / "docs/data/behaviours.tsv")]


def read_notes(root):
    """row or group -> (note, reason), with a note of NOTES. A group's note applies to its rows without a test."""
    path = root / "docs/data/behaviour_notes.tsv"
    return {f[0]: (f[1], f[2]) for _, f in fields(path)} if path.exists() else {}


def read_mutants(root):
    mutants = []
    for path in sorted((root / "tests/mutants").glob("*.tsv")):
        for number, f in fields(path):
            origin = f"{path.relative_to(root)}:{number}"
            if len(f) != 5:
                raise ValueError(f"{origin}: {len(f)} fields, a mutant has 5: rows, file, old text, new text, filter")
            mutants.append(Mutant(f[0].split(","), f[1], f[2], f[3], f[4], origin))
    return mutants


def shown_rows(root):
    """row -> tests with its id in their comments, like `tests/fake/mode_test.cpp: Suite.Name`; and the (path, line) of
    each id."""
    tests, places = collections.defaultdict(list), []
    for path in sorted((root / "tests").rglob("*_test.cpp")):
        name, ids = str(path.relative_to(root)), []
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines, 1):
            if line.startswith("//"):
                found = ID.findall(line)
                ids += found
                places += [(name, number, i) for i in found]
                continue
            test = TEST.match(line)
            if not test and (split := NEXT.match(line)) and number < len(lines):
                test = re.match(rf"({split.group(1)}) (\w+)", f"{split.group(1)} {lines[number].strip().rstrip(') {')}")
            if test:
                for i in dict.fromkeys(ids):
                    tests[i].append(f"{name}: {test.group(1)}.{test.group(2)}")
            ids = []
    return tests, places


def needs_of(row):
    return {n.strip() for n in row.needs.split(",")}


def test_names(root):
    """Every test of the repository, as `Suite.Name`."""
    found = set()
    for path in (root / "tests").rglob("*_test.cpp"):
        found |= {f"{suite}.{name}" for suite, name in ANY_TEST.findall(path.read_text())}
    return found


def state_of(row, tests, notes):
    """(state, text) of a row, with a state of STATES."""
    names = [f"`{t.split(': ')[1]}`" for t in tests.get(row.id, [])]
    shown = "<br>".join(names[:4]) + (f"<br>and {len(names) - 4} more" if len(names) > 4 else "")
    note, reason = notes.get(row.id, ("", ""))
    if note == "seen":
        return "shown", f"{shown}<br>on a GPU: {reason}"
    if note:
        return note, reason + (f"<br>{shown}" if shown else "")
    if names:
        return "needs a GPU" if "cuda-real" in needs_of(row) else "shown", shown
    if waits := [LATER[n] for n in sorted(needs_of(row) & set(LATER))]:
        return "later", f"needs {', '.join(waits)}"
    return notes.get(row.id.split("-")[0], ("open", ""))


def states_of(root):
    """row -> (state, words)"""
    notes, (tests, _) = read_notes(root), shown_rows(root)
    return {row.id: state_of(row, tests, notes) for row in read_rows(root)}


def summary(states):
    """`354 rows: 180 shown, 30 deviates, ...`: the exact text of docs/compare.md."""
    count = collections.Counter(state for state, _ in states.values())
    return f"{len(states)} rows: " + ", ".join(f"{count[s]} {s}" for s in STATES)


def table(root):
    """The text of docs/behaviours.md."""
    rows, states = read_rows(root), states_of(root)
    out = ["# Behaviours: what is promised and which test shows it", "",
           "Generated by `make behaviours` from [data/behaviours.tsv](data/behaviours.tsv), the ids in the comments above tests, and",
           "[data/behaviour_notes.tsv](data/behaviour_notes.tsv). Every test named here was run and passed; they need no GPU.", "",
           "| state | meaning |", "|---|---|",
           "| shown | its tests check all that the row says |",
           "| deviates | ersatz does otherwise on purpose: the tests show what it does, [deviations.md](deviations.md) says why |",
           "| unwanted | the row prescribes what has no meaning here; the reason stands with it |",
           "| needs a GPU | the tests pass, but part of the row can be seen on a GPU only, and none has run them yet |",
           "| later | waits for gradients, the one part that does not exist; tests that stand with it show the rest of the row |",
           "| open | nothing stands in its way: owed; tests that stand with it show the rest of the row |", "",
           "| group | rows | " + " | ".join(STATES) + " |", "|" + "---|" * (len(STATES) + 2)]
    total = collections.Counter()
    for group in GROUPS:
        count = collections.Counter(states[r.id][0] for r in rows if r.id.startswith(group + "-"))
        total += count
        out.append(f"| [{group}](#{group.lower()}) | {sum(count.values())} | " + " | ".join(str(count[s]) for s in STATES) + " |")
    out.append(f"| **all** | {sum(total.values())} | " + " | ".join(str(total[s]) for s in STATES) + " |")
    for group in GROUPS:
        out += ["", f"## {group}", "", "| row | behaviour | state | tests or reason |", "|---|---|---|---|"]
        for r in rows:
            if r.id.startswith(group + "-"):
                state, words = states[r.id]
                out.append(f"| {r.id} | {shorten(r.text)} | {state} | {words} |")
    return "\n".join(out) + "\n"


def shorten(text, most=110):
    if len(text) <= most:
        return text
    cut = text[:most].rsplit(" ", 1)[0]
    return cut + ("`" if cut.count("`") % 2 else "") + " …"


def deviating_rows(root):
    """Ids in the first column of docs/deviations.md: rows from which ersatz deviates on purpose."""
    path = root / "docs/deviations.md"
    lines = path.read_text().splitlines() if path.exists() else []
    return {i for line in lines if line.startswith("| ") for i in ID.findall(line.split("|")[1])}


def note_problems(root, rows, tests):
    """Notes of rows that do not exist, that contradict tests, or that docs/deviations.md does not confirm."""
    where, notes, deviating = "docs/data/behaviour_notes.tsv", read_notes(root), deviating_rows(root)
    found = []
    for key, (note, reason) in notes.items():
        if note not in NOTES:
            found.append(f"{where}: {key}: '{note}' is no note ({', '.join(NOTES)})")
        if not reason:
            found.append(f"{where}: {key}: a note has a reason")
        if key in GROUPS:
            continue
        if key not in rows:
            found.append(f"{where}: no row {key}")
        elif note == "unwanted" and key in tests:
            found.append(f"{where}: {key} is unwanted there, but {tests[key][0]} shows it")
        elif note == "deviates" and key not in deviating:
            found.append(f"{where}: {key} deviates, but the first column of docs/deviations.md has no {key}")
        elif note in ("deviates", "seen") and key not in tests:
            found.append(f"{where}: {key} is '{note}', but no test carries its id")
        elif note == "seen" and "cuda-real" not in needs_of(rows[key]):
            found.append(f"{where}: {key} is 'seen', but needs no GPU")
    for row in sorted(deviating):
        if notes.get(row, ("",))[0] not in ("deviates", "unwanted"):
            found.append(f"docs/deviations.md: {row} stands in the first column, but {where} does not note that it deviates")
    return found


def problems(root):
    """Unknown ids, wrong notes, and mutants that do not apply."""
    rows = {r.id: r for r in read_rows(root)}
    tests, places = shown_rows(root)
    found = [f"{path}:{line}: no row {row} in docs/data/behaviours.tsv" for path, line, row in places if row not in rows]
    found += note_problems(root, rows, tests)
    for m in read_mutants(root):
        found += [f"{m.origin}: no row {row}" for row in m.rows if row not in rows]
        path = root / m.file
        times = path.read_text().count(m.old) if path.exists() else 0
        if times != 1:
            found.append(f"{m.origin}: the old text stands {times} times in {m.file}, it has to stand there once")
    return found
