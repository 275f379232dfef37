"""The public headers and the versions are consistent, also with the documents.

Public headers (include/ersatz) are thin: comments and includes. ops.h includes every header of typed operators, ersatz.h
every other public header, and docs/stability.md lists them all. Files outside of the rooms include only public headers.
The Debian package depends on the libraries that op files open at run time, which no tool sees.
"""
import re

from checks.sources import all_files, text

FOLDER = "include/ersatz/"
THIN = re.compile(r'^(//.*|#pragma once|#include "[a-z_/0-9]+\.h"|)$')
OPERATORS = re.compile(r'\bnamespace (ersatz::)?ops\b|^#include "typed/', re.M)
BEHIND = re.compile(r"#include (<ersatz/(?:internal|runtime|kernels|fake|tracer)/[^>]*>)")
AUTHORS_OF_PLUGINS = "plugin_op.h"


def problems(root, build):
    files = all_files(root)
    headers = [p for p in files if p.startswith(FOLDER)]
    found = [f"{p}:{n}: a public header is comments and includes, not `{line}`"
             for p in headers for n, line in enumerate(text(root, p).splitlines(), 1) if not THIN.match(line)]
    if FOLDER + "ops.h" in headers:
        operators = [p for p in files if p.startswith("kernels/") and p.endswith(".h") and OPERATORS.search(text(root, p))]
        found += differences(FOLDER + "ops.h", [i for i in includes(root, FOLDER + "ops.h") if i.startswith("kernels/")],
                             operators)
    if FOLDER + "ersatz.h" in headers:
        others = [p[len("include/"):] for p in headers if not p.endswith(("/ersatz.h", "/" + AUTHORS_OF_PLUGINS))]
        found += differences(FOLDER + "ersatz.h", includes(root, FOLDER + "ersatz.h"), others)
    found += [f"{p}:{n}: {m.group(1)} lies behind the public headers, and will move"
              for p in files if p.endswith((".md", ".h", ".cpp")) and not p.startswith("tests/checks/")
              for n, line in enumerate(text(root, p).splitlines(), 1) for m in BEHIND.finditer(line)]
    if "docs/stability.md" in files:
        listed = re.findall(r"^\| `<(ersatz/[^>]+)>`", text(root, "docs/stability.md"), re.M)
        found += differences("docs/stability.md", listed, [p[len("include/"):] for p in headers])
    return found + versions(root, files) + unpackaged(root, files)


def includes(root, path):
    return re.findall(r'^#include "([^"]+)"', text(root, path), re.M)


def differences(path, there, wanted):
    found = [f"{path}: {name} is missing" for name in sorted(set(wanted) - set(there))]
    return found + [f"{path}: {name} is no such header" for name in sorted(set(there) - set(wanted))]


def versions(root, files):
    """Each version number has one source, and the documents repeat it correctly."""
    found = []
    for path, pattern, document, said in [
            ("CMakeLists.txt", r"project\(ersatz VERSION ([\d.]+)", "CHANGELOG.md", r"^## \[([\d.]+)\]"),
            ("CMakeLists.txt", r"project\(ersatz VERSION (\d+\.\d+)\.", "README.md", r"find_package\(ersatz ([\d.]+)"),
            ("CMakeLists.txt", r"project\(ersatz VERSION (\d+\.\d+)\.", "docs/stability.md", r"find_package\(ersatz ([\d.]+)"),
            ("runtime/plugin/plugin.h", r"#define ERSATZ_PLUGIN_ABI (\d+)u", "docs/stability.md", r"`ERSATZ_PLUGIN_ABI` (\d+)"),
            ("fake/ask/ask.h", r"#define ERSATZ_ASK_ABI (\d+)u", "docs/stability.md", r"`ERSATZ_ASK_ABI` (\d+)"),
            ("tools/answer/command_answer.cpp", r'\{"format", (\d+)\}', "docs/stability.md", r'`"format": (\d+)`'),
            ("tracer/text/text_form.h", r"kTextFormVersion = (\d+)", "docs/stability.md", r"`ersatz program (\d+)`")]:
        if path not in files or document not in files:
            continue
        true, repeated = (re.search(p, text(root, f), re.M) for p, f in [(pattern, path), (said, document)])
        if not true or not repeated or true.group(1) != repeated.group(1):
            found.append(f"{document}: says {repeated.group(1) if repeated else 'nothing'} where {path} has "
                         f"{true.group(1) if true else 'nothing'}")
    return found


def unpackaged(root, files):
    package = "cmake/package.cmake"
    if package not in files:
        return []
    named = text(root, package)
    opened = [(p, *m) for p in files if p.startswith("kernels/") and p.endswith(".cpp")
              for m in re.findall(r'dlopen\("(lib\w+)\.so\.(\d+)"', text(root, p))]
    return [f"{p}: opens {name}.so.{number}, and {package} names no package {name}{number}"
            for p, name, number in opened if name + number not in named]
