"""Graphs of torch.fx are compared with their operators' rules as their nodes say, and as their printed text says."""

from __future__ import annotations

import json
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from torch.fx.experimental.proxy_tensor import make_fx

from ersatz import _ersatz
from ersatz.report import Report
from ersatz.torch.watched_compiles import _text_of, _watched


def graph_of(function, *inputs, mode="fake"):
    return make_fx(function, tracing_mode=mode)(*inputs).graph


def node_of(graph, target):
    return next(n for n in graph.nodes if n.target is target)


def turn(node):
    """Gives the node's prediction other strides."""
    value = node.meta["val"]
    node.meta["val"] = value.new_empty_strided(value.shape, value.stride()[::-1])


def told(report, mode):
    """Returns what a report says of a graph. The text of a graph with symbols does not have their example sizes."""
    findings = [(f.op, f.node, f.result, f.field) + ((f.predicted, f.observed, f.cause) if mode == "fake" else ()) for f in report.findings]
    return findings, report.compared, report.mismatched, report.clean, json.loads(report.json)["skipped"]


def steps(x, y):
    values, order = x.t().contiguous().topk(2)
    first, rest = torch.split(x, [1, 2])
    return values.sum(), order + 1, torch.cat([rest, first]) @ y, x.to(torch.bfloat16), torch.complex(x, x).conj().imag


class Watched(unittest.TestCase):
    def both(self, graph, mode="fake"):
        """Returns the results for the nodes, and the results for their text."""
        read = _watched("0 joint", graph, texts=False)
        self.assertEqual((read.why, read.printed), ("", ""))
        answer = _ersatz.crosscheck("0_joint_graph", text=_text_of(graph), no_real=True, keep_going=True)
        return told(read.report, mode), told(Report(answer.report()), mode)

    def test_nodes_and_text_agree(self):
        for mode in ("fake", "symbolic"):
            nodes, text = self.both(graph_of(steps, torch.randn(3, 4), torch.randn(4, 5), mode=mode), mode)
            self.assertEqual(nodes, text)
            self.assertEqual(nodes[2:4], (0, True))
            self.assertEqual(nodes[1], 17)

    def test_wrong_predictions_are_found_in_nodes_and_text(self):
        for mode in ("fake", "symbolic"):
            graph = graph_of(steps, torch.randn(3, 4), torch.randn(4, 5), mode=mode)
            turn(node_of(graph, torch.ops.aten.mm.default))
            getitem = next(n for n in graph.nodes if n.name == "getitem_1")
            getitem.meta["val"] = getitem.meta["val"].to(torch.int32)
            nodes, text = self.both(graph, mode)
            self.assertEqual(nodes, text)
            self.assertEqual([(f[0], f[3]) for f in nodes[0]], [("aten.topk.default", "dtype"), ("aten.mm.default", "stride")])

    def test_example_sizes_are_those_of_the_trace(self):
        graph = graph_of(lambda x: x.new_zeros(x.shape[0] * 2) + x.sum(), torch.randn(7, 3), mode="symbolic")
        zeros = node_of(graph, torch.ops.aten.new_zeros.default)
        zeros.meta["val"] = zeros.meta["val"].new_empty(5)
        finding, = _watched("0 joint", graph, texts=False).report.findings
        self.assertEqual((finding.predicted, finding.observed), ("f32[14]{1}+0@cpu", "f32[5]{1}+0@cpu"))

    def test_nested_graphs_are_compared_once_each(self):
        def either(x):
            return torch.cond(x.sum() > 0, lambda a: a.t().contiguous() + 1, lambda a: a.t().contiguous() * 2, (x,))
        graph = graph_of(either, torch.randn(3, 4), mode="symbolic")
        nodes, text = self.both(graph, "symbolic")
        self.assertEqual(nodes, text)
        turn(node_of(graph.owning_module.true_graph_0.graph, torch.ops.aten.add.Tensor))
        nodes, text = self.both(graph, "symbolic")
        self.assertEqual(nodes, text)
        self.assertEqual([(f[0], f[3]) for f in nodes[0]], [("aten.add.Tensor", "stride")])

    def test_unused_results_are_compared_too(self):
        graph = graph_of(lambda x: x.topk(2)[0], torch.randn(3, 4))
        graph.eliminate_dead_code()
        nodes, text = self.both(graph)
        self.assertEqual((nodes[1], text[1]), (2, 1))

    def test_text_is_printed_unless_the_graph_is_clean(self):
        graph = graph_of(lambda x: x.t() + 1, torch.randn(3, 4))
        self.assertEqual(_watched("0 joint", graph, texts=False).text, "")
        self.assertIn("torch.ops.aten.t.default", _watched("0 joint", graph, texts=True).text)
        turn(node_of(graph, torch.ops.aten.add.Tensor))
        self.assertIn("torch.ops.aten.t.default", _watched("0 joint", graph, texts=False).text)

    def test_unreadable_node_is_read_from_the_text(self):
        graph = graph_of(lambda x: x.sin() + 1, torch.randn(3, 4))
        node_of(graph, torch.ops.aten.sin.default).target = torch.sin
        found = _watched("0 joint", graph, texts=False)
        self.assertIn("node sin: ", found.printed)
        self.assertIn("is no operator", found.printed)
        self.assertIn("torch.sin(", found.text)
        self.assertEqual((found.report.compared, found.report.clean), (2, True))


if __name__ == "__main__":
    unittest.main()
