"""The steps of a session, in the order of what they tell: STAGES names them by the call that they are meant for."""
import json
import pathlib
import shutil
import sys

import processes
import shards
from machine import facts, tool

FAULTY_EXIT = 9
# Kernels of others are not ours to mend, and cost most of a sanitizer's time.
OUR_KERNELS = ["--kernel-regex", "kns=ersatz"]
RACES = "Block.*:Reduction.*:Scan*.*:ReduceLaunch.*:ScanLaunch.*:Softmax.*:LayerNorm.*:GroupNorm.*:BatchNorm.*:CudaSorting.*:CudaFlashAttention.*:RowTeam.*"
PROFILED = ["^add/256/", "^sum/f32/65536x1024", "^sum/f16/65536x1023", "^softmax/f16/65536x1024", "^layer_norm/bf16/16384x4096",
            "^group_norm/f32/", "^avg_pool2d/f32/"]


class Stages:
    def __init__(self, session, machine, jobs):
        self.session, self.machine, self.jobs = session, machine, jobs

    def one(self, name, limit, command, env=None, least=None, needs=None):
        """A step that is one process."""
        def action(step):
            ended = processes.run(command, step.left(), env or self.machine.environment(), self.machine.here, step.folder / "output.txt")
            step.note(ended.text)
            return ended.good, f"{ended.described()}: {ended.last_line()}"
        if needs:
            return self.session.skip(name, needs)
        return self.session.step(name, limit, action, least)

    def asked_of_torch(self):
        if not hasattr(self, "torch_missing"):
            self.torch_missing = self.machine.torch()
        return self.torch_missing

    def crosscheck(self, *arguments):
        """Where device and CPU differ, a run in f64 says which of the two is off."""
        return [self.machine.program("ersatz"), "crosscheck", "--device", "cuda", "--keep-going", "--reference", "f64", *arguments]

    def first(self):
        """Does it run at all, and what is wrong with it: everything that ersatz can say by itself."""
        def know(step):
            lines = facts(self.machine.here)
            (step.folder / "machine.txt").write_text("\n".join(lines) + "\n")
            step.note("\n".join(lines))
            return True, "; ".join(lines[1:2] + lines[4:5])

        def start(step):
            ended = self.machine.choose_libstdcxx()
            step.note(ended.text)
            return ended.good, f"{ended.described()}: {ended.last_line()}"
        self.session.step("machine", 40, know)
        self.session.step("start", 45, start)
        if not self.machine.gpu:
            return self.without_gpu()
        for program in ("add", "sum", "mm", "convolution", "attention"):
            self.one(f"smoke_{program}", 12, self.crosscheck(self.machine.here / "smoke" / f"{program}.txt"), least=5)
        self.resources()
        self.session.step("suite", 150, lambda step: self.suite(step, [self.machine.program("test_cuda")], self.machine.environment(), "-CudaReplay.*"))  # the next two do what those tests do, on more
        data = self.machine.here / "data"
        self.session.step("records", 160, lambda step: shards.run_records(
            step, self.crosscheck("--json", "--jobs", "1"), data / "conformance/aten", self.jobs, self.machine.environment()))
        self.session.step("programs", 80, self.programs)
        self.session.step("again", 60, self.again)
        self.session.step("same_bits", 60, self.same_bits)
        self.one("test_dnn", 60, [self.machine.program("test_dnn"), "--gtest_brief=1"])

    def without_gpu(self):
        """What is left is: does it start here, and does it say what is missing?"""
        def refused(step):
            ended = processes.run(self.crosscheck(self.machine.here / "smoke/add.txt"), step.left(), self.machine.environment())
            step.note(ended.text)
            return ended.status == 2, f"{ended.described()} (2 is right): {ended.last_line()}"
        self.session.step("no_device", 20, refused)
        self.one("fake_cuda", 20, [self.machine.program("ersatz"), "fake", "smoke/add.txt", "--device", "cuda"])

    def resources(self):
        """Registers, stack, shared memory and spills of each kernel, from the machine code."""
        if not tool("cuobjdump"):
            return self.session.skip("resources", "no cuobjdump")
        return self.one("resources", 60, [tool("cuobjdump"), "-res-usage", self.machine.here / "build/lib/libersatz_cuda.so"],
                        env=dict(processes.os.environ))

    def names(self, filter_=None):
        command = [self.machine.program("test_cuda"), "--gtest_list_tests"] + ([f"--gtest_filter={filter_}"] if filter_ else [])
        import subprocess  # its output is long: processes.run keeps the beginning and the end only
        listed = subprocess.run(command, env=self.machine.environment(), cwd=self.machine.here, capture_output=True, text=True, timeout=30)
        return shards.tests_of(listed.stdout)

    def suite(self, step, command, env, filter_=None, silence=60):
        return shards.run_tests(step, command, self.names(filter_), self.jobs, env, silence)

    def programs(self, step):
        found = {p.parent: p for pattern in ("*.pt2", "model.json") for p in (self.machine.here / "data/programs").rglob(pattern)}
        folders = sorted(found, key=lambda f: (found[f].stat().st_size, f))  # what runs out of time costs the largest ones alone
        (step.folder / "layouts").mkdir()

        def check(folder):
            report, layouts = step.folder / f"{folder.name}.json", step.folder / "layouts" / f"{folder.name}.txt"
            ended = processes.run(self.crosscheck("--json", "-o", report, "--record-layouts", layouts, folder), min(60, step.left()),
                                  self.machine.environment())
            if ended.good:
                return json.loads(report.read_text())
            step.note(f"programs: {folder.name}: {ended.described()}: {ended.text[-800:]}")
            return json.loads(report.read_text()) if report.is_file() else None
        answers = shards.in_parallel(step, self.jobs, [(f, lambda f=f: check(f)) for f in folders])
        whole = [a for a in answers.values() if a]
        known = self.known_findings()
        unfinished = [f.name for f in folders if not answers.get(f)]
        bad = [f.name for f in folders if answers.get(f) and len(answers[f]["findings"]) > known.get(f.name, 0)]
        expected = sum(min(len(a["findings"]), known.get(f.name, 0)) for f, a in answers.items() if a)
        text = (f"{len(whole)} of {len(folders)} programs, {sum(a['compared'] for a in whole)} compared, "
                f"{sum(a['mismatched'] for a in whole)} mismatched, {expected} findings known from the CPU")
        text += "".join(f"; {what} {', '.join(names)}" for what, names in (("look at", bad), ("no report of", unfinished)) if names)
        return bool(folders) and not bad and not unfinished, text

    def known_findings(self):
        """program -> findings that a run on the CPU has too, and that wait for a later mend."""
        rows = (self.machine.here / "data/program_findings.tsv").read_text().splitlines()
        return {name: int(count) for name, count, _ in (row.split("\t") for row in rows if row and not row.startswith("#"))}

    def again(self, step):
        """What failed, each alone, and what ran before it: with launches that wait, so that a fault is met where it is made."""
        env = self.machine.environment(CUDA_LAUNCH_BLOCKING="1")
        suite, records = (self.session.work / path for path in ("suite/tests.json", "records/records.json"))
        work = []
        if suite.is_file():
            said = json.loads(suite.read_text())
            names = [n for n, how in said["tests"].items() if how not in ("ok", "skipped", "not run")]
            for name in names[:40]:
                command = [self.machine.program("test_cuda"), f"--gtest_filter={name}"]
                work.append((name, lambda c=command: processes.run(c, min(30, step.left()), env, self.machine.here)))
        culprits = json.loads(records.read_text())["ended_a_process"] if records.is_file() else []
        for culprit in culprits[:20]:
            file = step.folder / (culprit["id"].replace("/", "_") + ".jsonl")
            file.write_text(culprit["record"] + "\n")
            work.append((culprit["id"], lambda f=file: processes.run(self.crosscheck(f), min(30, step.left()), env)))
        if not work:
            return True, "nothing failed"
        answers = shards.in_parallel(step, self.jobs, work)
        for name, ended in answers.items():
            step.note(f"again, alone and with CUDA_LAUNCH_BLOCKING=1: {name}: {ended.described()}\n{ended.text[-3000:]}")
        good = sum(ended.good for ended in answers.values())
        return True, f"{good} of {len(work)} pass alone, {len(answers) - good} fail again, {len(work) - len(answers)} not run"

    def same_bits(self, step):
        """The sums of all results' bytes of two processes; the second keeps no memory, so that its addresses are others."""
        names, sums = self.names("CudaRepeat.*"), []
        if not names:
            return False, "test_cuda has no CudaRepeat"
        for number, more in enumerate([{}, {"ERSATZ_CUDA_CACHE": "0"}]):
            out = step.folder / f"run_{number}.json"
            ended = processes.run([self.machine.program("test_cuda"), "--gtest_filter=CudaRepeat.*", f"--gtest_output=json:{out}"],
                                  step.left(), self.machine.environment(**more), self.machine.here)
            step.note(ended.text)
            if not out.is_file():
                return False, ended.described()
            test = json.loads(out.read_text())["testsuites"][0]["testsuite"][0]
            sums.append({k: v for k, v in test.items() if k.startswith("aten_")})
        differ = sorted(k for k in sums[0].keys() | sums[1].keys() if sums[0].get(k) != sums[1].get(k))
        return bool(sums[0]) and not differ and ended.good, f"{len(sums[0])} ops, {len(differ)} differ{': ' + ', '.join(differ[:20]) if differ else ''}"

    def bench(self):
        """Nothing else runs beside these."""
        bench = self.machine.program("bench_cuda")
        if not self.machine.gpu:
            return self.session.skip("bench", "no device")
        out = self.session.work / "bench_cuda"
        few = ["--benchmark_filter=^(pool|scope|op)/"] if self.machine.emulated else []
        self.one("bench_cuda", 240, [bench, f"--benchmark_out={out}/bench_cuda.json", "--benchmark_out_format=json", *few])
        self.one("bench_torch", 150, [sys.executable, self.machine.here / "bench_torch.py", self.session.work / "bench_torch/bench_torch.json"],
                 env=dict(processes.os.environ), needs=self.asked_of_torch())
        if not tool("ncu"):
            return self.session.skip("ncu", "no ncu")
        for number, kernel in enumerate(PROFILED):
            self.one(f"ncu_{number}", 40, [tool("ncu"), "--clock-control", "none", "--target-processes", "all", "--launch-count", "3", "--kill", "yes",
                                           "--section", "SpeedOfLight", "--section", "MemoryWorkloadAnalysis", "--section", "Occupancy",
                                           "--section", "LaunchStats", bench, f"--benchmark_filter={kernel}"])
        return None

    def torch(self):
        """What PyTorch answers on this card: metadata of recorded calls, layouts of problems that a library lays out."""
        python, here, work = sys.executable, self.machine.here, self.session.work
        env = dict(processes.os.environ)
        self.one("layouts", 120, [python, here / "layout_problems.py", work / "layouts/layouts.jsonl"], env, needs=self.asked_of_torch())
        self.one("facts", 400, [python, here / "record_cuda_facts.py", here / "data/conformance/aten", work / "facts/cuda_facts.jsonl",
                                "--jobs", str(self.jobs), "--seconds", str(int(max(10, min(400, self.session.left()) - 10)))],
                 env, needs=self.asked_of_torch())

    def sanitizers(self):
        if not tool("compute-sanitizer"):
            return self.session.skip("sanitizers", "no compute-sanitizer")
        env = self.machine.environment(ERSATZ_CUDA_CACHE="0")  # the tool sees where each block ends and when it is freed
        for name, limit, filter_, more in [
                ("memcheck", 280, None, ["--track-stream-ordered-races", "all"]),
                ("initcheck", 100, "CudaSamples.*", []),
                ("synccheck", 60, RACES, []),
                ("racecheck", 100, RACES, [])]:
            command = [tool("compute-sanitizer"), "--tool", name, *more, *OUR_KERNELS, "--error-exitcode", str(FAULTY_EXIT), "--print-limit", "5",
                       self.machine.program("test_cuda")]
            self.session.step(name, limit, lambda step, c=command, f=filter_: self.suite(step, c, env, f, silence=120))
        return None

    def trouble(self):
        """For a rehearsal: a step that hangs, one that crashes, one that fills the disk."""
        self.one("hangs", 5, ["sh", "-c", "echo waiting; sleep 1000"])
        self.one("crashes", 10, ["sh", "-c", "echo about to crash; kill -SEGV $$"])
        self.one("fills", 60, ["sh", "-c", f"cat /dev/zero > {self.session.work / 'fills/zeros'}"])


STAGES = ["first", "bench", "torch", "sanitizers"]
