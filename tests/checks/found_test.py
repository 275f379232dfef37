"""scripts/found: how it sorts recorded calls, writes them as lines of Python, and puts them into the table and the page."""
import importlib
import json
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from found_calls import page, run, source, table, undecided  # noqa: E402
from differing import causes, lines, records, sections, sides  # noqa: E402


def tensor(t, storage, **more):
    dtype, sizes, *_ = records.SPELLED.match(t + "@cpu").groups()
    count = 1
    for size in records.numbers(sizes):
        count *= size
    return {"t": t + "@cpu", "s": storage, "n": count * records.BYTES[dtype]} | more


def record(op, args, run, fake, **kwargs):
    """Makes a record; `run` and `fake` have the members of an outcome."""
    return {"id": "x/1", "op": op, "args": args, "kwargs": kwargs, **run, "fake": fake}


TRANSPOSED = tensor("f32[2,3]{1,2}+0", 0)
ROWS = tensor("f32[2,3]{3,1}+0", 7)


def copysign(**more):
    return record("aten.copysign.Tensor", [TRANSPOSED, tensor("f32[]{}+0", 1)], {"out": [tensor("f32[2,3]{1,2}+0", 2)]},
                  {"out": [tensor("f32[2,3]{3,1}+0", 2)]}) | more


class Records(unittest.TestCase):
    def meta(self, t):
        return records.meta({"t": t + "@cpu"})

    def test_strides_without_effect_are_not_significant(self):
        self.assertEqual(self.meta("f32[2,1,3]{3,9,1}+0").significant, (3, 1))
        self.assertEqual(self.meta("f32[0,3]{5,7}+0").significant, ())

    def test_tensor_overlaps_if_expanded_or_windows_overlap(self):
        for t, said in (("f32[2,3]{0,1}+0", True), ("f32[3,3]{1,1}+0", True), ("f32[2,3]{3,1}+0", False), ("f32[2,3]{1,2}+0", False),
                        ("f32[1,3]{0,1}+0", False), ("f32[0,3]{0,0}+0", False), ("f32[]{}+0", False)):
            self.assertEqual(records.overlaps(self.meta(t)), said, t)

    def test_metadata_are_spelled_without_an_offset_of_zero(self):
        self.assertEqual(str(self.meta("f32[2,3]{3,1}+0")), "f32[2,3]{3,1}")
        self.assertEqual(str(self.meta("i64[]{}+4")), "i64[]{}+4")


class Sides(unittest.TestCase):
    def differs(self, a_record):
        found = sides.difference(*sides.sides(a_record))
        return (found.field, found.place, found.eager, found.fake) if found else None

    def test_first_differing_field_has_both_sides(self):
        self.assertEqual(self.differs(copysign()), ("stride", "", "f32[2,3]{1,2}", "f32[2,3]{3,1}"))
        self.assertEqual(self.differs(copysign(fake={"out": [tensor("f64[2,3]{3,1}+0", 2)]}))[0], "dtype")
        self.assertEqual(self.differs(copysign(fake={"out": [tensor("f32[2,3]{1,2}+5", 2)]}))[0], "offset")

    def test_strides_that_address_nothing_are_no_difference(self):
        column = {"out": [tensor("f32[1,3]{9,1}+0", 2)]}
        self.assertIsNone(self.differs(record("aten.abs.default", [ROWS], column, {"out": [tensor("f32[1,3]{3,1}+0", 2)]})))

    def test_the_result_of_several_is_named(self):
        pair = [ROWS, tensor("i64[2]{1}+0", 8)]
        found = self.differs(record("aten.sort.default", [TRANSPOSED], {"out": pair}, {"out": [ROWS, tensor("i32[2]{1}+0", 8)]}))
        self.assertEqual(found, ("dtype", "result 1", "i64[2]{1}", "i32[2]{1}"))

    def test_argument_view_and_own_memory_are_three_answers(self):
        own, view, same = tensor("f32[2,3]{1,2}+0", 5), TRANSPOSED, TRANSPOSED | {"is": 0}
        said = {str(self.differs(record("aten.f.default", [TRANSPOSED], {"out": [a]}, {"out": [b]})))
                for a in (own, view, same) for b in (own, view, same) if a is not b}
        self.assertEqual(len(said), 6)
        self.assertIn("('memory', '', 'f32[2,3]{1,2} (argument 0)', 'f32[2,3]{1,2}')", said)

    def test_names_of_new_storages_do_not_matter(self):
        self.assertIsNone(self.differs(record("aten.abs.default", [ROWS], {"out": [tensor("f32[2]{1}+0", 8)]}, {"out": [tensor("f32[2]{1}+0", 9)]})))

    def test_one_sided_error_has_the_others_result(self):
        self.assertEqual(self.differs(copysign(fake={"err": "TypeError"})), ("error", "", "f32[2,3]{1,2}", "raises TypeError"))

    def test_argument_that_one_side_alone_changes_is_named(self):
        grown = {"out": [], "after": {"0": tensor("f32[4]{1}+0", 7)}}
        self.assertEqual(self.differs(record("aten.f_.default", [ROWS], grown, {"out": []})),
                         ("written", "argument 0 afterwards", "f32[4]{1}", "as it was"))


class Causes(unittest.TestCase):
    def cause(self, a_record):
        return causes.cause_of(causes.call_of(a_record)).name

    def add(self, run, fake, first=ROWS, second=None, **kwargs):
        return self.cause(record("aten.add.out" if kwargs else "aten.add_.Tensor", [first, second or tensor("f32[3]{1}+0", 1)], run, fake, **kwargs))

    def test_orders_of_dims(self):
        self.assertEqual(self.cause(copysign()), "differs.stride_lost")
        kept = copysign(out=[tensor("f32[2,3]{3,1}+0", 2)], fake={"out": [tensor("f32[2,3]{1,2}+0", 2)]})
        self.assertEqual(self.cause(kept), "differs.stride_kept")
        self.assertEqual(self.cause(kept | {"args": [ROWS]}), "differs.stride")
        self.assertEqual(self.cause(copysign(fake={"out": [tensor("f32[2,3]{9,3}+0", 2)]})), "differs.stride_input")

    def test_resized_out_is_cause_of_its_own(self):
        written = {"out": tensor("f32[0]{1}+0", 2)}
        run = {"out": [tensor("f32[2,3]{1,2}+0", 2, **{"is": 2})]}
        self.assertEqual(self.add(run, {"out": [tensor("f32[2,3]{3,1}+0", 2, **{"is": 2})]}, TRANSPOSED, **written), "differs.stride_out")
        self.assertEqual(self.add(run, {"out": [tensor("f32[0]{1}+0", 2, **{"is": 2})]}, TRANSPOSED, **written), "differs.size_out")

    def test_what_eager_alone_refuses(self):
        refuses = {"err": "RuntimeError"}
        expanded = tensor("f32[2,3]{0,1}+0", 0)
        self.assertEqual(self.add(refuses, {"out": [expanded | {"is": 0}]}, expanded), "taken.overlap")
        self.assertEqual(self.add(refuses, {"out": [ROWS | {"is": 0}]}, ROWS, tensor("f64[3]{1}+0", 1)), "taken.dtypes")
        self.assertEqual(self.add(refuses, {"out": [ROWS | {"is": 0}]}, ROWS, tensor("f32[3]{1}+0", 7)), "taken.shared")
        self.assertEqual(self.add(refuses, {"out": [tensor("f32[4,3]{3,1}+0", 7, **{"is": 0})]}), "taken.grows")
        self.assertEqual(self.add(refuses, {"out": [tensor("f64[2,3]{3,1}+0", 2, **{"is": 2})]}, out=tensor("f64[2,3]{3,1}+0", 2)), "taken.out_dtype")
        self.assertEqual(self.cause(record("aten.empty.memory_format", [[2]], refuses, {"out": [ROWS]}, pin_memory=True)), "taken.pinned")
        self.assertEqual(self.add(refuses, {"out": [tensor("i64[3]{1}+0", 0, **{"is": 0})]}, tensor("i64[3]{1}+0", 0), tensor("i64[3]{1}+0", 1)),
                         "taken.dtype")
        self.assertEqual(self.add({"err": "IndexError"}, {"out": [ROWS | {"is": 0}]}), "taken.index")
        self.assertEqual(self.add(refuses, {"out": [ROWS | {"is": 0}]}), "taken.sizes")

    def test_positions_are_no_second_dtype(self):
        index = tensor("i64[2]{1}+0", 1, v=[0, 1])
        self.assertEqual(self.cause(record("aten.gather.default", [ROWS, 0, index], {"err": "RuntimeError"}, {"out": [tensor("f32[2]{1}+0", 2)]})),
                         "taken.sizes")

    def test_what_the_fake_alone_refuses(self):
        returns = {"out": [ROWS | {"s": 9}]}
        for args, error, name in (([ROWS], "ZeroDivisionError", "refused.accident"), ([ROWS, tensor("f64[3]{1}+0", 1)], "RuntimeError", "refused.dtypes"),
                                  ([tensor("f32[0]{1}+0", 0)], "RuntimeError", "refused.empty"), ([ROWS], "RuntimeError", "refused.other"),
                                  ([tensor("i64[3]{1}+0", 0)], "RuntimeError", "refused.dtype"),
                                  ([ROWS, tensor("u8[3]{1}+0", 1, v=[1, 0, 1])], "RuntimeError", "refused.positions")):
            self.assertEqual(self.cause(record("aten.f.default", args, returns, {"err": error})), name)

    def test_each_kind_of_difference_has_a_cause(self):
        for result in (None, 3, tensor("c64[2,3]{1,2}+0", 2), tensor("f32[2]{1}+0", 2), tensor("f32[2,3]{1,2}+1", 2), TRANSPOSED,
                       tensor("f32[2,3]{1,2}+0", 2, conj=True)):
            self.assertTrue(self.cause(copysign(fake={"out": [result]})).startswith("differs."))


class Lines(unittest.TestCase):
    def line(self, *args, fill="recorded", **kwargs):
        line = lines.line_of({"op": "aten.f.default", "args": list(args), "kwargs": kwargs}, fill)
        return line.removeprefix("both(aten.f.default, ").removesuffix(")")

    def test_tensor_is_written_simply_if_strides_allow(self):
        for t, written in (("f32[2,3]{3,1}+0", "torch.zeros(2, 3)"), ("i64[]{}+0", "torch.zeros((), dtype=torch.int64)"),
                           ("f32[2,3]{1,2}+0", "torch.zeros(3, 2).t()"), ("f32[2,3,4]{12,1,3}+0", "torch.zeros(2, 4, 3).permute(0, 2, 1)"),
                           ("f32[4,3]{0,1}+0", "torch.zeros(1, 3).expand(4, 3)")):
            self.assertEqual(self.line(tensor(t, 0)), written)
        self.assertEqual(self.line(tensor("f32[2,2]{4,1}+3", 0) | {"n": 36}), "torch.zeros(9).as_strided([2, 2], [4, 1], 3)")

    def test_values_are_written_and_floats_filled_as_asked(self):
        whole, floats = tensor("i64[2,2]{2,1}+0", 0, v=[0, 1, 2, 3]), tensor("f32[2]{1}+0", 1, v=[0.5, "inf"])
        self.assertEqual(self.line(whole), "torch.tensor([[0, 1], [2, 3]], dtype=torch.int64)")
        self.assertEqual(self.line(whole, fill="zeros"), self.line(whole))
        self.assertEqual(self.line(floats), 'torch.tensor([0.5, float("inf")], dtype=torch.float32)')
        self.assertEqual(self.line(floats, fill="zeros"), "torch.zeros(2)")
        self.assertEqual(self.line(floats, fill="random"), "rand(2)")

    def test_tensors_of_one_storage_view_one_base(self):
        whole, half = tensor("f32[4]{1}+0", 0), tensor("f32[2]{1}+2", 0) | {"n": 16}
        self.assertEqual(self.line(whole, half), "(x := torch.zeros(4)).as_strided([4], [1], 0), x.as_strided([2], [1], 2)")
        with self.assertRaises(lines.Unwritable):
            self.line(whole, half | {"t": "i32[2]{1}+2@cpu"})

    def test_other_arguments(self):
        self.assertEqual(self.line(2, 2.0, True, None, [1, 2], {"dtype": "f16"}, {"complex": [1.0, 2.0]}, {"inf": -1}, out={"device": "cpu"}),
                         '2, 2.0, True, None, [1, 2], torch.float16, (1+2j), float("-inf"), out=\'cpu\'')
        self.assertEqual(self.line(tensor("c64[2]{1}+0", 0, conj=True)), "torch.zeros(2, dtype=torch.complex64).conj()")
        with self.assertRaises(lines.Unwritable):
            self.line({"dict": []})


class Run(unittest.TestCase):
    def test_the_two_sides_begin_in_one_column(self):
        self.assertEqual(run.sides_of("eager  f32[2]{1}\nfake   raises E: a  b\n"), ("f32[2]{1}", "raises E: a  b"))
        self.assertEqual(run.sides_of("eager           off by 0\nunder the mode  off by 1\n"), ("off by 0", "off by 1"))


class Table(unittest.TestCase):
    LONG = copysign(args=[tensor("f32[20,30]{1,20}+0", 0), tensor("f32[]{}+0", 1)])
    RIGHT = ("f32[2,3]{1,2}", "f32[2,3]{3,1}")

    def rows(self, run):
        return table.rows_of(table.groups([causes.call_of(self.LONG), causes.call_of(copysign())]), run)

    def test_row_has_the_shortest_line_that_shows_it(self):
        row, = self.rows(lambda written: ("2.15.0", [self.RIGHT] * len(written)))
        self.assertEqual((row.cause, row.operator, row.calls, row.line, row.seen),
                         ("differs.stride_lost", "copysign", 2, "both(aten.copysign.Tensor, torch.zeros(3, 2).t(), torch.zeros(()))", "2.15.0"))
        self.assertEqual((row.eager, row.other), self.RIGHT)

    def test_line_that_shows_something_else_is_replaced(self):
        ran = []

        def run(written):
            ran.extend(written)
            return "2.15.0", [self.RIGHT if "rand(3, 2)" in line else (self.RIGHT[0], self.RIGHT[0]) for line in written]

        row, = self.rows(run)
        self.assertIn("rand(3, 2).t()", row.line)
        self.assertEqual(row.seen, "2.15.0")
        self.assertEqual(ran[0], "both(aten.copysign.Tensor, torch.zeros(3, 2).t(), torch.zeros(()))")

    def test_a_row_that_no_line_shows_is_marked(self):
        for answer in ("the line ended Python with status -11", (self.RIGHT[0], self.RIGHT[0]), ("raises RuntimeError: no", self.RIGHT[1])):
            row, = self.rows(lambda written, answer=answer: ("2.15.0", [answer] * len(written)))
            self.assertEqual((row.seen, row.eager, row.other), ("", *self.RIGHT))

    def test_errors_have_their_message_and_count_by_class(self):
        call = causes.call_of(copysign(fake={"err": "RuntimeError"}))
        for said, seen in (("raises RuntimeError: sizes differ", "2.15.0"), ("raises TypeError: sizes differ", "")):
            row, = table.rows_of(table.groups([call]), lambda written, said=said: ("2.15.0", [(self.RIGHT[0], said)] * len(written)))
            self.assertEqual(row.seen, seen)
            self.assertEqual(row.other, said if seen else "raises RuntimeError")

    def test_it_is_read_as_it_is_written(self):
        rows = self.rows(lambda written: ("2.15.0", [self.RIGHT] * len(written)))
        self.assertEqual(table.read(table.write(rows)), rows)
        with self.assertRaises(ValueError):
            table.read("cause\toperator\n")

    def test_another_version_counts_if_both_sides_hold(self):
        row = table.Row("differs.dtype", "f", 1, "result 1: i64[2]{1}", "result 1: i32[2]{1}", "both()", "2.15.0")
        self.assertTrue(table.shown_again(row, ("f32[2]{1}, i64[2]{1}", "f32[2]{1}, i32[2]{1}")))
        for answer in (("f32[2]{1}, i64[2]{1}", "f32[2]{1}, i64[2]{1}"), ("f32[2]{1}, i64[2]{1}", "raises TypeError: no"), "it ended"):
            self.assertFalse(table.shown_again(row, answer))
        row.cause, row.eager, row.other = "mode", "off by 0", "off by 0.12"
        self.assertTrue(table.shown_again(row, ("off by 0", "off by 0.13")))
        self.assertFalse(table.shown_again(row, ("off by 0", "off by 0")))
        row.saw("2.9.1")
        self.assertEqual(row.seen, "2.9.1, 2.15.0")

    def test_handwritten_rows_are_seen_where_sides_differ(self):
        answers = [("off by 0", "off by 0.3"), ("off by 0", "off by 0"), "it ended"]
        rows = table.rows_by_hand("# by hand\nmode\ta\t2\tl1\nmode\tb\t1\tl2\nrecord\tc\t\tl3\n", {"c": 4}, lambda written: ("2.15.0", answers))
        self.assertEqual([(r.operator, r.calls, r.seen) for r in rows], [("a", 2, "2.15.0"), ("b", 1, ""), ("c", 4, "")])

    def test_issues_are_found_by_cause_and_operator(self):
        rows = [table.Row(cause, operator, 1, "", "", "") for cause, operator in
                (("taken.dtypes", "mm"), ("taken.dtypes", "add"), ("mode", "aten.linalg_pinv.default"), ("record", "aten.roll.default stride"))]
        table.with_issues(rows, "# numbers\ntaken.dtypes\tmm\t1\nmode\t*\t2\nrecord\troll\t3\n")
        self.assertEqual([row.issue for row in rows], ["1", "", "2", "3"])


class Undecided(unittest.TestCase):
    def test_files_with_both_kinds_are_halved(self):
        pairs = [({"id": str(k)}, "undecided" if k in (1, 5, 6) else "decided") for k in range(8)]
        original, undecided.undecided_in = undecided.undecided_in, lambda program, written: written.count("undecided")
        try:
            decided, left = undecided.split("ersatz", pairs)
        finally:
            undecided.undecided_in = original
        self.assertEqual([r["id"] for r, _ in left], ["1", "5", "6"])
        self.assertEqual([r["id"] for r, _ in decided], ["0", "2", "3", "4", "7"])


class Page(unittest.TestCase):
    def rows(self, count=1, **changed):
        return [table.Row(**{"cause": "differs.stride_lost", "operator": f"op{k}", "calls": count - k, "eager": "f32[2]{1}", "other": "f32[2]{2}",
                             "line": f"both(op{k})", "seen": "2.15.0"} | changed) for k in range(count)]

    def test_cause_shows_its_most_frequent_rows(self):
        text = page.page(self.rows(sections.MOST_ROWS + 2), 100)
        self.assertIn(f"| `op0` | {sections.MOST_ROWS + 2} | `f32[2]{{1}}` | `f32[2]{{2}}` | `both(op0)` | 2.15.0 |  |\n", text)
        self.assertIn(f"\nAlso: `op{sections.MOST_ROWS}` 2, `op{sections.MOST_ROWS + 1}`.\n", text)
        self.assertNotIn(f"`both(op{sections.MOST_ROWS})`", text)

    def test_cells_keep_their_bars_and_backticks(self):
        self.assertIn("| `raises E: 'a' \\| b` |", page.page(self.rows(eager="raises E: `a` | b"), 100))

    def test_counts_are_summed_and_unshown_rows_counted(self):
        text = page.page(self.rows(2) + self.rows(1, cause="guard", seen="", issue="5"), 96100)
        self.assertIn("on 96,100 odd calls", text)
        self.assertIn("differ in\n3 of them", text)
        self.assertIn("1 row of 3 has no line", text)
        self.assertIn("[5](https://github.com/pytorch/pytorch/issues/5)", text)

    def test_page_not_made_by_its_table_is_named(self):
        docs = importlib.import_module("checks.docs")
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs/data").mkdir(parents=True)
            (root / "docs/data/predictions.txt").write_text("predictions: of 100 records that both predict, none differs\n")
            (root / "docs/data/found.tsv").write_text(table.write(self.rows()))
            self.assertEqual(docs.stale_findings(root, {docs.FOUND_TABLE}), ["docs/found.md: missing, run `scripts/found`"])
            (root / "docs/found.md").write_text(page.page(self.rows(), 100))
            self.assertEqual(docs.stale_findings(root, {docs.FOUND_TABLE, docs.FOUND}), [])
            (root / "docs/found.md").write_text(page.page(self.rows(operator="other"), 100))
            self.assertEqual(docs.stale_findings(root, {docs.FOUND_TABLE, docs.FOUND}), ["docs/found.md: stale, run `scripts/found`"])
            of = source.Source("2.13.0", "ersatz conformance -o DIR", 7)
            (root / "docs/data/found.tsv").write_text(of.line() + table.write(self.rows()))
            (root / "docs/found.md").write_text(page.page(self.rows(), 100, of))
            self.assertEqual(docs.stale_findings(root, {docs.FOUND_TABLE, docs.FOUND}), [])

    def conformance(self, folder, **changed):
        """Makes a folder like the one that `ersatz conformance -o DIR` writes."""
        report = {"format": 1, "command": "conformance", "input": "ersatz conformance /home/me/calls --no-opinfo -o DIR", "torch": "2.13.0+cu130",
                  "items": 2, "judged": 2, "counts": {"fake: compared": 1586, "fake: wrong": 2}} | changed
        (folder / "report.json").write_text(json.dumps(report))
        (folder / "found.tsv").write_text(table.write(self.rows(2, seen="2.13.0"), "# Written by `ersatz conformance`."))
        return folder

    def test_conformance_page_says_what_was_compared(self):
        with tempfile.TemporaryDirectory() as name:
            rows, of = source.of_conformance(self.conformance(pathlib.Path(name)))
        text = page.page(rows + self.rows(1, cause="guard"), 96100, of)
        self.assertIn("`scripts/found DIR` made this page with PyTorch 2.13.0.", text)
        self.assertIn("`ersatz conformance calls --no-opinfo -o DIR` made 1,586 calls with PyTorch 2.13.0 on the CPU", text)
        self.assertNotIn("96,100", text)
        self.assertEqual(of, source.source_in(of.line() + table.write(rows)))  # the page is made of the table again
        self.assertEqual(source.Source(), source.source_in(table.write(rows)))

    def test_unfinished_conformance_run_makes_no_page(self):
        for changed, said in [({"judged": 1}, "1 of 2 items are judged"), ({"command": "sweep"}, "none of `ersatz conformance`"),
                              ({"counts": {"fake: compared": 9}}, "no fake is wrong in it")]:
            with tempfile.TemporaryDirectory() as name, self.assertRaisesRegex(ValueError, said):
                source.of_conformance(self.conformance(pathlib.Path(name), **changed))

    def test_records_of_programs_are_summed_over_the_table(self):
        row = "| own/a | 1 | 0 | copy.default offset 3, roll.default stride 1 |\n| own/b | 1 | 0 | copy.default offset 10 |\n| own/c | 1 | 0 | 0 |\n"
        self.assertEqual(page.wrong_records(row), {"aten.copy.default offset": 13, "aten.roll.default stride": 1})


@unittest.skipUnless(os.environ.get("ERSATZ_TORCH_PYTHON"), "ERSATZ_TORCH_PYTHON names no Python with PyTorch")
class WithPyTorch(unittest.TestCase):
    PYTHON = os.environ.get("ERSATZ_TORCH_PYTHON")

    def test_lines_of_the_committed_table_show_their_rows(self):
        """Runs one row of each cause, if the table was made with this version of PyTorch."""
        rows = {row.cause: row for row in reversed(table.read((ROOT / "docs/data/found.tsv").read_text())) if row.seen}
        version, answers = run.run(self.PYTHON, [row.line for row in rows.values()])
        if all(version not in row.seen.split(", ") for row in rows.values()):
            self.skipTest(f"the table was not made with PyTorch {version}")
        wrong = [(row.line, answer) for row, answer in zip(rows.values(), answers) if not table.shown_again(row, answer)]
        self.assertEqual(wrong, [])
        self.assertGreater(len(rows), 30)

    def test_line_that_ends_python_does_not_stop_others(self):
        version, answers = run.run(self.PYTHON, ["both(aten.abs.default, torch.zeros(2))", "nowhere", "__import__('os').abort()",
                                                 "both(aten.abs.default, torch.zeros(3))"])
        self.assertRegex(version, r"^[\d.]+")
        self.assertEqual(answers, [("f32[2]{1}", "f32[2]{1}"), "NameError: name 'nowhere' is not defined", "the line ended Python with status -6",
                                   ("f32[3]{1}", "f32[3]{1}")])


if __name__ == "__main__":
    unittest.main()
