"""`ersatz.torch.propagate` lists the data-dependent shapes of a live model, with line, values and dependents."""

from __future__ import annotations

import importlib.util
import json
import pickle
import textwrap
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz.torch
from ersatz.torch.named_values import name_of
from own_folder import own_folder

try:
    import torchvision
except ImportError:
    torchvision = None


class Model(torch.nn.Module):
    def forward(self, x):
        n = (x > 0).sum().item()
        ramp = torch.zeros(n) + 1
        kept = x[x > 0]
        found = torch.unique(x.round())
        return ramp.sum(), kept * 2, found, torch.nonzero(x > 1), torch.masked_select(x, x < 0).sum()


FIRST = torch.tensor([1.0, 2.0, 2.2, -1.0, -3.0, 5.0])
SECOND = torch.tensor([1.0, 1.0, 1.0, -1.0, -1.0, 1.0])


def line(text):
    with open(__file__, encoding="utf-8") as f:
        return 1 + [row.strip() for row in f].index(text)


class Points(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = ersatz.torch.propagate(Model(), (FIRST,), (SECOND,))

    def point(self, op):
        return next(p for p in self.report.points if p.op == op)

    def test_every_point_has_line_and_both_values(self):
        self.assertEqual([(p.op, p.values) for p in self.report.points], [
            ("aten._local_scalar_dense.default", [[4], [4]]),
            ("aten.index.Tensor", [[4], [4]]),
            ("aten._unique2.default", [[5], [2]]),
            ("aten.nonzero.default", [[3], [0]]),
            ("aten.masked_select.default", [[2], [2]])])
        for point, text in zip(self.report.points, ["n = (x > 0).sum().item()", "kept = x[x > 0]", "found = torch.unique(x.round())"]):
            self.assertEqual(point.at, f"{__file__}:{line(text)} in forward: {text}")

    def test_what_is_computed_from_a_point(self):
        at = line("return ramp.sum(), kept * 2, found, torch.nonzero(x > 1), torch.masked_select(x, x < 0).sum()")
        self.assertEqual(self.point("aten.index.Tensor").dependents, [f"aten.mul.Tensor (propagate_test.py:{at})"])
        self.assertEqual(self.point("aten.index.Tensor").outputs, ["output[1]"])
        self.assertEqual(self.point("aten._unique2.default").outputs, ["output[2]"])

    def test_calls_that_take_a_number_follow_from_it(self):
        point = self.point("aten._local_scalar_dense.default")
        self.assertIn(f"aten.zeros.default (propagate_test.py:{line('ramp = torch.zeros(n) + 1')})", point.dependents)
        self.assertEqual(point.outputs, ["output[0]"])

    def test_equal_number_of_other_origin_needs_second_run(self):
        class Two(torch.nn.Module):
            def forward(self, x):
                n = int(x.sum())
                return torch.ones(n), torch.ones(7)

        one = ersatz.torch.propagate(Two(), torch.full((7,), 1)).points[0]
        self.assertEqual(one.outputs, ["output[0]", "output[1]"])
        both = ersatz.torch.propagate(Two(), torch.full((7,), 1), torch.full((3,), 1)).points[0]
        self.assertEqual(both.outputs, ["output[0]"])

    def test_the_text_sums_up(self):
        text = str(self.report)
        self.assertIn("aten._unique2.default             saw 5, 2: 2 to 5", text)
        self.assertIn("seen in 2 runs (no constraints: ersatz.torch.export finds the lines that an export needs):\n  # found.shape[0] was 2 to 5", text)
        self.assertEqual(text.splitlines()[-1], "propagate: 2 runs, 5 data-dependent points, 0 findings")

    def test_number_used_by_python_has_an_effect(self):
        class Next(torch.nn.Module):
            def forward(self, x):
                n = int(x.max()) + 1
                return torch.arange(n)
        text = str(ersatz.torch.propagate(Next(), (FIRST,), (SECOND,)))
        self.assertIn("no call takes this number itself: what Python computes with it was not followed", text)
        self.assertNotIn("nothing depends on it", text)

    def test_its_status_is_that_of_the_command(self):
        self.assertEqual(json.loads(self.report.to_json())["status"], "clean")
        logs = ersatz.torch.propagate(torch.log, (torch.tensor([-1.0]),))
        self.assertEqual(json.loads(logs.to_json())["status"], "findings")

    def test_json_is_named_as_the_commands(self):
        told = json.loads(self.report.to_json())
        self.assertEqual(list(told), ["format", "command", "input", "device", "status", "nodes", "runs", "points", "seen", "findings", "remarks"])
        self.assertEqual((told["input"], told["device"], told["nodes"]), ("Model", "live", None))
        self.assertEqual(told["runs"][0], {"inputs": "f32[6]@cpu", "nodes": told["runs"][0]["nodes"], "results": told["runs"][0]["results"],
                                           "without_value": 0, "error": None})
        point = told["points"][2]
        self.assertEqual(list(point), ["node", "op", "symbol", "expression", "at", "values", "dependents", "dependents_by", "outputs", "frozen",
                                       "reader", "recorded", "dim"])
        self.assertEqual((point["values"], point["expression"], point["dim"], point["dependents_by"]), ([5, 2], "found.shape[0]", 0, "flow"))
        self.assertEqual(told["seen"], [{"symbol": "found.shape[0]", "text": "found.shape[0] was 2 to 5"}])

    def test_call_made_repeatedly_has_a_list_of_values(self):
        report = ersatz.torch.propagate(lambda x: [x[:n].nonzero() for n in (2, 6)], FIRST)
        self.assertEqual(report.points[0].values, [[2, 6]])
        self.assertEqual(json.loads(report.to_json())["points"][0]["values"], [[2, 6]])
        self.assertIn("saw 2, 6: 2 to 6", str(report))

    def test_a_report_survives_pickle(self):
        report = ersatz.torch.propagate(lambda x: x.log(), -torch.ones(2))
        again = pickle.loads(pickle.dumps(report))
        self.assertEqual((again, str(again), again.findings[0].runs, again.to_html()), (report, str(report), (1,), report.to_html()))

    def test_the_program_is_what_it_was(self):
        torch.manual_seed(3)
        alone = torch.nn.functional.dropout(FIRST, 0.5)
        torch.manual_seed(3)
        seen = []
        ersatz.torch.propagate(lambda x: seen.append(torch.nn.functional.dropout(x, 0.5)), FIRST)
        self.assertTrue(torch.equal(seen[0], alone))

    def test_bool_is_branch_that_export_cannot_take(self):
        report = ersatz.torch.propagate(lambda x: x + 1 if (x > 0).any() else x, FIRST)
        self.assertEqual([p.values for p in report.points], [[[True]]])
        self.assertIn("torch.cond", report.remarks[0])

    def test_the_dim_that_a_mask_decides(self):
        x, mask = torch.ones(2, 3, 4), torch.tensor([True, False, True])
        report = ersatz.torch.propagate(lambda x, m: (x[:, m], x[:, m, [0, 1]], x[m[:2]]), (x, mask))
        self.assertEqual([(p.dim, p.values) for p in report.points], [(1, [[2]]), (1, [[2]]), (0, [[1]])])

    def test_indices_that_are_no_masks_are_no_points(self):
        self.assertEqual(ersatz.torch.propagate(lambda x: x[torch.tensor([0, 1])], FIRST).points, ())


class SpecialValues(unittest.TestCase):
    def test_call_that_makes_first_nan_is_named(self):
        def model(x):
            difference = x - x
            ratio = difference / difference
            return ratio.relu()

        (finding,) = ersatz.torch.propagate(model, torch.ones(4)).findings
        self.assertEqual((finding.field, finding.op, finding.runs), ("nan", "aten.div.Tensor", (1,)))
        self.assertEqual(finding.observed, "4 of 4 elements of its result are NaN, the first at [0]; its inputs are finite")
        self.assertTrue(finding.source.endswith("in model: ratio = difference / difference"), finding.source)

    def test_inf_of_one_of_two_inputs(self):
        (finding,) = ersatz.torch.propagate(torch.reciprocal, torch.ones(2), torch.tensor([[1.0, 0.0]])).findings
        self.assertEqual((finding.field, finding.op, finding.runs), ("inf", "aten.reciprocal.default", (2,)))
        self.assertIn("the first at [0, 1]", finding.observed)

    def test_its_report_is_one_as_every_other(self):
        report = ersatz.torch.propagate(lambda x: x.log(), -torch.ones(2))
        self.assertIsInstance(report.findings[0], ersatz.Finding)
        with self.assertRaisesRegex(ersatz.errors.Findings, "^nan: aten.log.default: 2 of 2 elements") as raised:
            report.raise_if_findings()
        self.assertEqual((raised.exception.kind, raised.exception.op, raised.exception.report), ("Findings", "aten.log.default", report))
        self.assertIn("nan: aten.log.default: 2 of 2", report.to_html())
        self.assertIn("propagate: 1 run, 0 data-dependent points, 1 finding", report._repr_html_())
        self.assertFalse(report.clean)
        ersatz.torch.propagate(lambda x: x.log(), torch.ones(2)).raise_if_findings()

    def test_nan_that_a_call_writes_into_its_argument(self):
        (finding,) = ersatz.torch.propagate(lambda x: x.clone().sub_(1).sqrt_(), torch.zeros(2)).findings
        self.assertEqual((finding.field, finding.op), ("nan", "aten.sqrt_.default"))

    def test_what_an_argument_asks_for_is_a_remark(self):
        report = ersatz.torch.propagate(lambda x: x.masked_fill(x > 0, float("-inf")).softmax(0), FIRST)
        self.assertEqual(report.findings, ())
        at = line('report = ersatz.torch.propagate(lambda x: x.masked_fill(x > 0, float("-inf")).softmax(0), FIRST)')
        self.assertEqual(report.remarks, (f"inf: aten.masked_fill.Scalar at propagate_test.py:{at}: 4 of 6 elements of its result are Inf, "
                                          "the first at [0]: an argument of the call says so",))

    def test_unwritten_memory_is_not_looked_at(self):
        torch.full((1000,), float("nan"))  # a later tensor that reuses this memory has NaN in it
        self.assertEqual(ersatz.torch.propagate(lambda x: torch.empty(1000).fill_(0) + x, torch.ones(1)).findings, ())

    def test_raising_run_is_a_finding_and_others_run(self):
        report = ersatz.torch.propagate(lambda x: x.view(2, 2).sum(), torch.ones(3), torch.ones(4))
        (finding,) = report.findings
        self.assertEqual((finding.field, finding.op, finding.runs), ("stopped", "aten.view.default", (1,)))
        self.assertEqual((finding.observed, finding.more), ("the run ended here", ("shape '[2, 2]' is invalid for input of size 3",)))
        self.assertIn("ended by an error", report.notes[0])
        self.assertIn("\n  run 1: f32[3]@cpu; ended by an error\n  run 2: f32[4]@cpu\n", str(report))


REFUSED = textwrap.dedent('''
    import torch


    class Model(torch.nn.Module):
        def forward(self, x):
            n = (x > 0).sum().item()
            ramp = torch.arange(n)
            if n > 2:
                ramp = ramp + 1
            kept = x[x > 0]
            if kept.shape[0] < 30:
                kept = kept * 2
            found = torch.unique(
                x.round(),
            )
            if found.shape[0] >= 3:
                found = found[1:]
            chosen = torch.masked_select(x, x < 1)
            if chosen.shape[0] > 1:
                chosen = chosen - chosen[0]
            return ramp.sum(), kept.sum(), found.sum(), chosen.sum()
''')


class Names(unittest.TestCase):
    def loaded(self, text):
        path = str(own_folder(self) / "model_of_test.py")
        with open(path, "w") as f:
            f.write(text)
        spec = importlib.util.spec_from_file_location("model_of_test", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module, path

    def test_ranges_and_equal_values_are_comments(self):
        module, _ = self.loaded(REFUSED)
        report = ersatz.torch.propagate(module.Model(), torch.arange(-5.0, 6), torch.arange(-9.0, 9))
        for text in ("n was 5 to 8", "kept.shape[0] was n in both runs", "found.shape[0] was 11 to 18"):
            self.assertIn(text, report.seen)
        self.assertNotIn("torch._check", str(report))
        self.assertNotIn("torch._check", report.to_json())

    def test_one_run_shows_no_range(self):
        module, _ = self.loaded(REFUSED)
        report = ersatz.torch.propagate(module.Model(), torch.arange(-5.0, 6))
        self.assertEqual(report.seen, ())
        self.assertIn("one set of inputs shows one value of each", str(report))

    def test_statement_without_a_name_is_reported(self):
        _, path = self.loaded("import torch\nx = torch.ones(3)\nm = x > 0\nx.nonzero().sum()\nk, i = torch.unique(x, return_inverse=True)\nk = torch.where(x)[0]\n"
                              "k = x[m].sum()\nn = int(x.sum().item() * 0.5)\nn = int(x.sum())\nn = int(x.max()) + 1\nn = x.sum().item()\nn = float(round(x.sum().item()))\n")
        number = "aten._local_scalar_dense.default"
        asked = [(4, "aten.nonzero.default", 0), (5, "aten._unique2.default", 0), (6, "aten.nonzero.default", 0), (7, "aten.index.Tensor", 0),
                 (8, number, None), (9, number, None), (10, number, None), (11, number, None), (12, number, None)]
        names = [name_of(path, at, op, dim) for at, op, dim in asked]
        self.assertEqual([n.expression if n else None for n in names], [None, "k.shape[0]", "k.shape[0]", None, None, "n", None, "n", None])
        module, _ = self.loaded(REFUSED.replace("n = (x > 0).sum().item()", "n = int((x > 0).sum().item() * 0.5) + 3"))
        text = str(ersatz.torch.propagate(module.Model(), torch.arange(-5.0, 6), torch.arange(-9.0, 9)))
        self.assertIn("without a name: its statement computes on from it", text)
        self.assertNotIn("n was", text)

    def test_lists_and_packed_sequences_are_points(self):
        class Both(torch.nn.Module):
            def forward(self, x, lengths):
                a, b = lengths.tolist()
                packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
                return x[a:b], packed.data

        report = ersatz.torch.propagate(Both(), (torch.ones(5, 2, 3), torch.tensor([2, 5])), (torch.ones(5, 2, 3), torch.tensor([3, 4])))
        seen = {p.op: p.values for p in report.points}
        self.assertEqual(seen["Tensor.tolist"], [[2, 5], [3, 4]])
        self.assertEqual(seen["aten._pack_padded_sequence.default"], [[7], [7]])
        taken = next(p for p in report.points if p.op == "Tensor.tolist")
        self.assertTrue(any(d.startswith("aten.slice.Tensor") for d in taken.dependents), taken.dependents)

    def test_a_loop_over_a_number_is_told(self):
        def model(x, n):
            i = 0
            while i < n.item():
                x, i = x * 2, i + 1
            for _ in range(int(n)):
                x = x + 1
            return x

        remarks = ersatz.torch.propagate(model, (torch.ones(2), torch.tensor(3))).remarks
        self.assertEqual(len(remarks), 2)
        self.assertIn("decides how often `while i < n.item()` goes round", remarks[0])
        self.assertIn("decides how often `for _ in range(int(n))` goes round", remarks[1])

    def test_float_deciding_a_branch_has_an_effect(self):
        text = str(ersatz.torch.propagate(lambda x: x * 2 if x.abs().max().item() > 1.5 else x, FIRST))
        self.assertIn("what Python computes with it was not followed", text)
        self.assertNotIn("nothing depends on it", text)


@unittest.skipUnless(torchvision, "needs torchvision")
class FasterRcnn(unittest.TestCase):
    def test_every_point_with_line_and_both_values(self):
        torch.manual_seed(0)
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        self.addCleanup(torch.set_num_threads, threads)
        model = torchvision.models.detection.fasterrcnn_mobilenet_v3_large_320_fpn(
            weights=None, weights_backbone=None, rpn_post_nms_top_n_test=20, box_score_thresh=0.0).eval()
        with torch.no_grad():
            report = ersatz.torch.propagate(model, ([torch.rand(3, 64, 64)],), ([torch.rand(3, 80, 64)],))
        seen = {(p.op, p.at.partition(": ")[2]) for p in report.points}
        for expected in [("aten.nonzero.default", "keep = torch.where(keep)[0]"),
                         ("aten.nonzero.default", "keep = torch.where(scores >= self.score_thresh)[0]"),
                         ("torchvision.nms.default", "return torch.ops.torchvision.nms(boxes, scores, iou_threshold)"),
                         ("aten.nonzero.default", "idx_in_level = torch.where(levels == level)[0]"),
                         ("aten.nonzero.default", "inds = torch.where(scores > self.score_thresh)[0]")]:
            self.assertIn(expected, seen)
        for point in report.points:
            self.assertTrue(point.values[0], point)
            if point.dim is not None:  # the scales of levels are numbers that the first run computes and keeps
                self.assertTrue(point.values[1], point)
                self.assertTrue(point.dependents or point.outputs, point)


if __name__ == "__main__":
    unittest.main()
