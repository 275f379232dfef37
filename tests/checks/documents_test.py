"""The checks of documents find contradictions: each test plants one in a small tree of files."""
import importlib
import pathlib
import sys
import tempfile
import unittest

import checks_test  # unittest finds the tests from this folder, so no package name is needed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))


class Complaints(unittest.TestCase):
    """Checks of the table in docs/user_complaints.md."""
    found = checks_test.Checks.found
    TEST = {"docs/data/behaviours.tsv": "", "tests/fake/a_test.cpp": "TEST(Unique, IsOfIntegers) {\n}\n"}

    def complaints(self, sentence="49 of 50 cannot happen, 0 are out, 1 is open.", **rows):
        """Returns the problems of a table in which `row7="out | why"` replaces row 7, which was correct; row 1 is open."""
        cells = {n: "cannot happen | shown: `Unique.IsOfIntegers`" for n in range(2, 51)} | {1: "open | it waits"}
        cells |= {int(name[len("row"):]): cell for name, cell in rows.items()}
        table = "".join(f"| {n} | a dtype | D | {cell} |\n" for n, cell in sorted(cells.items()) if cell)
        said = self.found("behaviours", self.TEST | {"docs/user_complaints.md": f"{table}\n{sentence}\n"})
        return "\n".join(line for line in said.splitlines() if line.startswith("docs/user_complaints.md"))

    def test_a_table_that_is_whole_passes(self):
        self.assertEqual("", self.complaints())
        self.assertEqual("", self.complaints("48 of 50 cannot happen, 1 is out, 1 is open.", row7="out | as [deviations.md](deviations.md) says"))

    def test_a_test_that_does_not_exist_is_named(self):
        self.assertIn("docs/user_complaints.md: there is no test Unique.IsGone", self.complaints(row7="cannot happen | `Unique.IsGone`"))

    def test_a_complaint_that_cannot_happen_has_a_test(self):
        self.assertIn("7 cannot happen, but no test is named", self.complaints(row7="cannot happen | the rule"))

    def test_complaint_out_says_where_decided(self):
        self.assertIn("7 is out, but neither a test nor", self.complaints(row7="out | nobody cares"))

    def test_malformed_row_is_named(self):
        self.assertIn("row 7 is no row", self.complaints(row7="perhaps | who knows"))
        self.assertIn("row 7 is no row", self.complaints(row7="open | "))

    def test_missing_or_repeated_row_is_named(self):
        self.assertIn("each once and in this order", self.complaints(row7=None))
        self.assertIn("each once and in this order", self.complaints(row51="open | it waits"))

    def test_the_sentence_counts_the_table(self):
        self.assertIn("does not say what its table counts: 49 of 50 cannot happen, 0 are out, 1 is open.",
                      self.complaints("50 of 50 cannot happen, 0 are out, 0 are open."))


class Figures(unittest.TestCase):
    """Checks of figures that are in several documents."""

    def said(self, name, files):
        """Returns what the check prints about the figure, for a tree with these files."""
        check = importlib.import_module("checks.figures")
        figure, = (f for f in check.FIGURES if f.name == name)
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                (pathlib.Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (pathlib.Path(folder) / path).write_text(text)
            return "\n".join(check.differences(pathlib.Path(folder), figure))

    def test_comparison_matches_the_table_of_programs(self):
        line = "80 exported programs, 1,009 results, 8 findings, all of them known."
        page = "docs/compare.md"
        files = {"docs/programs.md": line + "\n", page: "| 80 exported programs, 1009\nresults, 8 findings, all of them known. |\n"}
        self.assertEqual("", self.said("programs", files))
        self.assertIn(f"{page}: programs: says 79 exported", self.said("programs", files | {page: line.replace("80", "79")}))

    def test_a_place_that_is_reworded_is_named(self):
        files = {"docs/python.md": "takes 110 to 190 µs with its cache and 150 to 2,600 µs without it\n", "README.md": "a fake costs a lot\n", "docs/compare.md": "110 to 190 us with its cache, 150 to 2,600 us without\n"}
        self.assertEqual("README.md: cost of PyTorch's fakes: does not stand there in the words that scripts/checks/figures.py looks for",
                         self.said("cost of PyTorch's fakes", files))

    def test_a_source_without_the_figure_is_named(self):
        readme = {"README.md": "110 to 190 us with its cache, 150 to 2,600 us without\n"}
        self.assertIn("docs/python.md: cost of PyTorch's fakes: does not stand there", self.said("cost of PyTorch's fakes", readme))
        self.assertIn("docs/data/traces.csv: traces: cannot be read", self.said("traces", {"docs/deviations.md": "The other 1 of its 2 rows agree."}))

    def test_the_comparison_repeats_how_many_complaints_there_are(self):
        files = {"docs/user_complaints.md": "| 1 | a | S | cannot happen | b |\n| 2 | a | S | open | b |\n",
                 "docs/compare.md": "[docs/user_complaints.md](user_complaints.md) says which: 1 of 2 cannot happen, 0 are out, 1 is open |\n"}
        self.assertEqual("", self.said("complaints", files))
        self.assertIn("says 2, 2, 0, 0 where docs/user_complaints.md has 1, 2, 0, 1", self.said("complaints", files | {
            "docs/compare.md": "[docs/user_complaints.md](user_complaints.md) says which: 2 of 2 cannot happen, 0 are out, 0 are open |\n"}))

    def test_table_of_operators_sums_up_recorded_calls(self):
        csv = "op,records,passed,failed,waived,missing,skipped,values\na,10,9,0,1,0,0,0\nb,4,0,0,0,4,0,0\n"
        words = "%d of 14 recorded calls pass, 0 fail, 1 differ on purpose, 0 could not be compared\n"
        files = {"docs/data/records.csv": csv, "docs/data/record_waivers.txt": "# head\na/1 value until=never why\n"}
        for name in ["recorded calls", "differences from recorded calls"]:
            self.assertEqual("", self.said(name, files | {"docs/ops.md": words % 9}))
        self.assertIn("says 10, 14, 0, 1, 0 where docs/data/records.csv has 9, 14, 0, 1, 0", self.said("recorded calls", files | {"docs/ops.md": words % 10}))

    def test_predictions_match_the_last_run_with_reasons(self):
        run = ("14 records of 2 overloads: 9 passed (0 with values compared, 0 extensions), 0 failed, 1 waived, 0 missing (0 overloads), 4 skipped\n"
               "predictions: of 12 records that both predict, the recorder's own fakes differ from its real run on 3 (25.00 %%), ersatz on %d (8.33 %%), "
               "0 of those the same\nnot judged so: 2 that ersatz does not predict without data (the recorder's fakes differ on 0); 1 that the recorder's "
               "fakes refuse (ersatz differs on 0)\n")
        page = ("of 12 that both predict | 3 (25.00 %) | 1 (8.33 %), each with its reason in x. Not judged so: 2 calls that ersatz does not predict without "
                "data, 1 that FakeTensor refuses\n")
        files = {"docs/data/predictions.txt": run % 1, "docs/compare.md": page}
        self.assertEqual("", self.said("predictions", files))
        self.assertEqual("", self.said("predictions that differ with a reason", files))
        self.assertIn("docs/compare.md: predictions: says", self.said("predictions", files | {"docs/compare.md": page.replace("of 12", "of 13")}))
        self.assertIn("says 2 where docs/data/predictions.txt has 1",
                      self.said("predictions that differ with a reason", files | {"docs/data/predictions.txt": run % 2}))

    def test_operators_that_are_not_here_are_counted_alike(self):
        files = {"docs/ops.md": "4 are of operators that are refused by name, 0 of operators that are not here.\n",
                 "docs/compare.md": "4 of operators that are refused by name, and 9 of operators that are not here\n"}
        self.assertIn("docs/compare.md: operators that are not here: says 4, 9", self.said("operators that are not here", files))


class Lists(unittest.TestCase):
    """Checks of lists that must be complete."""
    found = checks_test.Checks.found

    def test_a_folder_that_no_list_names_is_found(self):
        files = {"tests/fake/a.cpp": "", "tests/new/a.cpp": "", "tests/README.md": "[fake/](fake) [gone/](gone) [fake/](fake)\n"}
        self.assertEqual("tests/README.md: new is missing\ntests/README.md: names gone, which is not there\ntests/README.md: fake stands twice",
                         self.found("lists", files))

    def test_room_folder_is_listed_after_its_includes(self):
        files = {"runtime/base/README.md": "May include nothing but itself.\n", "runtime/op/README.md": "May include `base/`.\n",
                 "docs/ARCHITECTURE.md": "| `runtime/` | base (the lowest, of course), op |\n"}
        self.assertEqual("", self.found("lists", files))
        self.assertIn("docs/ARCHITECTURE.md: runtime/: base is missing",
                      self.found("lists", files | {"docs/ARCHITECTURE.md": "| `runtime/` | op |\n"}))
        self.assertIn("runtime/: op may include base, which is lower and stands behind it",
                      self.found("lists", files | {"docs/ARCHITECTURE.md": "| `runtime/` | op, base |\n"}))

    def test_a_page_that_the_index_lacks_is_found(self):
        files = {"docs/measurements/README.md": "[calls.md](calls.md)\n", "docs/measurements/calls.md": "", "docs/measurements/new-calls.md": ""}
        self.assertEqual("docs/measurements/README.md: new-calls.md is missing", self.found("lists", files))

    def test_word_of_reports_that_nothing_explains_is_found(self):
        path = "fake/crosscheck/finding.cpp"
        code = ('std::string_view name(Witness w) {\n  constexpr std::string_view names[] = {"none", "eager"};\n}\n'
                'std::string_view name(FindingField f) {\n  constexpr std::string_view names[] = {"dtype"};\n}\n')
        glossary = {"docs/glossary.md": "| **eager** | A run. |\n| **field** | dtype. |\n", "docs/crosscheck.md": "`none`\n", path: code}
        self.assertEqual("", self.found("lists", glossary))
        self.assertEqual("docs/glossary.md: does not explain `kernel`, which reports print (Witness)",
                         self.found("lists", glossary | {path: code.replace('"eager"', '"eager", "kernel"')}))
        self.assertIn("the names of FindingField do not stand there", self.found("lists", glossary | {path: code.replace("FindingField", "Field")}))

    def test_exit_status_that_page_lacks_is_found(self):
        files = {"tools/output/exit_status.h": "enum class ExitStatus : int {\n  Clean = 0,  ///< 7\n  Interrupted = 130\n};\n",
                 "docs/glossary.md": "| `clean` | 0 | x |\n| `interrupted` | 130 | x |\n", "docs/stability.md": "| exit statuses | 0 clean | |\n"}
        self.assertEqual("docs/stability.md: exit statuses: 130 is missing", self.found("lists", files))

    def test_environment_variable_that_table_lacks_is_found(self):
        files = {"docs/glossary.md": "| `ERSATZ_OLD`, `ERSATZ_LOG` | x |\n", "fake/a.cpp": 'std::getenv("ERSATZ_LOG"); std::getenv("ERSATZ_NEW");\n',
                 "python/ersatz/a.py": 'os.environ.get("ERSATZ_GLUE")\n', "tests/fake/a_test.cpp": 'getenv("ERSATZ_OF_TESTS")\n'}
        self.assertEqual("docs/glossary.md: environment variables: ERSATZ_GLUE is missing\n"
                         "docs/glossary.md: environment variables: ERSATZ_NEW is missing\n"
                         "docs/glossary.md: environment variables: names ERSATZ_OLD, which is not there", self.found("lists", files))

    def test_a_check_that_nothing_runs_is_found(self):
        files = {"scripts/check": 'CHECKS = ["docs",\n          "gone"]\n', "scripts/checks/docs.py": '"""."""\n\n\ndef problems(root, build):\n',
                 "scripts/checks/new.py": '"""."""\n\n\ndef problems(root, build):\n', "scripts/checks/sources.py": ""}
        self.assertEqual("scripts/check: CHECKS: new is missing\nscripts/check: CHECKS: names gone, which is not there", self.found("lists", files))


class Paths(unittest.TestCase):
    """Paths are checked in READMEs of folders and in pages below docs/."""
    found = checks_test.Checks.found

    def test_path_in_a_readme_or_page_is_checked(self):
        files = {"fake/mode/README.md": "See `fake/gone.h`.\n", "docs/jobs/a.md": "[b](b.md)\n", "docs/ops.md": "`docs/gone.md`\n"}
        found = self.found("docs", files)
        self.assertIn("fake/mode/README.md:1: fake/gone.h does not exist", found)
        self.assertIn("docs/jobs/a.md:1: b.md does not exist", found)
        self.assertNotIn("docs/gone.md", found)


if __name__ == "__main__":
    unittest.main()
