"""A GPU session with steps that hang, crash, fill the disk or come too late. The tests check which steps run, and which
results are kept.
"""
import json
import os
import pathlib
import sys
import tarfile
import tempfile
import time
import types
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "scripts/gpu_session"
sys.path.insert(0, str(FOLDER))
import machine  # noqa: E402
import measurement_table  # noqa: E402
import processes  # noqa: E402
import record_cuda_facts  # noqa: E402
import session  # noqa: E402
import shards  # noqa: E402
import stages  # noqa: E402
import verified  # noqa: E402

# A program like a GoogleTest program: it lists its tests, runs those of the filter, and does what their names say.
SUITE = """#!/usr/bin/env python3
import os, signal, sys, time
names = sys.argv[-1].split("=", 1)[1].split(":")
for name in names:
    print(f"[ RUN      ] {name}", flush=True)
    if "hang" in name: time.sleep(100)
    if "crash" in name: os.kill(os.getpid(), signal.SIGKILL)
    if "fault" in name: print("cuda:0 is unusable since aten.x (700): restart the process", flush=True); time.sleep(100)
    if "names" in name: print("aten.add.Tensor(f32[2]) differs", flush=True)
    if "report" in name: print("========= Invalid __global__ read of size 4 bytes", flush=True)
    print(f"[  FAILED  ] {name} (0 ms)" if "fail" in name else f"[       OK ] {name} (0 ms)", flush=True)
"""
# A fake `ersatz crosscheck`: it crashes at a record that contains "crash", and otherwise reports one compared result
# for each record.
CROSSCHECK = """#!/usr/bin/env python3
import json, os, signal, sys
lines = open(sys.argv[1]).read().splitlines()
if any('"crash"' in line for line in lines): os.kill(os.getpid(), signal.SIGSEGV)
json.dump({"results": len(lines), "compared": len(lines), "mismatched": 0, "skipped": {}, "values_compared": 0, "findings": [],
           "calls": {"ops": [{"op": json.loads(line)["op"], "records": 1, "with_values": 1, "failed": 0} for line in lines],
                     "causes": [{"ids": [json.loads(line)["id"]]} for line in lines if '"differs"' in line]}}, open(sys.argv[3], "w"))
"""


class SessionCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "out").mkdir()
        session.print = lambda *a, **k: None
        self.addCleanup(lambda: delattr(session, "print"))
        self.session = session.Session(self.root / "out", self.root / "work", budget=60)

    def program(self, text):
        path = self.root / "program"
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def process(self, command):
        def action(step):
            ended = processes.run(["sh", "-c", command], step.left(), output=step.folder / "output.txt")
            step.note(ended.text)
            return ended.good, ended.described()
        return action

    def archive(self):
        with tarfile.open(self.root / "out" / session.ARCHIVE) as tar:
            return {member.name: tar.extractfile(member).read().decode() for member in tar.getmembers()}

    def log(self):
        return (self.root / "out" / session.LOG).read_text()

    def became_of(self, *names, jobs=1, silence=1):
        """Returns the outcome of each test, from the step `suite`."""
        command = [self.program(SUITE)]
        self.session.step("suite", 30, lambda step: shards.run_tests(step, command, list(names), jobs, silence=silence))
        return json.loads((self.root / "work/suite/tests.json").read_text())


class Steps(SessionCase):
    def test_hanging_step_is_ended_with_its_children(self):
        begin = time.monotonic()
        self.session.step("hangs", 1, self.process("sleep 100 & echo waiting; sleep 100"))
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(("FAILED", "ended at its limit of 1 s"), self.session.rows[0][1::2])
        self.assertIn("waiting", self.log())

    def test_a_step_that_crashes_costs_that_step(self):
        self.session.step("crashes", 5, self.process("echo before; kill -SEGV $$"))
        self.session.step("next", 5, self.process("echo after"))
        self.assertEqual(["FAILED", "ok"], [row[1] for row in self.session.rows])
        self.assertIn("signal 11", self.log())

    def test_step_whose_own_code_fails_costs_that_step(self):
        self.session.step("odd", 5, lambda step: 1 / 0)
        self.assertEqual(("FAILED", "ZeroDivisionError: division by zero"), self.session.rows[0][1::2])

    def test_the_archive_is_whole_after_each_step(self):
        for name in ("one", "two"):
            self.session.step(name, 5, self.process(f"echo said by {name}"))
            files = self.archive()
            self.assertEqual(f"said by {name}\n", files[f"{name}/output.txt"])
            self.assertIn(name, files["summary.txt"])
        self.assertIn("one/output.txt", files)
        self.assertEqual([session.LOG, session.ARCHIVE], sorted(p.name for p in (self.root / "out").iterdir()))

    def test_the_archive_is_renewed_while_a_step_runs(self):
        self.session.renew_seconds = 0.2

        def action(step):
            (step.folder / "early").write_text("x")
            time.sleep(1)
            return True, str("long/early" in self.archive())
        self.session.step("long", 5, action)
        self.assertEqual("True", self.session.rows[0][3])

    def test_steps_beyond_the_budget_are_reported_as_skipped(self):
        self.session.budget = 3
        self.session.step("short", 2, self.process("true"))
        self.session.step("long", 60, self.process("true"), least=30)
        self.assertEqual(["ok", "skipped"], [row[1] for row in self.session.rows])
        self.assertIn("for want of time: it needs 30 s", self.log())

    def test_steps_that_nobody_named_are_passed_over(self):
        self.session.only = {"wanted", "skipped"}
        for name in ("wanted", "unwanted"):
            self.session.step(name, 10, lambda step: (True, step.name))
        for name in ("skipped", "unwanted"):
            self.session.skip(name, "why")
        self.assertEqual(["wanted", "skipped"], [row[0] for row in self.session.rows])

    def test_step_gets_at_most_the_remaining_budget(self):
        self.session.budget = 1
        self.session.step("greedy", 60, self.process("sleep 50"), least=0)
        self.assertLess(self.session.rows[0][2], 4)

    def test_too_large_archive_omits_and_names_largest_files(self):
        self.session.archive_bytes = 200_000

        def action(step):
            (step.folder / "big").write_bytes(os.urandom(400_000))
            (step.folder / "small").write_text("kept")
            return True, ""
        self.session.step("both", 5, action)
        files = self.archive()
        self.assertIn("both/small", files)
        self.assertNotIn("both/big", files)
        self.assertIn("both/big", files["left_out.txt"])


class FullDisk(SessionCase):
    def fill(self, name):
        (self.root / "out" / name).symlink_to("/dev/full")  # writes to this file fail as on a full disk

    def test_the_old_archive_stays_and_it_is_said(self):
        self.session.step("one", 5, self.process("echo first"))
        before = self.archive()
        packed = self.session._packed

        def full():
            if not (self.root / "out/session.tar.gz.part").is_symlink():
                self.fill("session.tar.gz.part")
            return packed()
        self.session._packed = full
        self.session.step("two", 5, self.process("echo second"))
        self.assertEqual(before, self.archive())
        self.assertIn("No space left on device", self.log())
        self.assertIn("it holds all up to one", self.log())
        self.session._packed = packed
        self.session.step("three", 5, self.process("echo third"))  # there is room again
        self.assertIn("three/output.txt", self.archive())

    def test_step_output_is_given_up_for_the_archive(self):
        self.fill("session.tar.gz.part")  # the first attempt fails, and removes the incomplete archive
        self.session.step("fills", 5, self.process("echo printed"))
        self.assertFalse((self.root / "work/fills").exists())
        self.assertIn("bytes of files are given up", self.log())
        self.assertIn("printed", self.archive()[session.LOG])

    def test_log_is_written_when_there_is_room_again(self):
        self.fill(session.LOG)
        self.session.say("said while it was full")
        self.assertEqual("No space left on device", self.session.log.problem)
        (self.root / "out" / session.LOG).unlink()
        self.session.say("said afterwards")
        self.assertEqual("said while it was full\nsaid afterwards\n", self.log())


class Shards(SessionCase):
    def test_crash_costs_one_test_of_the_shard(self):
        said = self.became_of("A.one", "A.crash", "A.two")["tests"]
        self.assertEqual({"A.one": "ok", "A.crash": "ended it: signal 9 (Killed)", "A.two": "ok"}, said)

    def test_hanging_test_costs_one_test_of_the_shard(self):
        said = self.became_of("A.hang", "A.two")["tests"]
        self.assertIn("without a word", said["A.hang"])
        self.assertEqual("ok", said["A.two"])

    def test_fatal_device_fault_begins_a_new_process(self):
        said = self.became_of("A.fault", "A.two", silence=50)["tests"]
        self.assertEqual({"A.fault": "ended it: the device is unusable", "A.two": "ok"}, said)

    def test_a_test_that_fails_begins_no_new_process(self):
        self.assertEqual({"A.fail": "failed", "A.two": "ok"}, self.became_of("A.fail", "A.two")["tests"])

    def test_what_a_sanitizer_reports_stands_with_its_test(self):
        self.assertEqual({"A.report": 1}, self.became_of("A.one", "A.report")["reports"])
        self.assertEqual("FAILED", self.session.rows[0][1])

    def test_program_that_does_not_start_is_no_success(self):
        self.session.step("suite", 5, lambda step: shards.run_tests(step, ["/bin/false"], ["A.one"], 1))
        self.assertEqual(("FAILED", "1 not run"), self.session.rows[0][1::2])

    def test_the_names_of_a_listing_are_read(self):
        self.assertEqual(["A.one", "B/0.two/3"], shards.tests_of("Running main()\nA.\n  one\nB/0.  # TypeParam = int\n  two/3  # GetParam() = 1\n"))

    def test_test_that_fails_leaves_overloads_that_it_named(self):
        self.assertEqual({"A.names_and_fail": ["aten.add.Tensor"]}, self.became_of("A.names", "A.names_and_fail", "A.two")["named"])

    def records(self, lines, chunk):
        (self.root / "records").mkdir()
        (self.root / "records/x.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        command = [self.program(CROSSCHECK)]
        self.session.step("records", 30, lambda step: shards.run_records(step, command, self.root / "records", 4, chunk=chunk))
        return json.loads((self.root / "work/records/records.json").read_text())

    def test_counts_are_kept_by_overload_differences_by_line(self):
        said = self.records([{"id": f"x/{i}", "op": "differs" if i == 7 else "fine"} for i in range(20)], chunk=6)
        self.assertEqual({"records": 19, "with_values": 19, "failed": 0}, said["ops"]["fine"])
        self.assertEqual('{"id": "x/7", "op": "differs"}\n', (self.root / "work/records/failed.jsonl").read_text())

    def test_several_records_that_end_their_process_are_found(self):
        said = self.records([{"id": f"x/{i}", "op": "crash" if i in (3, 70, 71) else "fine"} for i in range(100)], chunk=100)
        self.assertEqual(["x/3", "x/70", "x/71"], sorted(c["id"] for c in said["ended_a_process"]))
        self.assertEqual((97, 0, ["crash"]), (said["totals"]["compared"], said["not_run"], said["suspects"]))

    def test_overloads_of_too_many_fatal_records_are_suspected(self):
        self.addCleanup(setattr, shards.Records, "MOST_EXTRA", shards.Records.MOST_EXTRA)
        shards.Records.MOST_EXTRA = 4
        said = self.records([{"id": f"x/{i}", "op": "crash" if i == 3 else "fine"} for i in range(20)], chunk=20)
        self.assertEqual((20, ["crash", "fine"]), (said["not_run"], said["suspects"]))

    def test_fatal_record_is_found_and_others_compared(self):
        said = self.records([{"id": f"x/{i}", "op": "crash" if i == 11 else "fine"} for i in range(20)], chunk=10)
        self.assertEqual("19 compared, 0 mismatched, 0 skipped of 20 calls, 1 ended a process", self.session.rows[0][3])
        self.assertEqual(["x/11"], [c["id"] for c in said["ended_a_process"]])


class Verified(unittest.TestCase):
    KERNELS = {"aten.add.Tensor": "aten.add.Tensor", "aten.add_.Tensor": "aten.add.Tensor", "aten.exp.default": "aten.exp.default"}

    def test_the_listing_names_kernels_and_what_runs_them(self):
        rows = [{"op": "aten.add.Tensor", "cuda": "unverified", "rule": "rule"},
                {"op": "aten.add_.Tensor", "cuda": "runs as PTX", "rule": "derived from aten.add.Tensor"},
                {"op": "aten.exp.default", "cuda": "verified", "rule": "rule"},
                {"op": "aten.view.default", "cuda": "no kernel needed", "rule": "rule"}]
        self.assertEqual(self.KERNELS, verified.kernels_of(json.dumps({"ops": rows})))

    def test_kernel_is_verified_by_values_or_named_test(self):
        records = {"ops": {"aten.add_.Tensor": {"with_values": 2, "failed": 0}, "aten.exp.default": {"with_values": 0, "failed": 0}}}
        self.assertEqual(["aten.add.Tensor"], verified.verified(self.KERNELS, records, {}))
        for suite in ("CudaSamples", "CudaAttention"):
            self.assertEqual(["aten.exp.default"], verified.verified(self.KERNELS, {}, {"tests": {f"{suite}.aten_exp_default": "ok"}}))

    def test_call_test_or_crash_speaks_against_it(self):
        good = {"aten.add.Tensor": {"with_values": 2, "failed": 0}}
        self.assertEqual([], verified.verified(self.KERNELS, {"ops": good | {"aten.add_.Tensor": {"with_values": 1, "failed": 1}}}, {}))
        self.assertEqual([], verified.verified(self.KERNELS, {"ops": good, "suspects": ["aten.add_.Tensor"]}, {}))
        self.assertEqual([], verified.verified(self.KERNELS, {"ops": good}, {"named": {"A.x": ["aten.add.Tensor"]}}))
        self.assertEqual([], verified.verified(self.KERNELS, {"ops": good}, {"tests": {"CudaSamples.aten_add_Tensor": "failed"}}))

    def test_tables_are_joined_without_the_emulated_device(self):
        tables = [verified.rows(["b", "a"], "A card, big", "1.2", "2026-01-01"), verified.rows(["c"], "emulated device", "none", "2026-01-02"), ""]
        self.assertEqual("op,card,driver,date\na,A card  big,1.2,2026-01-01\nb,A card  big,1.2,2026-01-01\n", verified.joined(tables))


class Leases(SessionCase):
    """The stages of a session on a machine whose programs do nothing."""

    class Machine(machine.Machine):
        def __init__(self, here):
            self.here, self.emulated, self.gpu, self.libraries = here, "emulated.so", True, [""]

    def stages(self, **more):
        here = self.root / "here"
        for folder in ("build/bin", "data/conformance/aten", "data/programs", "smoke"):
            (here / folder).mkdir(parents=True)
        for name, text in [("ersatz", CROSSCHECK), ("test_cuda", SUITE), ("bench_cuda", "#!/bin/sh\n")]:
            (here / "build/bin" / name).write_text(text)
            (here / "build/bin" / name).chmod(0o755)
        (here / "hold_device.py").write_text("")
        (here / "data/program_findings.tsv").write_text("")
        return stages.Stages(self.session, self.Machine(here), 2, **more)

    def test_second_call_runs_failed_and_unreached_steps(self):
        before = self.root / "before"
        (before / "suite").mkdir(parents=True)
        (before / "suite/tests.json").write_text(json.dumps({"tests": {"A.good": "ok", "A.fail": "failed"}}))
        ran = ["machine", "verified", "layouts", "bench_cuda", "memcheck", "ncu_0"]
        rows = [[n, "ok", 1, ""] for n in ran] + [["bench_torch", "FAILED", 1, ""], ["same_bits", "skipped", 0, ""]]
        (before / "rows.json").write_text(json.dumps(rows))
        self.stages(previous=before).failed()
        names = [row[0] for row in self.session.rows]
        self.assertTrue(set(ran[1:5]).isdisjoint(names), names)
        self.assertLessEqual({"alone", "bench_torch", "same_bits", "programs", "ncu_1"}, set(names))
        self.assertIn("1 pass alone, 0 fail again", next(row[3] for row in self.session.rows if row[0] == "alone"))

    def test_without_an_earlier_call_the_second_says_so(self):
        self.stages(previous=self.root / "nowhere").failed()
        self.assertEqual(("skipped", "no earlier call left its files here: name them with --previous"), self.session.rows[0][1::2])

    def test_steps_beside_each_other_are_all_archived(self):
        self.session.renew_seconds = 0.01

        def busy(name):
            def action(step):
                for number in range(200):
                    (step.folder / f"{number}").write_text("x")
                    (step.folder / f"{number}").unlink()
                (step.folder / "kept").write_text("x")
                return True, ""
            return lambda: self.session.step(name, 20, action)
        stages.Stages(self.session, None, 2).beside(busy("one"), busy("two"))
        self.assertLessEqual({"one/kept", "two/kept"}, set(self.archive()))
        self.assertEqual([("one", "ok"), ("two", "ok")], sorted(row[:2] for row in self.session.rows))


class Gpus(unittest.TestCase):
    def asked(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path, before = pathlib.Path(folder) / "nvidia-smi", os.environ["PATH"]
            path.write_text(text)
            path.chmod(0o755)
            os.environ["PATH"] = f"{folder}:{before}"
            self.addCleanup(os.environ.__setitem__, "PATH", before)
            return machine.gpus(), machine.card_and_driver()

    def test_nvidia_smi_counts_them(self):
        text = "#!/bin/sh\ncase $1 in -L) echo 'GPU 0: A card (UUID: x)';; *) echo 'A card, 580.1';; esac\n"
        self.assertEqual((1, ("A card", "580.1")), self.asked(text))

    def test_a_machine_without_one_has_none(self):
        self.assertEqual(("unknown", "unknown"), self.asked("#!/bin/sh\necho 'NVIDIA-SMI has failed'; exit 9\n")[1])


class Table(SessionCase):
    def test_page_shows_machine_times_counts_failures_and_steps(self):
        def action(step):
            for name, text in {
                    "machine/machine.txt": "A card, 580\n",
                    "bench_cuda/bench_cuda.json": '{\n  "benchmarks": [\n    {\n "name": "add/x/manual_time", '
                                                  '"real_time": 2, "time_unit": "ms"\n    },\n    {\n "name": "cut',
                    "bench_torch/bench_torch.json": '{"torch": "2", "microseconds": {"add/x": 1000}}',
                    "records/records.json": json.dumps({"totals": {"compared": 5}, "not_run": 0, "ops": {},
                                                        "ended_a_process": [{"id": "x/1", "how": "crash"}]}),
                    "suite/tests.json": json.dumps({"tests": {"A.one": "ok", "A.two": "failed"}}),
                    "facts/cuda_facts.jsonl": '{"compared": 3, "ended_a_worker": [], "not_asked": 0, "done": [3]}\n',
                    "again/A.two.txt": "exit 1\nmore"}.items():
                (self.root / "work" / name).parent.mkdir(exist_ok=True)
                (self.root / "work" / name).write_text(text)
            return True, ""
        self.session.step("machine", 5, action)
        page = measurement_table.page([self.root / "out" / session.ARCHIVE])
        for line in ["    A card, 580", "| add/x | 2000.0 | 1000.0 | 2.00 |  |", "| results compared | 5 |", "- test `A.two`: failed",
                     "- call `x/1`: crash", "- again/A.two, alone: exit 1", "- recorded calls: 3 compared, 0 ended a worker, 0 not asked"]:
            self.assertIn(line, page.splitlines())
        self.assertIn("    machine                  ok", page)


class Facts(unittest.TestCase):
    def test_single_element_strides_mean_nothing(self):
        meta = lambda strides, device: [{"t": f"f32[1,3]{{{strides}}}+0@{device}"}]  # noqa: E731
        self.assertTrue(record_cuda_facts.same(meta("9,1", "cuda:0"), meta("3,1", "cpu")))
        self.assertFalse(record_cuda_facts.same(meta("3,2", "cuda:0"), meta("3,1", "cpu")))

    def test_storages_are_objects_and_argument_results_are_marked(self):
        class Storage:
            def __init__(self, number):
                self._cdata = number
            nbytes = staticmethod(lambda: 0)

        class Tensor:
            dtype, shape, device, is_conj, is_neg = "torch.float32", (0,), types.SimpleNamespace(type="cuda"), lambda self: False, lambda self: False
            stride, storage_offset = staticmethod(lambda: (1,)), staticmethod(lambda: 0)

            def __init__(self, storage):
                self.untyped_storage = lambda: storage
        argument, other = Tensor(Storage(70)), Tensor(Storage(71))  # both are empty, so they have one address
        names = {70: 3}
        out = record_cuda_facts.described(types.SimpleNamespace(Tensor=Tensor), [argument, other], names, [argument])
        self.assertEqual([(3, 0), (4, None)], [(t["s"], t.get("is")) for t in out])

    def test_library_laid_out_operators_come_first(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, line in [("abs", "{}"), ("bernoulli", '{"cuda_fake":1}'), ("convolution", "{}")]:
                (pathlib.Path(folder) / f"{name}.jsonl").write_text(line + "\n")
            self.assertEqual(["convolution", "bernoulli", "abs"], [path.stem for path, _ in record_cuda_facts.ordered(folder)])


if __name__ == "__main__":
    unittest.main()
