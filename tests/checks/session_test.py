"""What a session on a GPU machine does with steps that hang, crash, fill the disk or come too late, and what it keeps of them."""
import json
import os
import pathlib
import sys
import tarfile
import tempfile
import time
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "scripts/gpu_session"
sys.path.insert(0, str(FOLDER))
import processes  # noqa: E402
import record_cuda_facts  # noqa: E402
import session  # noqa: E402
import shards  # noqa: E402

# A program like a GoogleTest one: it lists a test a line, runs those of the filter, and does what their names say.
SUITE = """#!/usr/bin/env python3
import os, signal, sys, time
names = sys.argv[-1].split("=", 1)[1].split(":")
for name in names:
    print(f"[ RUN      ] {name}", flush=True)
    if "hang" in name: time.sleep(100)
    if "crash" in name: os.kill(os.getpid(), signal.SIGKILL)
    if "fault" in name: print("cuda:0 is unusable since aten.x (700): restart the process", flush=True); time.sleep(100)
    if "report" in name: print("========= Invalid __global__ read of size 4 bytes", flush=True)
    print(f"[  FAILED  ] {name} (0 ms)" if "fail" in name else f"[       OK ] {name} (0 ms)", flush=True)
"""
# A program like `ersatz crosscheck`: it dies of a record that says so, and else reports one compared result each.
CROSSCHECK = """#!/usr/bin/env python3
import json, os, signal, sys
lines = open(sys.argv[1]).read().splitlines()
if any('"crash"' in line for line in lines): os.kill(os.getpid(), signal.SIGSEGV)
json.dump({"results": len(lines), "compared": len(lines), "mismatched": 0, "skipped": {}, "values_compared": 0, "findings": []}, open(sys.argv[3], "w"))
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
        """What became of each, as the suite's step says it."""
        command = [self.program(SUITE)]
        self.session.step("suite", 30, lambda step: shards.run_tests(step, command, list(names), jobs, silence=silence))
        return json.loads((self.root / "work/suite/tests.json").read_text())


class Steps(SessionCase):
    def test_a_step_that_hangs_is_ended_at_its_limit_with_what_it_started(self):
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

    def test_a_step_whose_own_code_fails_costs_that_step(self):
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

    def test_steps_that_do_not_fit_into_the_budget_are_said_to_be_skipped(self):
        self.session.budget = 3
        self.session.step("short", 2, self.process("true"))
        self.session.step("long", 60, self.process("true"), least=30)
        self.assertEqual(["ok", "skipped"], [row[1] for row in self.session.rows])
        self.assertIn("for want of time: it needs 30 s", self.log())

    def test_a_step_gets_no_more_than_what_is_left_of_the_budget(self):
        self.session.budget = 1
        self.session.step("greedy", 60, self.process("sleep 50"), least=0)
        self.assertLess(self.session.rows[0][2], 4)

    def test_an_archive_that_grows_too_big_leaves_out_the_largest_files_and_names_them(self):
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
        (self.root / "out" / name).symlink_to("/dev/full")  # what is written there fails as on a full disk

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

    def test_what_the_step_left_is_given_up_for_the_archive(self):
        self.fill("session.tar.gz.part")  # the first attempt fails, and removes what it could not write
        self.session.step("fills", 5, self.process("echo printed"))
        self.assertFalse((self.root / "work/fills").exists())
        self.assertIn("bytes of files are given up", self.log())
        self.assertIn("printed", self.archive()[session.LOG])

    def test_the_log_is_written_when_there_is_room_again(self):
        self.fill(session.LOG)
        self.session.say("said while it was full")
        self.assertEqual("No space left on device", self.session.log.problem)
        (self.root / "out" / session.LOG).unlink()
        self.session.say("said afterwards")
        self.assertEqual("said while it was full\nsaid afterwards\n", self.log())


class Shards(SessionCase):
    def test_a_crash_costs_its_test_and_the_shard_goes_on_behind_it(self):
        said = self.became_of("A.one", "A.crash", "A.two")["tests"]
        self.assertEqual({"A.one": "ok", "A.crash": "ended it: signal 9 (Killed)", "A.two": "ok"}, said)

    def test_a_test_that_hangs_is_ended_and_the_shard_goes_on_behind_it(self):
        said = self.became_of("A.hang", "A.two")["tests"]
        self.assertIn("without a word", said["A.hang"])
        self.assertEqual("ok", said["A.two"])

    def test_a_fault_that_the_device_does_not_survive_begins_a_new_process(self):
        said = self.became_of("A.fault", "A.two", silence=50)["tests"]
        self.assertEqual({"A.fault": "ended it: the device is unusable", "A.two": "ok"}, said)

    def test_a_test_that_fails_begins_no_new_process(self):
        self.assertEqual({"A.fail": "failed", "A.two": "ok"}, self.became_of("A.fail", "A.two")["tests"])

    def test_what_a_sanitizer_reports_stands_with_its_test(self):
        self.assertEqual({"A.report": 1}, self.became_of("A.one", "A.report")["reports"])
        self.assertEqual("FAILED", self.session.rows[0][1])

    def test_a_program_that_does_not_start_is_no_success(self):
        self.session.step("suite", 5, lambda step: shards.run_tests(step, ["/bin/false"], ["A.one"], 1))
        self.assertEqual(("FAILED", "1 not run"), self.session.rows[0][1::2])

    def test_the_names_of_a_listing_are_read(self):
        self.assertEqual(["A.one", "B/0.two/3"], shards.tests_of("Running main()\nA.\n  one\nB/0.  # TypeParam = int\n  two/3  # GetParam() = 1\n"))

    def test_a_record_that_ends_its_process_is_found_and_the_others_are_compared(self):
        (self.root / "records").mkdir()
        lines = [json.dumps({"id": f"x/{i}", "op": "crash" if i == 11 else "fine"}) for i in range(20)]
        (self.root / "records/x.jsonl").write_text("\n".join(lines) + "\n")
        command = [self.program(CROSSCHECK)]
        self.session.step("records", 30, lambda step: shards.run_records(step, command, self.root / "records", 2, chunk=10))
        self.assertEqual("19 compared, 0 mismatched, 0 skipped of 20 calls, 1 ended a process", self.session.rows[0][3])
        said = json.loads((self.root / "work/records/records.json").read_text())
        self.assertEqual(["x/11"], [c["id"] for c in said["ended_a_process"]])


class Facts(unittest.TestCase):
    def test_strides_of_single_elements_mean_nothing_and_others_do(self):
        meta = lambda strides, device: [{"t": f"f32[1,3]{{{strides}}}+0@{device}"}]  # noqa: E731
        self.assertTrue(record_cuda_facts.same(meta("9,1", "cuda:0"), meta("3,1", "cpu")))
        self.assertFalse(record_cuda_facts.same(meta("3,2", "cuda:0"), meta("3,1", "cpu")))

    def test_operators_that_a_library_lays_out_come_first_then_those_that_were_predicted_otherwise(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, line in [("abs", "{}"), ("bernoulli", '{"cuda_fake":1}'), ("convolution", "{}")]:
                (pathlib.Path(folder) / f"{name}.jsonl").write_text(line + "\n")
            self.assertEqual(["convolution", "bernoulli", "abs"], [path.stem for path, _ in record_cuda_facts.ordered(folder)])


if __name__ == "__main__":
    unittest.main()
