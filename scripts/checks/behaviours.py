"""Notes of the acceptance list are true, its table is up to date, docs/compare.md has its numbers, and each complaint of
docs/user_complaints.md names tests that exist.
"""
import re

import behaviours

NAMED_TEST = re.compile(r"`([A-Z]\w+\.[A-Z]\w+)`")
NUMBERED = re.compile(r"^\| (\d+) \|")
STATES = ["cannot happen", "out", "open"]
COMPLAINT = re.compile(rf"^\| (\d+) \|.*\| ({'|'.join(STATES)}) \| (.+) \|$")
COMPLAINTS = 50


def problems(root, build):
    found = behaviours.problems(root)
    path = root / "docs/behaviours.md"
    if not path.exists() or path.read_text() != behaviours.table(root):
        found.append("docs/behaviours.md is stale: run `make behaviours`")
    words, page = behaviours.summary(behaviours.states_of(root)), root / "docs/compare.md"
    if not page.exists() or words not in page.read_text():
        found.append(f"docs/compare.md does not say what docs/behaviours.md counts: {words}")
    return found + complaints(root)


def complaints(root):
    """Problems in docs/user_complaints.md: unknown tests, malformed rows, complaints without a test or reason, and a wrong sum."""
    path = root / "docs/user_complaints.md"
    if not path.exists():
        return []
    tests, found, numbers = behaviours.test_names(root), [], []
    for line in path.read_text().splitlines():
        found += [f"docs/user_complaints.md: there is no test {name}" for name in NAMED_TEST.findall(line) if name not in tests]
        if number := NUMBERED.match(line):
            numbers.append(int(number[1]))
            row = COMPLAINT.match(line)
            found += without_evidence(row) if row else [
                f"docs/user_complaints.md: row {number[1]} is no row: its fourth cell is one of {', '.join(STATES)}, and behind it is a reason"]
    if numbers != list(range(1, COMPLAINTS + 1)):
        found.append(f"docs/user_complaints.md: the rows have to be 1 to {COMPLAINTS}, each once and in this order; they are {numbers}")
    words = sentence(complaint_counts(root))
    if words not in path.read_text():
        found.append(f"docs/user_complaints.md does not say what its table counts: {words}")
    return found


def without_evidence(row):
    """The problem of a row of docs/user_complaints.md: a complaint that cannot happen, or is out of scope, needs evidence or a
    reason."""
    number, state, reason = row.groups()
    shown = NAMED_TEST.search(reason) or "`fuzz_calls`" in reason
    if state == "cannot happen" and not shown:
        return [f"docs/user_complaints.md: {number} cannot happen, but no test is named that shows it"]
    if state == "out" and not shown and "deviations.md" not in reason:
        return [f"docs/user_complaints.md: {number} is out, but neither a test nor docs/deviations.md is named"]
    return []


def complaint_counts(root):
    """Numbers of complaints in docs/user_complaints.md: cannot happen, all, out, open."""
    states = [row[2] for line in (root / "docs/user_complaints.md").read_text().splitlines() if (row := COMPLAINT.match(line))]
    return states.count("cannot happen"), len(states), states.count("out"), states.count("open")


def sentence(counts):
    """`48 of 50 cannot happen, 1 is out, 1 is open.`"""
    cannot, all_of_them, out, still_open = counts
    return f"{cannot} of {all_of_them} cannot happen, {out} {be(out)} out, {still_open} {be(still_open)} open."


def be(count):
    return "is" if count == 1 else "are"
