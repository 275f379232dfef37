"""The steps of a session, the most informative first. STAGES names the steps of each kind of call."""
import json
import subprocess
import sys
import threading
import time

import processes
import shards
import verified
from machine import CLOCKS, card_and_driver, facts, tool

FAULTY_EXIT = 9
# Faults in other libraries' kernels cannot be fixed here, and these kernels take most of a sanitizer's time.
OUR_KERNELS = ["--kernel-name", "kns=ersatz"]
APART = ["--padding", "512"]  # blocks are not adjacent, so an access beyond a block is not in the next one
RACES = ("Block.*:Reduction.*:Scan*.*:ReduceLaunch.*:ScanLaunch.*:Softmax.*:LayerNorm.*:GroupNorm.*:BatchNorm.*:CudaSorting.*"
         ":CudaFlashAttention.*:RowTeam.*:AtomicCombine.*:CudaBincount.*:CudaHistc.*:CudaIndexing.*:CudaEmbeddingBag.*:CudaSegmentReduce.*"
         ":CudaPooling.*:CudaMv.*:CudaDot.*")
PROFILED = ["^softmax/f16/65536x1024", "^sum/f32/65536x1024", "^layer_norm/bf16/16384x4096", "^add/256/", "^sum/f16/65536x1023",
            "^group_norm/f32/", "^avg_pool2d/f32/"]
SMOKE = ("add", "sum", "mm", "convolution", "attention")
BESIDE_JOBS, TORCH_JOBS = 8, 7  # processes of ersatz and of PyTorch that share the GPU and the processors
# Names of bench_cuda that measure costs on the host; all others measure costs on the device.
SMALL_CALLS = "^(pool|scope|allocate|op)/"
# Leaves out tests that use no GPU: those with a fake driver, and death tests, which hang under compute-sanitizer.
SANITIZED = "-CudaReplay.*:CudaPool.*:Emulated*:*DeathTest.*:CudaStream.EndingStreamIsAwaitedAndItsMemoryStays"
# Tools of compute-sanitizer: seconds, tests, options. initcheck must see the writes of every kernel, also those of
# libraries.
SANITIZERS = {
    "initcheck": (100, "CudaSamples.*" + SANITIZED, []),
    "racecheck": (150, f"{RACES}:CudaSamples.*{SANITIZED}", OUR_KERNELS),
    "synccheck": (40, f"{RACES}:CudaSamples.*{SANITIZED}", OUR_KERNELS),
    "memcheck": (100, SANITIZED, OUR_KERNELS + APART),
}
REPLAYED = "-CudaReplay.*"  # the steps `records` and `programs` cover more than these tests


class Stages:
    def __init__(self, session, machine, jobs, previous=None, asked=None):
        """`previous`: the folder with files of an earlier call's steps, for `failed`, which assigns it to `earlier`.
        `asked`: the folder of recorded calls for PyTorch (default: all)."""
        self.session, self.machine, self.jobs = session, machine, jobs
        self.asked = asked or (machine.here / "data/conformance" if machine else None)
        self.previous, self.earlier = previous, None

    def one(self, name, limit, command, env=None, least=None, needs=None):
        """Runs a step that is one process."""
        def action(step):
            ended = processes.run(command, step.left(), env or self.machine.environment(), self.machine.here, step.folder / "output.txt")
            step.note(ended.text)
            return ended.good, f"{ended.described()}: {ended.last_line()}"
        if needs:
            return self.session.skip(name, needs)
        return self.session.step(name, limit, action, least)

    def beside(self, *works):
        """Calls all of them, each on its own thread."""
        threads = [threading.Thread(target=work) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def shared(self, **more):
        """The environment of a process that shares the processors with parallel ones."""
        return self.machine.environment(ERSATZ_THREADS="2", OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", **more)

    def asked_of_torch(self):
        """The reason why PyTorch is unusable, or ""."""
        if not hasattr(self, "torch_missing"):
            self.torch_missing = "rehearsed without a GPU" if self.machine.emulated else "PyTorch did not answer"

            def ask(step):
                self.torch_missing, said = self.machine.torch(step.left())
                return not self.torch_missing, self.torch_missing or said
            if not self.machine.emulated:
                self.session.step("pytorch", 240, ask)  # the first import from a cold disk is slow
        return self.torch_missing

    def crosscheck(self, *arguments):
        """The command of a crosscheck. If device and CPU differ, a run in f64 decides which one is wrong."""
        return [self.machine.program("ersatz"), "crosscheck", "--device", "cuda", "--keep-going", "--reference", "f64", *arguments]

    def know(self):
        """Writes a description of this machine, and tests whether our programs start."""
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

    def first(self):
        """Basic steps: whether ersatz runs here, and its own error messages."""
        self.know()
        if not self.machine.gpu:
            return self.without_gpu()
        for program in SMOKE:
            self.smoke(program)
        self.suite_step(150, self.jobs)
        self.records_step(160, self.jobs)
        self.session.step("verified", 30, self.verified)
        self.session.step("programs", 80, lambda step: self.programs(step, self.jobs))
        self.session.step("again", 60, self.again)
        self.session.step("same_bits", 60, self.same_bits)

    def lease(self):
        """All steps that need a GPU, in one call. Results that exist nowhere else come first, because the call may end
        at any time."""
        self.hold()
        self.know()
        if not self.machine.gpu:
            return self.without_gpu()
        self.smoke(SMOKE[0])
        self.beside(*(lambda p=p: self.smoke(p) for p in SMOKE[1:]))
        # If all smoke steps failed, results of later steps say nothing new, so the reason is printed first.
        if all(row[1] == "FAILED" for row in self.session.rows if row[0].startswith("smoke_")):
            self.one("smoke_blocking", 40, self.crosscheck(self.machine.here / "smoke/add.txt"), self.machine.environment(CUDA_LAUNCH_BLOCKING="1"))
        self.beside(self.lease_torch, self.lease_own)
        for step in self.late().values():
            step()
        return None

    def keeping(self, seconds, limit):
        """A limit for a step that leaves `seconds` for later steps."""
        return max(30, min(limit, self.session.left() - seconds))

    def lease_torch(self):
        self.layouts(self.keeping(350, 110), TORCH_JOBS)
        self.facts(self.keeping(150, 260), TORCH_JOBS)

    def lease_own(self):
        jobs = min(BESIDE_JOBS, self.jobs)
        self.suite_step(self.keeping(350, 120), jobs)
        self.records_step(self.keeping(300, 150), jobs)
        self.session.step("verified", 30, self.verified)
        self.session.step("again", self.keeping(280, 90), self.again)
        for step in self.sanitized(jobs).values():
            step()

    def late(self):
        """name -> step: the last steps of `lease`, which must run alone, and of `failed` if `lease` did not reach
        them."""
        bench, out = self.machine.program("bench_cuda"), self.session.work
        timed = lambda name, limit, filter_: self.timed(name, limit, [  # noqa: E731
            bench, f"--benchmark_out={out}/{name}/bench_cuda.json", "--benchmark_out_format=json", *filter_])
        large = [] if self.machine.emulated else [f"--benchmark_filter=-{SMALL_CALLS}"]
        small = [f"--benchmark_filter={SMALL_CALLS}"]
        steps = {
            "bench_cuda": lambda: timed("bench_cuda", 110, large or small),
            "bench_torch": lambda: self.bench_torch(75),
            "bench_small": lambda: timed("bench_small", 45, small),
            "programs": lambda: self.session.step("programs", 70, lambda step: self.programs(step, min(BESIDE_JOBS, self.jobs))),
            "same_bits": lambda: self.session.step("same_bits", 45, self.same_bits),
        }
        if not large:
            del steps["bench_small"]
        return steps | {f"ncu_{n}": lambda n=n: self.profile(n, 25) for n in range(3)}

    def failed(self):
        """Repeats each failure of the earlier call alone; then runs the steps that it had no time for."""
        earlier = self.session.work if self.session.rows else self.previous  # the call may have started with `lease`
        if not earlier or not (earlier / "rows.json").is_file():
            return self.session.skip("failed", "no earlier call left its files here: name them with --previous")
        self.earlier, rows = earlier, json.loads((earlier / "rows.json").read_text())
        self.hold()
        self.know()
        if not self.machine.gpu:
            return self.without_gpu()
        self.session.step("alone", 60, self.again)
        self.memcheck("alone_memcheck", 60)
        ran = {name for name, status, *_ in rows if status != "skipped"}
        ran -= {name for name, status, _, last in rows if status == "FAILED" and (name.startswith("bench") or "no report of" in last)}
        if "verified" not in ran:
            self.lease_own()
            ran |= SANITIZERS.keys()
        if "layouts" not in ran:
            self.layouts(60, TORCH_JOBS)
        self.facts(80, TORCH_JOBS)
        for name, step in (self.sanitized(min(BESIDE_JOBS, self.jobs)) | self.late()).items():
            if name not in ran:
                step()
        return None

    def hold(self):
        """Starts a process that keeps the GPU awake and reads the libraries of later steps."""
        folder = self.session.work / "hold"
        folder.mkdir(exist_ok=True)
        command = [sys.executable, self.machine.here / "hold_device.py", *self.machine.libraries[1:]]
        threading.Thread(target=lambda: processes.run(command, max(1, self.session.left()), output=folder / "output.txt"), daemon=True).start()

    def smoke(self, program):
        """Runs a small program: the first use of a library reads hundreds of MiB from the disk."""
        self.one(f"smoke_{program}", 40, self.crosscheck(self.machine.here / "smoke" / f"{program}.txt"), least=5)

    def suite_step(self, limit, jobs):
        self.session.step("suite", limit, lambda step: shards.run_tests(
            step, [self.machine.program("test_cuda")], self.names(REPLAYED), jobs, self.shared(), silence=90))

    def records_step(self, limit, jobs):
        self.session.step("records", limit, lambda step: shards.run_records(
            step, self.crosscheck("--json", "--jobs", "1"), self.machine.here / "data/conformance", jobs, self.shared()))

    def verified(self, step):
        """The kernels that agreed with the CPU, as rows for docs/data/cuda_verified.csv."""
        listing = step.folder / "ops.json"
        ended = processes.run([self.machine.program("ersatz"), "ops", "--json", "-o", listing], step.left(), self.machine.environment())
        kernels = verified.kernels_of(listing.read_text())
        listing.unlink()
        left = [json.loads(path.read_text()) if path.is_file() else {}
                for path in (self.session.work / "records/records.json", self.session.work / "suite/tests.json")]
        ops = verified.verified(kernels, *left)
        card, driver = ("emulated device", "none") if self.machine.emulated else card_and_driver()
        (step.folder / "verified.csv").write_text(verified.rows(ops, card, driver, time.strftime("%Y-%m-%d")))
        return ended.good, f"{len(ops)} of {len(set(kernels.values()))} kernels on {card}, driver {driver}"

    def without_gpu(self):
        """Without a GPU: tests whether ersatz starts, and whether it names the missing device."""
        def refused(step):
            ended = processes.run(self.crosscheck(self.machine.here / "smoke/add.txt"), step.left(), self.machine.environment())
            step.note(ended.text)
            return ended.status == 2, f"{ended.described()} (2 is right): {ended.last_line()}"
        self.session.step("no_device", 20, refused)
        self.one("fake_cuda", 20, [self.machine.program("ersatz"), "fake", "smoke/add.txt", "--device", "cuda"])

    def names(self, filter_=None):
        command = [self.machine.program("test_cuda"), "--gtest_list_tests"] + ([f"--gtest_filter={filter_}"] if filter_ else [])
        listed = subprocess.run(command, env=self.machine.environment(), cwd=self.machine.here, capture_output=True, text=True, timeout=60)
        return shards.tests_of(listed.stdout)

    def programs(self, step, jobs):
        root = self.machine.here / "data/programs"
        found = {p.parent: p for pattern in ("*.pt2", "model.json") for p in root.rglob(pattern)}
        file_name = lambda folder: str(folder.relative_to(root)).replace("/", "-")  # noqa: E731
        done = {p.stem for p in (self.earlier / "programs").glob("*.json")} if self.earlier else set()
        folders = sorted((f for f in found if file_name(f) not in done), key=lambda f: (found[f].stat().st_size, f))  # the largest last
        (step.folder / "layouts").mkdir(exist_ok=True)

        def check(folder):
            report, layouts = step.folder / f"{file_name(folder)}.json", step.folder / "layouts" / f"{file_name(folder)}.txt"
            ended = processes.run(self.crosscheck("--json", "-o", report, "--record-layouts", layouts, folder), min(60, step.left()), self.shared())
            if ended.good:
                return json.loads(report.read_text())
            step.note(f"programs: {folder.name}: {ended.described()}: {ended.text[-800:]}")
            return json.loads(report.read_text()) if report.is_file() else None
        answers = shards.in_parallel(step, jobs, [(f, lambda f=f: check(f)) for f in folders])
        whole = [a for a in answers.values() if a]
        known = self.known_findings()
        unfinished = [f.name for f in folders if not answers.get(f)]
        bad = [f.name for f in folders if answers.get(f) and len(answers[f]["findings"]) > known.get(f.name, 0)]
        if bad:
            (step.folder / "look_at.json").write_text(json.dumps([str(f.relative_to(self.machine.here)) for f in folders if f.name in bad]))
        expected = sum(min(len(a["findings"]), known.get(f.name, 0)) for f, a in answers.items() if a)
        text = (f"{len(whole)} of {len(folders)} programs, {sum(a['compared'] for a in whole)} compared, "
                f"{sum(a['mismatched'] for a in whole)} mismatched, {expected} findings known from the CPU")
        text += "".join(f"; {what} {', '.join(names)}" for what, names in (("look at", bad), ("no report of", unfinished)) if names)
        return bool(folders) and not bad and not unfinished, text

    def known_findings(self):
        """program -> number of findings that a CPU run has too, and that are known."""
        rows = (self.machine.here / "data/program_findings.tsv").read_text().splitlines()
        return {name: int(count) for name, count, _ in (row.split("\t") for row in rows if row and not row.startswith("#"))}

    def culprits(self, left):
        """name -> crosscheck arguments for each call that killed a process."""
        found = {}
        path = left / "records/records.json"
        for culprit in (json.loads(path.read_text())["ended_a_process"] if path.is_file() else [])[:20]:
            file = self.session.work / "culprits" / (culprit["id"].replace("/", "_") + ".jsonl")
            file.parent.mkdir(exist_ok=True)
            file.write_text(culprit["record"] + "\n")
            found[culprit["id"]] = [file]
        return found

    def failed_tests(self, left):
        path = left / "suite/tests.json"
        said = json.loads(path.read_text())["tests"] if path.is_file() else {}
        return [name for name, how in said.items() if how not in ("ok", "skipped", "not run")]

    def again(self, step):
        """Repeats each failed test, call and program alone, with blocking launches, so that the fault is reported at
        its launch."""
        env, left = self.shared(CUDA_LAUNCH_BLOCKING="1"), self.earlier or self.session.work
        run = lambda command: processes.run(command, min(60, step.left()), env, self.machine.here)  # noqa: E731
        work = [(name, [self.machine.program("test_cuda"), f"--gtest_filter={name}"]) for name in self.failed_tests(left)[:40]]
        work += [(name, self.crosscheck(*arguments)) for name, arguments in self.culprits(left).items()]
        differing, program = left / "records/failed.jsonl", left / "programs/look_at.json"
        if differing.is_file():
            work.append(("calls that differ", self.crosscheck("--jobs", "1", "--every-finding", differing)))
        if program.is_file():
            work += [(name, self.crosscheck(self.machine.here / name)) for name in json.loads(program.read_text())]
        if not work:
            return True, "nothing failed"
        answers = shards.in_parallel(step, min(BESIDE_JOBS, self.jobs), [(name, lambda c=command: run(c)) for name, command in work])
        for name, ended in answers.items():
            (step.folder / (name.replace("/", "_").replace(" ", "_") + ".txt")).write_text(f"{ended.described()}\n{ended.text}")
            step.note(f"{step.name}, with CUDA_LAUNCH_BLOCKING=1: {name}: {ended.described()}\n{ended.text[:1500]}\n[...]\n{ended.text[-3000:]}"
                      if len(ended.text) > 5000 else f"{step.name}, with CUDA_LAUNCH_BLOCKING=1: {name}: {ended.described()}\n{ended.text}")
        good = sum(ended.good for ended in answers.values())
        return True, f"{good} of {len(work)} pass alone, {len(answers) - good} fail again, {len(work) - len(answers)} not run"

    def sanitizer(self, name, *more):
        """The command prefix of a compute-sanitizer tool that reports each fault with its source line, and fails the
        process."""
        return [tool("compute-sanitizer"), "--tool", name, "--error-exitcode", str(FAULTY_EXIT), "--print-limit", "1000",
                "--show-backtrace", "device", *more]

    def uncached(self):
        """An environment without the memory cache, so that a sanitizer sees the end of each block and when it is
        freed."""
        return self.shared(ERSATZ_CUDA_CACHE="0")

    def memcheck(self, name, limit):
        """Runs compute-sanitizer on the tests that failed and the calls that killed a process."""
        if not tool("compute-sanitizer"):
            return self.session.skip(name, "no compute-sanitizer")
        left = self.earlier or self.session.work
        jobs = min(BESIDE_JOBS, self.jobs)

        def action(step):
            check = lambda arguments: processes.run(  # noqa: E731
                [*self.sanitizer("memcheck", *APART), *self.crosscheck(*arguments)], min(60, step.left()), self.uncached())
            answers = shards.in_parallel(step, jobs, [(n, lambda a=arguments: check(a)) for n, arguments in self.culprits(left).items()])
            for culprit, ended in answers.items():
                step.note(f"{name}: {culprit}: {ended.described()}\n{ended.text[-4000:]}")
            tests = self.failed_tests(left)
            if not tests:
                return all(e.good for e in answers.values()), f"{len(answers)} calls, no tests"
            good, text = self.sanitized_tests(step, "memcheck", tests, jobs, OUR_KERNELS + APART)
            return good and all(e.good for e in answers.values()), f"{len(answers)} calls; tests: {text}"
        return self.session.step(name, limit, action)

    def sanitized_tests(self, step, name, tests, jobs, options):
        return shards.run_tests(step, [*self.sanitizer(name, *options), self.machine.program("test_cuda")], tests, jobs,
                                self.uncached(), silence=60)

    def planted(self, step):
        """Expects that each tool finds its fault in `planted.cu`, and no fault in the correct versions of these
        kernels."""
        program, source = step.folder / "scratch/planted", self.machine.here / "planted.cu"
        program.parent.mkdir()
        built = processes.run([tool("nvcc"), "-arch=native", "-lineinfo", "-o", program, source], step.left())
        if not built.good:
            return False, f"{built.described()}: {built.last_line()}"
        found = {}
        for name in SANITIZERS:
            command = [*self.sanitizer(name, *(APART if name == "memcheck" else [])), program, name]
            faulty, sound = (processes.run([*command, how], step.left()) for how in ("faulty", "sound"))
            step.note(f"planted: {name}\n{faulty.text[:1500]}\n{sound.text[-300:]}")
            found[name] = faulty.status == FAULTY_EXIT and any(shards.REPORTED.match(line) for line in faulty.text.splitlines()) and sound.good
        return all(found.values()), ", ".join(f"{name} {'finds its fault alone' if good else 'DOES NOT'}" for name, good in found.items())

    def sanitized(self, jobs):
        """name -> step: each tool with its tests."""
        def run(name, limit, filter_, options):
            if not tool("compute-sanitizer"):
                return self.session.skip(name, "no compute-sanitizer")
            return self.session.step(name, limit, lambda step: self.sanitized_tests(step, name, self.names(filter_), jobs, options))

        def plant():
            if not (tool("compute-sanitizer") and tool("nvcc")):
                return self.session.skip("planted", "no compute-sanitizer, or no nvcc")
            return self.session.step("planted", 60, self.planted)
        return {"planted": plant} | {name: lambda n=name, row=row: run(n, *row) for name, row in SANITIZERS.items()}

    def same_bits(self, step):
        """Compares checksums of all results in two processes. The second one has no memory cache, so its addresses
        differ."""
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
        """Runs benchmarks, which need the machine alone."""
        if not self.machine.gpu:
            return self.session.skip("bench", "no device")
        for name, step in self.late().items():
            if name.startswith("bench"):
                step()
        for number in range(len(PROFILED)):
            self.profile(number, 40)
        return None

    def timed(self, name, limit, command):
        """Runs a benchmark, then records the card's clocks and power."""
        self.one(name, limit, command)
        if not self.machine.emulated:
            clocks = processes.run(["nvidia-smi", f"--query-gpu={CLOCKS}", "--format=csv"], 20).text
            self.session.log.add(clocks)
            if (self.session.work / name).is_dir():
                (self.session.work / name / "clocks.txt").write_text(clocks)

    def bench_torch(self, limit):
        self.one("bench_torch", limit, [sys.executable, self.machine.here / "bench_torch.py", self.session.work / "bench_torch/bench_torch.json"],
                 env=dict(processes.os.environ), needs=self.asked_of_torch())

    def profile(self, number, limit):
        if not tool("ncu"):
            return self.session.skip(f"ncu_{number}", "no ncu")
        return self.one(f"ncu_{number}", limit, [
            tool("ncu"), "--clock-control", "none", "--target-processes", "all", "--launch-count", "3", "--kill", "yes", "--section", "SpeedOfLight",
            "--section", "MemoryWorkloadAnalysis", "--section", "Occupancy", "--section", "LaunchStats", self.machine.program("bench_cuda"),
            f"--benchmark_filter={PROFILED[number]}"])

    def torch(self):
        """Records PyTorch's results on this card: metadata of recorded calls, and layouts that libraries choose."""
        self.layouts(120, self.jobs)
        self.facts(400, self.jobs)

    def python(self):
        """The environment of a PyTorch worker, which runs in parallel to others."""
        return processes.os.environ | {"OMP_NUM_THREADS": "1"}

    def layouts(self, limit, jobs):
        def part(step, number):
            """Runs a part; after a problem that made the device unusable, runs again from the next one."""
            command = [sys.executable, self.machine.here / "layout_problems.py", step.folder / f"part_{number}.jsonl", "--part", f"{number}/{jobs}"]
            while (ended := processes.run(command, step.left(), self.python())).status == 3 and not ended.why and step.left() > 1:
                step.note(ended.text[-600:])
            return ended

        def action(step):
            answers = shards.in_parallel(step, jobs, [(n, lambda n=n: part(step, n)) for n in range(jobs)])
            head, lines = "", []
            for number in range(jobs):
                path = step.folder / f"part_{number}.jsonl"
                if path.is_file():
                    head, *more = path.read_text().splitlines(True)
                    lines += [line for line in more if line.endswith("\n")]  # a truncated line is dropped
                    path.unlink()
            (step.folder / "layouts.jsonl").write_text("".join([head, *lines]))
            bad = [e for e in answers.values() if not e.good]
            for ended in bad:
                step.note(f"layouts: {ended.described()}\n{ended.text[-2000:]}")
            raised = sum('"cuda_fake": {"err"' in line for line in lines)
            text = f"{len(lines)} problems, {raised} raise"
            return bool(lines) and not bad, text + (f"; {len(bad)} of {jobs} processes did not end well" if bad else "")
        if why := self.asked_of_torch():
            return self.session.skip("layouts", why)
        return self.session.step("layouts", limit, action)

    def facts(self, limit, jobs):
        """Continues after the end of an earlier call."""
        done, out = None, self.session.work / "facts/cuda_facts.jsonl"
        before = self.earlier and self.earlier / "facts/cuda_facts.jsonl"
        if before and before.is_file():
            counts = json.loads(before.read_text().splitlines()[-1])
            done = counts.get("done")
            if counts.get("not_asked") == 0:
                return None
            out = self.session.work / "facts/cuda_facts_2.jsonl"
        if why := self.asked_of_torch():
            return self.session.skip("facts", why)
        return self.session.step("facts", limit, lambda step: self.record_facts(step, out, done, jobs))

    def record_facts(self, step, out, done, jobs):
        command = [sys.executable, self.machine.here / "record_cuda_facts.py", self.asked, out,
                   *(["--done", ",".join(map(str, done))] if done else ["--jobs", str(jobs)]), "--seconds", str(int(max(5, step.left() - 10)))]
        ended = processes.run(command, step.left(), self.python(), output=step.folder / "output.txt")
        step.note(ended.text)
        return ended.good, f"{ended.described()}: {ended.last_line()}"

    def sanitizers(self):
        for step in self.sanitized(self.jobs).values():
            step()

    def trouble(self):
        """Steps for a rehearsal: one hangs, one crashes, one fills the disk."""
        self.one("hangs", 5, ["sh", "-c", "echo waiting; sleep 1000"])
        self.one("crashes", 10, ["sh", "-c", "echo about to crash; kill -SEGV $$"])
        self.one("fills", 60, ["sh", "-c", f"cat /dev/zero > {self.session.work / 'fills/zeros'}"])


STAGES = ["first", "bench", "torch", "sanitizers"]
