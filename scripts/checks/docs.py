"""Paths that the documents name exist, and the generated documents are up to date."""
import os
import pathlib
import re
import subprocess

from checks.sources import all_files, text
from found_calls import page, source, table

WORD = re.compile(r"`([^`\n]+)`|\]\(([^)#\s]+)(?:#[^)]*)?\)")
SUFFIX = re.compile(r"\.(h|cpp|cu|cuh|md|def|py|json|jsonl|cmake|txt|csv|html|ersatz)$")
PATH = re.compile(r"^[A-Za-z0-9_.\-/]+$")
# Paths in documents that are not in the repository: installed files, and files that the build writes.
ELSEWHERE = re.compile(r"^(build|typed|include/ersatz|lib|bin|recorded)(/|-|$)|^(facts|inputs_outputs|model)\.json$|^libersatz|"
                       r"^(train|my_ops|fx_graph_runnable|repro|output_code)\.py$|^run\.jsonl$|^(error|exception)\.txt$|"
                       r"^(report|ersatz)\.(html|txt|json)$|^items\.txt$|^ersatz_build\.cmake$")
GENERATED = {"docs/ops.md": ["ops", "--markdown", "--records", "docs/data/records.csv",
                             "--cuda-verified", "docs/data/cuda_verified.csv", "--cuda-ptx", "docs/data/cuda_ptx.csv"]}
FOUND, FOUND_TABLE, PREDICTIONS = "docs/found.md", "docs/data/found.tsv", "docs/data/predictions.txt"
# Generated from sources that are checked elsewhere, so their paths are not checked.
WRITTEN = {"docs/ops.md", "docs/behaviours.md"}
# Module of every build with tests, whose list of CUDA kernels is used.
CUDA_MODULE = "lib/libersatz_cuda_emulated.so"


def documents(root):
    return [p for p in all_files(root) if p.endswith(".md") and p not in WRITTEN]


def problems(root, build):
    files = set(all_files(root))
    folders = {str(d) for p in files for d in pathlib.PurePath(p).parents}
    names = {pathlib.PurePath(p).name for p in files}
    found = []
    for document in documents(root):
        inside_code = False
        for number, line in enumerate(text(root, document).splitlines(), 1):
            if line.startswith("```"):
                inside_code = not inside_code
            if inside_code:
                continue
            for quoted, linked in WORD.findall(line):
                for word in quoted.split() or [linked]:
                    if not exists(root, document, word, bool(linked), files, folders, names):
                        found.append(f"{document}:{number}: {word} does not exist")
    return found + stale(root, build, files) + stale_findings(root, files)


def stale_findings(root, files):
    """docs/found.md is made from a table of findings."""
    if FOUND not in files:
        return [f"{FOUND}: missing, run `scripts/found`"] if FOUND_TABLE in files else []
    rows = text(root, FOUND_TABLE)
    made = page.page(table.read(rows), page.of_predictions(text(root, PREDICTIONS)), source.source_in(rows))
    return [] if made == text(root, FOUND) else [f"{FOUND}: stale, run `scripts/found`"]


def exists(root, document, word, is_link, files, folders, names):
    word = word.rstrip(".,:;")
    if is_link:
        if "://" in word:
            return True
        return (root / pathlib.PurePath(document).parent / word).exists()
    if not PATH.match(word) or ELSEWHERE.match(word):
        return True
    rooted = word.split("/")[0] in {p.split("/")[0] for p in files} and "/" in word
    if not rooted and not SUFFIX.search(word):
        return True  # no path: an op, a dtype or a ratio
    bare = word.rstrip("/")
    return bare in files or bare in folders or ("/" not in bare and bare in names)


def stale(root, build, files):
    program = build / "bin" / "ersatz"
    if not program.exists():
        return [f"{program}: missing, the generated documents cannot be compared; run `make build`"]
    found = []
    for document, arguments in GENERATED.items():
        environment = dict(os.environ, ERSATZ_CUDA_MODULE=str(build / CUDA_MODULE))
        made = subprocess.run([program, *arguments], text=True, capture_output=True, env=environment)
        command = "scripts/ops_table build"
        if made.returncode:
            found.append(f"{document}: `{command}` ended with {made.returncode}: {made.stderr.strip()}")
        elif document not in files:
            found.append(f"{document}: missing, run `{command}`")
        elif made.stdout != text(root, document):
            found.append(f"{document}: stale, run `{command}`")
    return found
