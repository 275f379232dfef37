"""Makes docs/found.md from docs/data/found.tsv."""
import collections
import re

from differing import causes
from differing.sections import anchor, plural, section_of, table
from found_calls.source import Source

RECORDS = Source()
EXAMPLE = "differs.stride_lost", "copysign"

HEAD = """<!-- Written by `scripts/found`; do not edit. -->
# What ersatz has found

`{command}` made this page with PyTorch {torch}. [`ersatz conformance`](torch.md#pytorchs-own-predictions) finds wrong fakes, meta kernels and decompositions of the PyTorch that is installed.

Each row is a call on which PyTorch contradicts itself: the kernel does one thing, the fake kernel, a stored record or a guard says another.
A program that is compiled, exported or planned with that answer has the same error. A line of Python shows each row:

```console
$ python -i scripts/found_calls/both.py
>>> {line}
eager  {eager}
fake   {other}
```

`f32[2,3]{{1,2}}+4` is dtype, sizes, strides and storage offset. The file needs PyTorch alone, not ersatz.

"""

FAKES = """## Wrong fakes

{asked}. The two differ in
{calls:,} of them. They are sorted by what the metadata of the call show, so a cause says under which condition the fake is wrong, and not why. Each call
has one cause, and each row is an operator with its in-place and `out=` forms under that cause: {rows:,} rows of {operators:,} operators.
[found.tsv](data/found.tsv) has all of them, each with a line; the page has those with the most calls.

A call whose outcome depends on values is not counted, for example an index that is out of range: no fake could tell.

"""

RECORDED = "PyTorch {torch} was recorded on {calls:,} odd calls on the CPU, each one in eager mode and under `FakeTensorMode` ([how](call-records.md))"
COMPARED = "`{command}` made {calls:,} calls with PyTorch {torch} on the CPU, each one in eager mode and under `FakeTensorMode` ([how](torch.md#pytorchs-own-predictions))"

SECTIONS = {
    "record": ("Wrong records of exporters", "operator and field", "recorded", """`torch.export` stores metadata with each node. In 80 exported programs these records contradict a real eager run ([programs.md](programs.md), last column; *calls*
counts the results there). `ersatz crosscheck model.pt2` reports them as `record wrong`."""),
    "gradient": ("Wrong gradients", "operator", "joint graph", """An exported training step has 17 gradients, of which 5 are wrong by up to 0.08; its loss is right
([jobs/gradients.md](jobs/gradients.md) tells it from beginning to end). The core decompositions take the forward attention apart. The backward node then
reads the softmax where it needs the logsumexp, and its kernel does not look at the sizes. *Calls* counts the gradients of that program."""),
    "guard": ("Guards that reject right sizes", "program", "exported program", """Each dim was exported with `Dim.AUTO`. The program refuses a size for which its own graph, run without guards, returns what eager does. The lines are
parts of small modules that were exported and run at other sizes ([measurements](measurements/symbols.md)). *Calls* counts the sizes of each module that are
refused so; `branch_on_size`, whose guards are right, is left out."""),
    "mode": ("Conjugates dropped under a dispatch mode", "operator", "under a mode", """Kernels that make a lazy conjugate themselves read it as if it were none while any dispatch mode of Python is active. The result then depends on whether
somebody watches. `ersatz.torch` turns the keys that resolve conjugates on again ([deviations.md](deviations.md)). *Calls* counts the line alone."""),
    "gloo": ("Collectives in place on tensors with gaps", "operator", "gloo", """gloo does not look at strides. In place on a tensor that is not dense it reads and writes as many elements in a row, and says nothing: the tensor keeps old values, and
elements beside it change. A live run finds it on each rank ([torch.md](torch.md#several-processes)). The columns are what the first of two processes holds afterwards, where the
tensor is dense and where it is the one of the line. *Calls* counts the line alone."""),
}

TAIL = """## How this page is made

`scripts/found RECORDS --run PYTHON` sorts the recorded calls, picks the shortest line for each row, runs it with that Python's PyTorch, and keeps it where it
prints both sides as they were recorded. `scripts/found DIR` takes the rows of a folder that `ersatz conformance` wrote. *Seen in* has the versions that did. It also runs the lines of [found_lines.tsv](data/found_lines.tsv), which are written
by hand. `scripts/found --run PYTHON` runs all lines again with another PyTorch and adds its version. An issue is about the operator or the cause of its row; an empty cell
says that none was found. {not_shown}
"""


def of_predictions(text):
    """Number of calls that both sides predict, from docs/data/predictions.txt."""
    return int(re.search(r"of (\d+) records that both predict", text)[1])


def wrong_records(text):
    """'aten.roll.default stride' -> number of results, summed over the programs of docs/programs.md."""
    found = collections.Counter()
    for line in text.splitlines():
        for op, field, count in re.findall(r"([\w.]+) ([a-z]+) (\d+)(?=,| \|$)", line.removesuffix(" |").rpartition(" | ")[2] + " |") if line.startswith("| ") else []:
            found[f"aten.{op} {field}"] += int(count)
    return dict(found)


def page(rows, recorded, source=RECORDS):
    """The page's text. `recorded`: number of recorded calls that both sides answer. `source`: where the rows of fakes are from."""
    by_cause = collections.defaultdict(list)
    for row in rows:
        by_cause[row.cause].append(row)
    fakes = [row for cause in causes.CAUSES for row in by_cause[cause.name]]
    example = next((row for row in fakes if (row.cause, row.operator) == EXAMPLE), next((row for row in fakes if row.seen), fakes[0]))
    made_by = f"scripts/found {'DIR' if source.command else 'RECORDS --run PYTHON'}"
    minor = ".".join(source.torch.split(".")[:2])
    asked = (COMPARED.format(command=source.command, calls=source.calls, torch=source.torch) if source.command else RECORDED.format(calls=recorded, torch=minor))
    parts = [HEAD.format(command=made_by, torch=source.torch, line=example.line, eager=example.eager, other=example.other), summary(by_cause), "\n",
             FAKES.format(asked=asked, calls=sum(r.calls for r in fakes), rows=len(fakes), operators=len({r.operator for r in fakes}))]
    for group, title in causes.GROUPS.items():
        parts.append(f"### {title}\n\n")
        for cause in causes.CAUSES:
            if cause.group == group and by_cause[cause.name]:
                parts.append(section_of(cause, by_cause[cause.name]))
    for group, (title, name, other, text) in SECTIONS.items():
        parts.append(f"## {title}\n\n{text}\n\n{table(by_cause[group], name, other)}\n")
    dark = sum(not row.seen for row in rows)
    parts.append(TAIL.format(not_shown=f"{plural(dark, 'row')} of {len(rows):,} {'has' if dark == 1 else 'have'} no line that shows it: *seen in* is empty there."))
    return "".join(parts)


def summary(by_cause):
    """The first table: numbers of calls and operators of each kind."""
    lines = ["| what | calls | rows |", "|---|--:|--:|"]
    for group, title in causes.GROUPS.items():
        rows = [row for cause in causes.CAUSES if cause.group == group for row in by_cause[cause.name]]
        lines.append(f"| [wrong fakes: {title[0].lower()}{title[1:]}](#{anchor(title)}) | {sum(r.calls for r in rows):,} | {len(rows):,} |")
    for group, (title, *_) in SECTIONS.items():
        rows = by_cause[group]
        lines.append(f"| [{title[0].lower()}{title[1:]}](#{anchor(title)}) | {sum(r.calls for r in rows):,} | {len(rows):,} |")
    return "\n".join(lines) + "\n"
