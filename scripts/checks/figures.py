"""Figures that README takes from a generated document are those of the document."""
from checks.sources import all_files, text


def words(line):
    return " ".join(line.split())


def problems(root, build):
    if "docs/programs.md" not in all_files(root):
        return []
    totals = [line for line in text(root, "docs/programs.md").splitlines() if " exported programs, " in line]
    if len(totals) != 1:
        return [f"docs/programs.md: {len(totals)} lines sum up the table, there has to be one"]
    if words(totals[0]) in words(text(root, "README.md")):
        return []
    return [f"README.md: does not say what docs/programs.md sums up: {totals[0]}"]
