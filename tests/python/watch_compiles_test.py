"""Graphs that inductor compiles are compared with the rules of their operators, before they run."""

from __future__ import annotations

import json
import shutil
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from torch._inductor import config

import ersatz.torch

LIBRARY = torch.library.Library("watch_compiles_test", "FRAGMENT")
LIBRARY.define("own(Tensor x) -> Tensor")
torch.library.impl(LIBRARY, "own", "CPU")(lambda x: x.clone())
torch.library.register_fake("watch_compiles_test::own")(lambda x: torch.empty_like(x))


def transpose_sines(graph):
    """A pass of inductor that makes a wrong prediction."""
    for node in graph.nodes:
        if node.target is torch.ops.aten.sin.default:
            value = node.meta["val"]
            node.meta["val"] = value.new_empty_strided(value.shape, value.stride()[::-1])


@unittest.skipUnless(shutil.which("c++"), "inductor needs a compiler")
class WatchCompiles(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def test_training_graphs_are_compared_and_results_stay(self):
        torch.manual_seed(0)
        net, x = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.GELU()), torch.randn(3, 4)

        def step():
            torch._dynamo.reset()
            net.zero_grad()
            loss = torch.compile(net)(x).sum()
            loss.backward()
            return loss.detach(), net[0].weight.grad.clone()

        before = step()
        with ersatz.torch.watch_compiles() as report:
            watched = step()
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(before, watched, strict=True)))
        self.assertEqual([g.name for g in report.graphs], ["0 joint", "1 post-grad", "2 post-grad"])
        self.assertTrue(report.clean, str(report))
        self.assertGreater(report.compared, 20)
        self.assertRegex(str(report), r"^watch_compiles: 3 graphs, \d+ compared, 0 mismatched, 0 not clean, 0 not read$")

    def test_wrong_prediction_is_finding_with_its_line(self):
        def sine(x):
            return x.sin() + 1

        with config.patch(post_grad_custom_post_pass=transpose_sines):
            with ersatz.torch.watch_compiles() as report:
                torch.compile(sine)(torch.ones(2, 3))
            self.assertIs(config.post_grad_custom_post_pass, transpose_sines)
        first, = (f for f in report.findings if f.op == "aten.sin.default")
        self.assertEqual((first.field, first.predicted, first.observed), ("stride", "f32[2,3]{3,1}+0@cpu", "f32[2,3]{1,3}+0@cpu"))
        self.assertRegex(first.source, r"watch_compiles_test.py:\d+ in sine")
        self.assertFalse(report.clean)
        with self.assertRaises(ersatz.errors.MetadataMismatch):
            report.raise_if_findings()
        found = json.loads(report.to_json())
        self.assertEqual((found["mismatched"], found["clean"], len(found["graphs"])), (report.mismatched, False, len(report.graphs)))

    def test_operator_without_rule_leaves_its_graph_unclean(self):
        with ersatz.torch.watch_compiles() as report:
            torch.compile(lambda x: torch.ops.watch_compiles_test.own(x) + 1)(torch.ones(2, 3))
        self.assertEqual((report.findings, report.clean, report.unjudged), ((), False, True))
        self.assertIn("watch_compiles_test.own.default was not judged", str(report))

    def test_nothing_compiled_is_not_clean(self):
        with ersatz.torch.watch_compiles() as report:
            pass
        self.assertEqual((report.graphs, report.clean), ((), False))
        with self.assertRaises(ersatz.errors.Unjudged):
            report.raise_if_findings()


if __name__ == "__main__":
    unittest.main()
