"""Documents say what was seen: notes of the acceptance list hold, its table is fresh, README has its numbers, and each
complaint of docs/pain.md names tests that exist."""
import re

import behaviours

NAMED_TEST = re.compile(r"`([A-Z]\w+\.[A-Z]\w+)`")
COMPLAINT = re.compile(r"^\| (\d+) \|.*\| (cannot happen|open) \| (.*) \|$")


def problems(root, build):
    found = behaviours.problems(root)
    path = root / "docs/behaviours.md"
    if not path.exists() or path.read_text() != behaviours.table(root):
        found.append("docs/behaviours.md is stale: run `make behaviours`")
    words, readme = behaviours.summary(behaviours.states_of(root)), root / "README.md"
    if not readme.exists() or words not in readme.read_text():
        found.append(f"README.md does not say what docs/behaviours.md counts: {words}")
    return found + complaints(root)


def complaints(root):
    """Tests that docs/pain.md names and that do not exist, complaints without one, and a sum that is not the table's."""
    path = root / "docs/pain.md"
    if not path.exists():
        return []
    tests, found, count = behaviours.test_names(root), [], {"cannot happen": 0, "open": 0}
    for line in path.read_text().splitlines():
        found += [f"docs/pain.md: there is no test {name}" for name in NAMED_TEST.findall(line) if name not in tests]
        if row := COMPLAINT.match(line):
            count[row[2]] += 1
            if row[2] == "cannot happen" and not NAMED_TEST.search(row[3]) and "`fuzz_calls`" not in row[3]:
                found.append(f"docs/pain.md: {row[1]} cannot happen, but no test is named that shows it")
    words = f"{count['cannot happen']} of {sum(count.values())} cannot happen, {count['open']} are open."
    if words not in path.read_text():
        found.append(f"docs/pain.md does not say what its table counts: {words}")
    return found
