"""The source of the calls of docs/data/found.tsv: recorded calls, or a folder that `ersatz conformance -o DIR` wrote."""
import dataclasses
import json
import pathlib
import re
import shlex

from differing.rows import read

NEWEST = "2.15.0"  # the version of PyTorch with which the calls were recorded


@dataclasses.dataclass
class Source:
    torch: str = NEWEST
    command: str = ""  # the conformance run; empty for recorded calls
    calls: int = 0  # for a conformance run: number of calls whose fake was compared

    def line(self):
        """The comment of found.tsv that the page reads; empty for recorded calls."""
        return f"# {self.calls} calls compared with PyTorch {self.torch} by: {self.command}\n" if self.command else ""


def source_in(table):
    """The source that a found.tsv names."""
    named = re.search(r"^# (\d+) calls compared with PyTorch (\S+) by: (.*)$", table, re.M)
    return Source(named[2], named[3], int(named[1])) if named else Source()


def is_conformance(folder):
    return (pathlib.Path(folder) / "report.json").is_file() and (pathlib.Path(folder) / "found.tsv").is_file()


def of_conformance(folder):
    """(rows of wrong fakes, source). ValueError: the run did not end, or its folder has other files."""
    report = json.loads((pathlib.Path(folder) / "report.json").read_text(encoding="utf-8"))
    if report.get("command") != "conformance" or report.get("format") != 1:
        raise ValueError(f"{folder}: its report.json is none of `ersatz conformance`")
    if report["judged"] != report["items"]:
        raise ValueError(f"{folder}: {report['judged']} of {report['items']} items are judged: run `ersatz conformance` with the folder again, it goes on")
    if not report["counts"].get("fake: wrong"):
        raise ValueError(f"{folder}: no fake is wrong in it, and the page is about those")
    words = [pathlib.Path(word).name if word.startswith("/") else word for word in shlex.split(report["input"])]
    rows = read((pathlib.Path(folder) / "found.tsv").read_text(encoding="utf-8"))
    return rows, Source(report["torch"].partition("+")[0], shlex.join(words), report["counts"]["fake: compared"])
