"""Lists in documents are complete: folders, pages, words of reports, exit statuses, environment variables, checks.

The sources decide what must be listed: folders with files, enums whose names reports print, and variables that the code
reads. A missing entry is a problem, and so is an entry that does not exist.
"""
import re

from checks.layering import permissions
from checks.sources import all_files, text

EMULATED = "tests/emulated_cuda/"
ROOMS = ["runtime", "fake", "tracer", "tools", "python"]  # kernels/ has families, which kernels/README.md lists
ARCHITECTURE = "docs/ARCHITECTURE.md"
ROOM_ROW = re.compile(r"^\| `(\w+)/` \| (.+) \|$", re.M)
GLOSSARY, CHECKING, STABLE = "docs/glossary.md", "docs/crosscheck.md", "docs/stability.md"
PRINTED = {"Witness": "fake/crosscheck/finding.cpp", "FindingField": "fake/crosscheck/finding.cpp", "Source": "fake/mode/coverage.cpp",
           "NotChecked": "fake/mode/coverage.cpp"}
NAMES = r"string_view name\({} \w+\) \{{\s*constexpr std::string_view names\[\] = \{{([^}}]*)\}}"
STATUSES = "tools/output/exit_status.h"
STATUS = re.compile(r"^\s*[A-Z]\w+ = (\d+)", re.M)
VARIABLE = re.compile(r"""["'](ERSATZ_[A-Z_]+)["']""")
READS = re.compile(r"getenv\(|os\.environ")


def problems(root, build):
    files = all_files(root)
    found = rooms(root, files)
    for document, folder in [("tests/README.md", "tests"), ("kernels/README.md", "kernels"), ("python/README.md", "python")]:
        if document in files:
            found += differences(document, re.findall(r"\[(\w+)/\]\(\1\)", text(root, document)), folders(files, folder))
    pages = "docs/measurements/README.md"
    if pages in files:
        there = [p.rsplit("/", 1)[1] for p in files if re.fullmatch(r"docs/measurements/[\w-]+\.md", p) and p != pages]
        found += differences(pages, re.findall(r"\[([\w-]+\.md)\]\(\1\)", text(root, pages)), there)
    return found + words(root, files) + statuses(root, files) + variables(root, files) + checks(root, files)


def differences(document, listed, there):
    found = [f"{document}: {name} is missing" for name in sorted(set(there) - set(listed))]
    found += [f"{document}: names {name}, which is not there" for name in sorted(set(listed) - set(there))]
    return found + [f"{document}: {name} stands twice" for name in sorted({n for n in listed if listed.count(n) > 1})]


def folders(files, room):
    """Folders right below `room` that hold files, at any depth."""
    return sorted({p.split("/")[1] for p in files if p.startswith(f"{room}/") and p.count("/") > 1})


def rooms(root, files):
    """The table of folders in docs/ARCHITECTURE.md: all folders, each after those that it may include."""
    if ARCHITECTURE not in files:
        return []
    listed = {room: re.sub(r" ?\([^)]*\)", "", names).split(", ") for room, names in ROOM_ROW.findall(text(root, ARCHITECTURE))}
    found, below = [], permissions(root)
    for room in ROOMS:
        names = listed.get(room, [])
        found += differences(f"{ARCHITECTURE}: {room}/", names, folders(files, room))
        for i, name in enumerate(names):
            found += [f"{ARCHITECTURE}: {room}/: {name} may include {other.split('/')[1]}, which is lower and stands behind it"
                      for other in below.get(f"{room}/{name}", []) if other.split("/")[1] in names[i:]]
    return found


def words(root, files):
    """Words of these enums, which reports print, are explained in the glossary or on the page about crosschecks."""
    explained = {w for p in (GLOSSARY, CHECKING) if p in files for w in named(text(root, p))}
    found = []
    for enum, path in PRINTED.items():
        if not explained or path not in files:
            continue
        names = re.search(NAMES.format(enum), text(root, path))
        if not names:
            found.append(f"{path}: the names of {enum} do not stand there in the form that scripts/checks/lists.py looks for")
        found += [f"{GLOSSARY}: does not explain `{word}`, which reports print ({enum})"
                  for word in re.findall(r'"(\w+)"', names[1] if names else "") if word not in explained]
    return found


def named(document):
    """Words in backticks or bold, and the bare words in the row `field`; `data-dependent` is `data_dependent`."""
    marked = re.findall(r"`(\w+)`|\*\*([\w\- ]+)\*\*", document)
    fields = re.findall(r"^\| \*\*field\*\* \| (.*) \|$", document, re.M)
    found = {re.sub(r"[ \-]", "_", a or b) for a, b in marked}
    return found | {w for row in fields for w in re.findall(r"\w+", row)}


def statuses(root, files):
    if STATUSES not in files:
        return []
    there, found = STATUS.findall(text(root, STATUSES)), []
    if GLOSSARY in files:
        found += differences(f"{GLOSSARY}: exit statuses", re.findall(r"^\| `\w+` \| (\d+) \|", text(root, GLOSSARY), re.M), there)
    row = re.search(r"^\| exit statuses \| (.*) \| \|$", text(root, STABLE), re.M) if STABLE in files else None
    return found + (differences(f"{STABLE}: exit statuses", re.findall(r"\b\d+\b", row[1]), there) if row else [])


def variables(root, files):
    """The glossary's table has the environment variables of the rooms and the emulated device; those of tests and
    scripts are optional."""
    if GLOSSARY not in files:
        return []
    read = set()
    for path in files:
        if (path.split("/")[0] in [*ROOMS, "kernels"] or path.startswith(EMULATED)) and path.endswith((".h", ".cpp", ".cu", ".py")) and not path.startswith("python/bench/"):
            source = text(root, path)
            read |= set(VARIABLE.findall(source)) if READS.search(source) else set()
    rows = re.findall(r"^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|", text(root, GLOSSARY), re.M)
    listed = [name for row in rows for name in re.findall(r"`(ERSATZ_[A-Z_]+)`", row)]
    return differences(f"{GLOSSARY}: environment variables", listed, read)


def checks(root, files):
    """scripts/check runs every check."""
    if "scripts/check" not in files:
        return []
    listed = re.search(r"^CHECKS = \[(.*?)\]", text(root, "scripts/check"), re.M | re.S)
    there = [p[len("scripts/checks/"):-len(".py")] for p in files
             if re.fullmatch(r"scripts/checks/\w+\.py", p) and "\ndef problems(root, build)" in text(root, p)]
    return differences("scripts/check: CHECKS", re.findall(r'"(\w+)"', listed[1]) if listed else [], there)
