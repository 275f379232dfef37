"""The file of a run, from which a run resumes, and the tables made from it."""
import collections
import json

from mutation_testing.draw import ROOMS, Mutant

# Verdicts: killed, survived, stillborn (does not compile), no switch (has to be built alone), gone (its source changed).
Result = collections.namedtuple("Result", "verdict how by seconds")


class Run:
    """One JSON line for each result, appended at once. The later of two lines about one mutant is valid."""

    def __init__(self, path):
        self.path = path
        self.about, self.mutants, self.forms, self.results, self.baseline = {}, [], {}, {}, {}
        if path.exists():
            for line in path.read_text().splitlines():
                try:
                    self.take(json.loads(line))
                except json.JSONDecodeError:  # a line that was truncated when the run was stopped
                    continue

    def take(self, entry):
        if "run" in entry:
            self.about = entry["run"]
        elif "mutant" in entry:
            self.mutants.append(Mutant(**entry["mutant"]))
        elif "form" in entry:
            self.forms[entry["form"][0]] = entry["form"][1]
        elif "baseline" in entry:
            self.baseline = entry["baseline"]
        elif "result" in entry:
            fields = dict(entry["result"])
            number = fields.pop("number")
            self.results[number] = Result(**fields)

    def write(self, *entries):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        cut = self.path.exists() and not self.path.read_bytes().endswith(b"\n") and self.path.stat().st_size > 0
        with open(self.path, "a") as f:
            f.write("\n" if cut else "")
            for entry in entries:
                f.write(json.dumps(entry) + "\n")
                self.take(entry)

    def start(self, about, mutants):
        self.write({"run": about}, *({"mutant": m._asdict()} for m in mutants))

    def keep(self, number, result):
        self.write({"result": {"number": number} | result._asdict()})


def read_equivalents(root):
    """(file, line's text, before, after) -> reason, from docs/data/mutation_equivalents.tsv."""
    path, found = root / "docs/data/mutation_equivalents.tsv", {}
    if path.exists():
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line and not line.startswith("#"):
                f = line.split("\t")
                if len(f) != 5 or not f[4].strip():
                    raise ValueError(f"{path.name}:{number}: a row has file, the line's text, before, after and a reason")
                found[tuple(f[:4])] = f[4]
    return found


def one_line(text):
    return " ".join(text.split())


def key_of(mutant, line):
    return mutant.file, one_line(line), one_line(mutant.before), one_line(mutant.after)


def table(mutants, results, reasons):
    """A Markdown table with a row for each room. `reasons`: number of a mutant -> why it is equivalent."""
    counts = collections.defaultdict(collections.Counter)
    for m in mutants:
        r = results.get(m.number)
        verdict = "not run" if r is None else r.verdict
        if verdict == "survived" and m.number in reasons:
            verdict = "equivalent"
        for room in (m.room, "all"):
            counts[room][verdict] += 1
            counts[room]["drawn"] += 1
            if verdict == "killed":
                counts[room][r.how] += 1
    out = ["| room | drawn | killed | by a failing test | a crash | a hang | survived | equivalent | stillborn | left | score |",
           "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for room in [*ROOMS, "all"]:
        c = counts[room]
        if c["drawn"]:
            judged = c["killed"] + c["survived"]
            score = f"{100 * c['killed'] / judged:.1f} %" if judged else "-"
            cells = [c["drawn"], c["killed"], c["failed"], c["crashed"], c["hung"], c["survived"], c["equivalent"], c["stillborn"],
                     c["no switch"] + c["gone"] + c["not run"], score]
            out.append(f"| {room if room != 'all' else '**all**'} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(out)


def described(mutant):
    change = f"`{one_line(mutant.before)[:100]}` -> `{one_line(mutant.after)[:100]}`" if mutant.kind != "deleted" else f"deleted `{one_line(mutant.before)[:120]}`"
    return f"{mutant.number} {mutant.file}:{mutant.line} {mutant.kind}: {change}"
