"""`ersatz.torch.export`: each kind of refusal, with the change that makes the model pass or the reason why none
does."""

from __future__ import annotations

import contextlib
import io
import json
import os
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz.torch
import refused_models
from ersatz.__main__ import main
from own_folder import own_folder

FILE = refused_models.__file__


def exported(name, **options):
    torch.manual_seed(0)
    model = getattr(refused_models, name)
    return ersatz.torch.export(model().eval(), *model.given(), **options)


def line(text):
    with open(FILE, encoding="utf-8") as f:
        return 1 + [row.strip() for row in f].index(text)


class Changes(unittest.TestCase):
    def passes(self, name, code):
        """Requires that `code` is the only change that lets the model export. The program and the changed source must have
        the results of eager mode."""
        report = exported(name)
        self.assertTrue(report.exports, report)
        self.assertEqual([c.code.strip() for c in report.changes], [code], report)
        self.assertTrue(report.clean, report)
        return report

    def test_a_model_that_exports_gets_no_line(self):
        report = exported("Fine")
        self.assertEqual((report.changes, report.patch, len(report.tries)), ((), "", 1))
        self.assertTrue(report.clean, report)

    def test_a_cut_that_a_slice_makes_anyway(self):
        report = self.passes("CutBoxes", "boxes = boxes[:10]")
        at = line("if boxes.shape[0] > 10:")
        self.assertIn(f"`u0 > 10` at refused_models.py:{at}: True in 2 of 2 runs, ", report.guards[0])
        self.assertEqual(report.assumptions, ())

    def test_size_that_was_always_0_gets_no_line(self):
        report = exported("NeverFound")
        self.assertEqual((report.exports, report.changes), (False, ()), report)
        self.assertIn("one side was met only", report.reason)

    def test_products_number_is_no_bound_of_its_factors(self):
        report = self.passes("HalfOf", "torch.sym_int(t.item() * 0.5) in place of int(t.item() * 0.5)")
        self.assertNotIn("torch._check", report.patch)

    def test_packed_sequences_as_padded_ones(self):
        for name in ("GatedRecurrent", "LastState"):
            report = exported(name)
            self.assertTrue(report.clean, report)
            self.assertNotIn("pack_padded_sequence(", report.pasted(FILE)[report.pasted(FILE).index(f"class {name}") :].partition("def given")[0])

    def test_loop_over_number_from_data_is_told(self):
        for name, header in (("Counted", "while i < n.item()"), ("Rounds", "for ... in range(n.item())")):
            report = exported(name)
            self.assertEqual((report.exports, report.changes, report.status), (False, (), "findings"))
            self.assertIn(f"`{header}` at refused_models.py:", report.reason)
            self.assertIn("while_loop", report.reason)

    def test_a_branch_that_raises_on_a_tensor(self):
        report = exported("RaisesOnTensor")
        self.assertTrue(report.clean, report)
        self.assertIn("torch._check(torch.sym_not(holds))", report.patch)

    def test_an_assert_of_a_tensor(self):
        report = exported("AssertsOnTensor")
        self.assertTrue(report.clean, report)
        self.assertIn("torch._check(holds)", report.patch)

    def test_a_conditional_expression(self):
        self.passes("Ternary", "kept[:4] in place of kept[:4] if kept.shape[0] > 4 else kept")

    def test_a_float(self):
        self.passes("Clamped", "share.item() in place of float(share)")

    def test_a_number_without_a_name_gets_one(self):
        report = exported("Unnamed")
        self.assertTrue(report.clean, report)
        self.assertEqual([c.kind for c in report.changes], ["name", "check"])
        self.assertIn("> 0)", report.changes[1].code)
        told = json.loads(report.to_json())
        self.assertEqual([told[key] for key in ("input", "device", "exports", "error")], ["Unnamed", "cpu", True, None])
        (added,) = told["lines"]  # one change only names a value; the other one is the line
        self.assertEqual((added["file"], added["code"]), (FILE, report.changes[1].code))
        self.assertEqual((added["after"] + 1, added["guard"]), (report.changes[1].line, report.changes[1].guard))
        self.assertRegex(added["guard"], r"\bu[01]\b")

    def test_branch_that_does_something_else_on_each_side(self):
        report = exported("EitherSide")
        self.assertFalse(report.exports)
        self.assertIn("torch.cond", report.reason)
        self.assertIn("both sides are met", report.reason)

    def test_nan_is_drawn_if_the_model_needs_it(self):
        report = exported("Asks")
        self.assertTrue(report.clean, report)
        self.assertIn("torch.where(torch.isnan(x).any(), torch.nan_to_num(x), x)", report.patch)

    def test_a_check_that_is_too_strong(self):
        report = exported("TooStrong")
        self.assertIn("-        torch._check(kept.shape[0] >= 6)\n+        torch._check(kept.shape[0] != 0)\n", report.patch)
        self.assertTrue(report.clean, report)

    def test_no_change_refuses_what_eager_takes(self):
        for name in ("CutBoxes", "HalfOf", "Ternary", "RaisesOnTensor", "Unnamed"):
            model = getattr(refused_models, name)
            torch.manual_seed(0)
            eager = model().eval()
            report = ersatz.torch.export(eager, *model.given())
            path = own_folder(self) / f"{name.lower()}_mended.py"
            path.write_text(report.pasted(FILE))
            scope = {}
            exec(compile(path.read_text(), str(path), "exec"), scope)
            torch.manual_seed(0)
            mended = scope[name]().eval()
            for seed in range(50):
                g = torch.Generator().manual_seed(seed)
                inputs = tuple(t if not t.is_floating_point() else torch.randn(t.shape, generator=g) * (seed % 3) for t in model.given()[0])
                try:
                    expected = eager(*inputs)
                except Exception:
                    continue
                self.assertTrue(torch.equal(mended(*inputs), expected), name)


class Programs(unittest.TestCase):
    def test_a_program_that_is_wrong_is_a_finding(self):
        report = exported("Broadcast")
        self.assertTrue(report.exports)
        self.assertFalse(report.clean)
        self.assertEqual({f.field for f in report.findings}, {"raises"})
        self.assertTrue(all(f.inputs.startswith("drawn") for f in report.findings))
        self.assertEqual(report.status, "findings")

    def test_further_inputs_of_the_user(self):
        one_negative = (refused_models.numbers(5, 8, 3), torch.tensor([1, 1, 1, 0, 0, 0, 0, -1]))
        for more in ([one_negative], lambda seed: one_negative):
            report = exported("Broadcast", more=more)
            self.assertIn("further 1", [f.inputs for f in report.findings])

    def test_guard_function_and_dims_of_program(self):
        model = torch.nn.Linear(4, 2)
        sizes = {"input": {0: torch.export.Dim("rows", min=2, max=64)}}
        report = ersatz.torch.export(model, torch.ones(8, 4), dynamic_shapes=sizes)
        scope = {}
        exec(report.guard_function, scope)
        scope["takes"](torch.ones(64, 4))
        for wrong in (torch.ones(65, 4), torch.ones(1, 4), torch.ones(8, 3), torch.ones(8), torch.ones(8, 4, dtype=torch.float64)):
            with self.assertRaises(ValueError):
                scope["takes"](wrong)
        self.assertEqual(len(report.dims), 1)
        self.assertIn("min=2, max=64)  # input.shape[0]", report.dims[0])

    def test_guard_function_names_bounds_of_numbers_from_data(self):
        class Cut(torch.nn.Module):
            def forward(self, x, n):
                k = n.item()
                torch._check(k >= 0)
                torch._check(k <= 6)
                return x.narrow(0, 0, k)

        report = ersatz.torch.export(Cut(), (torch.ones(8, 2), torch.tensor(3)))
        self.assertIn("    # in the program, u0 (node item) is at least 0 and at most 6\n", report.guard_function)
        compile(report.guard_function, "takes", "exec")

    def test_sizes_assumed_equal_are_reported(self):
        rows = torch.export.Dim("rows")

        class Sum(torch.nn.Module):
            def forward(self, x, y):
                return x + y

        report = ersatz.torch.export(Sum(), (torch.ones(5), torch.ones(5)), dynamic_shapes={"x": {0: rows}, "y": {0: rows}})
        self.assertIn("x.shape[0] == y.shape[0]: the program takes no other sizes", report.assumptions)

    def test_other_sizes_without_dynamic_shapes_are_not_compared(self):
        report = ersatz.torch.export(torch.nn.ReLU(), torch.ones(5), torch.ones(6))
        self.assertIn("dynamic_shapes=", report.remarks[0])
        self.assertTrue(report.clean)

    def test_inputs_that_eager_refuses_are_refused(self):
        with self.assertRaisesRegex(ValueError, "does not take set 2"):
            ersatz.torch.export(torch.nn.Linear(4, 2), torch.ones(3, 4), torch.ones(3, 5))

    def test_nothing_is_left_behind(self):
        before = refused_models.CutBoxes.forward.__code__
        with open(FILE, encoding="utf-8") as f:
            text = f.read()
        exported("CutBoxes")
        self.assertIs(refused_models.CutBoxes.forward.__code__, before)
        with open(FILE, encoding="utf-8") as f:
            self.assertEqual(f.read(), text)

    def test_tries_are_bounded_and_shown(self):
        report = exported("CutBoxes", tries=1)
        self.assertFalse(report.exports)
        self.assertEqual(len(report.tries), 1)
        self.assertIn("bound of tries", report.reason)

    def test_draft_reports_decisions_and_its_programs_results(self):
        report = exported("CutBoxes", draft=True)
        self.assertEqual(report.draft[0], f"`u0 > 10` at refused_models.py:{line('if boxes.shape[0] > 10:')} was taken to be True")
        self.assertRegex(report.draft[-1], r"^its program is equal to eager on \d+ of \d+ given, \d+ of \d+ drawn sets of inputs$")
        self.assertIn(f"draft: {report.draft[0]}\n", str(report))
        self.assertEqual(json.loads(report.to_json())["draft"], list(report.draft))
        self.assertEqual(exported("Fine", draft=True).draft, ())
        self.assertEqual(exported("CutBoxes").draft, ())

    def test_strict(self):
        report = exported("CutBoxes", strict=True)
        self.assertTrue(report.clean, report)
        self.assertEqual([c.code.strip() for c in report.changes], ["boxes = boxes[:10]"])

    def test_json_has_what_the_report_has(self):
        told = json.loads(exported("HalfOf").to_json())
        self.assertEqual((told["command"], told["status"]), ("export", "clean"))
        self.assertEqual(told["changes"][0]["kind"], "rewrite")
        self.assertIn("torch.sym_int", told["patch"])


class Command(unittest.TestCase):
    def run_it(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(["export", *arguments])
        return status, out.getvalue(), err.getvalue()

    def test_a_patch_and_a_program(self):
        folder = own_folder(self)
        patch, program = str(folder / "a.patch"), str(folder / "a.pt2")
        status, out, _ = self.run_it(f"{FILE}:HalfOf", "--inputs", "HalfOf.given", "--write", patch, "--save", program)
        self.assertEqual(status, 0, out)
        self.assertIn("export: passes with 1 change", out)
        with open(patch, encoding="utf-8") as f:
            self.assertIn("+        k = torch.sym_int(t.item() * 0.5)", f.read())
        x = torch.randn(20)
        self.assertTrue(torch.equal(torch.export.load(program).module()(x, torch.tensor(6)), x.topk(3).values))

    def test_a_refused_export_has_status_1(self):
        status, out, _ = self.run_it(f"{FILE}:Counted", "--inputs", "Counted.given", "--json")
        told = json.loads(out)
        self.assertEqual((status, told["status"], told["exports"]), (1, "findings", False))
        self.assertEqual((told["input"], told["error"]), (f"{FILE}:Counted", told["reason"]))
        self.assertTrue(told["error"])

    def test_report_goes_to_a_file_in_each_form(self):
        path = own_folder(self) / "report.xml"
        status, out, _ = self.run_it(f"{FILE}:Counted", "--inputs", "Counted.given", "--format", "junit", "-o", str(path))
        self.assertEqual((status, out.count("\n")), (1, 1), out)
        self.assertTrue(out.startswith("export: refused, "), out)
        self.assertIn('<testsuite name="ersatz export', path.read_text(encoding="utf-8"))

    def test_what_cannot_be_used_is_told(self):
        for arguments in (
            (FILE,),
            ("no_such_module:model",),
            (f"{FILE}:NoSuchModel",),
            (f"{FILE}:Fine", "--tries", "2", "--dynamic-shapes", "nothing"),
        ):
            status, _, err = self.run_it(*arguments, "--inputs", "Fine.given")
            self.assertEqual(status, 2, arguments)
            self.assertTrue(err.startswith("ersatz: "), err)
        self.assertFalse(os.path.exists("a.patch"))


if __name__ == "__main__":
    unittest.main()
