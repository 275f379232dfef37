"""Reads and writes docs/data/found.tsv: one row for each cause and operator."""
import collections
import dataclasses
import re

from differing import causes, lines, records, sides
from differing.rows import Row, read, shortened, write  # noqa: F401

TRIES_WITH_A_FILL = 3  # number of lines of a row, for each of lines.FILLS, that are run before it counts as not shown
# For these causes, a row's two texts are magnitudes of numbers, whose last digits differ between machines.
OF_NUMBERS = {"gradient", "mode"}


@dataclasses.dataclass
class Group:
    """The calls of one operator with one cause, and the shortest lines that show it."""
    cause: causes.Cause
    operator: str
    calls: int
    candidates: list  # (line, Call), in the order of trying


def groups(calls):
    found = collections.defaultdict(list)
    for call in calls:
        found[causes.cause_of(call), records.packet(call.record["op"])].append(call)
    order = {cause.name: k for k, cause in enumerate(causes.CAUSES)}
    return [Group(cause, operator, len(of), candidates_of(of))
            for (cause, operator), of in sorted(found.items(), key=lambda item: (order[item[0][0].name], item[0][1]))]


def candidates_of(calls):
    """The shortest lines, a few with each fill."""
    found = []
    for fill in lines.FILLS:
        written = {}
        for call in calls:
            try:
                written.setdefault(lines.line_of(call.record, fill), call)
            except lines.Unwritable:
                pass
        found += sorted(written.items(), key=lambda item: (len(item[0]), item[0]))[:TRIES_WITH_A_FILL]
    return list(dict(found).items())


def as_recorded(call, answer):
    """True if the line prints exactly the recorded sides; for errors the class, because records have no messages."""
    return not isinstance(answer, str) and all(plain(said) == sides.in_words(side) for said, side in zip(answer, (call.eager, call.fake)))


def plain(said):
    return said.split(":")[0] if said.startswith("raises ") else said


def rows_of(found, run):
    """A row for each group: of its candidates the first that shows what was recorded, else the shortest, not seen.

    `run(lines)` gives (version, answers); None: no line is run."""
    chosen = {}
    for turn in range(TRIES_WITH_A_FILL * len(lines.FILLS)):
        tried = [g for g in found if id(g) not in chosen and turn < len(g.candidates)]
        if not run or not tried:
            break
        version, answers = run([g.candidates[turn][0] for g in tried])
        for group, answer in zip(tried, answers):
            if as_recorded(group.candidates[turn][1], answer):
                chosen[id(group)] = (*group.candidates[turn], answer, version)
    return [row_of(group, *chosen.get(id(group), ())) for group in found]


def row_of(group, line="", call=None, answer=None, version=""):
    if call is None and group.candidates:
        line, call = group.candidates[0]
    if call is None:  # no call of the group can be written as a line
        return Row(group.cause.name, group.operator, group.calls, "", "", "")
    eager, fake = call.differs.eager, call.differs.fake
    if answer:  # the run's error messages are used
        eager, fake = [said if said.startswith("raises ") else told for said, told in zip(answer, (eager, fake))]
    if call.differs.place:
        eager, fake = [f"{call.differs.place}: {told}" for told in (eager, fake)]
    return Row(group.cause.name, group.operator, group.calls, shortened(eager), shortened(fake), line, version)


def rows_by_hand(text, counts, run):
    """Rows of docs/data/found_lines.tsv with the sides that a run prints; `counts`: numbers of calls for operators
    without one there."""
    written = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    version, answers = run([line for *_, line in written])
    found = []
    for (group, operator, calls, line), answer in zip(written, answers):
        eager, other = ("", answer) if isinstance(answer, str) else answer
        shows = not isinstance(answer, str) and eager != other
        found.append(Row(group, operator, int(calls or counts[operator]), shortened(eager), shortened(other), line, version if shows else ""))
    return found


def with_issues(rows, text):
    """Fills in the numbers of docs/data/found_issues.tsv."""
    known = {(cause, operator): number for cause, operator, number in
             (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))}
    for row in rows:
        name = row.operator.split(" ")[0].removeprefix("aten.").split(".")[0]
        row.issue = known.get((row.cause, name), known.get((row.cause, name.rstrip("_")), known.get((row.cause, "*"), "")))
    return rows


def shown_again(row, answer):
    """True if another PyTorch still prints the row's two sides for its line; for errors the class is compared."""
    if isinstance(answer, str) or answer[0] == answer[1]:
        return False
    return row.cause in OF_NUMBERS or all(told and bare(told) in plain(said) for said, told in zip(answer, (row.eager, row.other)))


def bare(told):
    """A side without its place, its message and the mark of truncation."""
    told = told.removesuffix(" ...")
    return plain(told) if told.startswith("raises ") else re.sub(r"^(result|argument) \d+( afterwards)?: ", "", told)
