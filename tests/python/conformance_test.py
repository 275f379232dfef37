"""`ersatz conformance` finds planted wrong predictions and no others, and continues after an interruption."""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

from own_folder import own_folder

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    from ersatz.sweep import Swept, SweepReport
    from ersatz.torch import conformance_command
    from ersatz.torch.conforming import witnesses
    from ersatz.torch.conforming.judging import Judging, judged

RECORDS = pathlib.Path(__file__).resolve().parents[1] / "conformance"
COPYSIGN, CLEAN = RECORDS / "copysign.jsonl", RECORDS / "t.jsonl"


def planted():
    """Defines an operator for each fault, and a right one. Their kernels return x + 1 in the layout of x."""
    library = torch.library.Library("planted_conformance", "FRAGMENT")

    def op(name, fake, kernel=lambda x: x + 1, key=""):
        library.define(f"{name}(Tensor x) -> Tensor")
        library.impl(name, kernel, "CPU")
        if key:
            library.impl(name, fake, key)
        else:
            torch.library.register_fake(f"planted_conformance::{name}", fake, lib=library)
        return getattr(torch.ops.planted_conformance, name).default

    def raises(x):
        raise RuntimeError("not this")

    def raises_on_ones(x):
        torch._check(not bool((x == 1).any()), lambda: "ones are refused")
        return x + 1

    def raises_on_rows(x):
        torch._check(not x.is_contiguous(), lambda: "rows are refused")
        return x + 1

    return library, {
        "right": op("right", torch.empty_like),
        "row_major": op("row_major", lambda x: x.new_empty(x.shape)),
        "size": op("size", lambda x: x.new_empty(x.shape[0], x.shape[1] + 1)),
        "dtype": op("dtype", lambda x: x.to(torch.float64), key="Meta"),
        "offset": op("offset", torch.empty_like, lambda x: torch.empty(x.numel() + 1)[1:].view(x.shape)),
        "refuses": op("refuses", raises),
        "takes": op("takes", torch.empty_like, raises_on_rows),
        "takes_by_values": op("takes_by_values", torch.empty_like, raises_on_ones)}


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Planted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.library, cls.ops = planted()

    @classmethod
    def tearDownClass(cls):
        cls.library._destroy()

    def found(self, name, *arguments, decompositions=None):
        """Returns (source, cause, observed, predicted, shown) of each finding, and the counts."""
        op, judging = self.ops[name], Judging()
        with mock.patch.dict(witnesses.decomposition_table, {op: decompositions} if decompositions else {}):
            for x in arguments:
                judging.call(op, lambda x=x: op(x), ((x,), {}))
            report = judging.report()
        return [tuple(f[k] for k in ("source", "cause", "observed", "predicted", "shown")) for f in report["findings"]], report["counts"]

    def test_a_right_fake_is_not_found(self):
        found, counts = self.found("right", torch.zeros(2, 3), torch.zeros(3, 2).t(), torch.zeros(4)[1:3])
        self.assertEqual((found, counts["fake: compared"]), ([], 3))

    def test_strides_without_effect_are_no_difference(self):
        self.assertEqual(self.found("row_major", torch.zeros(1, 3).as_strided((1, 3), (7, 1)))[0], [])

    def test_wrong_fake_is_found_with_cause_and_sides(self):
        columns = torch.zeros(3, 2).t()
        for name, source, cause, observed, predicted in (
                ("row_major", "fake", "differs.stride_lost", "f32[2,3]{1,2}", "f32[2,3]{3,1}"),
                ("size", "fake", "differs.size", "f32[2,3]{1,2}", "f32[2,4]{4,1}"),
                ("dtype", "fake", "differs.dtype", "f32[2,3]{1,2}", "f64[2,3]{1,2}"),
                ("offset", "fake", "differs.stride_kept", "f32[2,3]{3,1}+1", "f32[2,3]{1,2}"),
                ("refuses", "fake", "refused.other", "f32[2,3]{1,2}", "raises RuntimeError")):
            found, _ = self.found(name, columns)
            (told,) = [(s, c, o, p.partition(": ")[0]) for s, c, o, p, _ in found]
            self.assertEqual(told, (source, cause, observed, predicted), name)

    def test_a_storage_offset_alone_is_found(self):
        self.assertEqual([f[1:4] for f in self.found("offset", torch.zeros(2, 3))[0]], [("differs.offset", "f32[2,3]{3,1}+1", "f32[2,3]{3,1}")])

    def test_fake_accepting_what_eager_refuses_is_found(self):
        ((source, cause, observed, predicted, _),), _ = self.found("takes", torch.ones(2, 3))
        self.assertEqual((source, cause, predicted), ("fake", "taken.sizes", "f32[2,3]{3,1}"))
        self.assertIn("RuntimeError", observed)

    def test_value_dependent_refusal_is_counted_not_found(self):
        found, counts = self.found("takes_by_values", torch.ones(2, 3))
        self.assertEqual((found, counts["not compared: whether it raises depends on values"]), ([], 1))

    def test_wrong_decomposition_is_told_apart_from_right_fake(self):
        found, counts = self.found("right", torch.zeros(3, 2).t(), decompositions=lambda x: (x + 1).contiguous())
        self.assertEqual([f[:2] for f in found], [("decomposition", "differs.stride_lost")])
        self.assertEqual((counts["fake: wrong"] if "fake: wrong" in counts else 0, counts["decomposition: wrong"]), (0, 1))
        self.assertEqual(self.found("right", torch.zeros(2, 3), decompositions=lambda x: x + 1)[0], [])

    def test_wrong_sources_of_one_call_are_one_finding(self):
        op, judging = self.ops["dtype"], Judging()
        judging.call(op, lambda: op(torch.zeros(2)), ((torch.zeros(2),), {}))
        (finding,) = judging.report()["findings"]
        self.assertEqual((finding["source"], finding["calls"], finding["also"]), ("fake", 1, {"meta": 1}))

    def test_decomposition_does_not_write_arguments_of_call(self):
        x = torch.zeros(2)
        self.found("right", x, decompositions=lambda x: x.add_(5))
        self.assertEqual(x.tolist(), [0, 0])


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Command(unittest.TestCase):
    def setUp(self):
        self.folder = own_folder(self)

    def main(self, *arguments):
        """Runs the command with its items judged in this process. Returns its exit status and what it prints."""
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            try:
                status = conformance_command.main(list(map(str, arguments)))
            except SystemExit as e:
                status = e.code
        return status, out.getvalue(), error.getvalue()

    def test_findings_have_scripts_and_second_runs_judge_nothing(self):
        folder = self.folder / "found"
        run = [sys.executable, "-m", "ersatz", "conformance", COPYSIGN, "--no-opinfo", "-o", folder]
        done = subprocess.run(run, capture_output=True, text=True, env={**os.environ})
        self.assertEqual(done.returncode, 1, done.stderr)
        report = json.loads((folder / "report.json").read_text())
        self.assertEqual((report["command"], report["status"], report["torch"]), ("conformance", "findings", torch.__version__))
        (finding,) = [f for f in report["findings"] if f["cause"] == "differs.stride_lost"]
        self.assertEqual((finding["op"], finding["source"], finding["shown"]), ("copysign", "fake", True))
        without = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "ERSATZ"))}
        shown = subprocess.run([sys.executable, "-W", "ignore", folder / finding["script"]], capture_output=True, text=True, env=without, cwd=self.folder)
        self.assertEqual(shown.stdout.split(), ["eager", finding["observed"], "fake", finding["predicted"]], shown.stderr)
        page = (folder / "found.md").read_text()
        self.assertIn(f"# Wrong predictions of PyTorch {torch.__version__}\n\nWritten by `ersatz conformance {COPYSIGN}", page)
        before = page
        again = subprocess.run(run, capture_output=True, text=True)
        self.assertEqual((again.returncode, "1 of 1" in again.stderr, (folder / "found.md").read_text()), (1, False, before))

    def test_records_on_which_all_agree_end_with_0(self):
        report = judged(f"records {CLEAN}")
        self.assertEqual((report["status"], report["mismatched"]), ("clean", 0), report["findings"])
        item = Swept(f"conformance:records {CLEAN}", "clean", 7, 0, (), "", {"fake: compared": 7, "calls": 7})
        with mock.patch.object(conformance_command, "sweep", lambda *_, **__: SweepReport((item,))), \
                mock.patch.object(conformance_command, "kept", lambda *_: SweepReport((item,))):
            status, out, _ = self.main(CLEAN, "--no-opinfo", "-o", self.folder / "a")
        self.assertEqual((status, out.splitlines()[0]), (0, "conformance: 7 calls, 7 predictions compared, 0 wrong, of 0 kinds"))

    def test_opinfo_samples_are_judged_as_given_and_permuted(self):
        report = judged("opinfo:f32 copysign")
        self.assertGreater(report["counts"]["fake: compared"], 5)
        self.assertIn(("fake", "copysign"), [(f["source"], f["op"]) for f in report["findings"]])

    def test_unusable_input_is_named_with_a_remedy(self):
        (self.folder / "empty").mkdir()
        (self.folder / "no.jsonl").write_text("nothing\n")
        for arguments, told in (([self.folder / "none"], "no file or folder of this name"), ([self.folder / "empty"], "no *.jsonl in this folder"),
                                (["--opinfo", "copysigns"], "it has copysign"), (["--no-opinfo"], "--no-opinfo needs RECORDS"),
                                ([COPYSIGN, "--each", "0"], "at least one"), (["--opinfo", "add", "--no-opinfo"], "contradict")):
            status, out, error = self.main(*arguments, "-o", self.folder / "o")
            self.assertEqual((status, out, len(error.splitlines())), (2, "", 1), error)
            self.assertIn(told, error)
            self.assertFalse((self.folder / "o" / "found.md").exists())

    def test_a_folder_of_another_pytorch_is_refused(self):
        (self.folder / "run.json").write_text(json.dumps({"format": 1, "torch": "2.9.1"}))
        status, _, error = self.main(CLEAN, "--no-opinfo", "-o", self.folder)
        self.assertEqual(status, 2)
        self.assertIn(f"its reports are of PyTorch 2.9.1, this one is {torch.__version__}: name another folder", error)

    def test_interrupted_run_writes_findings_and_ends_with_130(self):
        with mock.patch.object(conformance_command, "sweep", mock.Mock(side_effect=KeyboardInterrupt)):
            status, out, error = self.main(CLEAN, COPYSIGN, "--no-opinfo", "--each", 1, "-o", self.folder)
        self.assertEqual((status, error), (130, "ersatz: interrupted; the same command goes on\n"))
        self.assertIn("0 of 2 items so far", out)
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["judged"], 0)

    def test_item_that_ends_pytorch_is_judged_in_parts(self):
        asked = []

        def sweep(items, **_):
            asked.append([i.split()[1:] for i in items])
            return SweepReport(tuple(Swept(i, "crashed" if "b" in i.split() else "clean", 1, 0, (), "ended by SIGSEGV") for i in items))

        options = mock.Mock(jobs=1, timeout=1, memory=None)
        with mock.patch.object(conformance_command, "sweep", sweep):
            items, interrupted = conformance_command._swept(["conformance:records a b c"], self.folder, options)
        self.assertEqual(asked, [[["a", "b", "c"]], [["a", "b"], ["c"]], [["a"], ["b"], ["c"]]])
        self.assertEqual((items, interrupted), ([f"conformance:records {n}" for n in "abc"], False))

    def test_help_has_output_and_exit_statuses(self):
        status, out, _ = self.main("--help")
        self.assertEqual(status, 0)
        for text in ("found.md", "scripts/", "goes on where it was ended", "130 interrupted"):
            self.assertIn(text, out)


if __name__ == "__main__":
    unittest.main()
