"""Allowed differences, each with a reason: rows of job, file, difference, reason, separated by tabs."""
import dataclasses
import fnmatch
import re
import sys


@dataclasses.dataclass
class Row:
    job: str  # a pattern, in which * and ? are wildcards
    file: str
    difference: re.Pattern
    reason: str
    times: int = 0

    def covers(self, job, file, difference):
        return fnmatch.fnmatchcase(job, self.job) and fnmatch.fnmatchcase(file, self.file) and self.difference.search(difference) is not None


def read(path):
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4 or not all(cells):
            sys.exit(f"same_behaviour: {path}:{number}: a row is job, file, difference, reason with tabs between")
        try:
            rows.append(Row(cells[0], cells[1], re.compile(cells[2]), cells[3]))
        except re.error as e:
            sys.exit(f"same_behaviour: {path}:{number}: the difference is no regular expression: {e}")
    return rows


def left(rows, job, file, differences):
    """The differences that no row covers."""
    found = []
    for difference in differences:
        covering = [row for row in rows if row.covers(job, file, difference)]
        for row in covering:
            row.times += 1
        if not covering:
            found.append(difference)
    return found
