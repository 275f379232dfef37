"""Finds the calls that no fake can predict, because their outcome depends on values: ersatz predicts nothing for them
without data."""
import json
import pathlib
import subprocess
import tempfile


def split(program, pairs):
    """(decided, undecided) of (record, line) pairs. A file with both is halved."""
    if not pairs:
        return [], []
    count = undecided_in(program, [line for _, line in pairs])
    if count in (0, len(pairs)):
        return (pairs, []) if count == 0 else ([], pairs)
    middle = len(pairs) // 2
    first, second = split(program, pairs[:middle]), split(program, pairs[middle:])
    return first[0] + second[0], first[1] + second[1]


def undecided_in(program, lines):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "calls.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        run = subprocess.run([program, "crosscheck", folder, "--no-real", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    try:
        fakes = json.loads(run.stdout)["calls"]["recorder_fakes"]
    except (ValueError, KeyError) as error:
        raise OSError(f"{program} crosscheck ended with {run.returncode}: {run.stderr.strip()[:200]}") from error
    return len(lines) - fakes["records"]
