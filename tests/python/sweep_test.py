"""`ersatz sweep`: runs items in processes of their own, and continues an interrupted sweep."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from ersatz import errors
from ersatz.sweep import kept, sweep
from own_folder import own_folder

PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "programs"
ITEMS = [str(PROGRAMS / name / f"{name}.pt2") for name in ("mlp", "resnet_tiny")]


class SweepTest(unittest.TestCase):
    def setUp(self):
        self.folder = own_folder(self)

    def test_each_item_is_judged_once_reported_by_name(self):
        told = []
        report = sweep([*reversed(ITEMS), ITEMS[0], "op:aten.relu.default"], out=self.folder, progress=told.append)
        self.assertEqual([i.item for i in report.items], sorted([*ITEMS, "op:aten.relu.default"]))
        relu = next(i for i in report.items if i.item == "op:aten.relu.default")
        self.assertGreater(relu.compared, 100)
        self.assertEqual({i.status for i in report.items}, {"clean"}, str(report))
        self.assertEqual([i.compared for i in report.items if i.item.endswith("resnet_tiny.pt2")], [52])
        self.assertTrue(report.clean)
        self.assertEqual(len(told), 3)
        self.assertEqual(json.loads((self.folder / "report.json").read_text()), json.loads(report.to_json()))
        self.assertEqual([json.loads(report.to_json())[key] for key in ("format", "command", "status")], [1, "sweep", report.status])

    def test_it_does_not_depend_on_sharing_of_items(self):
        self.assertEqual(sweep(ITEMS, out=self.folder / "a", jobs=1), sweep(ITEMS, out=self.folder / "b", jobs=4))

    def test_what_is_there_is_not_judged_again(self):
        sweep(ITEMS[:1], out=self.folder)
        told = []
        report = sweep(ITEMS, out=self.folder, progress=told.append)
        self.assertEqual((len(told), len(report.items)), (1, 2))

    def test_unjudgeable_item_has_a_reason_and_others_run(self):
        report = sweep([ITEMS[0], "nowhere.pt2"], out=self.folder)
        self.assertEqual([(i.status, i.message.partition(": ")[0]) for i in report.items if "nowhere" in i.item], [("unusable", "ersatz")])
        self.assertEqual([i.status for i in report.items if "mlp" in i.item], ["clean"])
        self.assertFalse(report.clean)

    def test_operators_that_are_missing_are_named(self):
        program = self.folder / "foo.txt"
        program.write_text("graph(%x: f32[2]):\n  %y: tensor = mine.foo.default(%x)\n  return %y\n")
        item, = sweep([program], out=self.folder).items
        self.assertEqual((item.status, item.message), ("unusable", "no operator of this name is here: mine.foo.default"))

    def test_a_process_that_dies_says_of_what(self):
        dies = self.folder / "python"
        for script, message in (("kill -SEGV $$", "ended by SIGSEGV"), ("echo its words >&2; kill -ABRT $$", "ended by SIGABRT: its words"),
                                ("exit 7", "it ended with status 7 and said nothing")):
            dies.write_text(f"#!/bin/sh\n{script}\n")
            dies.chmod(0o755)
            with mock.patch.object(sys, "executable", str(dies)), tempfile.TemporaryDirectory() as out:
                item, = sweep(["a.pt2"], out=out).items
            self.assertEqual((item.status, item.message), ("crashed", message))

    def test_an_item_that_takes_too_long_is_ended(self):
        report = sweep(ITEMS[:1], out=self.folder, timeout=0.001)
        self.assertEqual((report.items[0].status, report.items[0].message), ("timeout", "ended after 0.001 s"))

    def test_interrupted_sweep_ends_what_runs(self):
        begun, python = self.folder / "begun", self.folder / "python"
        python.write_text(f'#!/bin/sh\necho $5 >> {begun}\n[ $5 = a.pt2 ] && exit 7\nexec sleep 60\n')
        python.chmod(0o755)
        start = time.monotonic()
        with mock.patch.object(sys, "executable", str(python)), self.assertRaises(KeyboardInterrupt):
            sweep(["a.pt2", "b.pt2", "c.pt2", "d.pt2"], out=self.folder / "out", jobs=2, progress=mock.Mock(side_effect=KeyboardInterrupt))
        self.assertLess(time.monotonic() - start, 50)
        self.assertNotIn("d.pt2", begun.read_text())
        self.assertEqual([i.item for i in kept(["a.pt2", "b.pt2"], self.folder / "out").items], ["a.pt2"])

    def test_no_items_are_refused(self):
        with self.assertRaises(errors.ValueError):
            sweep([], out=self.folder)

    def test_command_reads_a_list_and_combines_statuses(self):
        items = self.folder / "items.txt"
        items.write_text(f"# two\n{ITEMS[0]}\nnowhere.pt2  # missing\n")
        run = [sys.executable, "-m", "ersatz", "sweep", str(items), "-o", str(self.folder / "out")]
        done = subprocess.run(run, capture_output=True, text=True, env={**os.environ})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "sweep: 2 items, 1 clean, 1 unusable")
        missing = subprocess.run([*run[:4], "none.txt", *run[5:]], capture_output=True, text=True)
        self.assertEqual((missing.returncode, len(missing.stderr.splitlines())), (2, 1))


if __name__ == "__main__":
    unittest.main()
