"""The torch.compile backend of ersatz runs each AOTAutograd graph node by node under a crosscheck."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz.torch

LIBRARY = torch.library.Library("compile_backend_test", "FRAGMENT")
LIBRARY.define("turned(Tensor x) -> Tensor")
torch.library.impl(LIBRARY, "turned", "CPU")(lambda x: x.t().contiguous().t())
torch.library.register_fake("compile_backend_test::turned")(lambda x: torch.empty_like(x))  # row-major, unlike the kernel's result


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.dropout = torch.nn.Linear(4, 4), torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.dropout(self.layer(x)).relu().clone().add_(1).sum()


def gradients(net, of):
    torch.manual_seed(3)
    net.zero_grad()
    loss = of(torch.arange(12.0).reshape(3, 4))
    loss.backward()
    return loss.detach().clone(), net.layer.weight.grad.clone(), net.layer.bias.grad.clone()


class CompileBackend(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()
        self.backend = ersatz.torch.Backend()

    def test_results_are_eagers_and_each_call_is_compared(self):
        net = Net()
        eager = gradients(net, net)
        compiled = gradients(net, torch.compile(net, backend=self.backend, fullgraph=True))
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(eager, compiled, strict=True)))
        report = self.backend.report
        self.assertTrue(report.clean, str(report))
        self.assertEqual(self.backend.graphs, 2)  # forward and backward
        self.assertEqual(report.report.nodes, self.backend.nodes)

    def test_calls_belong_to_the_crosscheck_that_is_active(self):
        for native in (False, None):
            torch._dynamo.reset()
            backend, x = ersatz.torch.Backend(), torch.ones(3)
            with ersatz.torch.crosscheck(native=native) as report:
                torch.compile(lambda x: x.sin() + 1, backend=backend)(x)
            self.assertEqual((report.compared, report.clean, backend.report.compared), (2, True, 0), str(report))

    def test_finding_names_line_that_node_was_traced_from(self):
        def turn(x):
            y = torch.ops.compile_backend_test.turned(x)
            return y + 1

        self.assertEqual(torch.compile(turn, backend=self.backend)(torch.ones(2, 3)).stride(), (1, 2))
        finding, = self.backend.report.findings
        self.assertEqual((finding.op, finding.field), ("compile_backend_test.turned.default", "stride"))
        self.assertRegex(str(self.backend.report), r"at: .*compile_backend_test.py:\d+ in turn: y = torch\.ops")

    def test_lines_are_those_of_calls_after_the_graph(self):
        with ersatz.torch.crosscheck() as report:
            torch.compile(lambda x: x + 1, backend=self.backend)(torch.ones(3))
            torch.ops.compile_backend_test.turned(torch.ones(2, 3))  # outside of the graph
        self.assertIn("# outside of the graph", str(report))

    def test_sizes_may_be_symbols_and_graphs_may_break(self):
        def broken(x):
            y = x * 2
            torch._dynamo.graph_break()
            return y[1:] + y.shape[0]

        compiled = torch.compile(broken, backend=self.backend, dynamic=True)
        for n in (3, 5):
            self.assertTrue(torch.equal(compiled(torch.ones(n)), broken(torch.ones(n))))
        self.assertEqual(self.backend.graphs, 2)
        self.assertTrue(self.backend.report.clean, str(self.backend.report))

    def test_exception_of_operator_is_that_of_eager(self):
        def out_of_range(x, index):
            return x[index]

        with self.assertRaisesRegex(IndexError, "^index 7 is out of bounds"):
            torch.compile(out_of_range, backend=self.backend)(torch.ones(3), torch.tensor([7]))

    def test_inputs_that_change_are_written(self):
        x = torch.ones(3)
        torch.compile(lambda t: t.mul_(3).add(1), backend=self.backend)(x)
        self.assertEqual(x.tolist(), [3, 3, 3])
        self.assertTrue(self.backend.report.clean, str(self.backend.report))

    def test_options_are_refused(self):
        with self.assertRaisesRegex(Exception, "takes no options: got mode"):
            torch.compile(lambda x: x + 1, backend=self.backend, options={"mode": 1})(torch.ones(2))

    def test_the_report_is_printed_when_the_process_ends(self):
        with tempfile.TemporaryDirectory() as folder:
            info = pathlib.Path(folder, "ersatz_tensors-0.dist-info")  # registers the backend like an installed package
            info.mkdir()
            (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ersatz-tensors\nVersion: 0\n")
            (info / "entry_points.txt").write_text('[torch_dynamo_backends]\nersatz = ersatz.torch.compiling:backend\n')
            path = os.pathsep.join([folder, *sys.path])
            script = "import torch\nprint(torch.compile(lambda x: x.exp().sum(), backend='ersatz')(torch.zeros(3)).item())"
            ran = subprocess.run([sys.executable, "-W", "ignore", "-c", script], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (0, "3.0\n"), ran.stderr)
        self.assertEqual(ran.stderr.splitlines()[-2:], ["torch.compile with backend ersatz: 1 graph, 2 calls in it",
                                                        "crosscheck: 2 compared, 0 mismatched, 0 skipped"])


if __name__ == "__main__":
    unittest.main()
