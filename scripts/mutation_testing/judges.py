"""Runs tests on a mutant until one fails. A crash, a hang and a lack of memory count as failures."""
import collections
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time

from mutation_testing import nearest, switches

# `how`: failed, crashed or hung; None: no test failed. `by`: the test.
Verdict = collections.namedtuple("Verdict", "how by")

FAILED = re.compile(r"^\[  FAILED  \] ([^\s,]+)", re.MULTILINE)
RUN = re.compile(r"^\[ RUN      \] (\S+)", re.MULTILINE)
PROGRAMS = ["test_runtime", "test_fake", "test_tracer", "test_ops", "test_tools", "test_device"]
CHECKS = ["format", "layering", "layout", "labels", "behaviours"]  # the checks that need no build
MEMORY = 8 << 30
POLL, IDLE = 5, 120  # both in seconds
SURVIVED = Verdict(None, None)


class BaselineFails(Exception):
    pass


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ticks(pid):
    """Processor time that a process has used."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return sum(map(int, f.read().rsplit(")", 1)[1].split()[11:15]))
    except OSError:
        return 0


def limited(command, cwd, seconds, environment=None):
    """(exit status or None for a hang, output). The limits are `seconds` of processor time, and IDLE seconds without
    any use of it."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
        # RLIMIT_DATA instead of RLIMIT_AS, because the emulated device reserves addresses.
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))

    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=cwd, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   preexec_fn=limit, start_new_session=True,
                                   env=os.environ | {"TMPDIR": scratch} | (environment or {}))
        status, used, idle = None, -1, 0
        while idle < IDLE:
            try:
                status = process.wait(timeout=POLL)
                break
            except subprocess.TimeoutExpired:  # a shared machine may be slow, so only progress counts
                before, used = used, ticks(process.pid)
                idle = 0 if used > before else idle + POLL
        try:
            os.killpg(process.pid, 9)  # also ends its children
        except ProcessLookupError:
            pass
        process.wait()
        log.seek(0)
        return status, log.read().decode(errors="replace")


class Programs:
    """The test programs of a tree with switches."""

    def __init__(self, tree, baseline=None):
        self.tree, self.tests = tree, nearest.test_files(tree.root)
        self.seconds = baseline or {}  # program -> test -> seconds without a mutant

    def measure(self, say):
        for program in PROGRAMS:
            with tempfile.TemporaryDirectory() as folder:
                report = os.path.join(folder, "report.json")
                start, before = time.monotonic(), processor_seconds()
                status, log = limited([self.path(program), f"--gtest_output=json:{report}"], self.tree.source, 1800)
                if status != 0:
                    raise BaselineFails(f"{program} fails without a mutant: {', '.join(FAILED.findall(log)[:5]) or log[-500:]}")
                with open(report) as f:
                    suites = json.load(f)["testsuites"]
            took = time.monotonic() - start
            # Processor seconds per second of time, because the machine has other processes too.
            share = (processor_seconds() - before) / took
            self.seconds[program] = {f"{s['name']}.{t['name']}": round(float(t["time"].rstrip("s")) * share, 4)
                                     for s in suites for t in s["testsuite"]}
            say(f"baseline: {program} passes {len(self.seconds[program])} tests in {took:.0f} s, {took * share:.0f} s of a processor")
        return self.seconds

    def path(self, program):
        return str(self.tree.build / "bin" / program)

    def allowed(self, program, wanted):
        """Limit in processor seconds for these tests: five times their usual time, and the start."""
        names = None if wanted is None else {p.strip("*/").rsplit("/", 1)[0] if p.endswith("/*") else p for p in wanted}
        took = sum(s for name, s in self.seconds[program].items()
                   if names is None or name in names or any("/" in name and n in name for n in names))
        return 5 + 5 * took

    def judge(self, mutant):
        for program, wanted, without in nearest.plan(mutant.file, self.tests):
            chosen = ":".join(wanted or ["*"]) + ("-" + ":".join(without) if without else "")
            status, log = limited([self.path(program), f"--gtest_filter={chosen}", "--gtest_fail_fast"], self.tree.source,
                                  self.allowed(program, wanted), {switches.VARIABLE: str(mutant.number)})
            if status != 0:
                return verdict_of(status, log, program)
        return SURVIVED


def verdict_of(status, log, program):
    failed, ran = FAILED.findall(log), RUN.findall(log)
    how = "hung" if status in (None, -24, -9) else "failed" if failed else "crashed"
    test = failed[0] if failed else ran[-1] if ran else "at its start"
    return Verdict(how, f"{program}: {test}")


class Scripts:
    """Tests Python mutants: the checks and their tests run on a copy of the tree with one broken script at a time."""

    def __init__(self, tree):
        self.tree, self.turn = tree, threading.Lock()

    def commands(self):
        return {"tests/checks": [sys.executable, "-B", "-m", "unittest", "-f", *self.unit_tests()],
                "scripts/check": [sys.executable, "-B", "scripts/check", "build", *CHECKS]}

    def unit_tests(self):
        return sorted(p.relative_to(self.tree.source).as_posix() for p in (self.tree.source / "tests/checks").glob("*_test.py"))

    def measure(self, say):
        for name, command in self.commands().items():
            status, log = limited(command, self.tree.source, 600)
            if status != 0:
                raise BaselineFails(f"{name} fails without a mutant: {log[-2000:]}")
            say(f"baseline: {name} passes")

    def judge(self, mutant):
        path = self.tree.source / mutant.file
        with self.turn:
            text = path.read_text()
            path.write_text(text[:mutant.start] + mutant.after + text[mutant.end:])
            try:
                for name, command in self.commands().items():
                    status, log = limited(command, self.tree.source, 120)
                    if status != 0:
                        test = re.search(r"^(?:FAIL|ERROR): (\w+)", log, re.MULTILINE)
                        return Verdict("hung" if status in (None, -24, -9) else "failed", f"{name}: {test.group(1) if test else 'stops'}")
            finally:
                path.write_text(text)
        return SURVIVED
