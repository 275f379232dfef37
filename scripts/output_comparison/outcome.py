"""The outputs and files of a run's commands, without parts that differ from run to run."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

# Parts that may differ between two runs of one build, besides their folders: times, and names of temporary files.
CHANGING = [
    (re.compile(r'("(?:seconds|time)": )[\d.e+-]+'), r"\1<time>"),
    (re.compile(r"/tmp/(ersatz|change_records)[\w.-]*"), r"/tmp/\1"),
]


def normalised(text, folders):
    """The text with paths replaced; `folders`: path -> replacement."""
    for path, word in folders.items():
        text = text.replace(str(path), word)
    for pattern, word in CHANGING:
        text = pattern.sub(word, text)
    return text


def environment():
    """The environment without ersatz's variables, for text without a terminal in this many columns."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ERSATZ_")}
    return kept | {"NO_COLOR": "1", "COLUMNS": "120", "LC_ALL": "C.UTF-8"}


class TooLong(Exception):
    pass


def outcome(build, commands, limit):
    """Name of an output -> its text. The commands run one after another in an empty folder, and the files that they
    leave are outputs."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="same_behaviour.") as name:
        work = pathlib.Path(name)
        folders = {work: "<work>", build.folder: "<build>"}
        for number, command in enumerate(commands, 1):
            before = f"command {number} " if len(commands) > 1 else ""
            try:
                done = subprocess.run([str(part) for part in command(build)], cwd=work, env=environment(), capture_output=True, timeout=limit,
                                      stdin=subprocess.DEVNULL, check=False)
            except subprocess.TimeoutExpired as e:
                raise TooLong(f"{pathlib.Path(e.cmd[0]).name} ran past {limit} s") from e
            found[f"{before}exit status"] = str(done.returncode)
            for stream in ("stdout", "stderr"):
                found[before + stream] = normalised(getattr(done, stream).decode(errors="backslashreplace"), folders)
        for path in sorted(p for p in work.rglob("*") if p.is_file()):
            found[str(path.relative_to(work))] = normalised(path.read_bytes().decode(errors="backslashreplace"), folders)
    return found


def leaves(value, path=""):
    """(path, text) of each leaf in a JSON value."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for number, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{number}]")
    else:
        yield path, json.dumps(value, ensure_ascii=False)


def as_leaves(text):
    if not text.startswith("{"):
        return None
    try:
        return dict(leaves(json.loads(text)))
    except ValueError:
        return None


def text_differences(before, after):
    """(place, before, after) of each differing member of a JSON object, or else of each differing line."""
    a, b = as_leaves(before), as_leaves(after)
    if a is None or b is None or a == b:  # one is not JSON, or only the order differs
        a, b = ({f"line {n}": line for n, line in enumerate(text.split("\n"), 1)} for text in (before, after))
    for place in [*a, *(p for p in b if p not in a)]:
        if a.get(place) != b.get(place):
            yield place, a.get(place, "nothing"), b.get(place, "nothing")


def differences(before, after):
    """The differences between two outcomes: one text for each place."""
    found = []
    for name in [*before, *(n for n in after if n not in before)]:
        if name not in before or name not in after:
            found.append(f"{name}: {'only after' if name in after else 'only before'}")
        elif before[name] != after[name]:
            found += [f"{name}: {place}: {a} / {b}" for place, a, b in text_differences(before[name], after[name])]
    return found
