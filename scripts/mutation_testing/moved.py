"""Finds the present position of mutants that were drawn at an earlier commit, if lines above them changed or their files were renamed."""
import collections
import difflib
import subprocess


def git(root, *arguments):
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, errors="replace")
    return done.stdout if done.returncode == 0 else None


def new_names(root, commit):
    """name at `commit` -> name now, for renamed files."""
    listed = git(root, "diff", "--name-status", "--find-renames=40%", "--diff-filter=R", commit) or ""
    return {before: now for _, before, now in (line.split("\t") for line in listed.splitlines())}


def starts(lines):
    """The offset of the start of each line, and of the end."""
    found = [0]
    for line in lines:
        found.append(found[-1] + len(line))
    return found


def line_map(before, now):
    """line number before -> line number now, for lines that are in both texts."""
    blocks = difflib.SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks()
    return {b.a + k: b.b + k for b in blocks for k in range(b.size)}


def moved(mutants, before, now):
    """Mutants of one file, moved from the text `before` to the text `now`. Mutants on changed lines keep their old
    position."""
    old, new = before.splitlines(keepends=True), now.splitlines(keepends=True)
    lines, old_starts, new_starts, found = line_map(old, new), starts(old), starts(new), []
    for m in mutants:
        first, last = before.count("\n", 0, m.start), before.count("\n", 0, m.end)
        to = lines.get(first)
        if to is not None and all(lines.get(first + k) == to + k for k in range(last - first + 1)):
            by = new_starts[to] - old_starts[first]
            m = m._replace(line=to + 1, start=m.start + by, end=m.end + by)
        found.append(m)
    return found


def to_today(root, commit, mutants):
    """`mutants`, drawn at `commit`, with their files, lines and offsets in the working tree."""
    names, files, found = new_names(root, commit), collections.defaultdict(list), {}
    for m in mutants:
        files[m.file].append(m)
    for name, those in files.items():
        today = names.get(name, name)
        before = git(root, "show", f"{commit}:{name}")
        if before is not None and (root / today).is_file():
            those = [m._replace(file=today) for m in moved(those, before, (root / today).read_text())]
        found.update((m.number, m) for m in those)
    return [found[m.number] for m in mutants]
