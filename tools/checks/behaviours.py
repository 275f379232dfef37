"""Tests and mutants name rows that exist, mutants still apply, and docs/behaviours.md is what `make behaviours` writes."""
import behaviours


def problems(root, build):
    found = behaviours.problems(root)
    path = root / "docs/behaviours.md"
    if not path.exists() or path.read_text() != behaviours.table(root):
        found.append("docs/behaviours.md is stale: run `make behaviours`")
    return found
