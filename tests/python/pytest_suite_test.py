"""The crosscheck of a whole suite: equal causes are one finding; reports for CI, waivers, and operators that were not
compared."""

import json
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as xml

from ersatz._pytest_suite import Suite
from ersatz.report_file import form_of
from pytest_plugin_test import SUITE, TORCH_PYTHON, pytest, run_suite

WRONG = SUITE.split("def test_right")[0] + """
    @pytest.mark.parametrize("n", [2, 3, 4])
    def test_wrong(n):
        torch.relu(torch.ones(n, 3))

    def test_wrong_twice():
        torch.relu(torch.ones(2, 3))
        torch.relu(torch.ones(4, 3))
"""
RIGHT = SUITE.split("library =")[0] + """
    def test_right():
        torch.ones(2, 3) + 1
"""
SHARED = RIGHT + """
    @pytest.mark.ersatz_waive(op="aten.relu.*", field="stride", reason="of the library")
    class TestShared:
        def test_one(self):
            torch.ones(2, 3) + 1

        def test_two(self):
            %s
"""
# Replaces the report of a live crosscheck by one that says that calls were not compared.
UNJUDGED = """
    import json
    from ersatz import pytest_plugin

    real = pytest_plugin._report

    def report(item, live):
        made = real(item, live)
        row = {**json.loads(made.json), "status": "unjudged", "own": {"judged": 1, "known": 0, "unjudged": {"mine.foo.default": 2}}}
        return type(made).of(json.dumps(row), made.text, made.html)

    pytest_plugin._report = report
"""
FINDING = {"node": "call1", "op": "aten.relu.default", "result": 0, "field": "stride", "predicted": "p", "observed": "o", "witness": "eager",
           "verdict": "significant", "words": "", "cause": "<its> layout", "source": "train.py:3 in f: y = relu(x)", "args": ["f32[2]"], "repro": ""}


def report_of(*findings, **more):
    return {"compared": 2, "mismatched": len(findings), "skipped": {"random": 1, "tainted": 0}, "findings": list(findings), **more}


class SuiteTest(unittest.TestCase):
    def test_counts_of_two_processes_equal_those_of_one(self):
        row = {"op": "aten.relu.default", "field": "stride", "reason": "r", "until": "never", "used": 1, "state": "applied"}
        reports = [("a", report_of(FINDING, waivers=[row], own={"judged": 1, "known": 2, "unjudged": {"mine.f": 3}}), [0]),
                   ("b", report_of({**FINDING, "predicted": "q"}, waivers=[{**row, "used": 0, "state": "unused"}]), [0]), ("c", report_of(), [])]
        one, first, second = Suite(), Suite(), Suite()
        for test, report, left in json.loads(json.dumps(reports)):
            one.count(test, report, left)
        for suite, (test, report, left) in zip([first, second, second], reports):
            suite.count(test, report, left)
        second_hand = Suite()
        for suite in (first, second):
            second_hand.add(json.loads(json.dumps(suite.wire())))
        self.assertEqual(second_hand.to_json(), one.to_json())
        self.assertEqual((one.status, one.unused, [c.tests for c in one.causes.values()]), ("findings", [], [["a", "b"]]))
        self.assertEqual(one.unjudged_text(), ["warning: nobody judged mine.f: 3 calls in 1 test: a"])

    def test_nothing_compared_and_nobody_judged_are_not_clean(self):
        suite = Suite()
        self.assertEqual((suite.status, json.loads(suite.to_json())["not_clean"]), ("unjudged", "nothing was compared"))
        suite.count("a", report_of(), [])
        self.assertEqual(suite.status, "clean")
        suite.count("b", report_of(own={"unjudged": {"mine.f": 1}}), [])
        self.assertEqual((suite.status, suite.not_clean), ("unjudged", "1 call of mine.f was not judged"))

    def test_page_holds_text_of_program_as_text(self):
        suite = Suite()
        suite.count("test_<a>", report_of(FINDING), [0])
        page = suite.to_html()
        self.assertIn("&lt;its&gt; layout", page)
        self.assertNotIn("<a>", page)
        self.assertIn("train.py:3 in f: y = relu(x)", page)

    def test_a_suffix_says_the_form(self):
        self.assertEqual([form_of(p) for p in ("r.html", "r.json", "r.sarif", "out/r.junit.xml")], ["html", "json", "sarif", "junit"])
        with self.assertRaisesRegex(ValueError, r"r\.txt: a report is one of \.html, "):
            form_of("r.txt")


@unittest.skipUnless(pytest and TORCH_PYTHON, "ERSATZ_TORCH_PYTHON names no Python that has torch")
class TorchSuiteTest(unittest.TestCase):
    def run_suite(self, suite, *options, **more):
        return run_suite(suite, "--ersatz-crosscheck", *options, python=TORCH_PYTHON, **more)

    def test_one_cause_in_many_tests_is_one_finding(self):
        status, text = self.run_suite(WRONG)
        self.assertEqual(status, 1, text)
        summary = text.partition(" ersatz ==")[2]
        self.assertEqual(summary.count("finding: "), 1, summary)
        self.assertIn("  in 4 tests, the first: test_suite.py::test_wrong[2]\n", summary)

    def test_report_is_written_in_form_of_its_suffix(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        files = [folder / name for name in ("r.json", "r.sarif", "r.junit.xml", "r.html")]
        text = self.run_suite(WRONG, *(f"--ersatz-report={file}" for file in files))[1]
        for file in files:
            self.assertIn(f"report: {file}\n", text)
        found, = json.loads(files[0].read_text())["findings"]
        self.assertEqual((found["op"], found["field"], len(found["tests"])), ("aten.relu.default", "stride", 4))
        place = json.loads(files[1].read_text())["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        self.assertTrue(place["artifactLocation"]["uri"].endswith("/test_suite.py"), place)
        self.assertGreater(place["region"]["startLine"], 1)
        cases = {case.get("name"): [part.tag for part in case] for case in xml.parse(files[2]).iter("testcase")}
        self.assertEqual((cases["aten.relu.default"], cases["aten.ones.default"]), (["failure"], []))
        self.assertIn("test_suite.py::test_wrong[4]", files[3].read_text())

    def test_unwritable_report_is_reported_before_the_tests(self):
        for path, words in (("r.txt", "r.txt: a report is one of"), ("nowhere/r.html", "nowhere/r.html: its folder cannot be written")):
            status, text = self.run_suite(RIGHT, "--ersatz-report", path)
            self.assertEqual((status, text.strip().startswith(f"ERROR: {words}")), (4, True), text)

    def test_waivers_hide_findings_and_unused_rows_fail(self):
        rows = pathlib.Path(tempfile.mkdtemp()) / "waivers.txt"
        rows.write_text("aten.relu.default stride until=never planted\n")
        status, text = self.run_suite(WRONG, "--ersatz-waivers", str(rows))
        self.assertEqual(status, 0, text)
        self.assertIn("0 with findings, 5 findings waived", text)
        rows.write_text("aten.relu.default stride until=never planted\naten.add.Tensor size until=never not so\n")
        status, text = self.run_suite(WRONG, "--ersatz-waivers", str(rows))
        self.assertIn("unused waiver: aten.add.Tensor size: not so\nfailed: a waiver hides nothing\n", text)
        self.assertEqual(status, 1)
        status, text = self.run_suite(WRONG, "--ersatz-waivers", str(rows), "-k", "twice")
        self.assertIn("not so (a part of the suite ran)\n", text)
        self.assertEqual(status, 0)
        rows.write_text("aten.relu.default stride until=2001-01-01 planted\n")
        self.assertIn("failed: a waiver has expired\n", self.run_suite(WRONG, "--ersatz-waivers", str(rows), "-k", "twice")[1])
        self.assertEqual(self.run_suite(RIGHT, "--ersatz-waivers", "none.txt")[0], 4)

    def test_a_waiver_that_nothing_needs_fails_its_test(self):
        status, text = self.run_suite(RIGHT.replace("def test_right", '@pytest.mark.ersatz_waive(op="aten.add.*", reason="mended")\n    def test_right'))
        self.assertEqual(status, 1, text)
        self.assertIn("ersatz: a waiver that nothing needs: op aten.add.*, field * (mended): no such finding", text)

    def test_waiver_of_a_class_needs_one_test(self):
        status, text = self.run_suite(WRONG.split("    @pytest.mark.param")[0] + SHARED.split("def test_right")[1].join(["    def test_right", ""]) %
                                      "torch.relu(torch.ones(2, 3))")
        self.assertEqual(status, 0, text)
        status, text = self.run_suite(SHARED % "torch.ones(2) * 2")
        self.assertEqual(status, 1, text)
        self.assertIn("unused waiver: test_suite.py::TestShared: ersatz_waive(op='aten.relu.*', ", text)
        self.assertEqual(self.run_suite(SHARED % "pytest.skip('not here')")[0], 0, "a test that did not come to it says nothing")

    def test_unjudged_operators_warn_and_fail_with_strict(self):
        status, text = self.run_suite(RIGHT, beside={"conftest": UNJUDGED})
        self.assertEqual(status, 0, text)
        self.assertIn("warning: nobody judged mine.foo.default: 2 calls in 1 test: test_suite.py::test_right\n", text)
        status, text = self.run_suite(RIGHT, "--ersatz-strict", beside={"conftest": UNJUDGED})
        self.assertEqual(status, 1, text)
        self.assertIn("ersatz: nobody judged 2 calls of mine.foo.default", text)

    def test_run_without_comparisons_fails_with_strict(self):
        for options, expected in (((), 0), (("--ersatz-strict",), 1)):
            status, text = self.run_suite("def test_it(): pass", *options)
            self.assertEqual((status, "nothing was compared" in text), (expected, True), text)


if __name__ == "__main__":
    unittest.main()
