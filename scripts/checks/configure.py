"""CMake configures in any folder and with any packages installed.

CMake runs once for each row of cmake/dependencies.txt with that row hidden, once with all optional rows hidden, and once in a
folder whose name has spaces, /cuda/ and /tests/ in it. No package is removed: a package is hidden by
CMAKE_DISABLE_FIND_PACKAGE_NAME=ON, and a header, library or command by the cache entry VARIABLE=OFF.

If the row of an optional part is hidden, the configure must succeed, print "left out: PART" with the missing package, and build
everything else as before. If a row of the part `program` is hidden, the configure must fail and name the Debian package.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

OPTIONS = {"tests": "ERSATZ_BUILD_TESTS", "benchmarks": "ERSATZ_BUILD_BENCHMARKS", "python": "ERSATZ_PYTHON", "cuda": "ERSATZ_CUDA"}
DEPENDENTS = {"tests": {"benchmarks"}}  # part -> the parts that are left out together with it
WORDS = {"tests": "the tests", "benchmarks": "the benchmarks", "python": "the Python package", "cuda": "the CUDA module"}


def rows(text):
    """[(part, Debian package, kind, name)] of the dependencies that CMake looks for."""
    found, package = [], ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        part, named, how, _ = (column.strip() for column in line.split("|"))
        package = named or package
        if how != "-":
            kind, name = how.split()[:2]
            found.append((part, package, kind, name))
    return found


def hidden(row, folder):
    """Configure options that hide the row's dependency."""
    _, _, kind, name = row
    if kind == "package":
        return [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON"]
    if kind == "target":  # the row's package is found, but does not define the target
        package = name.split("::")[0]
        (folder / f"{package}Config.cmake").write_text(f"set({package}_FOUND TRUE)\n")
        return [f"-D{package}_DIR={folder}"]
    return [f"-D{name}=OFF"]


def configure(source, folder, options):
    """(status, CMake's output) of a configure in a new build tree `folder`."""
    done = subprocess.run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DERSATZ_DATA=", *options],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={k: v for k, v in os.environ.items() if k != "ERSATZ_DATA"})
    return done.returncode, done.stdout


def compiled(folder, source):
    """The files that a build tree compiles, as paths in the source or build tree."""
    def named(path):
        path = pathlib.Path(path)
        return next((str(path.relative_to(base)) for base in (folder, source) if path.is_relative_to(base)), str(path))
    return sorted(named(entry["file"]) for entry in json.loads((folder / "compile_commands.json").read_text()))


def left_out(said):
    """{part: reason} from the summary of a configure."""
    found = {}
    for text in re.findall(r"^-- ersatz: left out: (.*)$", said, re.M):
        found |= {part: text for part, words in WORDS.items() if text.startswith(words)}
    return found


def last_lines(said):
    """The error of CMake on one line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    first = next((i for i, line in enumerate(lines) if line.startswith("CMake Error")), max(0, len(lines) - 8))
    return " / ".join(lines[first:first + 8])


def wrong(source, folder, row, usual):
    """The problem of a configure with `row` hidden."""
    part, package, _, name = row
    options = hidden(row, folder)
    status, said = configure(source, folder / "build", options)
    shown = f"configure with {name} hidden ({' '.join(options)})"
    joined = " ".join(said.split())  # CMake breaks the lines of an error
    if part == "program":
        return [] if status and f"(Debian: {package})" in joined else [f"{shown}: it does not fail with the name of {package}: {last_lines(said)}"]
    if status:
        return [f"{shown}: fails: {last_lines(said)}"]
    without = left_out(said)
    problems = [] if part in without and "missing: " in without[part] else [f"{shown}: the summary does not say that {WORDS[part]} are left out"]
    unexpected = set(without) - set(usual) - {part} - DEPENDENTS.get(part, set())
    return problems + [f"{shown}: {WORDS[p]} are left out too: {without[p]}" for p in sorted(unexpected)]


def elsewhere(source, folder, usual_files):
    """The problem of a build in a copy of the source tree with a path that patterns may match, next to the source tree,
    and through a symbolic link."""
    copy = folder / "a b" / "cuda" / "tests" / "command" / "ersatz"
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=source, text=True, capture_output=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (source / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, copy / name)
    before = sorted(copy.rglob("*"))
    link = folder / "link"
    link.symlink_to(copy)
    problems = []
    for path, build in ((copy, copy.parent / "_rows_special_ build"), (link, folder / "linked-build")):
        status, said = configure(path, build, [])
        if status:
            problems.append(f"configure in {path.relative_to(folder)}: fails: {last_lines(said)}")
        elif compiled(build, path) != usual_files:
            differ = set(compiled(build, path)) ^ set(usual_files)
            problems.append(f"configure in {path.relative_to(folder)}: compiles other files than elsewhere: {', '.join(sorted(differ)[:5])}")
    if sorted(copy.rglob("*")) != before:
        problems.append(f"configure writes into the source tree: {', '.join(str(p.relative_to(copy)) for p in set(copy.rglob('*')) - set(before))}")
    return problems


def problems(root, build):
    looked_for = rows((root / "cmake/dependencies.txt").read_text())
    with tempfile.TemporaryDirectory(prefix="ersatz-configure-") as name:
        folder = pathlib.Path(name)
        status, said = configure(root, folder / "usual", [])
        if status:
            return [f"configure fails: {last_lines(said)}"]
        usual, files = left_out(said), compiled(folder / "usual", root)
        everything = [option for i, row in enumerate(looked_for) if row[0] in OPTIONS and row[2] != "target" for option in hidden(row, folder)]

        def bare():
            status, said = configure(root, folder / "bare", [*everything, "-DERSATZ_CCACHE=OFF"])
            missed = set(OPTIONS) - set(left_out(said))
            return ([f"configure with all that is optional hidden: fails: {last_lines(said)}"] if status else
                    [f"configure with all that is optional hidden: the summary does not say that {WORDS[p]} are left out" for p in sorted(missed)])

        def one(item):
            (folder / f"hidden-{item[0]}").mkdir()
            return wrong(root, folder / f"hidden-{item[0]}", item[1], usual)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            asked = [pool.submit(elsewhere, root, folder, files), pool.submit(bare), *(pool.submit(one, item) for item in enumerate(looked_for))]
            return [problem for future in asked for problem in future.result()]
