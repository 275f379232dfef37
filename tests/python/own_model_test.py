"""In each form that ersatz reads, it finds the wrong operators of a model of 12 custom operators, and no others."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz.torch
import own_model
from ersatz.torch import glue
from own_folder import own_folder
from pytest_plugin_test import pytest, run_suite

HERE = pathlib.Path(__file__).resolve().parent
LINE = "own_model.py"


def found(rows):
    """Returns {(op, field)} of findings, which are objects or JSON."""
    rows = [row if isinstance(row, dict) else {"op": row.op, "field": row.field} for row in rows]
    return {(row["op"].split(".")[1], row["field"]) for row in rows}


def run():
    torch.manual_seed(3)
    out = own_model.train()
    return [*out, torch.rand(4)]


class OwnModel(unittest.TestCase):
    def judged(self, report, fields=own_model.WRONG):
        self.assertEqual(found(report.findings), set(fields.items()), str(report))
        for finding in report.findings:
            self.assertIn(LINE, finding.source)
        self.assertFalse(report.own_unjudged)

    def live(self, native):
        plain = run()
        with ersatz.torch.crosscheck(native=native) as live:
            watched = run()
        for a, b in zip(plain, watched, strict=True):
            self.assertTrue(torch.equal(a.view(torch.uint8), b.view(torch.uint8)))
        self.judged(live.report)
        self.assertEqual(live.report.findings[0].op.split(".")[1], own_model.FIRST)

    def test_live_mode(self):
        self.live(False)

    @unittest.skipUnless(glue.path().exists(), "the native glue of this version is not built: python -m ersatz build-glue")
    def test_glue(self):
        self.live(True)

    def command(self, *arguments, **more):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path]), **more}
        return subprocess.run([sys.executable, "-B", *arguments], text=True, capture_output=True, env=environment, cwd=self.folder)

    def report(self):
        return json.loads((pathlib.Path(self.folder) / "report.json").read_text())["findings"]

    def setUp(self):
        self.folder = str(own_folder(self))

    def test_script(self):
        done = self.command("-m", "ersatz", "crosscheck", "--json", "-o", "report.json", str(HERE / "own_model.py"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(found(self.report()), set(own_model.WRONG.items()))

    @unittest.skipUnless(pytest, "there is no pytest")
    def test_pytest(self):
        report = os.path.join(self.folder, "report.json")
        status, text = run_suite("import own_model\n\ndef test_train():\n    own_model.train()\n", "--ersatz-crosscheck",
                                 "--ersatz-report", report,
                                 beside={"own_model": (HERE / "own_model.py").read_text()})
        self.assertEqual(status, 1, text)
        self.assertEqual(found(self.report()), set(own_model.WRONG.items()))

    def test_recorded_run(self):
        path = os.path.join(self.folder, "run.jsonl")
        plain = run()
        with ersatz.torch.record(path):
            watched = run()
        for a, b in zip(plain, watched, strict=True):
            self.assertTrue(torch.equal(a.view(torch.uint8), b.view(torch.uint8)))
        for command in ("crosscheck", "validate"):
            with self.subTest(command):
                done = self.command("-m", "ersatz", command, "--json", path)
                self.assertEqual(done.returncode, 1, done.stderr)
                rows = json.loads(done.stdout)["findings"]
                wrong = {op: field for op, field in own_model.WRONG.items() if field != "unwritten"}  # recording changes no memory, so it finds no unwritten elements
                self.assertEqual({row for row in found(rows) if row[0] in own_model.OPERATORS}, set(wrong.items()))


if __name__ == "__main__":
    unittest.main()
