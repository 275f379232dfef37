"""scripts/same_behaviour finds a planted change of any output and names it. It ignores allowed differences, and
differences that vary from run to run."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/same_behaviour"
sys.path.insert(0, str(ROOT / "scripts"))
from mutant_tree import MutantTree  # noqa: E402
from output_comparison import jobs, outcome  # noqa: E402

REPORT = {"status": "clean", "compared": 3, "findings": [{"field": "size", "predicted": "f32[2]"}, {"field": "stride", "predicted": "f32[4]"}]}
ERSATZ = """case "$*" in
{extra}
*add.jsonl*--json*) echo '{report}';;
*) echo "$1: 3 compared";;
esac
"""


def spelled(report):
    return json.dumps(report, indent=1)


class SameBehaviour(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for file in ("conformance/aten/add.jsonl", "conformance/aten/mm.jsonl", "programs/own/mlp/mlp.pt2"):
            (self.root / "data" / file).parent.mkdir(parents=True, exist_ok=True)
            (self.root / "data" / file).write_text("")

    def build(self, name, extra="", report=None, **programs):
        """Makes a build folder whose programs are shell scripts."""
        scripts = {"ersatz": ERSATZ.format(extra=extra, report=spelled(report or REPORT)), "fuzz_calls": "echo fuzz_calls: 10 calls",
                   "change_records": "echo one >changed.jsonl"} | programs
        for folder in ("bin", "lib"):
            (self.root / name / folder).mkdir(parents=True)
        (self.root / name / "lib/demo_ops.so").write_text("")
        for program, script in scripts.items():
            (self.root / name / "bin" / program).write_text("#!/bin/sh\n" + script)
            (self.root / name / "bin" / program).chmod(0o755)

    def compare(self, *more):
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--before", self.root / "before", "--after", self.root / "after", "--data",
                               self.root / "data", "-o", self.root / "all.tsv", "--quick", *map(str, more)], text=True, capture_output=True)
        self.all = (self.root / "all.tsv").read_text() if (self.root / "all.tsv").exists() else ""
        return done

    def allow(self, *rows):
        (self.root / "allow.tsv").write_text("# job, file, difference, reason\n" + "".join("\t".join(r) + "\n" for r in rows))
        return "--allow", self.root / "allow.tsv"

    def test_builds_that_print_alike_are_equal_everywhere(self):
        self.build("before")
        self.build("after")
        done = self.compare()
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("same_behaviour: 17 equal, 0 differ as allowed, 0 differ\n", done.stdout)
        self.assertIn("a sample: 1 of 2 files of recorded calls, 1 of 1 programs, 4 of 64 shards of `validate --all`, 1 of 10 seeds with 20,000 calls",
                      done.stdout)
        for job in ("records plain", "records no-real", "records cuda", "records symbolic", "records text", "changed records", "programs crosscheck",
                    "programs fake", "programs propagate", "programs sizes", "validate", "sequences plain", "sequences cache", "sequences propagate"):
            self.assertIn(f"\n{job}", done.stdout)

    def test_planted_change_is_named_by_its_json_place(self):
        changed = json.loads(json.dumps(REPORT))
        changed["findings"][1]["predicted"] = "f32[5]"
        self.build("before")
        self.build("after", report=changed)
        done = self.compare("--only", "records")
        self.assertEqual(1, done.returncode)
        self.assertIn('add.jsonl: stdout: findings[1].predicted: "f32[4]" / "f32[5]"', done.stdout)
        self.assertIn("same_behaviour: 1 equal, 0 differ as allowed, 4 differ", done.stdout)
        self.assertIn('records cuda\tadd.jsonl\tstdout: findings[1].predicted: "f32[4]" / "f32[5]"\n', self.all)

    def test_change_of_each_kind_of_output_is_found(self):
        data = self.root / "data"
        for number, (extra, said) in enumerate([
                ("*fake*) echo fake: 4 compared;;", "programs fake\town/mlp\tcommand 1 stdout: line 1: fake: 3 compared / fake: 4 compared"),
                ("*propagate*) echo propagate: 3 compared; echo odd >&2;;", "programs propagate\town/mlp\tcommand 1 stderr: line 1:  / odd"),
                ("*sizes*) echo crosscheck: 3 compared; exit 1;;", "programs sizes\town/mlp\tcommand 1 exit status: line 1: 0 / 1"),
                ("*1/64*) exit 3;;", "validate\tshard 1/64\texit status: line 1: 0 / 3"),
                ("*changed.jsonl*sarif*) echo crosscheck: 3 compared; touch repro.py;;", "changed records\tadd.jsonl\trepro.py: only after")]):
            with self.subTest(said), tempfile.TemporaryDirectory() as folder:
                self.root = pathlib.Path(folder)
                (self.root / "data").symlink_to(data)
                self.build("before")
                self.build("after", extra=extra)
                self.assertEqual(1, self.compare().returncode, number)
                self.assertIn(said, self.all)

    def test_changed_calls_and_sequences_of_calls_are_compared(self):
        self.build("before")
        self.build("after", fuzz_calls="echo fuzz_calls: 11 calls", change_records="echo two >changed.jsonl")
        self.assertEqual(1, self.compare().returncode)
        self.assertIn("changed records\tadd.jsonl\tchanged.jsonl: line 1: one / two\n", self.all)
        self.assertIn("sequences cache\tseed 0\tstdout: line 1: fuzz_calls: 10 calls / fuzz_calls: 11 calls\n", self.all)

    def test_another_order_of_json_keys_is_a_difference(self):
        self.build("before")
        self.build("after", report=dict(reversed(REPORT.items())))
        self.assertEqual(1, self.compare("--only", "records plain").returncode)
        self.assertIn('records plain\tadd.jsonl\tstdout: line 2:  "status": "clean", /  "findings": [\n', self.all)

    def test_folders_of_build_and_run_do_not_matter(self):
        for name in ("before", "after"):
            self.build(name, extra='*text*) echo "$0 in $PWD";;')
        self.assertEqual(0, self.compare("--only", "programs").returncode, self.all)

    def test_allowed_difference_needs_a_reason_and_a_match(self):
        self.build("before")
        self.build("after", report=REPORT | {"words": "new"})
        done = self.compare("--only", "records", *self.allow(("records *", "add.*", r"^stdout: words: nothing / ", "reports have words"),
                                                             ("records *", "mm.jsonl", "status", "another")))
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("4 allowed: reports have words\n", done.stdout)
        self.assertIn("covers nothing: records *, mm.jsonl: status\n", done.stdout)
        self.assertIn("same_behaviour: 1 equal, 4 differ as allowed, 0 differ", done.stdout)

    def test_file_with_allowed_difference_and_another_one_differs(self):
        self.build("before")
        self.build("after", report=REPORT | {"words": "new", "compared": 4})
        done = self.compare("--only", "records plain", *self.allow(("*", "*", "words", "reports have words")))
        self.assertEqual(1, done.returncode)
        self.assertEqual("records plain\tadd.jsonl\tstdout: compared: 3 / 4\n", self.all)

    def test_a_row_without_a_reason_is_refused(self):
        self.build("before")
        self.build("after")
        done = self.compare(*self.allow(("*", "*", "words")))
        self.assertIn("allow.tsv:2: a row is job, file, difference, reason with tabs between", done.stderr)
        self.assertEqual(1, done.returncode)

    def test_endless_command_is_not_compared(self):
        for name in ("before", "after"):
            self.build(name, fuzz_calls="exec sleep 60")
        done = self.compare("--only", "sequences plain", "--time-limit", 1)
        self.assertEqual(1, done.returncode)
        self.assertIn("seed 0: not compared: fuzz_calls ran past 1.0 s", done.stdout)

    def test_build_without_a_program_names_its_targets(self):
        self.build("before")
        self.build("after")
        (self.root / "after/bin/fuzz_calls").unlink()
        done = self.compare()
        self.assertEqual(1, done.returncode)
        self.assertIn("has no bin/fuzz_calls: ninja -C", done.stderr)

    def test_a_job_that_does_not_exist_is_refused(self):
        self.build("before")
        self.build("after")
        done = self.compare("--only", "recods")
        self.assertEqual(2, done.returncode)
        self.assertIn("no such job: recods (there are records plain, ", done.stderr)

    def test_all_files_are_taken_without_quick(self):
        tasks, words = jobs.tasks([pathlib.Path(f"{n}.jsonl") for n in range(40)], [], quick=False)
        self.assertEqual({40}, {sum(t.job == job for t in tasks) for job in ("records plain", "records symbolic", "changed records")})
        self.assertEqual([64, 10, 10], [sum(t.job == job for t in tasks) for job in ("validate", "sequences plain", "sequences cache")])
        self.assertIn("40 of 40 files of recorded calls", words)

    def test_times_are_no_difference_and_numbers_are(self):
        self.assertEqual(outcome.normalised('{"seconds": 0.25, "calls": 3}', {}), outcome.normalised('{"seconds": 1e-05, "calls": 3}', {}))
        self.assertNotEqual(outcome.normalised('{"compared": 2}', {}), outcome.normalised('{"compared": 3}', {}))


class Revisions(unittest.TestCase):
    def test_copy_has_the_revision_not_the_working_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            repository, copy = pathlib.Path(folder) / "repository", pathlib.Path(folder) / "copy"

            def git(*arguments):
                return subprocess.run(["git", "-C", repository, "-c", "user.name=n", "-c", "user.email=e", *arguments], check=True,
                                      capture_output=True, text=True).stdout.strip()

            repository.mkdir()
            git("init", "-q")
            (repository / "CMakeLists.txt").write_text("old")
            git("add", ".")
            git("commit", "-qm", "one")
            commit = git("rev-parse", "HEAD")
            (repository / "CMakeLists.txt").write_text("new")
            git("commit", "-qam", "two")
            MutantTree(repository, copy).take(commit)
            self.assertEqual("old", (copy / "CMakeLists.txt").read_text())


if __name__ == "__main__":
    unittest.main()
