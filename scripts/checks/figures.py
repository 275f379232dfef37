"""Figures that README takes from generated documents are those of the documents."""
import re

from checks.sources import all_files, text

MISSING = re.compile(r"\b(\d+) more records are of operators that are not here")


def words(line):
    return " ".join(line.split())


def problems(root, build):
    files = all_files(root)
    readme = words(text(root, "README.md"))
    found = []
    if "docs/programs.md" in files:
        totals = [line for line in text(root, "docs/programs.md").splitlines() if " exported programs, " in line]
        if len(totals) != 1:
            found.append(f"docs/programs.md: {len(totals)} lines sum up the table, there has to be one")
        elif words(totals[0]) not in readme:
            found.append(f"README.md: does not say what docs/programs.md sums up: {totals[0]}")
    missing = MISSING.search(text(root, "docs/ops.md")) if "docs/ops.md" in files else None
    if missing and f"{int(missing[1]):,} of operators that ersatz has not" not in readme:
        found.append(f"README.md: docs/ops.md counts {int(missing[1]):,} records of operators that ersatz has not, README says otherwise; "
                     "`ersatz crosscheck FOLDER --no-real` on all records has the other figures of that row")
    return found
