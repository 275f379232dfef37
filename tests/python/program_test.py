"""ersatz.load and ersatz.crosscheck give the results of the commands, for programs and recorded calls."""

import doctest
import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

import ersatz
from ersatz import _ersatz, errors, program

RIGHT = """ersatz program 2
graph(%x: f32[2,3]{3,1}+0@cpu = input "x"):
    %y: f32[2,3]{3,1}+0@cpu = aten.add.Tensor(%x, %x) {at="model.py:3 in forward: y = x + x"}
    %z: f32[3,2]{1,3}+0@cpu ~%y = aten.t.default(%y)
    return %z
"""
WRONG = RIGHT.replace("%y: f32[2,3]{3,1}", "%y: f32[2,3]{1,2}", 1)
FOREIGN = RIGHT.replace("aten.add.Tensor(%x, %x)", "mine.mix.default(%x, %x)")
CALL = ('{"id": "add/1", "op": "aten.add.Tensor", "args": [{"t": "f32[2]{1}+0@cpu", "s": 0, "n": 8}, {"t": "f32[2]{1}+0@cpu", "s": 1, "n": 8}], '
        '"kwargs": {}, "out": [{"t": "f32[2]{1}+0@cpu", "s": 2, "n": 8}]}\n')


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()) if sys.version_info >= (3, 11) else tempfile.mkdtemp())

    def file(self, text, name="model.txt"):
        path = self.folder / name
        path.write_text(text)
        return path

    def command(self, *arguments):
        out = self.folder / "out.json"
        status = _ersatz.run_command([*map(str, arguments), "-o", str(out)])
        return status, out.read_text()

    def test_a_program_shows_what_is_in_it(self):
        p = ersatz.load(self.file(RIGHT))
        self.assertEqual([(n.name, n.op, n.source) for n in p.nodes],
                         [("y", "aten.add.Tensor", "model.py:3 in forward: y = x + x"), ("z", "aten.t.default", "")])
        self.assertEqual([(i.name, i.meta) for i in p.inputs], [("x", "f32[2,3]@cpu")])
        self.assertEqual(p.nodes[0].bytes, 24)
        self.assertIn("aten.add.Tensor(%x, %x)", p.show())
        self.assertIn("torch.ops.aten.add.Tensor", p.show(python=True))
        self.assertEqual(ersatz.load(self.file(p.show(), "again.txt")).show(), p.show())

    def test_show_is_what_the_command_prints(self):
        path = self.file(RIGHT)
        for options, flags in [({}, []), ({"table": True}, ["--table"]), ({"python": True}, ["--python"])]:
            self.assertEqual(ersatz.load(path).show(**options), self.command("show", path, *flags)[1], flags)

    def test_fake_gives_metadata_and_memory_on_another_device(self):
        report = ersatz.load(self.file(RIGHT)).fake(device="cuda")
        self.assertEqual([(r.name, r.meta, r.alias) for r in report.results],
                         [("y", "f32[2,3]{3,1}+0@cuda:0", ""), ("z", "f32[3,2]{1,3}+0@cuda:0", "y")])
        self.assertEqual((report.nodes, report.peak_bytes, report.param_bytes, report.flops), (2, 1024, 0, 12.0))  # the peak is in blocks of the GPU allocator
        self.assertEqual(report["z"].op, "aten.t.default")
        self.assertEqual(str(report).splitlines()[-1], report.closing_line)
        self.assertTrue(report.closing_line.startswith("fake: 2 nodes, 2 results, peak 1024 B"))

    def test_fake_is_what_the_command_writes(self):
        path = self.file(RIGHT)
        status, text = self.command("fake", path, "--device", "cuda", "--json")
        self.assertEqual(json.loads(text), json.loads(ersatz.load(path).fake("cuda").to_json()))
        self.assertEqual(status, 0)

    def test_sizes_may_be_symbols(self):
        report = ersatz.load(self.file(RIGHT)).fake(dynamic=["x:0=n:1..64"])
        self.assertEqual(report["y"].meta, "f32[n,3]{3,1}+0@cpu")

    def test_crosscheck_compares_and_counts(self):
        report = ersatz.load(self.file(RIGHT)).crosscheck()
        self.assertTrue(report.clean)
        self.assertEqual((report.compared, report.mismatched, report.findings), (2, 0, ()))
        self.assertEqual(report.closing_line, "crosscheck: 2 compared, 0 mismatched, 0 skipped")

    def test_wrong_record_is_a_finding_with_repro(self):
        report = ersatz.load(self.file(WRONG)).crosscheck()
        self.assertFalse(report.clean)
        found = report.findings[0]
        self.assertEqual((found.node, found.op, found.field, found.witness), ("y", "aten.add.Tensor", "stride", "record"))
        self.assertEqual((found.predicted, found.observed), ("f32[2,3]{3,1}+0@cpu", "f32[2,3]{1,2}+0@cpu"))
        self.assertEqual(found.source, "model.py:3 in forward: y = x + x")
        again = ersatz.crosscheck(self.file(found.repro, "repro.txt"))
        self.assertEqual([(f.op, f.field) for f in again.findings], [("aten.add.Tensor", "stride")])
        self.assertIn("<!DOCTYPE html>", report.to_html())
        with self.assertRaises(errors.MetadataMismatch):
            report.raise_if_findings()

    def test_crosscheck_is_what_the_command_writes(self):
        path = self.file(WRONG)
        status, text = self.command("crosscheck", path, "--no-real", "--json")
        report = ersatz.crosscheck(path, no_real=True)
        self.assertEqual(json.loads(text), json.loads(report.to_json()))
        self.assertEqual(status, 1)
        self.assertEqual(self.command("crosscheck", path, "--no-real")[1], report.text)
        self.assertEqual(self.command("crosscheck", path, "--no-real", "--html")[1], report.to_html())

    def test_recorded_calls_replay_and_causes_count_records(self):
        wrong = CALL.replace('"out": [{"t": "f32[2]{1}+0@cpu", "s": 2, "n": 8}', '"out": [{"t": "f64[2]{1}+0@cpu", "s": 2, "n": 16}')
        report = ersatz.crosscheck(self.file(CALL + wrong.replace("add/1", "add/2") + wrong.replace("add/1", "add/3"), "run.jsonl"))
        self.assertEqual([(f.field, f.times) for f in report.findings], [("dtype", 2)])
        self.assertEqual(ersatz.crosscheck(self.folder / "run.jsonl", limit=1).mismatched, 0)
        self.assertEqual(ersatz.crosscheck(self.folder / "run.jsonl", ids=["add/3"]).findings[0].times, 1)

    def test_missing_operators_raise_unless_it_goes_on(self):
        path = self.file(FOREIGN)
        for run in [ersatz.load(path).fake, ersatz.load(path).crosscheck]:
            with self.assertRaises(errors.NotImplementedError) as raised:
                run()
            self.assertEqual(raised.exception.kind, "UnsupportedOperator")
            self.assertIn("operators are missing: mine.mix.default (1 node)", str(raised.exception))
            self.assertEqual(len(str(raised.exception).splitlines()), 1)
        self.assertEqual(ersatz.load(path).fake(keep_going=True).missing, {"mine.mix.default": 1})
        self.assertEqual(ersatz.load(path).crosscheck(keep_going=True).compared, 1)

    def test_non_program_files_give_a_one_line_reason(self):
        (self.folder / "empty").mkdir()
        for path in [self.folder / "absent.pt2", self.folder, self.file(""), self.file("graph(", "cut.txt"), self.file("PK\3\4 no archive", "bad.pt2"),
                     self.file('{"graph_module": 3}', "model.json")]:
            with self.assertRaises(ersatz.Error) as raised:
                ersatz.load(path)
            self.assertEqual(len(str(raised.exception).splitlines()), 1, path)
        for options, words in [({"device": "gpu"}, "--device gpu"), ({"waivers": self.folder / "none.txt"}, "none.txt"),
                               ({"reference": "f32"}, "f32"), ({"inputs": self.folder / "absent.json"}, "absent.json"), ({"today": "soon"}, "soon")]:
            with self.assertRaisesRegex(ersatz.Error, words) as raised:
                ersatz.crosscheck(self.file(RIGHT, "right.txt"), **options)
            self.assertEqual(len(str(raised.exception).splitlines()), 1, options)
        with self.assertRaises(ersatz.Error):
            ersatz.crosscheck(self.folder / "empty")

    def test_refused_call_raises_the_calls_error(self):
        path = self.file(RIGHT.replace("aten.t.default(%y)", "aten.select.int(%y, 0, 9)"))
        with self.assertRaises(errors.IndexError) as raised:
            ersatz.load(path).fake()
        self.assertEqual(raised.exception.op, "select")

    def test_threads_check_at_the_same_time(self):
        path, seen = self.file(WRONG), []
        threads = [threading.Thread(target=lambda: seen.append(ersatz.crosscheck(path).mismatched)) for _ in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(seen, [1] * 6)

    def test_ctrl_c_ends_long_work(self):
        lines = ["    %y0: f32[700,700]{700,1}+0@cpu = aten.mm.default(%x, %x)"]
        lines += [f"    %y{i}: f32[700,700]{{700,1}}+0@cpu = aten.mm.default(%y{i - 1}, %x)" for i in range(1, 4000)]
        path = self.file("ersatz program 2\ngraph(%x: f32[700,700]{700,1}+0@cpu = input \"x\"):\n" + "\n".join(lines) + "\n    return %y3999\n")
        code = textwrap.dedent("""
            import os, signal, sys, threading, time, ersatz
            before = signal.getsignal(signal.SIGINT)
            threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            begin = time.monotonic()
            try:
                ersatz.crosscheck(sys.argv[1], inputs="zeros")
            except KeyboardInterrupt:
                assert signal.getsignal(signal.SIGINT) is before
                assert ersatz.crosscheck(sys.argv[2]).clean  # and the next run is whole
                sys.exit(7)
        """)
        ended = subprocess.run([sys.executable, "-c", code, path, self.file(RIGHT, "right.txt")], timeout=120)
        self.assertEqual(ended.returncode, 7)

    def test_examples_of_the_docstrings_run(self):
        tried = doctest.testmod(program)
        self.assertEqual(tried.failed, 0)
        self.assertGreater(tried.attempted, 5)


if __name__ == "__main__":
    unittest.main()
