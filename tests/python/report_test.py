"""ersatz.report: the report of a crosscheck as a Python object."""

import doctest
import json
import pickle
import unittest

import ersatz
from ersatz import errors, report

FINDING = {"node": "add_1", "op": "aten.add.Tensor", "result": 0, "field": "stride", "predicted": "f32[2,3]{3,1}+0@cpu",
           "observed": "f32[2,3]{1,2}+0@cpu", "witness": "eager", "verdict": "significant", "words": "Stride mismatch!",
           "cause": "operand 1 decides", "source": "train.py:12", "args": ["f32[2,3]{3,1}+0@cpu"], "repro": "{}"}
TEXT = "first divergence: aten.add.Tensor stride\ncrosscheck: 5 compared, 1 mismatched, 2 skipped (random 2)\n"


class Other(ersatz.Finding):
    """A finding of another report, with an extra attribute."""


def a_report(findings=1, **more):
    row = {"format": 1, "command": "crosscheck", "input": "train.py", "device": "cpu", "status": "findings" if findings else "clean",
           "nodes": 6, "results": 7, "compared": 5, "mismatched": findings, "cosmetic": 1, "waived": 0, "values_compared": 4,
           "skipped": {"random": 2, "unsupported": 0}, "findings": [FINDING] * findings, **more}
    return ersatz.Report.of(json.dumps(row), TEXT, lambda: "<p>page</p>")


class ReportTest(unittest.TestCase):
    def test_counts_and_findings_are_those_of_the_json(self):
        r = a_report()
        self.assertEqual((r.nodes, r.results, r.compared, r.mismatched, r.cosmetic, r.values_compared), (6, 7, 5, 1, 1, 4))
        self.assertEqual(r.skipped, {"random": 2})
        f = r.findings[0]
        self.assertEqual((f.op, f.node, f.result, f.field, f.witness), ("aten.add.Tensor", "add_1", 0, "stride", "eager"))
        self.assertEqual((f.predicted, f.observed), ("f32[2,3]{3,1}+0@cpu", "f32[2,3]{1,2}+0@cpu"))
        self.assertEqual((f.args, f.source, f.cause, f.words), (("f32[2,3]{3,1}+0@cpu",), "train.py:12", "operand 1 decides", "Stride mismatch!"))

    def test_live_run_counts_findings_and_omitted_calls(self):
        r = a_report(times=[7], skipped_calls={"sparse layout": {"aten.add.Tensor": 3}})
        self.assertEqual(r.findings[0].times, 7)
        self.assertEqual(r.skipped_calls, {"sparse layout": {"aten.add.Tensor": 3}})
        self.assertEqual(a_report().findings[0].times, 1)

    def test_a_finding_reads_as_the_report_spells_it(self):
        self.assertEqual(str(a_report().findings[0]),
                         "add_1 = aten.add.Tensor, result 0: stride: predicted f32[2,3]{3,1}+0@cpu, eager says f32[2,3]{1,2}+0@cpu (train.py:12)")

    def test_text_ends_with_the_closing_line(self):
        self.assertEqual(str(a_report()).splitlines()[-1], "crosscheck: 5 compared, 1 mismatched, 2 skipped (random 2)")
        self.assertEqual(a_report().closing_line, "crosscheck: 5 compared, 1 mismatched, 2 skipped (random 2)")

    def test_findings_raise_with_the_first_of_them(self):
        r = a_report(2)
        with self.assertRaises(errors.MetadataMismatch) as raised:
            r.raise_if_findings()
        e = raised.exception
        self.assertIsInstance(e, RuntimeError)
        self.assertIsInstance(e, ersatz.Error)
        self.assertEqual((e.kind, e.op, e.finding, e.report), ("MetadataMismatch", "aten.add.Tensor", r.findings[0], r))
        self.assertTrue(str(e).endswith("; and 1 more finding"), str(e))
        a_report(0).raise_if_findings()

    def test_only_a_clean_report_is_clean(self):
        self.assertTrue(a_report(0).clean)
        self.assertFalse(a_report(1).clean)

    def test_report_and_findings_cannot_be_changed(self):
        with self.assertRaises(AttributeError):
            a_report().compared = 0
        with self.assertRaises(AttributeError):
            a_report().findings[0].op = "mine"

    def test_a_report_survives_pickle_and_is_equal(self):
        r = a_report()
        again = pickle.loads(pickle.dumps(r))
        self.assertEqual(again, r)
        self.assertEqual(hash(again), hash(r))
        self.assertEqual((again.text, again.to_html(), again.to_json()), (r.text, "<p>page</p>", r.to_json()))
        self.assertNotEqual(r, a_report(0))

    def test_findings_survive_pickle_with_what_a_subclass_adds(self):
        f = a_report(times=[7]).findings[0]
        again = pickle.loads(pickle.dumps(f))
        self.assertEqual((again, hash(again), again.times, repr(again)), (f, hash(f), 7, repr(f)))
        self.assertEqual(ersatz.Finding.from_json(f.to_json(), 7), f)
        self.assertNotEqual(ersatz.Finding.from_json(f.to_json()), f)  # found once
        mine = Other(op="mine.op", node="", result=-1, field="raises", predicted="", observed="it", witness="eager", verdict="significant",
                     words="", cause="", source="", args=("a", "b"), repro="")
        mine.more = "of mine"
        again = pickle.loads(pickle.dumps(mine))
        self.assertEqual((type(again), again.field, again.args, again.more), (Other, "raises", ("a", "b"), "of mine"))
        self.assertEqual(again, mine)
        again.more = "another"
        self.assertNotEqual(again, mine)

    def test_finding_has_its_report_text_as_repr(self):
        f = a_report().findings[0]
        self.assertEqual(repr(f), f"<Finding: {f}>")

    def test_what_is_no_report_is_refused(self):
        with self.assertRaisesRegex(ersatz.Error, "no JSON report of a crosscheck"):
            ersatz.Report.of("{}", "", "")
        with self.assertRaisesRegex(ersatz.Error, "1 finding, and how often 2 of them were made"):
            a_report(times=[1, 2])

    def test_notebook_shows_page_in_frame_of_its_own(self):
        self.assertIn('srcdoc="&lt;p&gt;page&lt;/p&gt;"', a_report()._repr_html_())

    def test_examples_of_the_docstrings_run(self):
        self.assertEqual(doctest.testmod(report).failed, 0)
        self.assertGreater(doctest.testmod(report).attempted, 3)


if __name__ == "__main__":
    unittest.main()
