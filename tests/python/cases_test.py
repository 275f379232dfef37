"""Lines of tests/cases compared with PyTorch: PyTorch makes each call, the call is recorded, and `ersatz crosscheck`
compares the record with the line.

`ersatz test` compares the lines with ersatz (test_cases). This test compares them with PyTorch."""

import contextlib
import faulthandler
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import warnings

try:
    import torch
except ImportError:
    torch = None
else:
    from ersatz.torch.own_calls import operator_of
    from ersatz.torch.recording.record_file import KeptRecords
    from ersatz.torch.remade import Remade

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/cases"
KNOWN = CASES / "contradicted.tsv"
ENDED = 6  # calls that crash PyTorch's process by invalid memory accesses
MISSING = 40  # calls that PyTorch cannot make: operators missing in this build, dtypes missing in Python


def recorded(record):
    """Returns the record of the call in PyTorch, or None if Python cannot make the call."""
    try:
        op = operator_of(record["op"])
        remade = Remade(op, record)
    except (AttributeError, RuntimeError):
        return None
    recorder, kept = remade.recorder, KeptRecords()
    recorder._probes = False  # the old contents of an out= argument are part of the call
    recorder._opened = lambda: kept
    made = remade.arguments(record, "recorded")
    if made is None:
        return None
    with torch.no_grad(), recorder, contextlib.suppress(Exception):  # the record has the exception
        recorder.__torch_dispatch__(op, (), *made)  # also sees operators that PyTorch decomposes before a mode does
    return json.dumps({**json.loads(kept.lines[0]), "id": record["id"]}) if kept.lines else None


def answer_from(first, lines, to):
    """Makes the calls in a process, which a call may crash. Writes each line's number to `to` before the line's record."""
    for number in range(first, len(lines)):
        to.write(f"{number}\n".encode())
        to.flush()
        line = recorded(json.loads(lines[number]))
        if line:
            to.write(line.encode() + b"\n")
            to.flush()


def answers_of(lines, path):
    """Returns the records of PyTorch's runs, and the ids of the calls that crashed their process."""
    records, ended, first = [], [], 0
    while first < len(lines):
        with open(path, "wb") as to:
            child = os.fork()
            if child == 0:
                try:
                    faulthandler.disable()
                    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # hides the C library's text about a crash
                    warnings.simplefilter("ignore")
                    torch.set_num_threads(1)
                    answer_from(first, lines, to)
                finally:
                    os._exit(0)
        _, status = os.waitpid(child, 0)
        written = path.read_text().splitlines()
        records += [line for line in written if line.startswith("{")]
        if status == 0:
            break
        number = max(int(line) for line in written if not line.startswith("{"))
        ended.append(json.loads(lines[number])["id"])
        first = number + 1
    return records, ended


def run(*words):
    return subprocess.run([os.environ["ERSATZ_PROGRAM"], *words], capture_output=True, text=True, cwd=ROOT, check=False)


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class TheCases(unittest.TestCase):
    def test_are_what_pytorch_returns(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            run("test", str(CASES.relative_to(ROOT)), "--device", "fake", "--records", str(folder / "cases.jsonl"))
            lines = (folder / "cases.jsonl").read_text().splitlines()
            self.assertGreater(len(lines), 1000)
            records, ended = answers_of(lines, folder / "made.jsonl")
            self.assertLessEqual(len(ended), ENDED)
            (folder / "torch.jsonl").write_text("\n".join(records) + "\n")
            report = json.loads(run("crosscheck", str(folder / "torch.jsonl"), "--json", "--every-finding").stdout)
        calls = report["calls"]
        known = dict(row.split("\t") for row in KNOWN.read_text().splitlines() if row and not row.startswith("#"))
        deviations = (ROOT / "docs/deviations.md").read_text()
        self.assertEqual([row for row in known.values() if row not in deviations], [], "docs/deviations.md has no such row")
        texts = {json.loads(line)["id"]: text_of(json.loads(line)["id"]) for line in lines}
        differ = {f["node"]: f"{f['field']}: ersatz {f['predicted']}, PyTorch {f['observed']}" for f in calls["findings"]}
        new = [f"{node}: {texts[node]}\n    {words}" for node, words in sorted(differ.items()) if texts[node] not in known]
        self.assertEqual(new, [], "PyTorch contradicts these lines; where that is meant, docs/deviations.md says so and contradicted.tsv names the row")
        # An unsound call reads memory outside of its tensors, so its result varies from run to run.
        sound = {call for call, row in known.items() if not row.startswith("**unsound calls**")}
        self.assertEqual(sorted(sound - {texts[node] for node in differ}), [], "rows of contradicted.tsv that PyTorch does not contradict any more")
        self.assertLessEqual(len(lines) - len(records) - len(ended), MISSING)
        print(f"cases: {len(lines)} lines, {len(records)} made by PyTorch {torch.__version__}, {len(ended)} ended its process, {len(differ)} contradicted, all known")


def text_of(where):
    """Returns the call of a line, `FILE:LINE`."""
    file, _, number = where.rpartition(":")
    line = (ROOT / file).read_text().splitlines()[int(number) - 1]
    return re.split(r"\s(?:->|!!)\s", line)[0].strip()


if __name__ == "__main__":
    unittest.main()
