"""Runs work in shards over processes. An item that crashes, hangs or makes the device unusable is lost; the work after
it goes on."""
import collections
import concurrent.futures
import json
import re
import threading

import processes

UNUSABLE = "is unusable since"  # ersatz prints this after a fault that makes the device unusable (docs/cuda.md)
RUNS = re.compile(r"\[ RUN      \] (\S+)")
ENDS = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+)(?:.*)? \(\d+ ms\)")
NAMED = re.compile(r"\baten\.\w+\.\w+")
REPORTED = re.compile(r"^========= (Invalid|Uninitialized|Error: |Warning: |Race|Barrier error|Program hit)")


def tests_of(listing):
    """The test names in the output of `--gtest_list_tests`."""
    names, suite = [], ""
    for line in listing.splitlines():
        if line.startswith("  "):
            names.append(suite + line.split("#")[0].strip())
        elif re.match(r"^\S+\.\s*(#.*)?$", line):
            suite = line.split("#")[0].strip()
    return names


class TestShard:
    """Runs one process after another until each test has ended, crashed, hung or met a fault."""

    def __init__(self, step, number, command, names, env, silence):
        self.step, self.number, self.command, self.env, self.silence = step, number, command, env, silence
        self.waiting, self.running, self.results, self.reports = list(names), None, {}, collections.Counter()
        self.said, self.named = set(), {}  # overloads that the running test has named; overloads of each failed test

    def hear(self, line):
        if UNUSABLE in line:
            return "the device is unusable"
        if started := RUNS.search(line):
            self.running, self.said = started.group(1), set()
        elif ended := ENDS.search(line):
            self.results[ended.group(2)] = ended.group(1).lower()
            if ended.group(1) == "FAILED":
                self.named[ended.group(2)] = sorted(self.said)
            self.running = None
        elif REPORTED.match(line):
            self.reports[self.running or "between tests"] += 1
        else:
            self.said.update(NAMED.findall(line))
        return None

    def run(self):
        while self.waiting and self.step.left() > 1:
            self.running = None
            ended = processes.run([*self.command, "--gtest_filter=" + ":".join(self.waiting)], self.step.left(), self.env,
                                  output=self.step.folder / f"shard_{self.number}.txt", on_line=self.hear, silence=self.silence)
            behind = [name for name in self.waiting if name not in self.results]
            if self.running is None and (not ended.why or len(behind) == len(self.waiting)):
                if behind:  # the process ended before some tests, so it does not start, or has another fault
                    self.step.note(f"{self.step.name} shard {self.number}: {ended.described()}, {len(behind)} tests not run\n"
                                   + ended.text[-2000:])
                    self.results |= {name: "not run" for name in behind}
                return
            if self.running:
                if self.step.left() <= 1:
                    self.results[self.running] = "not run"
                else:
                    self.results[self.running] = f"ended it: {ended.described()}"
                    self.named[self.running] = sorted(self.said)
                    self.step.note(f"{self.step.name}: {self.running}: {ended.described()}; its shard goes on behind it\n"
                                   + ended.text[-1500:])
            self.waiting = [name for name in self.waiting if name not in self.results]
        self.results |= {name: "not run" for name in self.waiting if name not in self.results}


def run_tests(step, command, names, jobs, env=None, silence=60):
    """Runs tests in shards. Returns (good, last line); step.folder/tests.json has the outcome of each."""
    shards = [TestShard(step, n, command, names[n::jobs], env, silence) for n in range(min(jobs, len(names)))]
    with concurrent.futures.ThreadPoolExecutor(max(1, len(shards))) as pool:
        list(pool.map(TestShard.run, shards))
    results, named, reports = {}, {}, collections.Counter()
    for shard in shards:
        results |= shard.results
        named |= shard.named
        reports += shard.reports
    bad = {name: how for name, how in results.items() if how not in ("ok", "skipped")}
    (step.folder / "tests.json").write_text(json.dumps({"tests": results, "named": named, "reports": reports, "order": names}, indent=1))
    counts = collections.Counter(how if how in ("ok", "failed", "skipped", "not run") else "crashed, hung or faulted"
                                 for how in results.values())
    for name, how in sorted(bad.items())[:200]:
        step.note(f"{step.name}: {name}: {how}")
    for name, number in reports.most_common(100):
        step.note(f"{step.name}: {name}: {number} reports")
    text = ", ".join(f"{n} {how}" for how, n in counts.most_common()) or "no tests"
    return bool(names) and not bad and not reports, text + (f"; {sum(reports.values())} reports" if reports else "")


class Records:
    """Checks recorded calls in chunks. A chunk that kills its process is split until the faulty call is alone."""

    PIECES, MOST_EXTRA = 8, 256

    def __init__(self, step, command, env, chunk_seconds):
        self.step, self.command, self.env, self.chunk_seconds = step, command, env, chunk_seconds
        self.lock, self.extra, self.number = threading.Lock(), 0, 0
        self.totals, self.ops, self.findings, self.causes = collections.Counter(), {}, [], []
        self.culprits, self.suspects, self.not_run = [], set(), 0

    def run(self, chunks, jobs):
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            waiting = {pool.submit(self.check, chunk) for chunk in chunks}
            while waiting:
                done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                waiting |= {pool.submit(self.check, piece) for one in done for piece in one.result()}

    def check(self, lines):
        """Checks these lines. Returns the pieces to check instead if their process failed."""
        with self.lock:
            self.number += 1
            number = self.number
        if self.step.left() <= 1:
            return self.leave(lines)
        folder = self.step.folder / "scratch"
        folder.mkdir(exist_ok=True)
        file, report = folder / f"chunk_{number}.jsonl", folder / f"report_{number}.json"
        file.write_text("".join(lines))
        ended = processes.run([*self.command, file, "-o", report], min(self.chunk_seconds, self.step.left()), self.env)
        text = report.read_text() if report.is_file() else ""
        file.unlink()
        report.unlink(missing_ok=True)
        if text and not ended.why and ended.status in (0, 1) and UNUSABLE not in text + ended.text:
            self.count(json.loads(text))
            return []
        if self.step.left() <= 1:
            return self.leave(lines)
        how = "the device is unusable" if UNUSABLE in text + ended.text else ended.described()
        if len(lines) == 1:
            record = json.loads(lines[0])
            name = record.get("id", "?")
            with self.lock:
                self.culprits.append({"id": name, "how": how, "record": lines[0].strip(), "said": ended.text[-600:]})
                self.suspects.add(record.get("op", "?"))
            self.step.note(f"{self.step.name}: {name}: {how}\n{ended.text[-600:]}")
            return []
        size = -(-len(lines) // self.PIECES)
        pieces = [lines[i:i + size] for i in range(0, len(lines), size)]
        with self.lock:
            self.extra += len(pieces)
            enough = self.extra > self.MOST_EXTRA
            if enough:
                self.suspects |= {json.loads(line).get("op", "?") for line in lines}
        self.step.note(f"{self.step.name}: a chunk of {len(lines)} calls: {how}{'; not cut any more' if enough else ''}\n{ended.text[-600:]}")
        return self.leave(lines) if enough else pieces

    def leave(self, lines):
        with self.lock:
            self.not_run += len(lines)
        return []

    def count(self, report):
        with self.lock:
            for key in ("results", "compared", "mismatched", "values_compared"):
                self.totals[key] += report.get(key, 0)
            self.totals["skipped"] += sum(report.get("skipped", {}).values())
            self.findings += report.get("findings", [])
            calls = report.get("calls", {})
            self.causes += calls.get("causes", [])
            for row in calls.get("ops", []):
                self.ops.setdefault(row["op"], collections.Counter()).update({k: v for k, v in row.items() if k != "op"})


def lines_of(folder):
    lines = []
    for path in sorted(folder.rglob("*.jsonl")):
        with open(path) as file:
            lines += [line for line in file if line.strip()]
    return lines


def run_records(step, command, folder, jobs, env=None, chunk=4000, chunk_seconds=90):
    """Checks the calls of a folder. Returns (good, last line). records.json has the counts, also by overload;
    failed.jsonl has the differing calls."""
    lines = lines_of(folder)
    checked = Records(step, command, env, chunk_seconds)
    checked.run([lines[i:i + chunk] for i in range(0, len(lines), chunk)], jobs)
    (step.folder / "records.json").write_text(json.dumps(
        {"totals": checked.totals, "not_run": checked.not_run, "ended_a_process": checked.culprits, "ops": checked.ops,
         "suspects": sorted(checked.suspects), "findings": checked.findings, "causes": checked.causes}, indent=1))
    ids = {name for cause in checked.causes for name in cause["ids"]}
    if ids:
        (step.folder / "failed.jsonl").write_text("".join(line for line in lines if json.loads(line).get("id") in ids))
    for finding in checked.findings[:100]:
        step.note(f"{step.name}: {json.dumps(finding)[:400]}")
    t = checked.totals
    text = (f"{t['compared']} compared, {t['mismatched']} mismatched, {t['skipped']} skipped of {len(lines)} calls"
            f"{f', {len(checked.culprits)} ended a process' if checked.culprits else ''}"
            f"{f', {checked.not_run} not run' if checked.not_run else ''}")
    return bool(lines) and not t["mismatched"] and not checked.findings and not checked.culprits and not checked.not_run, text


def in_parallel(step, jobs, work):
    """Calls each (name, function) of `work`, `jobs` at a time, while there is time. Returns {name: result}."""
    answers = {}

    def one(item):
        name, function = item
        if step.left() > 1:
            answers[name] = function()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, work))
    return answers
