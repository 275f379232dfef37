"""Files are small, named for the thing that they define, and have `#pragma once`. Comments fit the line, and each labelled
invariant begins a comment.
"""
import pathlib
import re

from checks.sources import all_files, code_files, text

LIMITS = {"header": 250, "test": 400, "source": 500}
# path -> (limit, reason). A row that is no longer needed is itself a problem.
EXCEPTIONS = {}
NAME = re.compile(r"^[a-z0-9]+(_[a-z0-9]+)*$")
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "stuff"}
COMMENT = re.compile(r"^\s*//")
WIDTH = 120
# "... none. R4  It runs" or "... bool. [sub.C3]  Bool": a label after a sentence instead of at the line's start.
MERGED_LABEL = re.compile(r"^\s*//.*\S[.;:,]\s+([A-Z]{1,2}\d+  [A-Z`]|\[[\w.]+\.[A-Z]\w*\]  ?[A-Z`])")
INCLUDED_HEADER = re.compile(r'^\s*#\s*include "[^"]+\.h"')
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def kind(path):
    if path.endswith((".h", ".cuh")):
        return "header"
    return "test" if path.endswith("_test.cpp") else "source"


def problems(root, build):
    found = []
    for path in code_files(root):
        lines = text(root, path).splitlines()
        limit, _ = EXCEPTIONS.get(path, (LIMITS[kind(path)], ""))
        if len(lines) > limit:
            found.append(f"{path}: {len(lines)} lines, the limit for a {kind(path)} is {limit}")
        elif path in EXCEPTIONS and len(lines) <= LIMITS[kind(path)]:
            found.append(f"{path}: fits again, remove its row in scripts/checks/layout.py")
        stem = pathlib.PurePath(path).stem
        if not NAME.match(stem):
            found.append(f"{path}: file names are lower_snake_case")
        if VAGUE & set(stem.split("_")):
            found.append(f"{path}: name the noun, not `{stem}`")
        if kind(path) == "header" and "#pragma once" not in lines:
            found.append(f"{path}: no #pragma once")
        inside = False  # whether the line is inside a namespace
        for number, line in enumerate(lines, 1):
            inside = inside or line.startswith("namespace ")
            if inside and INCLUDED_HEADER.match(line):
                found.append(f"{path}:{number}: a header is included before the first namespace, not inside of one")
            if UNFINISHED.search(line):
                found.append(f"{path}:{number}: unfinished: {line.strip()}")
            if COMMENT.match(line) and len(line) > WIDTH:
                found.append(f"{path}:{number}: a comment of {len(line)} columns, the limit is {WIDTH}")
            if MERGED_LABEL.match(line):
                found.append(f"{path}:{number}: a labelled invariant starts a line: {line.strip()}")
    known = set(all_files(root))
    return found + [f"scripts/checks/layout.py: an exception for {p}, which does not exist" for p in EXCEPTIONS
                    if p not in known]
