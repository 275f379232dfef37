"""`ersatz.torch.crosscheck` does not change a live PyTorch program, and finds planted faults."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from torch.utils._python_dispatch import TorchDispatchMode

import ersatz
import ersatz.torch


class Spoilt(TorchDispatchMode):
    """A dispatch mode in which the calls of one operator return changed results."""

    def __init__(self, op, spoil):
        super().__init__()
        self.op, self.spoil = op, spoil

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        return self.spoil(out, *args) if func is self.op else out


def steps_on_meta(optimizer):
    """Returns whether the optimizer can make a step on the meta device. In older versions of PyTorch it reads a number."""
    with torch.device("meta"):  # the optimizer's own count of steps is on meta, too
        parameter = torch.nn.Parameter(torch.ones(2))
        parameter.grad = torch.ones_like(parameter)
        try:
            optimizer([parameter], foreach=True).step()
        except RuntimeError:
            return False
    return True


@contextlib.contextmanager
def spoilt(op, spoil):
    """Runs a program under a crosscheck, in which `op` is wrong."""
    with Spoilt(op, spoil):
        with ersatz.torch.crosscheck(native=False) as report:
            yield report


def replayed(repro):
    """Returns the findings that the ersatz program, without Python, has for a repro."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "repro.jsonl")
        with open(path, "w") as out:
            out.write(repro + "\n")
        report = os.path.join(folder, "report.json")
        ersatz._ersatz.run_command(["crosscheck", path, "--no-real", "--json", "-o", report])
        with open(report) as f:
            return json.load(f)["findings"]


class Plants(unittest.TestCase):
    """For each field there is one planted fault: the finding must name operator, field and line, and have a repro."""

    def found(self, report, op, field, repro=True):
        finding = report.findings[0]
        self.assertEqual((finding.op, finding.field), (op, field), str(report))
        self.assertIn("live_test.py", finding.source)
        self.assertIn("planted", finding.source)
        if repro:
            again = replayed(finding.repro)
            self.assertEqual([(f["op"], f["field"]) for f in again[:1]], [(op, field)], finding.repro)

    def test_dtype(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: out.double()) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "dtype")

    def test_size(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: out.new_zeros(2, 4)) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "size")

    def test_rank(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: out.new_zeros(2, 3, 1)) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "size")

    def test_stride(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: out.t().contiguous().t()) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "stride")

    def test_offset(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: torch.zeros(12)[6:].view(2, 3)) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "offset")

    def test_device(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: out.to("meta")) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "device")

    def test_conjugate(self):
        with spoilt(torch.ops.aten.neg.default, lambda out, x: out.conj()) as report:
            torch.neg(torch.ones(2, dtype=torch.complex64))  # planted
        self.found(report, "aten.neg.default", "conj")

    def test_negative(self):
        with spoilt(torch.ops.aten.abs.default, lambda out, x: torch._neg_view(out)) as report:
            torch.abs(torch.ones(2))  # planted
        self.found(report, "aten.abs.default", "neg")

    def test_a_result_that_is_a_view(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: x.view(2, 3)) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "alias")

    def test_a_result_that_is_the_argument(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: x) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "alias")

    def test_a_view_that_is_a_copy(self):
        with spoilt(torch.ops.aten.transpose.int, lambda out, x, *_: out.clone()) as report:
            torch.ones(2, 3).transpose(0, 1)  # planted
        self.found(report, "aten.transpose.int", "alias")

    def test_an_argument_that_nothing_says_is_written(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: (torch.autograd.graph.increment_version(x), out)[1]) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "undeclared_write", repro=False)

    def test_an_argument_whose_metadata_change(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: (x.t_(), out)[1]) as report:
            torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "mutation")

    def test_a_call_that_raises(self):
        def refuse(out, x):
            raise RuntimeError("no")

        with spoilt(torch.ops.aten.relu.default, refuse) as report:
            with self.assertRaisesRegex(RuntimeError, "^no$"):
                torch.relu(torch.ones(2, 3))  # planted
        self.found(report, "aten.relu.default", "error")

    def test_a_call_that_does_not_raise(self):
        class Lenient(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                return torch.ones(3) if func is torch.ops.aten.mm.default else func(*args, **(kwargs or {}))

        with Lenient(), ersatz.torch.crosscheck(native=False) as report:
            torch.mm(torch.ones(2, 3), torch.ones(2, 3))  # planted
        self.found(report, "aten.mm.default", "error")

    def test_a_size_that_depends_on_data(self):
        with spoilt(torch.ops.aten.nonzero.default, lambda out, x: out.int()) as report:
            torch.ones(2, 3).nonzero()  # planted
        self.found(report, "aten.nonzero.default", "dtype", repro=False)

    def test_a_size_out_of_its_bounds(self):
        with spoilt(torch.ops.aten.nonzero.default, lambda out, x: out.new_zeros(7, 2).t().contiguous().t()) as report:
            torch.ones(2, 3).nonzero()  # planted
        self.found(report, "aten.nonzero.default", "size", repro=False)


class Programs(unittest.TestCase):
    @unittest.skipUnless(hasattr(torch.ops.aten, "linalg_matrix_sqrth"), f"torch {torch.__version__} has no linalg_matrix_sqrth")
    def test_operator_making_lazy_conjugates_is_unchanged(self):
        x, root = torch.tensor([[2, 1j], [-1j, 2]]), torch.ops.aten.linalg_matrix_sqrth
        plain = root(x)
        with ersatz.torch.crosscheck(native=False):
            self.assertTrue(torch.equal(root(x), plain))

    def test_training_is_compared_and_left_as_it_is(self):
        def losses():
            torch.manual_seed(0)
            net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.Dropout(0.5),
                                      torch.nn.Flatten(), torch.nn.Linear(4 * 6 * 6, 5))
            optimizer = torch.optim.AdamW(net.parameters())
            seen = []
            for _ in range(3):
                loss = net(torch.randn(2, 3, 8, 8)).logsumexp(1).mean()
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                seen.append(loss.item())
            return seen

        plain = losses()
        with ersatz.torch.crosscheck() as report:
            live = losses()
        self.assertEqual(plain, live)
        self.assertEqual(report.findings, ())
        self.assertGreater(report.compared, 200)
        self.assertTrue(report.clean)
        self.assertRegex(report.closing_line, r"^crosscheck: \d+ compared, 0 mismatched")

    def test_what_is_found_again_is_counted_once(self):
        with spoilt(torch.ops.aten.relu.default, lambda out, x: out.double()) as report:
            for _ in range(4):
                torch.relu(torch.ones(2, 3))
        self.assertEqual([f.times for f in report.findings], [4])
        self.assertEqual(report.mismatched, 4)
        with self.assertRaises(ersatz.errors.MetadataMismatch):
            report.raise_if_findings()

    def test_subclasses_sparse_and_foreign_calls_are_skipped(self):
        @torch.library.custom_op("live_test::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        with ersatz.torch.crosscheck() as report:
            s = torch.eye(2).to_sparse()
            s + s
            twice(torch.ones(2))
        skipped = report.report.skipped_calls
        self.assertEqual(skipped['no fake kernel: @torch.library.register_fake("live_test::twice")']["live_test.twice.default"], 1)
        self.assertIn("sparse layout", skipped)
        self.assertEqual(report.findings, ())

    def test_operators_refused_by_name_are_no_findings(self):
        lstm = torch.nn.LSTM(3, 4, 2, bidirectional=True)
        for grad in (True, False):
            with torch.set_grad_enabled(grad), ersatz.torch.crosscheck(native=False) as report:
                out = lstm(torch.rand(5, 2, 3))[0]
                if grad:
                    out.sum().backward()
            self.assertEqual([str(f) for f in report.findings], [])
            self.assertGreater(report.compared, 0)
            self.assertIn("refused by name: layouts of a library's own are not supported", str(report))
            self.assertIn("aten.mkldnn_rnn_layer.default 4", str(report))

    def test_a_waiver_speaks_for_a_finding(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as rows:
            rows.write("aten.relu.default dtype until=never planted\n")
            rows.flush()
            with Spoilt(torch.ops.aten.relu.default, lambda out, x: out.double()):
                with ersatz.torch.crosscheck(native=False, waivers=rows.name) as report:
                    torch.relu(torch.ones(2))
        self.assertEqual(report.findings, ())
        self.assertEqual(report.report.waived, 1)

    def test_stopping_at_the_first_raises_after_the_call(self):
        with Spoilt(torch.ops.aten.relu.default, lambda out, x: out.double()):
            with self.assertRaises(ersatz.errors.Error) as raised:
                with ersatz.torch.crosscheck(native=False, stop_at_first=True):
                    torch.relu(torch.ones(2))
        self.assertEqual(raised.exception.kind, "MetadataMismatch")

    def test_crosschecks_nest(self):
        with ersatz.torch.crosscheck() as outer, ersatz.torch.crosscheck() as inner:
            torch.ones(2).add(1)
        self.assertEqual((outer.compared, inner.compared), (2, 2))

    def test_right_programs_at_the_edges_have_no_findings(self):
        """ersatz skips calls that it cannot predict, lists keep their device, and integers have the full range of 64 bits."""
        low, ops = -2**63, torch.ops.aten
        optimizer = torch.optim.AdamW if steps_on_meta(torch.optim.AdamW) else torch.optim.SGD
        with ersatz.torch.crosscheck(native=False) as report:
            torch.ones(2).is_pinned()
            torch.from_dlpack(torch.ones(2))
            torch._foreach_sqrt([torch.ones(2, device="meta")])
            with torch.device("meta"):
                net = torch.nn.Linear(3, 2)
                net(torch.ones(1, 3)).sum().backward()
                optimizer(net.parameters(), foreach=True).step()
            torch.randint(low, 2**63 - 1, (1,))
            torch.randint(low, low + 9, (1,))
            torch.randint_like(torch.ones(2).long(), low, low + 9)
            ops.randint.low_out(low, 2**63 - 1, [1], out=torch.empty(1, dtype=torch.int64))
            torch.tensor([1]).random_(low, 5)
            torch.tensor([1]).random_(low, None)
            for bounds in ((low, low + 2), (low, low + 10, 3), (low + 5, low, -3), (2**63 - 3, 2**63 - 1, 5), (low, 2**63 - 1, 2**62), (5, 5, low)):
                torch.arange(*bounds)
            ops.slice(torch.ones(3), 0, low, 2**63 - 1, 1)
            ops.slice_scatter(torch.ones(3), torch.ones(3), 0, low, 2**63 - 1, 1)
            torch.ones(3, 3).diagonal(low)
            torch.tril_indices(3, 3, low)
            for refused in (lambda: torch.ones(3).select(0, low), lambda: torch.ones(3).unsqueeze(low), lambda: torch.ones(3).sort(low),
                            lambda: torch.arange(0, 2**63 - 1, 2**62)):
                with self.assertRaises((IndexError, RuntimeError)):
                    refused()
        self.assertEqual(report.findings, (), str(report))
        self.assertEqual(report.report.skipped_calls["not modelled here"], {"aten.is_pinned.default": 2})

    def test_result_over_data_in_out_is_judged(self):
        with spoilt(torch.ops.aten.nonzero.out, lambda out, x, **_: out.int()) as report:
            torch.nonzero(torch.ones(2, 3), out=torch.empty(0, dtype=torch.int64))
        self.assertEqual([(f.op, f.field) for f in report.findings], [("aten.nonzero.out", "dtype")])
        with spoilt(torch.ops.aten.nonzero.out, lambda out, x, **_: out.clone()) as report:
            torch.nonzero(torch.ones(2, 3), out=torch.empty(6, 2, dtype=torch.int64))
        finding = report.findings[0]
        self.assertEqual((finding.field, finding.predicted, finding.observed), ("alias", "is argument 1", "has its own storage"))

    def test_threads_have_crosschecks_of_their_own(self):
        seen = [0] * 8

        def run(i):
            with ersatz.torch.crosscheck() as report:
                for _ in range(50):
                    torch.ones(3, i + 1).sum()
            seen[i] = report.compared

        threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(seen, [100] * 8)


if __name__ == "__main__":
    unittest.main()
