"""`ersatz.torch.crosscheck`: a live program of PyTorch is left as it is, and what is wrong in it is found."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from torch.utils._python_dispatch import TorchDispatchMode

import ersatz
import ersatz.torch
from ersatz.torch import glue, script


class Spoilt(TorchDispatchMode):
    """Makes the calls of one operator, and hands on something else than what they return."""

    def __init__(self, op, spoil):
        super().__init__()
        self.op, self.spoil = op, spoil

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        return self.spoil(out, *args) if func is self.op else out


def steps_on_meta(optimizer):
    """Does this version of PyTorch step parameters of the meta device? Older ones read a number of theirs."""
    parameter = torch.nn.Parameter(torch.ones(2, device="meta"))
    parameter.grad = torch.ones_like(parameter)
    try:
        optimizer([parameter], foreach=True).step()
    except RuntimeError:
        return False
    return True


@contextlib.contextmanager
def spoilt(op, spoil):
    """A crosscheck of a program in which `op` is wrong."""
    with Spoilt(op, spoil):
        with ersatz.torch.crosscheck(native=False) as report:
            yield report


def replayed(repro):
    """The findings that the program without Python sees in a repro."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "repro.jsonl")
        with open(path, "w") as out:
            out.write(repro + "\n")
        report = os.path.join(folder, "report.json")
        ersatz._ersatz.run_command(["crosscheck", path, "--no-real", "--json", "-o", report])
        with open(report) as f:
            return json.load(f)["findings"]


class Plants(unittest.TestCase):
    """One plant for each field: operator, field, line and repro are right."""

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
    def test_an_operator_that_makes_lazy_conjugates_itself_gives_what_it_gives_without(self):
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

    def test_subclasses_sparse_tensors_and_foreign_operators_are_skipped_by_reason(self):
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

    def test_pytorchs_own_operators_that_are_refused_by_name_are_no_findings(self):
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
        """What ersatz has no answer to is skipped; lists are read with their device; numbers have the whole range of 64 bits."""
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

    def test_a_result_over_data_in_out_is_judged_as_a_tensor(self):
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


NATIVE = """
import os, threading, torch, ersatz, ersatz.torch
relu = torch.library.Library("aten", "IMPL")
relu.impl("relu", lambda x: torch.zeros(x.shape, dtype=torch.float64), "CPU")

def run():
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Sigmoid())
    loss = net(torch.randn(2, 4)).sum()
    loss.backward()
    torch.optim.AdamW(net.parameters()).step()
    return loss.item()

plain = run()
with ersatz.torch.crosscheck(native=True) as report:
    assert run() == plain
    torch.relu(torch.ones(2, 3))  # planted
    try:
        torch.mm(torch.ones(2, 3), torch.ones(2, 3))
    except RuntimeError as e:
        print("raises", e)
print([(f.op, f.field, f.times) for f in report.findings], "planted" in report.findings[0].source, report.compared > 30)
try:
    with ersatz.torch.crosscheck(native=True, stop_at_first=True):
        torch.relu(torch.ones(2, 3))
except RuntimeError as e:
    print("stops", str(e).splitlines()[0])
torch.relu(torch.ones(1))
print(torch.ops.ersatz_glue.watching())
with ersatz.torch.crosscheck(native=True) as forked:
    torch.ones(2)
    pid = os.fork()
    if pid == 0:
        torch.ones(3).neg()
        os._exit(forked.compared)
    print("child", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), "parent", forked.compared)
seen = [0] * 8

def watched(i):
    with ersatz.torch.crosscheck(native=True) as report:
        for _ in range(50):
            torch.ones(3, i + 1).sum()
    seen[i] = report.compared

threads = [threading.Thread(target=watched, args=(i,)) for i in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(seen)
from torch.nn.attention.flex_attention import flex_attention
q = torch.randn(1, 1, 16, 8)
plain = flex_attention(q, q, q)
with ersatz.torch.crosscheck(native=True) as report:
    print("flex", torch.equal(flex_attention(q, q, q), plain), report.clean)
doubled = torch.compile(lambda x: x + x, backend="aot_eager", fullgraph=True)
with ersatz.torch.crosscheck(native=True) as report:
    print("compiled", doubled(torch.ones(3)).tolist(), report.clean)
none = torch.zeros(0, 1, 1, dtype=torch.complex64)
with ersatz.torch.crosscheck(native=True) as report:
    for _ in range(200):  # a kernel frees the text of its arguments
        torch.linalg.eigh(none, "U")
print("text", report.compared, report.findings)
"""


class Native(unittest.TestCase):
    def test_the_glue_is_built_once_and_judges_as_the_mode_does(self):
        with tempfile.TemporaryDirectory() as cache:
            env = {**os.environ, "XDG_CACHE_HOME": cache, "ERSATZ_GLUE": "1"}
            built = subprocess.run([sys.executable, "-m", "ersatz", "build-glue"], capture_output=True, text=True, env=env)
            self.assertEqual(built.returncode, 0, built.stderr)
            done = subprocess.run([sys.executable, "-W", "ignore", "-c", NATIVE], capture_output=True, text=True, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        raises, found, stops, watching, forked, threads, *compiled = done.stdout.splitlines()
        self.assertRegex(raises, "mat1 and mat2 shapes cannot be multiplied")
        self.assertEqual(found, "[('aten.relu.default', 'dtype', 1)] False True")
        self.assertRegex(stops, "aten.relu.default differs from its rule")
        self.assertEqual(watching, "False")
        self.assertEqual(forked, "child 3 parent 1")
        self.assertEqual(threads, str([100] * 8))
        self.assertEqual(compiled, ["flex True True", "compiled [2.0, 2.0, 2.0] True", "text 400 ()"])

    def test_a_glue_is_not_taken_for_one_of_another_source(self):
        built = glue.path()
        with tempfile.TemporaryDirectory() as other:
            shutil.copytree(glue._HERE.parent / "include", pathlib.Path(other, "include"))
            shutil.copytree(glue._HERE, pathlib.Path(other, "torch"), ignore=shutil.ignore_patterns("__pycache__"))
            with unittest.mock.patch.object(glue, "_HERE", pathlib.Path(other, "torch")):
                self.assertEqual(glue.path(), built)
                with open(pathlib.Path(other, "torch/glue.cpp"), "a", encoding="utf-8") as source:
                    source.write("// changed")
                self.assertNotEqual(glue.path(), built)

    def test_without_the_glue_asking_for_it_says_how_it_is_built(self):
        with tempfile.TemporaryDirectory() as cache:
            env = {**os.environ, "XDG_CACHE_HOME": cache}
            ask = "import ersatz.torch; ersatz.torch.crosscheck(native=True)"
            done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env=env)
        self.assertRegex(done.stderr.splitlines()[-1], "run `python -m ersatz build-glue`")


class Scripts(unittest.TestCase):
    def run_script(self, text, *arguments, options=()):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "train.py")
            with open(path, "w") as out:
                out.write("import sys, torch\n" + text)
            command = [sys.executable, "-m", "ersatz", "crosscheck", *options, path, *arguments]
            return subprocess.run(command, capture_output=True, text=True, env={**os.environ}, cwd=folder)

    def test_a_script_runs_as_ever_and_the_report_follows_on_stderr(self):
        done = self.run_script("print(sys.argv[1:], torch.ones(3).sum().item())", "--epochs", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "['--epochs', '1'] 3.0\n")
        self.assertRegex(done.stderr.splitlines()[-1], "^crosscheck: 3 compared, 0 mismatched")

    def test_the_status_of_a_script_is_its_own(self):
        self.assertEqual(self.run_script("torch.ones(3); sys.exit(7)").returncode, 7)

    def test_a_script_that_raises_ends_with_its_traceback_and_a_report(self):
        done = self.run_script("torch.ones(3)\nraise ValueError('lost')")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "ValueError: lost")
        self.assertNotIn("runpy", done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], "^crosscheck: 1 compared")

    def test_a_script_that_is_interrupted_ends_with_130_and_a_report(self):
        done = self.run_script("torch.ones(3)\nimport os, signal\nos.kill(os.getpid(), signal.SIGINT)\nimport time; time.sleep(9)")
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], "^crosscheck: 1 compared")

    def test_a_function_whose_compiling_fails_fails_as_without_a_crosscheck(self):
        text = ("def refuse(graph, inputs): raise RuntimeError('compiled')\n"
                "double = torch.compile(lambda x: x + x, backend=refuse)\n"
                "print(double(torch.ones(3)).sum().item())\n")
        with unittest.mock.patch.dict(os.environ, ERSATZ_GLUE="0"):
            done = self.run_script(text)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertIn("compiled", done.stderr)

    def test_a_script_that_is_not_there_is_one_line(self):
        command = [sys.executable, "-m", "ersatz", "crosscheck", "nowhere.py"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "ersatz: nowhere.py: there is no such script\n"))

    def test_a_full_disk_is_said_and_nothing_is_half_written(self):
        done = self.run_script("torch.ones(3)", options=("-o", "/dev/full/report"))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_a_report_is_written_in_the_form_of_each_files_suffix(self):
        wrong = ("op = torch.library.custom_op('mine::turn', lambda x: x.t().contiguous().t(), mutates_args=(), schema='(Tensor x) -> Tensor')\n"
                 "op.register_fake(torch.empty_like)\nop(torch.ones(2, 3))\n")
        with tempfile.TemporaryDirectory() as out:
            files = [pathlib.Path(out, name) for name in ("r.sarif", "r.junit.xml", "r.json", "r.html")]
            done = self.run_script(wrong, options=[part for file in files for part in ("--report", str(file))])
            sarif, junit, report, page = (file.read_text(encoding="utf-8") for file in files)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], "^crosscheck: 2 compared, 1 mismatched")
        result, = json.loads(sarif)["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"].rpartition("/")[2], place["region"]["startLine"]), ("train.py", 4))
        self.assertEqual([f["op"] for f in json.loads(report)["findings"]], ["mine.turn.default"])
        self.assertRegex(junit, '<testcase [^>]*name="mine.turn.default">\\s*<failure type="stride"')
        self.assertIn("<!DOCTYPE html>", page)

    def test_a_report_that_cannot_be_written_is_said_before_the_script_runs(self):
        for path, words in (("r.txt", "r.txt: a report is one of .html, .json, .sarif, .xml"), ("nowhere/r.sarif", "nowhere/r.sarif: its folder cannot be written")):
            done = self.run_script("print('ran')", options=("--report", path))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"ersatz: {words}\n"))

    def test_scripts_are_told_from_programs(self):
        self.assertFalse(script.is_script(["--report", "train.py", "model.pt2"]))
        self.assertTrue(script.is_script(["train.py", "--epochs", "1"]))
        self.assertTrue(script.is_script(["-o", "report.txt", "-m", "package.train"]))
        self.assertFalse(script.is_script(["model.pt2", "--device", "cuda"]))
        self.assertFalse(script.is_script(["-o", "train.py", "model.pt2"]))


if __name__ == "__main__":
    unittest.main()
