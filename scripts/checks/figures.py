"""A figure that is in several places has one source: FIGURES lists the source and the places that repeat it.

Places are searched with blanks folded, and numbers are compared without their commas. A place without the text is a problem,
and so is a source without the figure. After a sentence with a figure is reworded, its pattern here must be changed.
"""
import csv
import re
from collections import Counter, namedtuple

import behaviours
from checks.behaviours import complaint_counts
from checks.sources import all_files, text

# read(root) returns the figure's numbers. `places` are pairs (path, pattern); each pattern has one group for each
# number, in order.
Figure = namedtuple("Figure", "name source read places")

N = r"([\d,]+)"
PERCENT = r"([\d.]+) %"
IS = r"(?:is|are)"
PROGRAMS = r"(\d+ exported programs, .*?, all of them known\.)"


def words(line):
    return " ".join(line.split())


def numbers(values):
    return tuple(str(v).replace(",", "") for v in values)


def found_in(root, path, pattern):
    """The groups of the pattern's match in the file, with blanks folded; None if it does not match."""
    if not (root / path).is_file():
        return None
    match = re.search(pattern, words(text(root, path)))
    return numbers(match.groups()) if match else None


def says(path, pattern):
    """Reads the figure from a document's text."""
    return lambda root: found_in(root, path, pattern)


def table(root, path):
    lines = text(root, path).splitlines()
    return list(csv.DictReader(lines)) if path.endswith(".csv") else [r.split("\t") for r in lines if r and not r.startswith("#")]


def sums(path, *columns, **where):
    """Sums of columns of a CSV, over the rows with these values in other columns."""
    return lambda root: [sum(int(row[c]) for row in table(root, path) if all(row[k] == v for k, v in where.items())) for c in columns]


def rows(path, pattern="."):
    """Number of lines of a file that match, without comments."""
    return lambda root: [sum(bool(re.search(pattern, line)) for line in text(root, path).splitlines() if not line.startswith("#"))]


def recorded_calls(root):
    return [sum(len(text(root, p).splitlines()) for p in all_files(root) if re.fullmatch(r"tests/conformance/\w+\.jsonl", p))]


def findings_of_programs(root):
    return [sum(int(row[1]) for row in table(root, "docs/data/program_findings.tsv"))]


def states_of_behaviours(root):
    count = Counter(state for state, _ in behaviours.states_of(root).values())
    return [sum(count.values()), *(count[s] for s in behaviours.STATES)]


def traces(root):
    verdicts = [row["verdict"] for row in table(root, "docs/data/traces.csv")]
    return [verdicts.count("agrees"), len(verdicts)]


RECORDS, PREDICTIONS, SYMBOLIC = "docs/data/records.csv", "docs/data/predictions.txt", "docs/data/symbolic_calls.csv"
JUDGED = (rf"predictions: of {N} records that both predict, the recorder's own fakes differ from its real run on {N} \({PERCENT}\), "
          rf"ersatz on {N} \({PERCENT}\).*?not judged so: {N} that ersatz does not predict without data.*?; {N} that the recorder's fakes refuse")
FIGURES = [
    Figure("complaints", "docs/user_complaints.md", complaint_counts,
           [("docs/compare.md", rf"\(user_complaints\.md\) says .*?: {N} of {N} cannot happen, {N} {IS} out, {N} {IS} open \|")]),
    Figure("behaviours", "docs/data/behaviours.tsv", states_of_behaviours,
           [("docs/compare.md", rf"{N} rows: {N} shown, {N} deviates, {N} unwanted, {N} needs a GPU, {N} later, {N} open"),
            ("docs/behaviours.md", rf"\| \*\*all\*\* \|{rf' {N} [|]' * 7}")]),
    Figure("recorded calls", RECORDS, sums(RECORDS, "passed", "records", "failed", "waived", "skipped"),
           [("docs/ops.md", rf"{N} of {N} recorded calls pass, {N} fail, {N} differ on purpose, {N} could not be compared")]),
    Figure("differences from recorded calls", "docs/data/record_waivers.txt", rows("docs/data/record_waivers.txt", r"^\w+/\d"),
           [("docs/ops.md", rf"{N} differ on purpose")]),
    Figure("operators that are not here", "docs/ops.md",
           says("docs/ops.md", rf"{N} are of operators that are refused by name, {N} of operators that are not here"),
           [("docs/compare.md", rf"{N} of operators that are refused by name, and {N} of operators that are not here")]),
    Figure("calls of the repository", "tests/conformance", recorded_calls,
           [("docs/call-records.md", rf"the repository keeps {N} calls of PyTorch eager")]),
    Figure("calls of the repository, by their table", "tests/conformance/records.csv", sums("tests/conformance/records.csv", "records"),
           [("docs/call-records.md", rf"the repository keeps {N} calls of PyTorch eager")]),
    Figure("predictions", PREDICTIONS, says(PREDICTIONS, JUDGED),
           [("docs/compare.md", rf"of {N} that both predict \| {N} \({PERCENT}\) \| {N} \({PERCENT}\), each with its reason.*?: {N} calls that "
                                rf"ersatz does not predict without data, {N} that FakeTensor refuses")]),
    Figure("predictions, in short", "docs/compare.md",
           says("docs/compare.md", rf"of {N} that both predict \| {N} \({PERCENT}\) \| {N} \({PERCENT}\)"),
           [("README.md", rf"On {N} odd calls recorded .*? differ from eager on {N} \({PERCENT}\)\. ersatz differs on {N} \({PERCENT}\)")]),
    Figure("predictions, one by one", PREDICTIONS, says(PREDICTIONS, rf"of {N} records that both predict, the recorder's own fakes differ from its real run on {N}"),
           [("docs/found.md", rf"on {N} odd calls .*? The two differ in {N} of them")]),
    Figure("predictions that differ with a reason", PREDICTIONS, says(PREDICTIONS, rf"records of .*?, {N} waived"),
           [(PREDICTIONS, rf", ersatz on {N} \(")]),
    Figure("records of predictions", RECORDS, sums(RECORDS, "records"), [(PREDICTIONS, rf"{N} records of \d+ overloads")]),
    Figure("programs", "docs/programs.md", says("docs/programs.md", PROGRAMS), [("docs/compare.md", PROGRAMS)]),
    Figure("programs, in short", "docs/programs.md",
           says("docs/programs.md", rf"{N} exported programs, {N} results: [\d,]+ compared .*? {N} results skipped"),
           [("README.md", rf"On {N} exported programs it compared {N} results and skipped {N}")]),
    Figure("overloads", "docs/ops.md", says("docs/ops.md", rf"{N} overloads, "), [("README.md", rf"ersatz has {N} operator overloads")]),
    Figure("findings of programs", "docs/data/program_findings.tsv", findings_of_programs,
           [("docs/programs.md", rf"{N} findings, all of them known")]),
    Figure("calls with symbols", SYMBOLIC, sums(SYMBOLIC, "calls", "undecided", "guarded_out", kind="unbacked"),
           [("docs/symbols.md", rf"for all {N} recorded calls .*? Without examples, {N} calls get no answer, .*? For another {N} calls an assumption")]),
    Figure("calls with unbacked symbols", SYMBOLIC,
           sums(SYMBOLIC, "kept", "sizes", "asserts", "assumptions", "undecided", "guarded_out", "calls", "compared", kind="unbacked"),
           [("docs/measurements/symbols.md", rf"these calls, unbacked: {N} of {N} sizes stay .*?, {N} asserts, {N} assumptions\. {N} calls are undecided, and for {N} "
                                             rf"an assumption does not hold \| {N} calls, {N} results")]),
    Figure("calls with backed symbols", SYMBOLIC,
           sums(SYMBOLIC, "kept", "sizes", "given", "pinned", "symbols", "guards", "calls", "compared", kind="backed"),
           [("docs/measurements/symbols.md", rf"backed: {N} of {N} sizes .*?; {N} more are given by arguments\), {N} of {N} symbols pinned, {N} guards \| "
                                             rf"{N} calls, {N} results")]),
    Figure("traces", "docs/data/traces.csv", traces, [("docs/deviations.md", rf"The other {N} of its {N} rows agree")]),
    Figure("cost of PyTorch's fakes", "docs/python.md", says("docs/python.md", rf"takes {N} to {N} µs with its cache and {N} to {N} µs without"),
           [(page, rf"{N} to {N} us with its cache, {N} to {N} us without") for page in ("README.md", "docs/compare.md")]),
]


def problems(root, build):
    return [line for figure in FIGURES for line in differences(root, figure)]


def differences(root, figure):
    """Places that contradict the figure's source, and a source without the figure."""
    try:
        read = figure.read(root)
    except (OSError, KeyError, ValueError) as e:
        return [f"{figure.source}: {figure.name}: cannot be read: {type(e).__name__}: {e}"]
    if read is None:
        return [f"{figure.source}: {figure.name}: does not stand there in the words that scripts/checks/figures.py looks for"]
    true, found = numbers(read), []
    for path, pattern in figure.places:
        said = found_in(root, path, pattern)
        if said is None:
            found.append(f"{path}: {figure.name}: does not stand there in the words that scripts/checks/figures.py looks for")
        elif said != true:
            found.append(f"{path}: {figure.name}: says {', '.join(said)} where {figure.source} has {', '.join(true)}")
    return found
