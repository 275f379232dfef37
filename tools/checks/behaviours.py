"""The acceptance list says what was seen: ids and notes hold, docs/behaviours.md is fresh, and README has its numbers."""
import behaviours


def problems(root, build):
    found = behaviours.problems(root)
    path = root / "docs/behaviours.md"
    if not path.exists() or path.read_text() != behaviours.table(root):
        found.append("docs/behaviours.md is stale: run `make behaviours`")
    words, readme = behaviours.summary(behaviours.states_of(root)), root / "README.md"
    if not readme.exists() or words not in readme.read_text():
        found.append(f"README.md does not say what docs/behaviours.md counts: {words}")
    return found
