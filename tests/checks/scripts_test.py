"""Scripts that write files of the repository: each runs on a small folder, with a fake program."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def run(script, *arguments):
    return subprocess.run([sys.executable, "-B", TOOLS / script, *map(str, arguments)], text=True, capture_output=True)


def program(path, script):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)


class ConformanceSubset(unittest.TestCase):
    def test_kinds_of_records_share_the_space_evenly(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "data/aten").mkdir(parents=True)
            (root / "out").mkdir()
            (root / "out/gone.jsonl").write_text("old")
            answers = [json.dumps({"op": "aten.add.Tensor", "id": f"add/{i}", "pad": "x" * i}) for i in range(6)]
            error = json.dumps({"op": "aten.add.Tensor", "id": "add/e", "err": "TypeError"})
            (root / "data/aten/add.jsonl").write_text("\n".join(answers + [error]) + "\n")
            done = run("conformance_subset", root / "data", "--out", root / "out", "--megabytes", 0.0002)
            self.assertEqual("", done.stderr)
            kept = (root / "out/add.jsonl").read_text().splitlines()
            self.assertEqual([answers[0], answers[3], error], kept)  # the shortest call of each half, and the one error
            self.assertEqual(["add.jsonl"], [p.name for p in (root / "out").iterdir()])
            self.assertIn("3 of 7 records, 2 kinds, at most 2 of each, 0.0 MB in 1 files", done.stdout)


class TorchVersions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def row(self, python, *options):
        """Returns the last row that the script makes. `python`, a shell script, takes the place of the environment's Python."""
        program(self.root / "python", 'case "$*" in *__version__*) echo 2.12.1; exit;; esac\n' + python)
        done = run("torch_versions", self.root, "--installed", self.root / "python", "--folder", self.root / "seen", *options)
        self.assertEqual(0, done.returncode, done.stderr)
        return [c.strip() for c in done.stdout.strip().splitlines()[-1].strip("|").split("|")]

    def test_cell_seen_is_kept_and_others_stay_empty(self):
        first = self.row("echo True", "--cells", "glue")
        self.assertEqual(["2.12.1", "builds, loads"], first[:2])
        self.assertEqual({""}, set(first[2:]))
        self.assertEqual(first, self.row("echo broken; exit 1", "--cells", "glue"))
        self.assertEqual({"glue": "builds, loads"}, json.loads((self.root / "seen/2.12.1.json").read_text()))

    def test_unfinished_file_of_tests_is_counted_partly(self):
        python = ('case "$*" in *glue.load*) echo True; exit;; *live_test.py) echo "tests/python/live_test.py::A::test_one PASSED [ 50%]"; exec sleep 60;; esac\n'
                  'echo "tests/python/some.py::A::test_two FAILED [100%]"\n')
        self.assertIn("1 passed, 2 failed: test_two, test_two; no end after 0.02 minutes: live_test", self.row(python, "--cells", "glued", "--minutes", "0.02"))

    def test_glue_that_does_not_load_counts_no_tests(self):
        row = self.row('case "$*" in *pytest*) echo "tests/python/some.py::A::test_one SKIPPED [100%]"; exit;; esac\necho False\n', "--cells", "glued")
        self.assertIn("not tried: the glue builds, does not load: False", row)

    def test_sample_parts_are_summed_and_runs_resume(self):
        piece = {"operators": 2, "samples": 1200, "compared": 3000, "mismatched": 1, "skipped": 4, "differing": ["aten.relu.default"]}
        python = f"""for last; do true; done\ncase "$*" in *"--first $UNTIL "*) exec sleep 60;; esac\necho '{json.dumps(piece)}' > "$last"\n"""
        row = self.row("UNTIL=2\n" + python, "--cells", "samples", "--minutes", "0.05", "--pieces", "3")
        self.assertIn("2 of 3 parts: 4 operators, 2,400 samples, 6,000 compared, 2 mismatched, 8 skipped (aten.relu.default)", row)
        row = self.row("UNTIL=0\n" + python, "--cells", "samples", "--minutes", "0.5", "--pieces", "3")
        self.assertIn("3 of 3 parts: 6 operators, 3,600 samples, 9,000 compared, 3 mismatched, 12 skipped (aten.relu.default)", row)


class ProgramTable(unittest.TestCase):
    def table_of(self, **changed):
        """Returns (exit status, table, output) of the script if the program prints this report."""
        answer = {"status": "clean", "nodes": 3, "results": 100, "compared": 100, "mismatched": 0, "values_compared": 1, "missing": {},
                  "skipped": {"random": 0}, "record_wrong": [], "witnesses": {"eager": 100, "kernel": 0, "record": 0},
                  "findings": [], "programs": [{"with_fact": 100}]} | changed
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "programs/own/mlp").mkdir(parents=True)
            (root / "programs/own/mlp/mlp.pt2").write_text("")
            program(root / "ersatz", f"cat <<'END'\n{json.dumps(answer)}\nEND\n")
            done = run("program_table", root / "programs", "-o", root / "table.md", "--ersatz", root / "ersatz",
                       "--only", "own/*")
            return done.returncode, (root / "table.md").read_text(), done.stdout

    def test_program_that_is_compared_whole_makes_row(self):
        status, table, _ = self.table_of()
        self.assertEqual(0, status)
        self.assertIn("| own/mlp | 3 | 100 | 100 | 100 | 100 | 0 | 0 | 0 | 0 | 0 | 1 | 0 |\n", table)
        self.assertIn("1 exported programs, 100 results: 100 compared (100 with a real eager run, ", table)

    def test_facts_judging_under_95_percent_are_reported(self):
        witnesses = {"kernel": 0, "record": 0}
        self.assertEqual(0, self.table_of(witnesses=witnesses | {"eager": 95})[0])
        status, _, said = self.table_of(witnesses=witnesses | {"eager": 94})
        self.assertEqual(1, status)
        self.assertIn("own/mlp: 94 of 100 compared results that have a fact were judged by it", said)

    def test_a_finding_that_nobody_expects_is_said(self):
        status, _, said = self.table_of(status="findings", mismatched=2, findings=[{}, {}])
        self.assertEqual(1, status)
        self.assertIn("own/mlp: 2 findings, program_findings.tsv expects 0", said)


class Suite(unittest.TestCase):
    LOG = """[       OK ] Cat.JoinsRows (2 ms)
[       OK ] Sizes/Big.IsSlow/3, where GetParam() = 7 (5205 ms)
[  PASSED  ] 2 tests.
[       OK ] View.Splits (40 ms)
[  PASSED  ] 1 test.
[  SKIPPED ] 1 test, listed below:
[  FAILED  ] 3 tests, listed below:
"""

    def run_suite(self, status, *arguments):
        """Runs scripts/test with a fake ctest that writes LOG and ends with `status`."""
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder) / "build"
            (build / "Testing/Temporary").mkdir(parents=True)
            program(pathlib.Path(folder) / "bin/ctest", f"echo \"ctest $*\"\ncat >Testing/Temporary/LastTest.log <<'END'\n{self.LOG}END\nexit {status}\n")
            return subprocess.run([TOOLS / "test", build, *arguments], text=True, capture_output=True,
                                  env=os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}"})

    def test_counts_are_summed_and_the_slowest_named(self):
        done = self.run_suite(0)
        self.assertEqual("", done.stderr)
        self.assertEqual(["slowest tests:", "     5.2 s Sizes/Big.IsSlow/3", "     0.0 s View.Splits", "     0.0 s Cat.JoinsRows",
                          "tests: 3 passed, 1 skipped, 3 failed"], done.stdout.splitlines()[1:])

    def test_arguments_are_those_of_ctest(self):
        first = self.run_suite(0, "-R", "^test_", "-j", "2").stdout.splitlines()[0]
        self.assertEqual("ctest --output-on-failure -R ^test_ -j 2", first)

    def test_it_ends_as_ctest_does(self):
        self.assertEqual(8, self.run_suite(8).returncode)


class Behaviours(unittest.TestCase):
    def test_failed_skipped_or_missing_test_shows_no_row(self):
        loader = importlib.machinery.SourceFileLoader("behaviours_script", str(TOOLS / "behaviours"))
        script = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(script)
        cases = [{"name": "good", "result": "COMPLETED"}, {"name": "bad", "result": "COMPLETED", "failures": [{}]},
                 {"name": "odd/0", "result": "SKIPPED"}]
        report = json.dumps({"testsuites": [{"name": "A", "testsuite": cases}]})
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            program(build / "bin/test_fake", f"for a; do case $a in --gtest_output=json:*) cat >\"${{a#*json:}}\" <<'END'\n{report}\nEND\nesac; done\n")
            tests = {"MODE-01": [f"tests/fake/a_test.cpp: A.{name}" for name in ("good", "bad", "odd", "gone")]}
            self.assertEqual(["test_fake: A.bad failed", "test_fake: A.odd was skipped", "test_fake: A.gone is not there"],
                             script.run_tests(build, tests))


class WheelLicencesTest(unittest.TestCase):
    def test_wheel_libraries_are_known_by_their_files(self):
        sys.path.insert(0, str(TOOLS))
        import wheel_licences

        names = ["ersatz_tensors.libs/", "ersatz_tensors.libs/libfmt-4f700944.so.9.1.0", "ersatz/libersatz.so.0.2.0"]
        self.assertEqual(wheel_licences.bundled(names), {"libfmt-4f700944.so.9.1.0": "libfmt.so.9.1.0"})


if __name__ == "__main__":
    unittest.main()
